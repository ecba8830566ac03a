import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AbiValue, encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import type { ContractCallIntent } from '@holdfast/intent'
import fc from 'fast-check'
import { analysePolicy } from '../analysis/analyse-policy.ts'
import { describeRegion } from '../analysis/describe-region.ts'
import { outcomesAt } from '../analysis/subject.ts'
import { checkPolicy, describePolicy, evaluateIntent, type NamedRule, type Policy, PolicyRefused, type ThirdForm } from '../index.ts'
import { approveBy, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member, samplePolicy, sampleTransfer } from '../testing/sample-organisation.ts'
import type { Parameter } from './parameters.ts'

const people = [0, 1, 2].map(member)
const [vault, payer, friend, stranger] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]
const [LOCK, APPROVE, MULTICALL] = ['lock(uint64,address)', 'approve(address,uint256)', 'multicall(bytes[])']
const NOW_MS = Date.parse('2026-01-05T00:00:00Z')
const write = (signature: string, ...values: AbiValue[]) => encodeFunctionCall(parseSignature(signature), values)

const compare = (signature: string, position: number, is: Partial<Parameter>): Parameter => ({
  ...{ signature, position: BigInt(position), addresses: [], atLeast: 0n, atMost: null },
  ...is,
})

function rule(id: string, parameters: Parameter[], action: NamedRule['action'] = approveBy([{ need: 1n, who: people.map(personOf) }])): NamedRule {
  const functions = [LOCK, APPROVE, MULTICALL]
  return namedRule(id, {
    covers: { kind: 'calls', chain: CHAIN, contracts: [vault], functions, maxValue: 0n, maxTokens: 1_000n, unlimitedAllowances: false, unknownCallData: true },
    conditions: parameters.length === 0 ? [] : [{ kind: 'parameters', parameters }],
    action,
  })
}
const policyWith = (...rules: NamedRule[]): ThirdForm => thirdForm(people, { rules })

function verdict(policy: Policy, signature: string | null, data: Uint8Array): string {
  const { memo: _, screening: __, ...order } = sampleTransfer(samplePolicy(people, 2), people[0]!.id)
  const call: ContractCallIntent = { ...order, kind: 'contractCall', from: payer, to: vault, asset: ETH, amount: 0n, signature, data }
  const outcome = evaluateIntent(policy, call, { atMs: NOW_MS })
  return outcome.kind === 'deny' ? outcome.reason : outcome.rule.id
}
const locks = (seconds: bigint, to: string): [string, Uint8Array] => [LOCK, write(LOCK, seconds, to)]

