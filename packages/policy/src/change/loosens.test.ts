import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  fillSteps,
  inThirdForm,
  loosens,
  type NamedRule,
  type Outcome,
  partyOfMachine,
  type Policy,
  type ThirdForm,
  waitOfChange,
  withSigners,
} from '../index.ts'
import { decidePayment } from '../evaluate/evaluate.ts'
import { approveBy, dayLimit, groupOf, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member, samplePolicy } from '../testing/sample-organisation.ts'

const people = [0, 1, 2, 3].map(member)
const [ann, ben, cleo, dora] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0]]
const upTo = (most: bigint | null, above = 0n) => ({ kind: 'assets' as const, assets: [{ chain: CHAIN, asset: '', above, atMost: most }] })
const two = [{ need: 2n, who: [personOf(ben), personOf(cleo), personOf(dora)] }]
const one = [{ need: 1n, who: [personOf(ben), personOf(cleo)] }]

const base = thirdForm(people, {
  groups: [{ id: 'desk', name: 'Desk', members: [ben.id, cleo.id, dora.id] }],
  governance: { approvers: [ann.id, ben.id, cleo.id], threshold: 2n },
  rules: [
    namedRule('never', { conditions: [upTo(null, 900n)] }),
    namedRule('small', { conditions: [upTo(10n)], action: approveBy(one, { mayStop: [personOf(dora)], delayMs: 60n }) }),
    namedRule('large', { conditions: [upTo(500n)], steps: two }),
  ],
  looseningDelayMs: 1000n,
  parts: [{ part: 'strategies', need: 1n, who: [personOf(cleo), personOf(dora)] }],
})
const [never, small, large] = base.rules as [NamedRule, NamedRule, NamedRule]
const is = (changes: Partial<ThirdForm>) => loosens(base, { ...base, ...changes } as Policy)
const withCooling = (hours: number): Policy => ({ ...base, kind: 'namedCooling', listingCoolingMs: BigInt(hours * 3_600_000) }) as Policy
const cooling = (after: number, before?: number) => loosens(before === undefined ? base : withCooling(before), withCooling(after))
const rules = (...list: NamedRule[]) => is({ rules: list })
const acting = (rule: NamedRule, changes: Partial<Extract<NamedRule['action'], { kind: 'approve' }>>) =>
  ({ ...rule, action: { ...rule.action, ...changes } }) as NamedRule

test('what only tightens does not wait', () => {
  const tight: [string, boolean][] = [
    ['nothing', is({})],
    ['a rule that refuses, first', rules(namedRule('none'), never, small, large)],
    ['a rule that refuses, last', rules(never, small, large, namedRule('none'))],
    ['a rule that refuses more', rules({ ...never, conditions: [upTo(null, 100n)] }, small, large)],
    ['a rule that refuses in place of one that lets through', rules(never, { ...small, action: { kind: 'refuse' } }, large)],
    ['the last rule away', rules(never, small)],
    ['less in the last rule', rules(never, small, { ...large, conditions: [upTo(100n)] })],
    ['one more step', rules(never, small, acting(large, { steps: [...two, { need: 1n, who: [personOf(ann)] }] }))],
    ['one more of a step', rules(never, small, acting(large, { steps: [{ ...two[0]!, need: 3n }] }))],
    ['an approver away', rules(never, small, acting(large, { steps: [{ need: 2n, who: [personOf(ben), personOf(cleo)] }] }))],
    ['a longer delay', rules(never, acting(small, { delayMs: 61n }), large)],
    ['one more who may stop', rules(never, acting(small, { mayStop: [personOf(dora), personOf(ann)] }), large)],
    [
      'a stricter rule for a part of what the last one decides',
      rules(never, small, namedRule('middle', { conditions: [upTo(500n, 100n)], action: approveBy([{ need: 3n, who: two[0]!.who }]) }), large),
    ],
    ['another governor away', is({ governance: { approvers: [ann.id, ben.id], threshold: 2n } })],
    ['more of those who govern', is({ governance: { ...base.governance, threshold: 3n } })],
    ['a part that needs more', is({ parts: [{ part: 'strategies', need: 2n, who: base.parts[0]!.who }] })],
    ['a longer wait', is({ looseningDelayMs: 1001n })],
    ['a longer wait of the whitelist', cooling(25, 24)],
    ['the form that says how long the whitelist waits, and says the same', cooling(24)],
    ['the wait of the whitelist as it is without a word', loosens(withCooling(23), base)],
    ['a key away', is({ people: base.people.map((person) => (person.name === ann.name ? { ...person, credentials: [] } : person)) })],
    ['a renewal', is({ issuedAtMs: base.issuedAtMs + 9n, expiresAtMs: base.expiresAtMs + 9n })],
    ['an asset away', is({ assets: [] })],
  ]
  for (const [what, loose] of tight) assert.equal(loose, false, what)
})

