import { type AbiValue, encodeFunctionCall, parseSignature, UNLIMITED_FROM } from '@holdfast/chain-evm/codec'
import type { ContractCallIntent } from '@holdfast/intent'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type BoundedCallRule,
  checkPolicy,
  describeChange,
  describePolicy,
  eligibleIn,
  evaluateIntent,
  neededIn,
  type Policy,
  PolicyRefused,
} from '../index.ts'
import { CHAIN, ETH, member, samplePolicy, sampleTransfer } from '../testing/sample-organisation.ts'

const people = [0, 1, 2].map(member)
const ids = people.map((each) => each.id)
const [contract, payer, spender] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
]
const APPROVE = 'approve(address,uint256)'
const rule: BoundedCallRule = {
  kind: 'boundedCall',
  id: 'calls',
  chain: CHAIN,
  payers: [payer],
  contracts: [contract],
  functions: [APPROVE],
  maxValue: 10n,
  maxTokens: 100n,
  window: null,
  unlimitedAllowances: false,
  unknownCallData: false,
  initiators: ids,
  approvers: ids,
  threshold: 2n,
}
const policyOf = (...rules: Partial<BoundedCallRule>[]): Policy => {
  const policy = samplePolicy(people, 2)
  return { ...policy, rules: [...policy.rules, ...rules.map((each, i) => ({ ...rule, id: `calls ${i}`, ...each }))] }
}
const write = (signature: string, ...values: AbiValue[]) => encodeFunctionCall(parseSignature(signature), values)

function callOf(changes: Partial<ContractCallIntent> = {}): ContractCallIntent {
  const { memo: _, screening: __, ...order } = sampleTransfer(policyOf(), people[0]!.id)
  return {
    ...order,
    kind: 'contractCall',
    from: payer,
    to: contract,
    asset: ETH,
    amount: 0n,
    signature: APPROVE,
    data: write(APPROVE, spender, 5n),
    ...changes,
  }
}

const verdict = (policy: Policy, call: ContractCallIntent) => {
  const outcome = evaluateIntent(policy, call)
  return outcome.kind === 'deny' ? outcome.reason : outcome.rule.id
}

describe('rules for calls', () => {
  it('let a call through only where one of them covers all of it, and say what is not covered', () => {
    const endless = { data: write(APPROVE, spender, UNLIMITED_FROM) }
    const unknown = { signature: null, data: Uint8Array.of(1, 2, 3, 4) }
    const cases: [string, Policy, Partial<ContractCallIntent>, string][] = [
      ['a rule for payments alone', policyOf(), {}, 'contract-not-allowed'],
      ['all as the rule says', policyOf({}), {}, 'calls 0'],
      ['another contract', policyOf({}), { to: spender }, 'contract-not-allowed'],
      ['another payer', policyOf({}), { from: spender }, 'contract-not-allowed'],
      ['every payer', policyOf({ payers: null }), { from: spender }, 'calls 0'],
      ['another network', policyOf({}), { asset: { ...ETH, chain: 'eip155:1' } }, 'asset-not-pinned'],
      ['another function', policyOf({}), { signature: 'deposit()', data: write('deposit()') }, 'function-not-allowed'],
      ['another function that the rule names', policyOf({ functions: ['deposit()'] }), { signature: 'deposit()', data: write('deposit()') }, 'calls 0'],
      ['too much coin', policyOf({}), { amount: 11n }, 'value-too-high'],
      ['an endless allowance', policyOf({}), endless, 'unlimited-allowance'],
      ['an endless allowance that is allowed', policyOf({}, { unlimitedAllowances: true }), endless, 'calls 1'],
      ['data nobody can read', policyOf({}), unknown, 'unknown-call-data'],
      ['data nobody can read that is allowed', policyOf({}, { unknownCallData: true }), unknown, 'calls 1'],
      ['a known function without its name', policyOf({ unknownCallData: true }), { signature: null }, 'unreadable-call'],
      ['data of another function', policyOf({}), { data: write('deposit()') }, 'unreadable-call'],
      ['something behind the arguments', policyOf({}), { data: Uint8Array.of(...callOf().data, 0) }, 'unreadable-call'],
      [
        'a transfer',
        policyOf({ functions: ['transfer(address,uint256)'] }),
        { signature: 'transfer(address,uint256)', data: write('transfer(address,uint256)', spender, 1n) },
        'unreadable-call',
      ],
    ]
    assert.deepEqual(
      cases.map(([name, policy, changes]) => [name, verdict(policy, callOf(changes))]),
      cases.map(([name, , , expected]) => [name, expected]),
    )
  })

  it('never let the one who asks decide, nor anybody whom the rule does not name', () => {
    fc.assert(
      fc.property(fc.subarray(ids), fc.subarray(ids), fc.bigInt(0n, 4n), fc.constantFrom(...ids), (initiators, approvers, threshold, initiator) => {
        const outcome = evaluateIntent(policyOf({ initiators, approvers, threshold }), callOf({ initiator }))
        if (outcome.kind === 'deny') return
        assert.ok(initiators.includes(initiator) && !eligibleIn(outcome.steps).includes(initiator))
        assert.ok(neededIn(outcome.steps) >= 1 && eligibleIn(outcome.steps).length >= neededIn(outcome.steps))
      }),
    )
  })

  it('cannot stand without a contract, a function or a payer, nor for a chain whose coin the policy does not pin', () => {
    checkPolicy(policyOf({}))
    const broken: Partial<BoundedCallRule>[] = [
      { contracts: [] },
      { functions: [] },
      { payers: [] },
      { chain: 'eip155:1' },
      { functions: ['approve'] },
      { maxTokens: 1n << 95n },
      { contracts: ['0x000000000000000000000000000000000000dEaD'] },
      { threshold: 0n },
    ]
    for (const each of broken)
      assert.throws(
        () => checkPolicy(policyOf(each)),
        PolicyRefused,
        JSON.stringify(each, (_, value) => String(value)),
      )
  })

  it('are told whole to those who accept them, and so is every change of one', () => {
    const told = describePolicy(policyOf({ unlimitedAllowances: true, unknownCallData: true }), 'en-US').join('\n')
    for (const part of [contract, payer, APPROVE, 'UNLIMITED', 'NOBODY CAN READ', '0.00000000000000001 ETH', 'at most 100 base units of a token'])
      assert.ok(told.includes(part), part)
    const changes: Partial<BoundedCallRule>[] = [
      { payers: null },
      { contracts: [contract, spender] },
      { functions: [APPROVE, 'deposit()'] },
      { maxTokens: 101n },
      { maxValue: 11n },
      { window: { lengthMs: 3_600_000n, maxAmount: 1n, maxTokens: 1n } },
      { unlimitedAllowances: true },
      { unknownCallData: true },
      { threshold: 1n },
      { approvers: ids.slice(1) },
    ]
    for (const locale of ['en-US', 'zh-CN'] as const)
      for (const change of changes) assert.equal(describeChange(policyOf({}), policyOf(change), locale, []).length, 1, Object.keys(change).join())
    const [added, ...more] = describeChange(policyOf(), policyOf({}), 'en-US', [])
    assert.ok(added !== undefined && more.length === 0)
    // Whoever reads what changes need not look for the new rule elsewhere.
    assert.ok(describePolicy(policyOf({}), 'en-US').some((line) => added?.replaceAll(/[“”]/g, '') === `New: ${line}`))
  })
})
