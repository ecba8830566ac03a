import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AbiValue, encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import type { CallAct, StakeAct } from '@holdfast/intent'
import { type Condition, evaluateAct, type NamedRule, type Policy } from '../index.ts'
import { approveBy, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member } from '../testing/sample-organisation.ts'

const people = [0, 1, 2].map(member)
const [contract, spender, other] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
] as const
const [APPROVE, MULTICALL] = ['approve(address,uint256)', 'multicall(bytes[])']
const write = (signature: string, ...values: AbiValue[]) => encodeFunctionCall(parseSignature(signature), values)
const asked = { initiator: people[0]!.id, source: null }
const callOf = (signature: string | null, data: Uint8Array, value = 0n): CallAct => ({
  ...{ as: 'call', chain: CHAIN, from: other, contract, value, data, signature },
  ...asked,
})
const letsThrough = approveBy([{ need: 1n, who: people.slice(1).map(personOf) }])
const calls = (changes: Partial<Extract<NamedRule['covers'], { kind: 'calls' }>> = {}) => ({
  ...{ kind: 'calls' as const, chain: CHAIN, contracts: [contract], functions: [APPROVE] },
  ...{ maxValue: 0n, maxTokens: 0n, unlimitedAllowances: false, unknownCallData: false, ...changes },
})
const wide = namedRule('wide', {
  covers: calls({ functions: [APPROVE, MULTICALL], maxValue: 100n, maxTokens: 1000n, unlimitedAllowances: true, unknownCallData: true }),
  action: letsThrough,
})
const verdict = (policy: Policy, act: CallAct | StakeAct, judged?: 'then') => {
  const outcome = evaluateAct(policy, act, { atMs: 0, ...(judged && { judged }) })
  return outcome.kind === 'deny' ? outcome.reason : outcome.rule.id
}

describe('a rule that refuses calls', () => {
  const policyOf = (...rules: NamedRule[]) => thirdForm(people, { assets: [ETH], rules: [...rules, wide] })
  const never = namedRule('never', { covers: calls() })

  it('refuses them whatever they send along, move or let others take', () => {
    const policy = policyOf(never)
    for (const [data, value] of [
      [write(APPROVE, spender, 0n)],
      [write(APPROVE, spender, 7n)],
      [write(APPROVE, spender, (1n << 256n) - 1n)],
      [write(APPROVE, spender, 0n), 7n],
    ] as const)
      assert.equal(verdict(policy, callOf(APPROVE, data, value)), 'refused-by-rule')
  })

  it('refuses them inside of another call, also where nobody can read that one', () => {
    const policy = policyOf(never)
    const approve = write(APPROVE, spender, 7n)
    assert.equal(verdict(policyOf(), callOf(MULTICALL, write(MULTICALL, [approve]))), 'wide')
    assert.equal(verdict(policy, callOf(MULTICALL, write(MULTICALL, [approve]))), 'refused-by-rule')
    const unknown = callOf(null, write('frobnicate(bytes)', approve))
    assert.deepEqual([verdict(policyOf(), unknown), verdict(policy, unknown)], ['wide', 'refused-by-rule'])
    assert.equal(verdict(policy, callOf(MULTICALL, write(MULTICALL, []))), 'wide')
  })

  it('leaves to later rules what it says nothing of, and why none of those lets it through is said', () => {
    const toSpender: Condition = { kind: 'parameters', parameters: [{ signature: APPROVE, position: 0n, addresses: [spender], atLeast: 0n, atMost: null }] }
    const policy = policyOf({ ...never, conditions: [toSpender] })
    assert.equal(verdict(policy, callOf(APPROVE, write(APPROVE, spender, 7n))), 'refused-by-rule')
    assert.equal(verdict(policy, callOf(APPROVE, write(APPROVE, other, 7n))), 'wide')
    assert.equal(verdict(policy, callOf(APPROVE, write(APPROVE, other, 7n), 101n)), 'value-too-high')
    assert.equal(verdict(policy, callOf('deposit()', write('deposit()'))), 'function-not-allowed')
  })

  it('keeps proven what was signed when its bounds counted', () => {
    assert.equal(verdict(policyOf(never), callOf(APPROVE, write(APPROVE, spender, 7n)), 'then'), 'wide')
  })
})

it('a rule that refuses orders about stake does so however much of it, and however long a delegation is locked', () => {
  const stake = { kind: 'stake' as const, chain: CHAIN, actions: ['delegate'], receivers: null, maxAmount: 0n, maxLockBlocks: 0n }
  const any = namedRule('any', { covers: { ...stake, maxAmount: 100n, maxLockBlocks: 9n }, action: letsThrough })
  const policy = thirdForm(people, { assets: [ETH], rules: [namedRule('never', { covers: { ...stake, receivers: [spender] } }), any] })
  const order = (receiver: string, amount: bigint, lockBlocks: bigint): StakeAct => ({
    ...{ as: 'stake', chain: CHAIN, from: other, action: 'delegate', amount, receiver, lockBlocks },
    ...asked,
  })
  for (const [amount, lock] of [
    [1n, 0n],
    [100n, 0n],
    [1n, 9n],
  ] as const) {
    assert.equal(verdict(policy, order(spender, amount, lock)), 'refused-by-rule')
    assert.equal(verdict(policy, order(spender, amount, lock), 'then'), 'any')
    assert.equal(verdict(policy, order(other, amount, lock)), 'any')
  }
})
