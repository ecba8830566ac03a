import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Condition, fillSteps, loosens, type NamedRule, type Outcome, partsTouched, type Policy, quorumsOfChange, type Valuation } from '../index.ts'
import { decidePayment } from '../evaluate/evaluate.ts'
import { centsOf, countedName, countsNoLess } from '../rules/valuation.ts'
import { dayLimit, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member } from '../testing/sample-organisation.ts'

const people = [0, 1, 2, 3].map(member)
const [ann, ben, cleo, dora] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0]]
const worth = (microUsd: bigint, validUntilMs = 100n): Valuation => ({ chain: CHAIN, asset: '', microUsd, validUntilMs })
const upTo = (atMostCents: bigint | null, aboveCents = 0n): Condition => ({ kind: 'value', aboveCents, atMostCents })
const COIN = { ...ETH, decimals: 4n }
const by = (need: bigint) => [{ need, who: [ben, cleo, dora].map(personOf) }]
const policyOf = (rules: NamedRule[], ...valuation: Valuation[]) => thirdForm(people, { assets: [COIN], rules, valuation })

test('raising what something is worth, or for less long, tightens; lowering it loosens; and so does what cannot be ordered', () => {
  const small = namedRule('small', { conditions: [upTo(100n)], steps: by(1n) })
  const limited = namedRule('small', { limits: [dayLimit({ maxCents: 100n })], steps: by(1n) })
  const large = namedRule('large', { steps: by(2n) })
  const never = namedRule('never', { conditions: [upTo(null, 100n)] })
  const beyond = namedRule('beyond', { conditions: [upTo(null, 100n)], steps: by(2n) })
  const easy = namedRule('easy', { steps: by(1n) })
  const was = worth(50n)
  const is = (rules: NamedRule[], ...after: Valuation[]) => loosens(policyOf(rules, was), policyOf(rules, ...after))
  for (const rules of [[], [small, large], [limited, large], [never, small, large]]) {
    assert.equal(is(rules, worth(51n)), false, 'a higher worth')
    assert.equal(is(rules, worth(50n, 99n)), false, 'for less long')
    assert.equal(is(rules), false, 'no worth')
    assert.equal(is(rules, worth(49n)), true, 'a lower worth')
    assert.equal(is(rules, worth(50n, 101n)), true, 'for longer')
    assert.equal(is(rules, worth(51n, 101n)), true, 'a higher worth for longer')
    assert.equal(loosens(policyOf(rules), policyOf(rules, was)), true, 'a worth where there was none')
  }
  assert.equal(is([beyond], worth(51n)), true, 'more comes under a rule that lets through')
  assert.equal(is([{ ...small, action: large.action }, easy], worth(51n)), true, 'what the first covers no more falls to one that asks for less')
  assert.equal(is([{ ...limited, action: large.action }, easy], worth(51n)), true, 'and so does what its limit stops')
})

test('other decimals make a base unit worth something else: that touches values, and loosens rules where it is less', () => {
  const small = namedRule('small', { conditions: [upTo(100n), { kind: 'askers', who: [cleo].map(personOf) }], steps: by(1n) })
  const parts = [{ part: 'assets', need: 1n, who: [cleo].map(personOf) }]
  const before = { ...policyOf([small], worth(50n)), parts }
  const pinned = (decimals: bigint, microUsd = 50n) => ({ ...before, assets: [{ ...ETH, decimals }], valuation: [worth(microUsd)] })
  assert.deepEqual(partsTouched(before, pinned(9n)), ['assets', 'valuation'])
  assert.deepEqual(partsTouched({ ...before, valuation: [] }, { ...pinned(9n), valuation: [] }), ['assets'])
  // Whoever approves assets alone would make all that the rule lets through worth less.
  assert.deepEqual(
    quorumsOfChange(before, pinned(9n), ann.id).map(({ of }) => of),
    ['current', 'assets'],
  )
  assert.equal(countsNoLess(pinned(5n), before), false, 'a tenth of the worth')
  assert.equal(countsNoLess(pinned(5n, 499n), before), false, 'a higher worth of a unit of which each base unit is worth less')
  assert.equal(countsNoLess(pinned(5n, 500n), before), true, 'the same worth in other words')
  assert.equal(countsNoLess(pinned(3n), before), true)
})

