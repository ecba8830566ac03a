/**
 * Measures how fast a policy is evaluated: one order by 256 rules of which the last one decides, and 100,000 orders of the past by a policy as it is and as it
 * is drafted, whose rules lie apart by amounts or by whom they pay. Run: `node bench/policy.bench.ts`. Prints one JSON line for each figure.
 */
import { outcomesOfAct, type NamedRule, type Policy } from '@holdfast/policy'
import { analysePolicy, type PastOrder, replayOrders } from '@holdfast/policy/analysis'
import { dayLimit, namedRule, NOWHERE, personOf, thirdForm } from '../packages/policy/src/testing/named-rules.ts'
import { CHAIN, ETH, member } from '../packages/policy/src/testing/sample-organisation.ts'

const ORDERS = 100_000
const RULES = 256
const people = Array.from({ length: 20 }, (_, i) => member(i))
const who = people.map(personOf)
const DAY_MS = 86_400_000
const keyId = new Uint8Array(32).fill(7)

/** What tells the rules apart: the amounts, or the addresses that each of them names. */
type Apart = 'amounts' | 'addresses'

const addressOf = (i: number) => `0x${i.toString(16)}`

/** Every rule looks at all that rules can look at, and every second one has limits that it counts. */
function ruleOf(i: number, count: number, apart: Apart): NamedRule {
  const above = apart === 'amounts' ? BigInt(i) * 1_000n : 0n
  const named = [{ name: 'Named', chain: CHAIN, address: addressOf(i), memo: null }]
  return namedRule(`rule-${i}`, {
    conditions: [
      { kind: 'askers', who: who.slice(i % 3, 18) },
      { kind: 'sources', wallets: [{ name: 'Main', keyId, path: [0n] }] },
      { kind: 'destinations', ...NOWHERE, own: true, ...(apart === 'amounts' ? { listed: true, addresses: [] } : { addresses: named }) },
      { kind: 'times', zone: 'Asia/Shanghai', days: [0n, 1n, 2n, 3n, 4n, 5n, 6n], fromMinute: 0n, untilMinute: 1440n },
      { kind: 'assets', assets: [{ chain: CHAIN, asset: '', above, atMost: apart === 'addresses' || i === count - 1 ? null : above + 1_000n }] },
    ],
    limits: i % 2 === 0 ? [dayLimit({ each: 'asker', amounts: [{ chain: CHAIN, asset: '', max: 10n ** 12n }], maxCount: 50_000n })] : [],
    steps: [
      { need: 2n, who: who.slice(0, 10) },
      { need: 1n, who: who.slice(10) },
    ],
  })
}

const policyOf = (rules: number, apart: Apart): Policy =>
  thirdForm(people, { rules: Array.from({ length: rules }, (_, i) => ruleOf(i, rules, apart)), assets: [ETH] })

const orderOf = (i: number, rules: number): PastOrder => {
  const amount = BigInt((i * 7919) % (rules * 1_000)) + 1n
  const initiator = people[i % 20]!.id
  const to = addressOf((i * 7919) % rules)
  return {
    id: String(i),
    act: { as: 'payment', chain: CHAIN, contract: null, amount, recipients: [to], memo: null, initiator, source: { keyId, path: [0n, BigInt(i % 50)] } },
    from: '0xf',
    paid: [{ to, amount }],
    atMs: Date.parse('2026-01-01T00:00:00Z') + Math.floor((i * 90 * DAY_MS) / ORDERS),
    openMs: 0n,
    isCounted: true,
    destination: () => ({ isOwn: false, isListed: true, lists: [], isPaidBefore: false }),
  }
}

const policy = policyOf(RULES, 'amounts')
const last = { ...orderOf(0, RULES).act, amount: 1_000_000_000n } as PastOrder['act']
const times: number[] = []
for (let i = 0; i < 600; i++) {
  const startedMs = performance.now()
  const outcomes = outcomesOfAct(policy, last, { atMs: Date.parse('2026-01-01T00:00:00Z') + i * 60_000, destination: orderOf(0, RULES).destination! })
  // Whose no is enough is asked for as well: who counts approvals does.
  for (const each of outcomes) if (each.kind === 'needs' && each.mayStop.length === 0) throw new Error('nobody may stop it')
  if (i >= 100) times.push(performance.now() - startedMs)
}
times.sort((a, b) => a - b)
const round = (ms: number) => Math.round(ms * 1_000) / 1_000
console.log(
  JSON.stringify({
    figure: 'policy, one order by the last of its rules',
    rules: RULES,
    ms: round(times[times.length >> 1]!),
    p99Ms: round(times[Math.floor(times.length * 0.99)]!),
    toReachMs: 1,
  }),
)

for (const apart of ['amounts', 'addresses'] as const)
  for (const rules of [32, RULES]) {
    const [before, after] = [policyOf(rules, apart), policyOf(rules, apart)]
    const orders = Array.from({ length: ORDERS }, (_, i) => orderOf(i, rules))
    const startedMs = performance.now()
    const replayed = replayOrders(before, after, orders)
    const ms = Math.round(performance.now() - startedMs)
    console.log(
      JSON.stringify({
        figure: 'policy, orders replayed before and after',
        rules,
        apart,
        orders: replayed.length,
        ms,
        toReachMs: 5_000,
        ofToReach: round(ms / 5_000),
      }),
    )
  }

const startedMs = performance.now()
const { isWhole } = analysePolicy(policy, Date.parse('2026-01-01T00:00:00Z'))
console.log(JSON.stringify({ figure: 'policy, analysed', rules: RULES, ms: Math.round(performance.now() - startedMs), isWhole }))
