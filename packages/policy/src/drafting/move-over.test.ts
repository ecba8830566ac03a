import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toHex } from '@holdfast/encoding'
import type { Act } from '@holdfast/intent'
import fc from 'fast-check'
import { checkPolicy, type FirstRule, type Outcome, type Policy, type StakeRule, type TransferRule } from '../index.ts'
import { moveOver } from './move-over.ts'
import { outcomesOfAct } from '../evaluate/evaluate-order.ts'
import { CHAIN, ETH, member, samplePolicy } from '../testing/sample-organisation.ts'

const TRON = 'tron:0x2b6653dc'
const USDT = { chain: CHAIN, contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3', symbol: 'USDT', decimals: 6n }
const TRX = { chain: TRON, contract: null, symbol: 'TRX', decimals: 6n }
const SWAP = '0x8464135c8f25da09e49bc8782676a84730c318bc'
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const [PAYER, RECEIVER] = ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'] as const
const people = [0, 1, 2, 3].map(member)
const ids = people.map(({ id }) => id)

const some = fc.subarray(ids, { minLength: 1 })
const quorum = fc
  .subarray(ids, { minLength: 2 })
  .chain((approvers) => fc.record({ approvers: fc.constant(approvers), threshold: fc.bigInt(1n, BigInt(approvers.length)) }))
const amount = fc.bigInt(1n, 40n)
const window = fc.option(fc.record({ lengthMs: fc.constant(86_400_000n), maxAmount: amount }), { freq: 1 })
const askers = fc.oneof(fc.constant(ids), some)

const transfers: fc.Arbitrary<FirstRule> = fc
  .record({
    chain: fc.constantFrom(null, CHAIN, CHAIN, CHAIN, TRON, 'eip155:1'),
    asset: fc.constantFrom(null, '', '', '', USDT.contract, '0xunknown'),
    maxAmount: fc.option(amount, { freq: 1 }),
    window,
    initiators: askers,
    quorum,
  })
  .map(({ quorum: by, ...rule }): TransferRule => ({ kind: 'transfer', id: '', ...rule, ...by }))

const calls: fc.Arbitrary<FirstRule> = fc
  .record({
    payers: fc.constantFrom<(string[] | null)[]>(null, ['0x9fB29AAc15b9A4B7F17c3385939b007540f4d791']),
    functions: fc.constantFrom<string[][]>(['deposit()'], ['deposit()', 'withdraw(uint256)']),
    maxValue: amount,
    window: fc.option(fc.record({ lengthMs: fc.constant(86_400_000n), maxAmount: amount, maxTokens: amount })),
    unlimitedAllowances: fc.boolean(),
    unknownCallData: fc.boolean(),
    initiators: askers,
    quorum,
  })
  .map(({ quorum: by, ...rule }) => ({ kind: 'boundedCall' as const, id: '', chain: CHAIN, contracts: [SWAP], maxTokens: 10n, ...rule, ...by }))

const stakes: fc.Arbitrary<FirstRule> = fc
  .record({
    payers: fc.constantFrom<(string[] | null)[]>(null, [PAYER]),
    actions: fc.subarray(['stake', 'delegate', 'withdraw'], { minLength: 1 }),
    receivers: fc.constantFrom<(string[] | null)[]>(null, [RECEIVER]),
    maxAmount: amount,
    maxLockBlocks: fc.constantFrom(0n, 5n),
    window,
    initiators: askers,
    quorum,
  })
  .map(({ quorum: by, ...rule }): StakeRule => ({ kind: 'stake', id: '', chain: TRON, ...rule, ...by }))

const policies: fc.Arbitrary<Policy> = fc
  .array(fc.oneof(transfers, transfers, calls, stakes), { maxLength: 6 })
  .map((rules) => samplePolicy(people, 2, { assets: [ETH, USDT, TRX], rules: rules.map((rule, i) => ({ ...rule, id: `rule ${i}` })) }))

const asked = { initiator: fc.constantFrom(...ids), source: fc.constant(null) }
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc
    .record({ ...asked, named: fc.constantFrom(ETH, USDT), amount: fc.bigInt(1n, 60n) })
    .map(({ named, ...act }): Act => ({ as: 'payment', chain: named.chain, contract: named.contract, recipients: [TO], memo: null, ...act })),
  fc.record({ ...asked, value: fc.bigInt(0n, 60n), deposits: fc.boolean() }).map(
    ({ deposits, ...act }): Act => ({
      as: 'call',
      chain: CHAIN,
      from: '0x9fB29AAc15b9A4B7F17c3385939b007540f4d791',
      contract: SWAP,
      data: deposits ? Uint8Array.of(0xd0, 0xe3, 0x0d, 0xb0) : Uint8Array.of(1, 2, 3, 4),
      signature: deposits ? 'deposit()' : null,
      ...act,
    }),
  ),
  fc
    .record({
      ...asked,
      action: fc.constantFrom('stake', 'delegate', 'unstake'),
      amount: fc.bigInt(0n, 60n),
      receiver: fc.constantFrom(null, RECEIVER, PAYER),
      lockBlocks: fc.constantFrom(0n, 5n, 9n),
    })
    .map((act): Act => ({ as: 'stake', chain: TRON, from: PAYER, ...act })),
)

