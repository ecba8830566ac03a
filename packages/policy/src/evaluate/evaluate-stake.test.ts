import { STAKE_ACTIONS } from '@holdfast/chain-core'
import { decode, encode, equalBytes } from '@holdfast/encoding'
import { type Asset, renderIntent, type StakeIntent, stakeFault } from '@holdfast/intent'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  approvalContext,
  checkPolicy,
  describeChange,
  describePolicy,
  evaluateIntent,
  type Policy,
  policyShape,
  PolicyRefused,
  type StakeRule,
} from '../index.ts'
import { member, samplePolicy, sampleTransfer } from '../testing/sample-organisation.ts'

const CHAIN = 'tron:0x2b6653dc'
const TRX: Asset = { chain: CHAIN, contract: null, symbol: 'TRX', decimals: 6n }
const [payer, receiver, stranger] = ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb']
const people = [0, 1, 2].map(member)
const ids = people.map((each) => each.id)
const rule: StakeRule = {
  kind: 'stake',
  id: 'stakes',
  chain: CHAIN,
  payers: [payer],
  actions: ['stake', 'delegate', 'withdraw'],
  receivers: [receiver],
  maxAmount: 1_000n,
  maxLockBlocks: 5n,
  window: null,
  initiators: ids,
  approvers: ids,
  threshold: 2n,
}
const policyOf = (...rules: Partial<StakeRule>[]): Policy => {
  const policy = samplePolicy(people, 2)
  return { ...policy, assets: [...policy.assets, TRX], rules: [...policy.rules, ...rules.map((each, i) => ({ ...rule, id: `stakes ${i}`, ...each }))] }
}

function orderOf(changes: Partial<StakeIntent> = {}): StakeIntent {
  const { memo: _, screening: __, ...order } = sampleTransfer(policyOf(), ids[0]!)
  return {
    ...order,
    kind: 'stake',
    from: payer,
    to: payer,
    asset: TRX,
    feeAsset: TRX,
    amount: 1_000n,
    action: 'stake',
    resource: 'energy',
    lockBlocks: 0n,
    ...changes,
  }
}

const verdict = (policy: Policy, order: StakeIntent) => {
  const outcome = evaluateIntent(policy, order)
  return outcome.kind === 'deny' ? outcome.reason : outcome.rule.id
}

describe('rules for stake', () => {
  it('let an order through only where one of them covers all of it, and say what is not covered', () => {
    const delegated = { action: 'delegate', to: receiver } as const
    const cases: [string, Policy, Partial<StakeIntent>, string][] = [
      ['rules for payments alone', policyOf(), {}, 'stake-not-allowed'],
      ['all as the rule says', policyOf({}), {}, 'stakes 0'],
      ['another account', policyOf({}), { from: stranger, to: stranger }, 'stake-not-allowed'],
      ['every account', policyOf({ payers: null }), { from: stranger, to: stranger }, 'stakes 0'],
      ['an action it does not name', policyOf({}), { action: 'unstake' }, 'stake-not-allowed'],
      ['an action nobody knows', policyOf({}), { action: 'vote' }, 'stake-not-allowed'],
      ['more than it lets', policyOf({}), { amount: 1_001n }, 'stake-too-high'],
      ['a delegation', policyOf({}), delegated, 'stakes 0'],
      ['a delegation to somebody else', policyOf({}), { ...delegated, to: stranger }, 'receiver-not-allowed'],
      ['a delegation to anybody', policyOf({ receivers: null }), { ...delegated, to: stranger }, 'stakes 0'],
      ['a lock as long as it lets', policyOf({}), { ...delegated, lockBlocks: 5n }, 'stakes 0'],
      ['a longer lock', policyOf({}), { ...delegated, lockBlocks: 6n }, 'lock-too-long'],
      ['a coin that is not pinned', policyOf({}), { asset: { ...TRX, chain: 'tron:0xcd8690dc' } }, 'asset-not-pinned'],
      ['somebody who may not ask', policyOf({ initiators: [ids[1]!] }), {}, 'initiator-not-allowed'],
    ]
    assert.deepEqual(
      cases.map(([name, policy, changes]) => [name, verdict(policy, orderOf(changes))]),
      cases.map(([name, , , expected]) => [name, expected]),
    )
  })

  it('cannot stand where nobody could meet them or they name what is nothing', () => {
    const faults: Partial<StakeRule>[] = [
      { actions: [] },
      { actions: ['vote'] },
      { actions: ['stake', 'stake'] },
      { payers: [] },
      { receivers: [] },
      { chain: 'tron:0xcd8690dc' },
      { threshold: 4n },
      { initiators: [] },
    ]
    for (const fault of faults)
      assert.throws(
        () => checkPolicy(policyOf(fault)),
        PolicyRefused,
        JSON.stringify(fault, (_, value) => String(value)),
      )
    checkPolicy(policyOf({}))
  })

  it('are read back from their bytes, and told in both languages with what changes', () => {
    const [before, after] = [policyOf({}), policyOf({ maxLockBlocks: 9n, receivers: null })]
    assert.ok(equalBytes(encode(policyShape, decode(policyShape, encode(policyShape, before))), encode(policyShape, before)))
    for (const locale of ['en-US', 'zh-CN'] as const) {
      assert.ok(describePolicy(before, locale).some((line) => line.includes('stakes 0') && line.includes(receiver)))
      assert.equal(describeChange(before, after, locale, []).length, 1)
    }
    assert.match(describeChange(before, after, 'en-US', [])[0]!, /orders about stake.*ANYBODY/)
  })
})

describe('an order about stake', () => {
  it('has exactly what its action needs', () => {
    const faults: Partial<StakeIntent>[] = [
      { action: 'vote' },
      { amount: 0n },
      { resource: null },
      { resource: 'power' },
      { to: receiver },
      { lockBlocks: 1n },
      { action: 'delegate' },
      { action: 'undelegate', to: receiver, lockBlocks: 1n },
      { action: 'withdraw' },
      { action: 'withdraw', resource: null },
      { action: 'cancel-unstake', amount: 0n },
      { asset: { ...TRX, contract: receiver } },
    ]
    for (const fault of faults)
      assert.ok(
        stakeFault(orderOf(fault)) !== undefined,
        JSON.stringify(fault, (_, value) => String(value)),
      )
    const sound: Partial<StakeIntent>[] = [
      {},
      { action: 'unstake' },
      { action: 'withdraw', resource: null, amount: 0n },
      { action: 'cancel-unstake', resource: null, amount: 0n },
      { action: 'delegate', to: receiver, lockBlocks: 7n },
      { action: 'undelegate', to: receiver },
    ]
    for (const each of sound) assert.equal(stakeFault(orderOf(each)), undefined)
  })

  it('is told with every fact of it in both languages, and a lock in red', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STAKE_ACTIONS),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 0n, max: 100n }),
        (action, amount, lockBlocks) => {
          const order = orderOf({ action, amount, lockBlocks, to: receiver })
          for (const locale of ['en-US', 'zh-CN'] as const) {
            const { title, rows, isGrave } = renderIntent(order, approvalContext(policyOf({})), locale)
            assert.ok(title.length > 0 && rows.every(({ value }) => value !== ''))
            assert.equal(isGrave, lockBlocks > 0n)
          }
        },
      ),
      { numRuns: 50 },
    )
  })
})
