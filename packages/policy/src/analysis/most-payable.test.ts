import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { evaluatePayment, type Needs, outcomesOfAct } from '../index.ts'
import { isPayable, mostPayable, stretchesOf } from './most-payable.ts'
import { approveBy, dayLimit, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { people, point, rules, USDX } from '../testing/random-rules.ts'
import { CHAIN, ETH, samplePolicy } from '../testing/sample-organisation.ts'

const HELD = 40n
const valuation = ['', USDX.contract].map((asset) => ({
  chain: CHAIN,
  asset,
  microUsd: asset === '' ? 3_000_000_000_000_000_000_000n : 7_000_000_000n,
  validUntilMs: 1n << 50n,
}))
const policyOf = rules.map((made) => thirdForm(people, { rules: made, assets: [ETH, USDX], valuation }))
/** What is left under each rule, as limits that were counted would say; null is a rule that nothing bounds. */
const rooms = fc.array(fc.option(fc.bigInt(0n, 12n)), { minLength: 6, maxLength: 6 })

test('the most is what the evaluation lets through of all amounts, and every amount is payable that it lets through, for any rules and what is left', () => {
  fc.assert(
    fc.property(policyOf, point, rooms, fc.bigInt(0n, HELD), fc.boolean(), (policy, { act, given }, left, held, isKnown) => {
      const { as: _, amount: _amount, ...draft } = act as Extract<typeof act, { as: 'payment' }>
      const asking = isKnown ? given : {}
      const roomOf = ({ rule }: Needs) => left[policy.rules.findIndex(({ id }) => id === rule.id)] ?? null
      const isLetThrough = (amount: bigint) =>
        outcomesOfAct(policy, { as: 'payment', ...draft, amount }, asking).some((each) => each.kind === 'needs' && (roomOf(each) ?? amount) >= amount)
      const amounts = Array.from({ length: Number(held) }, (_, i) => BigInt(i + 1))
      const stretches = stretchesOf(policy, draft, held, asking)
      assert.equal(mostPayable(stretches, roomOf), amounts.filter(isLetThrough).at(-1) ?? 0n)
      for (const amount of amounts) assert.equal(isPayable(stretches, amount, roomOf), isLetThrough(amount), String(amount))
      assert.equal(isPayable(stretches, held + 1n, roomOf), false, 'what is not there')
    }),
    { numRuns: 2_000 },
  )
})

test('a used-up limit of the last rule leaves nothing, and one before it what the next lets through', () => {
  const [, ben] = people
  const steps = [{ need: 1n, who: [personOf(ben!)] }]
  const limits = [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 9n }] })]
  const upTo = (atMost: bigint) => ({ kind: 'assets' as const, assets: [{ chain: CHAIN, asset: '', above: 0n, atMost }] })
  const policy = thirdForm(people, {
    rules: [namedRule('small', { conditions: [upTo(5n)], limits, action: approveBy(steps) }), namedRule('large', { limits, steps })],
  })
  const payment = { chain: CHAIN, contract: null, initiator: people[0]!.id }
  const most = (small: bigint, large: bigint) => mostPayable(stretchesOf(policy, payment, 100n), ({ rule }) => (rule.id === 'small' ? small : large))
  assert.deepEqual([most(9n, 9n), most(0n, 9n), most(9n, 3n), most(2n, 3n), most(0n, 0n)], [9n, 9n, 5n, 3n, 0n])
  assert.equal(evaluatePayment(policy, { ...payment, amount: 6n }).kind, 'needs')
})

test('what rules of the first form bound, and what nobody has, is no more than that', () => {
  const policy = samplePolicy(people, 2)
  const payment = { chain: CHAIN, contract: null, initiator: people[0]!.id }
  const bounded = { ...policy, rules: policy.rules.map((rule) => (rule.kind === 'transfer' ? { ...rule, maxAmount: 7n } : rule)) }
  assert.deepEqual(
    [policy, bounded].map((each) => mostPayable(stretchesOf(each, payment, 100n), () => null)),
    [100n, 7n],
  )
  assert.equal(
    mostPayable(stretchesOf(policy, payment, 0n), () => null),
    0n,
  )
})