/** What an outcome asks of people. The reason of a denial may be told otherwise. */
function meaning(outcome: Outcome) {
  if (outcome.kind === 'deny') return 'deny'
  return {
    steps: outcome.steps.map(({ need, eligible }) => ({ need, eligible: eligible.map(toHex) })),
    mayStop: outcome.mayStop.map(toHex),
    rule: outcome.rule.id,
  }
}

describe('a policy that moves over to rules with names', () => {
  it('decides every order as before: the same outcome, people, numbers and rule, and stays a policy', () => {
    fc.assert(
      fc.property(policies, fc.array(acts, { minLength: 1, maxLength: 12 }), (before, orders) => {
        const { policy, kept } = moveOver(before)
        try {
          checkPolicy(before)
          checkPolicy(policy)
        } catch (cause) {
          fc.pre(!isRefusedBefore(before))
          throw cause
        }
        assert.equal(policy.rules.length, before.rules.length)
        assert.deepEqual(
          policy.rules.filter(({ kind }) => kind !== 'named').map(({ id }) => id),
          kept.map(({ id }) => id),
        )
        for (const act of orders) {
          const [old, now] = [outcomesOfAct(before, act, { atMs: 1 }), outcomesOfAct(policy, act, { atMs: 1 })]
          assert.deepEqual(now.map(meaning), old.map(meaning))
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('counts over time what it counted before, of each asset that a rule is about', () => {
    fc.assert(
      fc.property(policies, acts, (before, act) => {
        const moved = outcomesOfAct(moveOver(before).policy, act, {})
        const mostOf = (outcomes: Outcome[]) =>
          outcomes.flatMap((each) =>
            each.kind === 'needs' ? each.limits.map(({ lengthMs, maxCount, maxOf }) => [lengthMs, maxCount, maxOf(countedIn(act)), each.limits.length]) : [],
          )
        assert.deepEqual(mostOf(moved), mostOf(outcomesOfAct(before, act, {})))
      }),
    )
  })

  it('keeps a rule whose total is used up where another would be asked next, and says why', () => {
    const first: TransferRule = {
      kind: 'transfer',
      id: 'small',
      chain: CHAIN,
      asset: '',
      maxAmount: 5n,
      window: { lengthMs: 1000n, maxAmount: 9n },
      initiators: ids,
      approvers: ids,
      threshold: 1n,
    }
    const any: TransferRule = { ...first, id: 'any', chain: null, asset: null, maxAmount: null, window: null, threshold: 2n }
    const { policy, kept } = moveOver(samplePolicy(people, 2, { rules: [first, any] }))
    assert.deepEqual(kept, [{ id: 'small', reason: 'window', why: '' }])
    assert.deepEqual(
      policy.rules.map(({ kind }) => kind),
      ['transfer', 'named'],
    )
    const alone = moveOver(samplePolicy(people, 2, { rules: [{ ...first, initiators: [ids[0]!] }] }))
    assert.deepEqual(alone.kept, [])
    assert.deepEqual(
      moveOver(samplePolicy(people, 2, { rules: [{ ...any, initiators: [ids[0]!] }, first] })).kept.map(({ reason }) => reason),
      ['askers'],
    )
  })

  it('makes a group of more people than a rule names in one place', () => {
    const many = Array.from({ length: 25 }, (_, i) => member(i))
    const { policy, kept } = moveOver(samplePolicy(many, 2))
    assert.deepEqual(kept, [])
    assert.deepEqual(
      policy.groups.map(({ members }) => members.length),
      [25, 25],
    )
    checkPolicy(policy)
  })
})

function countedIn(act: Act) {
  return { chain: act.chain, contract: act.as === 'payment' ? act.contract : null, isOfTokens: act.as === 'call' && act.value === 0n }
}

function isRefusedBefore(policy: Policy): boolean {
  try {
    checkPolicy(policy)
    return false
  } catch {
    return true
  }
}