test('who approves what assets are worth does not loosen alone the rules that bind only themselves', () => {
  const who = (...list: typeof people) => list.map(personOf)
  const rules = [namedRule('small', { conditions: [upTo(100n), { kind: 'askers', who: who(cleo) }], steps: by(1n) }), namedRule('large', { steps: by(2n) })]
  const parts = [{ part: 'valuation', need: 1n, who: who(cleo, dora) }]
  const before = { ...policyOf(rules, worth(50n)), parts }
  const change = (...valuation: Valuation[]) => quorumsOfChange(before, { ...before, valuation }, ann.id)
  assert.deepEqual(partsTouched(before, { ...before, valuation: [worth(51n)] }), ['valuation'])
  assert.deepEqual(
    change(worth(51n)).map(({ of, steps }) => [of, steps]),
    [['valuation', [{ need: 1, eligible: [cleo.id, dora.id] }]]],
  )
  assert.deepEqual(
    change(worth(49n)).map(({ of, steps }) => [of, steps]),
    [['valuation', [{ need: 1, eligible: [dora.id] }]]],
  )
  // A limit in dollars grows with a lower worth just as a bound does.
  const limited = [namedRule('small', { conditions: [{ kind: 'askers', who: who(cleo) }], limits: [dayLimit({ maxCents: 100n })], steps: by(1n) })]
  const counted = { ...policyOf(limited, worth(50n)), parts }
  for (const [microUsd, eligible] of [
    [51n, [cleo.id, dora.id]],
    [49n, [dora.id]],
  ] as const)
    assert.deepEqual(
      quorumsOfChange(counted, { ...counted, valuation: [worth(microUsd)] }, ann.id).map(({ of, steps }) => [of, steps]),
      [['valuation', [{ need: 1, eligible }]]],
    )
  const alone = { ...before, parts: [{ part: 'valuation', need: 1n, who: who(cleo) }] }
  assert.deepEqual(
    quorumsOfChange(alone, { ...alone, valuation: [worth(49n)] }, ann.id).map(({ of }) => of),
    ['current', 'valuation'],
  )
})

/**
 * Whether an order gets through by these people: by any rule that may decide and whose limit of value has room, where so many base units were let through under
 * it before.
 */
function passes(policy: Policy, amount: bigint, used: bigint, atMs: number, approvers: readonly Uint8Array[]): boolean {
  const act = { as: 'payment' as const, chain: CHAIN, contract: null, amount, initiator: ann.id, recipients: ['0x1'], memo: null, source: null }
  const cents = (units: bigint) => centsOf(policy, countedName(CHAIN, null), units, { atMs })
  const hasRoom = (outcome: Outcome) =>
    outcome.kind === 'needs' && outcome.limits.every(({ maxCents }) => maxCents === null || cents(used) + cents(amount) <= maxCents)
  return decidePayment(policy, act, { atMs }).some(
    (outcome) => outcome.kind === 'needs' && hasRoom(outcome) && fillSteps(outcome.steps, approvers).missing === 0,
  )
}

const ruleArb = (id: string): fc.Arbitrary<NamedRule> =>
  fc
    .record({
      most: fc.constantFrom<bigint | null>(20n, 60n, null),
      above: fc.constantFrom(0n, 0n, 10n),
      limit: fc.option(fc.constantFrom(30n, 90n)),
      need: fc.constantFrom(0n, 1n, 2n, 3n),
    })
    .map(({ most, above, limit, need }) =>
      namedRule(id, {
        conditions: need === 0n ? [upTo(null, above + 15n)] : most === null && above === 0n ? [] : [upTo(most, above)],
        ...(need === 0n ? {} : { steps: by(need), limits: limit === null ? [] : [dayLimit({ maxCents: limit })] }),
      }),
    )
const rulesArb = fc.tuple(ruleArb('a'), ruleArb('b'), ruleArb('c')).chain((list) => fc.shuffledSubarray(list))
const tableArb = fc.array(fc.tuple(fc.constantFrom(10_000n, 20_000n, 30_000n), fc.constantFrom(50n, 100n)), { maxLength: 1 })

test('whatever a change of worths and rules that does not loosen lets through was let through before, with the same people', () => {
  let [tight, checked] = [0, 0]
  fc.assert(
    fc.property(rulesArb, rulesArb, tableArb, tableArb, fc.nat(3), (before, other, was, is, keep) => {
      const tableOf = (entries: [bigint, bigint][]) => entries.map(([micro, until]) => worth(micro * 10_000n, until))
      const current = policyOf(before, ...tableOf(was))
      const next = policyOf(
        before.map((rule) => other.find(({ id }) => id === rule.id && keep === 1) ?? rule).filter((_, i) => keep !== i + 2),
        ...tableOf(is),
      )
      if (loosens(current, next)) return
      tight++
      for (const amount of [1n, 4n, 9n, 20n, 70n])
        for (const used of [0n, 8n, 40n])
          for (const atMs of [10, 75])
            for (let set = 1; set < 8; set++) {
              const approvers = [ben, cleo, dora].filter((_, i) => (set >> i) & 1).map((each) => each.id)
              if (!passes(next, amount, used, atMs, approvers)) continue
              checked++
              assert.ok(passes(current, amount, used, atMs, approvers), `${amount} after ${used} at ${atMs} by ${approvers.length}`)
            }
    }),
    { numRuns: 4000 },
  )
  assert.ok(tight > 300 && checked > 3000, `${tight} ${checked}`)
})
