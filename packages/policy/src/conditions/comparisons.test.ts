import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AbiValue, encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import { concatBytes, digest, fromHex, struct, toHex } from '@holdfast/encoding'
import type { ContractCallIntent } from '@holdfast/intent'
import fc from 'fast-check'
import { analysePolicy } from '../analysis/analyse-policy.ts'
import { describeRegion } from '../analysis/describe-region.ts'
import { outcomesAt } from '../analysis/subject.ts'
import { checkPolicy, describePolicy, evaluateIntent, type NamedRule, PolicyRefused, type ThirdForm } from '../index.ts'
import { approveBy, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { argumentsOfEvery, comparisonsOfRule, EVERY, EVERY_TYPE, FRIENDS } from '../testing/random-comparisons.ts'
import { CHAIN, ETH, member, samplePolicy, sampleTransfer } from '../testing/sample-organisation.ts'
import { type Comparison, conditionShape } from './index.ts'

const people = [0, 1, 2].map(member)
const [vault, payer] = ['0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb', '0x8617E340B3D01FA5F11F306F4090FD50E238070D']
const [friend, second, stranger] = FRIENDS as [string, string, string]
const [DROP, SHIFT, NOTE, PAY] = ['drop(address[],bool)', 'shift(int24,bytes4)', 'note(string,bytes)', 'pay((address,uint8)[])']
const NOW_MS = Date.parse('2026-01-05T00:00:00Z')
const write = (signature: string, ...values: AbiValue[]) => encodeFunctionCall(parseSignature(signature), values)

const compare = (signature: string, path: number[], test: Comparison['test'], lengthAtMost: bigint | null = null): Comparison => ({
  ...{ signature, path: path.map(BigInt), lengthAtMost, test },
})
const among = (...addresses: string[]): Comparison['test'] => ({ kind: 'addresses', addresses })
const numbers = (atLeast: bigint | null, atMost: bigint | null): Comparison['test'] => {
  const word = (bound: bigint | null) => (bound === null ? null : BigInt.asUintN(256, bound))
  return { kind: 'numbers', atLeast: word(atLeast), atMost: word(atMost) }
}

const ALL = [DROP, SHIFT, NOTE, PAY, EVERY, 'multicall(bytes[])']
const approved = approveBy([{ need: 1n, who: people.map(personOf) }])

function rule(id: string, comparisons: Comparison[], action: NamedRule['action'] = approved, functions = ALL): NamedRule {
  return namedRule(id, {
    covers: { kind: 'calls', chain: CHAIN, contracts: [vault], functions, maxValue: 0n, maxTokens: 0n, unlimitedAllowances: false, unknownCallData: true },
    conditions: comparisons.length === 0 ? [] : [{ kind: 'comparisons', comparisons }],
    action,
  })
}
const policyWith = (...rules: NamedRule[]): ThirdForm => thirdForm(people, { rules, assets: [ETH] })

function verdict(policy: ThirdForm, signature: string | null, data: Uint8Array): string {
  const { memo: _, screening: __, ...order } = sampleTransfer(samplePolicy(people, 2), people[0]!.id)
  const call: ContractCallIntent = { ...order, kind: 'contractCall', from: payer, to: vault, asset: ETH, amount: 0n, signature, data }
  const outcome = evaluateIntent(policy, call, { atMs: NOW_MS })
  return outcome.kind === 'deny' ? outcome.reason : outcome.rule.id
}

/** Whether one value is what a test says, by the plainest reading of it. */
function isPlainly(test: Comparison['test'], value: AbiValue): boolean {
  if (test.kind === 'any') return true
  if (Array.isArray(value)) return value.every((each) => isPlainly(test, each))
  if (test.kind === 'addresses') return test.addresses.some((each) => each === value)
  if (test.kind === 'truth') return test.is === value
  if (test.kind === 'texts') return test.values.some((each) => each === value)
  if (test.kind === 'bytes') return test.values.some((each) => toHex(each) === toHex(value as Uint8Array))
  // Shifted by 2^255, words of numbers with a sign are in the order of the numbers, and so are those without: none of them here is as large.
  const rank = (word: bigint) => (word + (1n << 255n)) % (1n << 256n)
  const word = rank(BigInt.asUintN(256, value as bigint))
  return (test.atLeast === null || word >= rank(test.atLeast)) && (test.atMost === null || word <= rank(test.atMost))
}

/** What stands where a comparison looks, in every element on the way. */
function plainly(values: AbiValue, path: readonly bigint[], isList: boolean): AbiValue[] {
  const [first, ...rest] = path
  if (first === undefined) return [values]
  assert.ok(Array.isArray(values))
  return isList ? values.flatMap((each) => plainly(each, path, false)) : plainly(values[Number(first)]!, rest, rest.length > 0 && Number(first) === 10)
}

describe('comparisons of parameters of every type', () => {
  it('let through exactly what a rule says, as the plainest reading of it has it', () => {
    fc.assert(
      fc.property(comparisonsOfRule, argumentsOfEvery, (compared, values) => {
        const policy = policyWith(rule('one', compared))
        const isIn = compared.every(({ path, test, lengthAtMost }) =>
          plainly(values, path, false).every(
            (each) => isPlainly(test, each) && (lengthAtMost === null || (Array.isArray(each) && BigInt(each.length) <= lengthAtMost)),
          ),
        )
        assert.equal(verdict(policy, EVERY, write(EVERY, ...values)), isIn ? 'one' : 'conditions-not-met')
      }),
      { numRuns: 300 },
    )
  })

  it('can stand in a policy whatever they compare, and are the same once they have travelled', () => {
    fc.assert(
      fc.property(comparisonsOfRule, (compared) => {
        const isOld = compared.every(
          ({ path, test }) => path.length === 1 && test.kind !== 'any' && ['uint', 'address'].includes(EVERY_TYPE[Number(path[0])]!.kind),
        )
        const check = () => checkPolicy(policyWith(rule('one', compared)))
        if (isOld) assert.throws(check, matching(/form of before/))
        else check()
      }),
    )
  })

  it('let no list through that hides a foreign address: among others, behind another offset, behind its end, or in a list of tuples', () => {
    const policy = policyWith(rule('one', [compare(DROP, [0], among(friend, second), 2n), compare(PAY, [0, 0], among(friend))]))
    checkPolicy(policy)
    const passes: [string, Uint8Array][] = [
      [DROP, write(DROP, [], true)],
      [DROP, write(DROP, [friend], true)],
      [DROP, write(DROP, [second, friend], false)],
      [
        PAY,
        write(PAY, [
          [friend, 1n],
          [friend, 9n],
        ]),
      ],
    ]
    for (const call of passes) assert.equal(verdict(policy, ...call), 'one')
    for (let place = 0; place < 2; place++) {
      const hidden = [friend, second].with(place, stranger)
      assert.equal(verdict(policy, DROP, write(DROP, hidden, true)), 'conditions-not-met')
      assert.equal(
        verdict(
          policy,
          PAY,
          write(
            PAY,
            [
              [friend, 1n],
              [friend, 9n],
            ].with(place, [stranger, 0n]),
          ),
        ),
        'conditions-not-met',
      )
    }
    assert.equal(verdict(policy, DROP, write(DROP, [friend, friend, friend], true)), 'conditions-not-met', 'longer than the rule lets it be')
    // The same list stands where it belongs, and the offset leads to another one behind it.
    const word = (value: string | bigint) => fromHex((typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0'))
    const list = (...addresses: string[]) => concatBytes(word(BigInt(addresses.length)), ...addresses.map(word))
    const call = (...parts: Uint8Array[]) => concatBytes(fromHex(parseSignature(DROP).selector), ...parts)
    assert.deepEqual(call(word(64n), word(1n), list(friend)), write(DROP, [friend], true))
    const forged = [
      call(word(128n), word(1n), list(friend), list(stranger)),
      call(word(128n), word(1n), list(stranger), list(friend)),
      call(word(64n), word(1n), list(friend), word(stranger)),
      call(word(64n), word(1n), word(1n), word(friend), word(stranger)),
      call(word(64n), word(1n), word(2n), word(friend)),
      call(word(64n), word(1n), word(1n), word(BigInt(friend) | (1n << 160n))),
      call(word(64n), word(2n), list(friend)),
    ]
    for (const data of forged) {
      assert.equal(verdict(policy, DROP, data), 'unreadable-call')
      assert.notEqual(verdict(policy, null, data), 'one', 'and it is no call that nobody named')
    }
  })

  it('read numbers with a sign by the two’s complement of the whole word, and by nothing else', () => {
    const policy = policyWith(rule('one', [compare(SHIFT, [0], numbers(-5n, 3n))]))
    checkPolicy(policy)
    for (let value = -8n; value <= 8n; value++)
      assert.equal(verdict(policy, SHIFT, write(SHIFT, value, new Uint8Array(4))), value >= -5n && value <= 3n ? 'one' : 'conditions-not-met', String(value))
    const ends = [-(1n << 23n), (1n << 23n) - 1n]
    for (const value of ends) assert.equal(verdict(policy, SHIFT, write(SHIFT, value, new Uint8Array(4))), 'conditions-not-met')
    // Minus one in 24 bits, with noughts before it: a number of another type.
    const loose = concatBytes(fromHex(parseSignature(SHIFT).selector), new Uint8Array(29), fromHex('ffffff'), new Uint8Array(32))
    assert.equal(verdict(policy, SHIFT, loose), 'unreadable-call')
    const below = policyWith(rule('one', [compare(SHIFT, [0], numbers(null, -2n))]))
    assert.equal(verdict(below, SHIFT, write(SHIFT, -2n, new Uint8Array(4))), 'one')
    assert.equal(verdict(below, SHIFT, write(SHIFT, -1n, new Uint8Array(4))), 'conditions-not-met')
  })

  it('compare bytes and text whole, and an empty one as well', () => {
    const is = [compare(NOTE, [0], { kind: 'texts', values: ['', 'rent'] }), compare(NOTE, [1], { kind: 'bytes', values: [new Uint8Array(), fromHex('ab00')] })]
    const policy = policyWith(rule('one', is))
    checkPolicy(policy)
    const cases: [string, string, boolean][] = [
      ['', '', true],
      ['rent', 'ab00', true],
      ['Rent', '', false],
      ['rent ', '', false],
      ['', 'ab', false],
      ['', 'ab0000', false],
    ]
    for (const [text, data, isIn] of cases) assert.equal(verdict(policy, NOTE, write(NOTE, text, fromHex(data))), isIn ? 'one' : 'conditions-not-met')
  })

  it('are not known where a call carries the function: what lets through does not, and what refuses does', () => {
    const compared = [compare(DROP, [1], { kind: 'truth', is: true })]
    const carried = write('multicall(bytes[])', [write(DROP, [friend], true)])
    assert.notEqual(verdict(policyWith(rule('one', compared)), 'multicall(bytes[])', carried), 'one')
    const refuses = policyWith(rule('no', compared, { kind: 'refuse' }), rule('any', []))
    checkPolicy(refuses)
    assert.equal(verdict(refuses, 'multicall(bytes[])', carried), 'refused-by-rule')
    assert.deepEqual(
      [true, false].map((is) => verdict(refuses, DROP, write(DROP, [friend, stranger], is))),
      ['refused-by-rule', 'any'],
    )
  })

  it('of lists let no rule refuse: whoever writes the call would add an element to get past it', () => {
    for (const compared of [compare(DROP, [0], among(stranger)), compare(DROP, [0], { kind: 'any' }, 3n), compare(PAY, [0, 0], among(stranger))])
      assert.throws(() => checkPolicy(policyWith(rule('no', [compared], { kind: 'refuse' }))), matching(/one with an element more/))
  })

  it('are refused in a policy where they could not be compared, or said in another way', () => {
    const whole = { kind: 'any' as const }
    const faults: [Comparison[], RegExp][] = [
      [[], /no parameter/],
      [[compare('drop(address[]', [0], among(friend))], /no function/],
      [[compare('open(bool)', [0], { kind: 'truth', is: true })], /none of its functions/],
      [[compare(DROP, [], whole)], /none of that number/],
      [[compare(DROP, [2], whole)], /none of that number/],
      [[compare(DROP, [0, 0], among(friend))], /none of that number/],
      [[compare(PAY, [0, 2], among(friend))], /none of that number/],
      [[compare(DROP, [0], whole)], /be anything/],
      [[compare(PAY, [0], among(friend))], /a tuple/],
      [[compare(DROP, [1], { kind: 'truth', is: true }, 1n)], /no list of any length/],
      [[compare(DROP, [0], whole, 257n)], /more than 256/],
      [[compare(DROP, [0], among())], /no address/],
      [[compare(DROP, [0], among(friend, friend))], /or one twice/],
      [[compare(DROP, [0], among('friend'))], /no address of its network/],
      [[compare(DROP, [1], among(friend))], /of the type bool/],
      [[compare(SHIFT, [0], { kind: 'truth', is: true })], /of the type int24/],
      [[compare(SHIFT, [0], numbers(null, null))], /any number/],
      [[compare(SHIFT, [0], numbers(2n, 1n))], /no number/],
      [[compare(SHIFT, [0], numbers(null, 1n << 23n))], /no number/],
      [[compare(SHIFT, [0], numbers(-(1n << 23n) - 1n, null))], /no number/],
      [[compare(SHIFT, [0], numbers(-(1n << 23n), 5n))], /bounds nothing/],
      [[compare(PAY, [0, 1], numbers(0n, 5n))], /bounds nothing/],
      [[compare(PAY, [0, 1], numbers(1n, 255n))], /bounds nothing/],
      [[compare(SHIFT, [1], { kind: 'bytes', values: [new Uint8Array(3)] })], /not 4 bytes/],
      [[compare(NOTE, [1], { kind: 'bytes', values: [] })], /no bytes/],
      [[compare(NOTE, [0], { kind: 'texts', values: ['a', 'a'] })], /one twice/],
      [[compare(DROP, [0], whole, 2n), compare(DROP, [0], among(friend))], /a parameter twice/],
      [[compare(EVERY, [0], numbers(2n, 5n)), compare(EVERY, [2], among(friend))], /form of before/],
      [[compare('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [3], numbers(1n, 2n))], /itself bounds/],
    ]
    for (const [compared, reason] of faults) {
      const faulty = { ...rule('one', []), conditions: [{ kind: 'comparisons' as const, comparisons: compared }] }
      assert.throws(() => checkPolicy(policyWith(faulty)), matching(reason), `${reason}`)
    }
    const both = rule('one', [compare(DROP, [0], among(friend))])
    both.conditions.push({ kind: 'parameters', parameters: [{ signature: EVERY, position: 0n, addresses: [], atLeast: 2n, atMost: null }] })
    assert.throws(() => checkPolicy(policyWith(both)), matching(/two conditions/))
  })

  it('are told in words, in both languages', () => {
    const policy = policyWith(
      rule('one', [
        compare(DROP, [0], among(friend, second), 3n),
        compare(DROP, [1], { kind: 'truth', is: false }),
        compare(SHIFT, [0], numbers(-5n, 9n)),
        compare(NOTE, [0], { kind: 'texts', values: ['', 'rent\u202e'] }),
        compare(NOTE, [1], { kind: 'bytes', values: [fromHex('ab')] }),
        compare(PAY, [0, 1], numbers(null, 7n)),
        compare(EVERY, [9, 1], { kind: 'any' }, 1n),
      ]),
    )
    checkPolicy(policy)
    const says = (locale: 'en-US' | 'zh-CN', ...parts: string[]) => {
      const text = describePolicy(policy, locale).join('\n')
      for (const part of parts) assert.ok(text.includes(part), `${part}\n${text}`)
    }
    says(
      'en-US',
      `where ${DROP} is called, with its parameter 1 having at most 3 elements and each element of its parameter 1 being ${friend} or ${second}`,
      `where ${DROP} is called, with its parameter 2 being false`,
      `with its parameter 1 at least -5 and at most 9`,
      `with its parameter 1 being "" or "rent\\u{202e}"`,
      `with its parameter 2 being 0xab`,
      `with part 2 of each element of its parameter 1 at most 7`,
      `with part 2 of its parameter 10 having at most 1 element`,
    )
    says(
      'zh-CN',
      `调用 ${DROP} 时第 1 个参数至多含 3 个元素且第 1 个参数的每个元素为 ${friend} 或 ${second}`,
      `调用 ${SHIFT} 时第 1 个参数不小于 -5且不大于 9`,
      `调用 ${PAY} 时第 1 个参数的每个元素的第 2 项不大于 7`,
    )
  })

  it('are looked at by the analysis: each part is decided by the rule that it names, and what is left is a gap that is said in words', () => {
    const ofOne = (signature: string, ours: Comparison, others: Comparison) => {
      const policy = policyWith(rule('ours', [ours], approved, [signature]), rule('others', [others], { kind: 'refuse' }, [signature]))
      checkPolicy(policy)
      const { subjects, gaps, isWhole } = analysePolicy(policy, NOW_MS)
      assert.ok(isWhole)
      const decided = subjects.filter(({ as }) => as === 'call').flatMap((each) => each.decides)
      for (const { rule: decides, parts } of decided) for (const { witness } of parts) assert.equal(outcomesAt(policy, witness)[0]?.rule?.id, decides.id)
      const calls = gaps.filter(({ subject }) => subject.as === 'call')
      for (const { witness } of calls) assert.equal(outcomesAt(policy, witness)[0]?.rule, null)
      return (['en-US', 'zh-CN'] as const).map((locale) => calls.map((gap) => describeRegion(gap, policy, locale)).join('\n'))
    }
    const lists = ofOne(DROP, compare(DROP, [0], among(friend), 2n), compare(DROP, [1], { kind: 'truth', is: true }))
    assert.ok(lists[0]!.includes(`parameter 1 a list (elements up to 2) with ${friend}, any other address, parameter 2 false`), lists[0])
    assert.ok(lists[1]!.includes(`第 1 个参数为列表（元素个数不超过 2），含 ${friend}、其他地址，第 2 个参数为 false`), lists[1])
    const signed = ofOne(SHIFT, compare(SHIFT, [0], numbers(-5n, null)), compare(SHIFT, [0], numbers(null, -9n)))
    assert.ok(signed[0]!.includes(`${SHIFT}, parameter 1 above -9 up to -6`), signed[0])
    assert.ok(signed[1]!.includes(`${SHIFT}，第 1 个参数高于 -9不超过 -6`), signed[1])
  })

  it('leave the bytes of what rules said before as they were', () => {
    const parameters = [{ signature: 'lock(uint64,address)', position: 1n, addresses: [friend], atLeast: 0n, atMost: null }]
    const shape = struct('holdfast/test/condition/v1', { condition: conditionShape })
    assert.equal(toHex(digest(shape, { condition: { kind: 'parameters', parameters } })), 'dd3fea29876e09a7d95123476a53606457ccf89bcb5863ae14256603fa169f2f')
  })
})

const matching = (reason: RegExp) => (cause: unknown) => cause instanceof PolicyRefused && reason.test(cause.message)
