import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AbiValue, encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import type { CallAct } from '@holdfast/intent'
import fc from 'fast-check'
import { type Comparison, type Condition, isCalledWith } from '../conditions/index.ts'
import { loosens, type NamedRule, type ThirdForm } from '../index.ts'
import { approveBy, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { argumentsOfEvery, comparisonsOfRule, EVERY, FRIENDS } from '../testing/random-comparisons.ts'
import { CHAIN, ETH, member } from '../testing/sample-organisation.ts'
import { isNarrowerOnParameters } from './narrower-parameters.ts'

const people = [0, 1, 2].map(member)
const approve = approveBy([{ need: 1n, who: people.map(personOf) }])
const compared = (comparisons: Comparison[]): Condition => ({ kind: 'comparisons', comparisons })

const policyOf = (condition: Condition, action: NamedRule['action'] = approve): ThirdForm =>
  thirdForm(people, {
    assets: [ETH],
    rules: [
      namedRule('calls', {
        covers: {
          ...{ kind: 'calls', chain: CHAIN, contracts: [FRIENDS[0]!], functions: [EVERY], maxValue: 0n, maxTokens: 0n },
          ...{ unlimitedAllowances: false, unknownCallData: false },
        },
        conditions: [condition],
        action,
      }),
    ],
  })
const changeLoosens = (before: Condition, after: Condition, action?: NamedRule['action']) => {
  const current = policyOf(before, action)
  return loosens(current, { ...policyOf(after, action), version: current.version + 1n })
}

const EMPTY: AbiValue[] = [0n, 0n, FRIENDS[2]!, false, new Uint8Array(2), new Uint8Array(), '', [], [0n, 0n], [false, []], []]

/** A call as it is, and the same with what it carries in its bytes: itself once more. */
const callsWith = (values: AbiValue[]): CallAct[] => {
  const calls = [values, values.with(5, encodeFunctionCall(parseSignature(EVERY), EMPTY))]
  const base = { chain: CHAIN, from: '', contract: '', value: 0n, initiator: new Uint8Array(16), source: null, signature: EVERY }
  return calls.map((each) => ({ as: 'call', ...base, data: encodeFunctionCall(parseSignature(EVERY), each) }))
}

test('what is narrower holds for nothing that the other did not hold for, and is unknown of nothing that the other knows not to hold', () => {
  let narrower = 0
  // Rules of which one says more than the other come up often enough only if they are made so.
  const pairs = fc.tuple(comparisonsOfRule, comparisonsOfRule).map(([one, other]) => {
    const added = one.filter(({ path }) => !other.some((each) => each.path.join('.') === path.join('.')))
    return [[...other, ...added], other] as const
  })
  fc.assert(
    fc.property(fc.oneof(pairs, fc.tuple(comparisonsOfRule, comparisonsOfRule)), argumentsOfEvery, ([is, was], values) => {
      if (!isNarrowerOnParameters(compared([...is]), compared([...was]))) return
      narrower++
      for (const act of callsWith(values)) {
        const [now, then] = [isCalledWith(is, act), isCalledWith(was, act)]
        if (now === true) assert.equal(then, true)
        if (then === false) assert.equal(now, false)
      }
    }),
    { numRuns: 300 },
  )
  assert.ok(narrower > 30, String(narrower))
})

test('a change loosens where a parameter may be more than before, and where a rule that refuses refuses less', () => {
  const at = (path: bigint[], is: Comparison['test'], lengthAtMost: bigint | null = null): Comparison => ({ signature: EVERY, path, lengthAtMost, test: is })
  const among = (...addresses: string[]): Comparison['test'] => ({ kind: 'addresses', addresses })
  const [one, two] = [compared([at([7n], among(FRIENDS[0]!), 2n)]), compared([at([7n], among(FRIENDS[0]!, FRIENDS[1]!), 3n)])]
  const longer = compared([at([7n], among(FRIENDS[0]!), 3n)])
  const more = compared([at([7n], among(FRIENDS[0]!), 2n), at([3n], { kind: 'truth', is: true })])
  const steps: [Condition, Condition][] = [
    [two, one],
    [longer, one],
    [one, more],
    [
      compared([at([1n], { kind: 'numbers', atLeast: BigInt.asUintN(256, -4n), atMost: 4n })]),
      compared([at([1n], { kind: 'numbers', atLeast: 0n, atMost: 4n })]),
    ],
    // What the form of before said is said in the other one, with something more.
    [
      { kind: 'parameters', parameters: [{ signature: EVERY, position: 2n, addresses: [FRIENDS[0]!, FRIENDS[1]!], atLeast: 0n, atMost: null }] },
      compared([at([2n], among(FRIENDS[1]!)), at([3n], { kind: 'truth', is: true })]),
    ],
  ]
  for (const [wide, narrow] of steps) {
    assert.equal(changeLoosens(wide, narrow), false)
    assert.equal(changeLoosens(narrow, wide), true)
    assert.equal(changeLoosens(wide, narrow, { kind: 'refuse' }), true)
    assert.equal(changeLoosens(narrow, wide, { kind: 'refuse' }), false)
  }
})