test('what lets more through, or what cannot be compared, waits', () => {
  const loose: [string, boolean][] = [
    ['a rule that refuses away', rules(small, large)],
    ['a rule that refuses less', rules({ ...never, conditions: [upTo(null, 901n)] }, small, large)],
    ['more in a rule', rules(never, { ...small, conditions: [upTo(11n)] }, large)],
    ['no bound', rules(never, small, { ...large, conditions: [] })],
    ['the rules in another order', rules(never, large, small)],
    ['fewer of a step', rules(never, small, acting(large, { steps: [{ ...two[0]!, need: 1n }] }))],
    ['one more approver', rules(never, small, acting(large, { steps: [{ need: 2n, who: [...two[0]!.who, personOf(ann)] }] }))],
    ['a shorter delay', rules(never, acting(small, { delayMs: 59n }), large)],
    ['one away who may stop', rules(never, acting(small, { mayStop: [] }), large)],
    ['a new rule', rules(never, small, large, namedRule('more', { steps: one }))],
    ['less in a rule before one that asks for less', is({ rules: [never, { ...large, conditions: [upTo(5n)] }, small] })],
    ['a limit, beyond which another rule decides that asks for other people', rules(never, { ...large, limits: [dayLimit({ maxCount: 1n })] }, small)],
    ['another name of a rule', rules(never, { ...small, name: 'Small ones' }, large)],
    [
      'a key',
      is({
        people: base.people.map((person) => (person.name === ann.name ? { ...person, credentials: [...person.credentials, member(8).credential] } : person)),
      }),
    ],
    ['another name of a person', is({ people: base.people.map((person) => ({ ...person, name: `${person.name}.` })) })],
    ['one more who asks, where all may', is({ people: [...base.people, inThirdForm(samplePolicy([member(7)], 1)).people[0]!] })],
    ['one more who governs', is({ governance: { ...base.governance, approvers: [...base.governance.approvers, dora.id] } })],
    ['fewer of those who govern', is({ governance: { ...base.governance, threshold: 1n } })],
    ['a part away', is({ parts: [] })],
    ['a part more', is({ parts: [...base.parts, { part: 'assets', need: 3n, who: [groupOf('desk')] }] })],
    ['one more of a part', is({ parts: [{ part: 'strategies', need: 1n, who: [groupOf('desk')] }] })],
    ['a shorter wait', is({ looseningDelayMs: 999n })],
    ['a shorter wait of the whitelist', cooling(23, 24)],
    ['a shorter wait of the whitelist than without a word', cooling(23)],
    ['the wait of the whitelist no longer said, where it was longer', loosens(withCooling(25), base)],
    ['an asset', is({ assets: [...base.assets, { ...ETH, contract: '0x1', symbol: 'X' }] })],
    ['an asset with other decimals', is({ assets: base.assets.map((asset) => ({ ...asset, decimals: 6n })) })],
    ['a page', is({ origins: [...base.origins, { origin: 'https://more.example', rpId: 'more.example' }] })],
    ['a longer life', is({ expiresAtMs: base.expiresAtMs + 1n })],
    ['a machine', is({ machines: [{ id: 'm', name: 'M', kind: 'api', publicKey: new Uint8Array(32), purpose: '', expiresAtMs: 1n }] })],
    ['what something is worth', is({ valuation: [{ chain: CHAIN, asset: '', microUsd: 1n, validUntilMs: 1n }] })],
    ['another recovery officer', is({ recovery: [{ kind: 'single', party: 1n, recipients: ['age1other'] }] })],
    ['the former form', loosens(base, samplePolicy(people, 2))],
  ]
  for (const [what, isLoose] of loose) assert.equal(isLoose, true, what)
})

test('a signer in the place of another does not wait, and nothing waits under the forms before, or where the policy says nothing of it', () => {
  const signer = (party: bigint) => ({ party, name: `signer ${party}`, operator: 'O', signKey: new Uint8Array(32).fill(Number(party)) })
  assert.equal(loosens(base, withSigners(base, [1n, 2n, 3n].map(signer))), false)
  const more = { ...base, looseningDelayMs: 0n }
  assert.equal(waitOfChange(base, more), 1000n)
  assert.equal(waitOfChange(more, { ...more, parts: [] }), 0n)
  assert.equal(waitOfChange(samplePolicy(people, 2), samplePolicy(people, 1)), 0n)
})