describe('parameters of calls', () => {
  it('let through exactly the numbers and addresses that a rule names', () => {
    const bound = fc.bigInt(0n, 40n)
    fc.assert(
      fc.property(bound, fc.option(bound), bound, fc.constantFrom(friend, stranger), (atLeast, more, seconds, to) => {
        const atMost = more === null ? null : atLeast + more
        fc.pre(atLeast > 0n || atMost !== null)
        const policy = policyWith(rule('one', [compare(LOCK, 0, { atLeast, atMost }), compare(LOCK, 1, { addresses: [friend] })]))
        checkPolicy(policy)
        const isIn = seconds >= atLeast && (atMost === null || seconds <= atMost) && to === friend
        assert.equal(verdict(policy, ...locks(seconds, to)), isIn ? 'one' : 'conditions-not-met')
      }),
    )
  })

  it('say nothing of calls of other functions', () => {
    const policy = policyWith(rule('one', [compare(APPROVE, 0, { addresses: [friend] })]))
    assert.equal(verdict(policy, ...locks(7n, stranger)), 'one')
    assert.equal(verdict(policy, APPROVE, write(APPROVE, friend, 7n)), 'one')
    assert.equal(verdict(policy, APPROVE, write(APPROVE, stranger, 7n)), 'conditions-not-met')
  })

  it('are not known where a call carries the function, claims none, or names it once more: what lets through does not, and what refuses does', () => {
    const toFriend = write(APPROVE, friend, 7n)
    const hidden: [string | null, Uint8Array][] = [
      [MULTICALL, write(MULTICALL, [toFriend])],
      [MULTICALL, write(MULTICALL, [Uint8Array.of(1, 2, 3, ...toFriend)])],
      [null, write(LOCK, 7n, friend)],
    ]
    const compared = [compare(APPROVE, 0, { addresses: [friend] }), compare(LOCK, 0, { atMost: 10n })]
    for (const [signature, data] of hidden) {
      assert.equal(verdict(policyWith(rule('any', [])), signature, data), 'any', 'without a condition it passes')
      assert.notEqual(verdict(policyWith(rule('one', compared)), signature, data), 'one')
      const refuses = policyWith(rule('no', compared, { kind: 'refuse' }), rule('any', []))
      assert.equal(verdict(refuses, signature, data), 'refused-by-rule')
    }
    const outside = policyWith(rule('no', [compare(LOCK, 0, { atLeast: 11n })], { kind: 'refuse' }), rule('any', []))
    assert.deepEqual([verdict(outside, ...locks(11n, friend)), verdict(outside, ...locks(10n, friend))], ['refused-by-rule', 'any'])
  })

  it('are refused in a policy where they could not be compared', () => {
    const faults: [Parameter[], RegExp][] = [
      [[compare('lock(uint64', 0, { atMost: 1n })], /no function/],
      [[compare('open(uint64)', 0, { atMost: 1n })], /none of its functions/],
      [[compare(LOCK, 2, { atMost: 1n })], /none of that number/],
      [[compare(LOCK, 0, {})], /any number/],
      [[compare(LOCK, 0, { atLeast: 2n, atMost: 1n })], /no number/],
      [[compare(LOCK, 0, { atMost: 1n << 64n })], /no number/],
      [[compare(LOCK, 0, { addresses: [friend] })], /is a number/],
      [[compare(LOCK, 1, { atMost: 1n })], /is an address/],
      [[compare(LOCK, 1, {})], /no address/],
      [[compare(LOCK, 1, { addresses: [friend, friend] })], /or one twice/],
      [[compare(LOCK, 1, { addresses: ['friend'] })], /no address of its network/],
      [[compare(MULTICALL, 0, { atMost: 1n })], /neither/],
      [[compare(APPROVE, 1, { atMost: 1n })], /itself bounds/],
      [[compare(LOCK, 0, { atMost: 1n }), compare(LOCK, 0, { atMost: 2n })], /twice/],
    ]
    for (const [parameters, reason] of faults) assert.throws(() => checkPolicy(policyWith(rule('one', parameters))), matching(reason))
    const payments = namedRule('pays', { conditions: [{ kind: 'parameters', parameters: [compare(LOCK, 0, { atMost: 1n })] }] })
    assert.throws(() => checkPolicy(policyWith(payments)), matching(/says nothing of what it is about/))
  })

  it('are told in words, in both languages', () => {
    const policy = policyWith(rule('one', [compare(LOCK, 0, { atLeast: 5n, atMost: 9n }), compare(LOCK, 1, { addresses: [friend, stranger] })]))
    const english = describePolicy(policy, 'en-US').join('\n')
    assert.ok(english.includes(`where ${LOCK} is called, with its parameter 1 at least 5 and at most 9`), english)
    assert.ok(english.includes(`with its parameter 2 being ${friend} or ${stranger}`), english)
    const chinese = describePolicy(policy, 'zh-CN').join('\n')
    assert.ok(chinese.includes(`调用 ${LOCK} 时第 1 个参数不小于 5且不大于 9`), chinese)
  })

  it('are looked at by the analysis: each part is decided by the rule that it names, and what is left is a gap', () => {
    const policy = policyWith(
      rule('short', [compare(LOCK, 0, { atMost: 10n }), compare(LOCK, 1, { addresses: [friend] })]),
      rule('long', [compare(LOCK, 0, { atLeast: 11n, atMost: 99n })], { kind: 'refuse' }),
    )
    const { subjects, gaps, isWhole } = analysePolicy(policy, NOW_MS)
    assert.ok(isWhole)
    const parts = subjects.filter(({ as }) => as === 'call').flatMap(({ decides }) => decides)
    assert.ok(parts.length === 2 && parts.every((each) => each.parts.length > 0))
    for (const { rule: decides, parts: found } of parts) for (const { witness } of found) assert.equal(outcomesAt(policy, witness)[0]?.rule?.id, decides.id)
    const calls = gaps.filter(({ subject }) => subject.as === 'call')
    for (const { witness } of calls) assert.equal(outcomesAt(policy, witness)[0]?.rule, null)
    const words = calls.map((gap) => describeRegion(gap, policy, 'en-US')).join('\n')
    assert.match(words, /lock\(uint64,address\), parameter 1 up to 10, parameter 2 any other address/)
    assert.match(words, /lock\(uint64,address\), parameter 1 above 99/)
  })
})

const matching = (reason: RegExp) => (cause: unknown) => cause instanceof PolicyRefused && reason.test(cause.message)
