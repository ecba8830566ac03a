import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { checkPolicy, describePolicy, type NamedRule, waitOfChange } from '@holdfast/policy'
import { ETH, member, samplePolicy } from '../../../packages/policy/src/testing/sample-organisation.ts'
import { policyOfTemplate, templateOf } from './founding-template.ts'

const networks = { find: (chain: string) => (chain === ETH.chain ? { chain, assets: [{ ...ETH, decimals: 18 }] } : undefined) } as never
const asset = { chain: ETH.chain, asset: '', each: '1', day: '2.5', large: '10' }
const chosen = (...changes: Partial<Omit<typeof asset, 'large'> & { large: string | null }>[]) => ({
  kind: 'tiers' as const,
  assets: changes.map((each) => ({ ...asset, ...each })),
})
const people = [0, 1, 2].map(member)

describe('the rules that an organisation is founded with', () => {
  it('are small payments by one within a daily limit, and larger ones by as many as are asked for, in the third form', () => {
    const template = templateOf(chosen({}), networks, 'en_US')
    const policy = policyOfTemplate(samplePolicy(people, 2), template, 2n)
    checkPolicy(policy)
    const [small, large] = describePolicy(policy, 'en-US').filter((line) => line.startsWith('Rule'))
    assert.match(small!, /Small payments.*up to 1 ETH.*at most 2\.5 ETH \(\S+\), nothing of any other asset in 24 hours.*needs 1 of/)
    assert.match(large!, /Large payments.*up to 10 ETH.*needs 2 of/)
    const chinese = policyOfTemplate(samplePolicy(people, 2), templateOf(chosen({}), networks, 'zh_CN'), 2n)
    assert.deepEqual(
      (chinese.rules as NamedRule[]).map(({ name }) => name),
      ['小额付款', '大额付款'],
    )
  })

  it('are loosened a day after that was approved, and tightened at once', () => {
    const [tight, loose] = ['2.5', '3'].map((day) => policyOfTemplate(samplePolicy(people, 2), templateOf(chosen({ day }), networks, 'en_US'), 2n))
    assert.equal(waitOfChange(tight!, { ...loose!, version: 2n }), 86_400_000n)
    assert.equal(waitOfChange(loose!, { ...tight!, version: 2n }), 0n)
    assert.ok(describePolicy(tight!, 'en-US').includes('A change that loosens the policy waits for 24 hours at each signer'))
  })

  it('are refused with the reason: an asset that is not listed, or named twice, and amounts that leave no payment', () => {
    for (const [template, reason] of [
      [chosen({ chain: 'eip155:99' }), /does not list/],
      [chosen({}, {}), /twice/],
      [chosen({ day: '0.5' }), /daily limit/],
      [chosen({ large: '0.5' }), /large payments/],
    ] as const)
      assert.throws(
        () => templateOf(template, networks, 'en_US'),
        (error) => error instanceof AppError && error.errorName === 'invalid_parameters' && reason.test(String(error.details['reason'])),
      )
    assert.throws(() => templateOf(chosen({ each: '0.0000000000000000001' }), networks, 'en_US'), { errorName: 'exceeds_precision' })
  })
})