const program = { id: 'program', name: 'Program', kind: 'api', publicKey: new Uint8Array(32).fill(9), purpose: '', expiresAtMs: 1n << 50n }
const askedBy = (who: Extract<NamedRule['conditions'][number], { kind: 'askers' }>['who']) => ({ kind: 'askers' as const, who })

test('a rule that says nothing of who asks denies machines: what no longer does, before one that lets a machine ask, waits', () => {
  const asks = { kind: 'machine' as const, id: program.id }
  const last = namedRule('last', { conditions: [askedBy([asks])], steps: two })
  const everybody = askedBy(people.map(personOf))
  const loose = (before: NamedRule, after: NamedRule[], machines = [program]) =>
    loosens({ ...base, machines, rules: [before, last] }, { ...base, machines, rules: [...after, last] })
  const first = namedRule('first', { conditions: [upTo(10n)], steps: two })
  const named = { ...first, conditions: [upTo(10n), everybody] }
  assert.deepEqual([loose(first, [named]), loose(first, []), loose(first, [{ ...first, conditions: [upTo(5n)] }])], [true, true, true])
  assert.deepEqual([loose(never, [{ ...never, conditions: [upTo(null, 900n), everybody] }]), loose(never, [never])], [true, false])
  assert.ok(loose(first, [{ ...first, limits: [dayLimit({ maxCount: 1n })] }]), 'beyond a limit the next one decides')
  assert.equal(loose(named, [{ ...named, conditions: [upTo(5n), everybody] }]), false, 'what people ask for falls to one that asks for as much')
  assert.equal(loose(first, [named], [{ ...program, kind: 'coSigner' }]), false, 'a co-signer asks for nothing')
})

/** What may be let through under a policy by these people: whatever rule decides, of those that may. */
function passes(policy: Policy, amount: bigint, initiator: Uint8Array, approvers: readonly Uint8Array[]): boolean {
  const act = { as: 'payment' as const, chain: CHAIN, contract: null, amount, initiator, recipients: ['0x1'], memo: null, source: null }
  const filled = (outcome: Outcome) => outcome.kind === 'needs' && fillSteps(outcome.steps, approvers).missing === 0
  return decidePayment(policy, act, { atMs: 0 }).some(filled)
}

const whoArb = fc.subarray(people, { minLength: 1 }).map((list) => list.map(personOf))
const askersArb = fc.subarray([...people.map(personOf), { kind: 'machine' as const, id: program.id }], { minLength: 1 })
const boundArb = fc.constantFrom<bigint | null>(5n, 10n, 50n, null)
const ruleArb = (id: string): fc.Arbitrary<NamedRule> =>
  fc
    .record({
      level: fc.constantFrom('higher' as const, 'basic' as const),
      most: boundArb,
      above: fc.constantFrom(0n, 4n),
      askers: fc.option(askersArb, { nil: null }),
      steps: fc.array(fc.record({ need: fc.constantFrom(1n, 2n), who: whoArb }), { maxLength: 2 }),
      isLimited: fc.boolean(),
    })
    .map(({ level, most, above, askers, steps, isLimited }) =>
      namedRule(id, {
        level,
        conditions: level === 'basic' ? [] : [upTo(most, above), ...(askers ? [askedBy(askers)] : [])],
        ...(steps.length > 0 ? { steps, limits: isLimited ? [dayLimit({ maxCount: 3n })] : [] } : {}),
      }),
    )
const rulesArb = fc.tuple(ruleArb('a'), ruleArb('b'), ruleArb('c'), ruleArb('d')).chain((list) => fc.shuffledSubarray(list))

test('whatever a change that does not loosen lets through was let through before, with the same people', () => {
  let [tight, checked] = [0, 0]
  fc.assert(
    fc.property(rulesArb, rulesArb, fc.nat(4), (before, other, keep) => {
      const current = thirdForm(people, { rules: before, machines: [program] })
      // Most of the rules stay, so that many of the changes can be compared.
      const next = thirdForm(people, {
        machines: [program],
        rules: keep === 0 ? other : before.map((rule) => other.find(({ id }) => id === rule.id && keep === 1) ?? rule).filter((_, i) => keep !== i + 2),
      })
      if (loosens(current, next)) return
      tight++
      for (const amount of [1n, 5n, 7n, 20n, 100n])
        for (const id of [...people.map((each) => each.id), partyOfMachine(program)])
          for (let set = 1; set < 16; set++) {
            const approvers = people.filter((_, i) => (set >> i) & 1).map((each) => each.id)
            if (!passes(next, amount, id, approvers)) continue
            checked++
            assert.ok(passes(current, amount, id, approvers), `${amount} by ${approvers.length}`)
          }
    }),
    { numRuns: 3000 },
  )
  assert.ok(tight > 100 && checked > 1000, `${tight} ${checked}`)
})
