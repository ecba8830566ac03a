import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveBy, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member } from '../testing/sample-organisation.ts'
import { analysePolicy } from './analyse-policy.ts'
import { decisionAt } from './edge-cases.ts'

test('a call with any other address than rules compare is one that none of them compares, also where they name addresses of ones alone', () => {
  const people = [0, 1, 2].map(member)
  const signature = 'lock(address)'
  const addresses = ['1', '2'].map((last) => `0x${'1'.repeat(39)}${last}`)
  const bounds = { maxValue: 0n, maxTokens: 0n, unlimitedAllowances: false, unknownCallData: false }
  const rule = namedRule('locks', {
    covers: { kind: 'calls', chain: CHAIN, contracts: [`0x${'5a'.repeat(20)}`], functions: [signature], ...bounds },
    conditions: [{ kind: 'parameters', parameters: [{ signature, position: 0n, addresses, atLeast: 0n, atMost: null }] }],
    action: approveBy([{ need: 1n, who: people.map(personOf) }]),
  })
  const policy = thirdForm(people, { assets: [ETH], rules: [rule] })
  const { gaps, subjects } = analysePolicy(policy, 0)
  const calls = gaps.filter(({ subject }) => subject.as === 'call')
  assert.ok(calls.length > 0)
  for (const { witness } of calls) assert.equal(decisionAt(policy, witness).kind, 'refused')
  // Among what is refused is the function itself, with another address.
  const called = calls.flatMap(({ subject, region }) =>
    subject.dimensions.flatMap(({ classes }, i) => classes.filter((_, at) => (((region[i] ?? 0n) >> BigInt(at)) & 1n) === 1n).flat()),
  )
  const others = called.filter(
    ({ told }) => told.kind === 'call' && told.signature === signature && told.parameters.some(({ is }) => 'value' in is && is.value === null),
  )
  assert.ok(others.length > 0)
  const data = others.map(({ act }) => ('data' in act && act.data instanceof Uint8Array ? Buffer.from(act.data).toString('hex') : ''))
  for (const each of data) assert.ok(addresses.every((address) => !each.endsWith(address.slice(2))))
  assert.ok(subjects.every(({ isWhole }) => isWhole))
})
