import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '@holdfast/encoding'
import { LOCALES, type PolicyChangeIntent, renderHash, wordings } from '@holdfast/intent'
import { approvalContext, checkApproval } from '../check-approval.ts'
import { describeChange, describeRule, type Policy, policyHash, policyShape } from '../index.ts'
import { approveBy, dayLimit, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member, sampleApproval } from '../testing/sample-organisation.ts'
import { describePolicy } from './describe-policy.ts'

const people = [0, 1, 2].map(member)
const [here, there] = [CHAIN, 'eip155:10']
const usdx = (chain: string) => ({ chain, contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDX', decimals: 6n })
const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const policyOf = (...rules: Policy['rules']): Policy => thirdForm(people, { assets: [ETH, usdx(here), usdx(there)], rules: rules as never })
const action = approveBy([{ need: 1n, who: people.slice(1).map(personOf) }])
const max = (chain: string, units: bigint) => ({ chain, asset: usdx(chain).contract, max: units * 1_000_000n })
const limited = (one: bigint, other: bigint) =>
  namedRule('daily', { limits: [dayLimit({ amounts: [max(here, one), max(there, other)], maxCount: 4n })], action })
const calls = {
  ...{ kind: 'calls' as const, chain: CHAIN, contracts: [contract], functions: ['lock()'] },
  ...{ maxValue: 0n, maxTokens: 0n, unlimitedAllowances: false, unknownCallData: true },
}
const stake = { kind: 'stake' as const, chain: CHAIN, actions: ['delegate'], receivers: null, maxAmount: 0n, maxLockBlocks: 0n }

test('a limit is told with the network of each asset, and that it lets nothing of any other through', () => {
  const rule = limited(100n, 5n)
  assert.match(
    describeRule(rule, policyOf(rule), 'en-US'),
    /at most 100 USDX \(eip155:31337\), 5 USDX \(eip155:10\), nothing of any other asset, 4 orders in 24 hours; above that/,
  )
  assert.match(describeRule(rule, policyOf(rule), 'zh-CN'), /24 小时内累计不超过 100 USDX（eip155:31337）、5 USDX（eip155:10）、其他资产 0、4 笔；/)
  const swapped = limited(5n, 100n)
  for (const locale of LOCALES) {
    const [line] = describeChange(policyOf(rule), { ...policyOf(swapped), version: 2n }, locale, [])
    assert.ok(
      line?.includes(describeRule(rule, policyOf(rule), locale, '“daily”')) && line.includes(describeRule(swapped, policyOf(swapped), locale, '“daily”')),
    )
    assert.notEqual(describeRule(rule, policyOf(rule), locale), describeRule(swapped, policyOf(swapped), locale))
  }
  const counted = namedRule('counted', { limits: [dayLimit({ maxCount: 4n })], action })
  assert.doesNotMatch(describeRule(counted, policyOf(counted), 'en-US'), /other asset/, 'where no asset is named, all are let through')
  const ofCalls = namedRule('calls', { covers: calls, limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 1n }] })], action })
  assert.doesNotMatch(describeRule(ofCalls, policyOf(ofCalls), 'en-US'), /other asset/, 'the tokens of calls are limited by themselves')
})

test('calls and orders about stake that are refused are told without bounds, which do not count for them', () => {
  const never = { calls: namedRule('never', { covers: calls }), stake: namedRule('never', { covers: stake }) }
  const policy = policyOf()
  assert.match(
    describeRule(never.calls, policy, 'en-US'),
    /lock\(\) of \S+ on \S+; whatever they send along, move or allow, also inside other calls; and calls of data that nobody can read – REFUSED$/,
  )
  assert.match(describeRule(never.calls, policy, 'zh-CN'), /lock\(\); 无论附带、转移或授权多少，含其他调用内携带的; 以及无法解读的调用数据 —— 拒绝$/)
  assert.match(describeRule(never.stake, policy, 'en-US'), /on \S+; of any amount – REFUSED$/)
  const toOne = namedRule('never', { covers: { ...stake, receivers: [contract] } })
  assert.match(describeRule(toOne, policy, 'en-US'), /; of any amount; delegations to \S+ – REFUSED$/)
  assert.match(describeRule(toOne, policy, 'zh-CN'), /; 金额不限; 代理给 \S+ —— 拒绝$/)
})

test('what was approved over the words before these stays approved', () => {
  const [ann, ben] = people
  const policy = policyOf(limited(1n, 2n))
  const next = { ...policyOf(limited(100n, 5n), namedRule('never', { covers: calls }), namedRule('no stake', { covers: stake })), version: 2n }
  const intent: PolicyChangeIntent = {
    kind: 'policyChange',
    ...{ genesis: policy.genesis, orderId: new Uint8Array(16).fill(3), newPolicy: encode(policyShape, { ...next, previous: policyHash(policy) } as Policy) },
    ...{
      notBeforeMs: 0n,
      expiresAtMs: 10n ** 13n,
      policyVersion: policy.version,
      policyHash: policyHash(policy),
      initiator: ann!.id,
      nonce: new Uint8Array(32),
    },
  }
  for (const locale of LOCALES) {
    const words = [...wordings(intent, approvalContext(policy), locale)]
    const lines = words.map(({ rows }) => rows.map(({ value }) => value).join('\n'))
    assert.ok(lines[0]?.includes('eip155:10') && !lines[0].includes(locale === 'en-US' ? 'no coin sent along' : '不得附带主币'))
    for (const former of lines.slice(1)) {
      assert.ok(former.includes(locale === 'en-US' ? 'at most 100 USDX, 5 USDX, 4 orders in 24 hours' : '24 小时内累计不超过 100 USDX、5 USDX、4 笔'))
      assert.ok(former.includes(locale === 'en-US' ? 'with no coin sent along; moves no token and allows none' : '不得附带主币; 不得转移或授权代币'))
    }
    for (const each of words)
      assert.deepEqual(checkApproval(sampleApproval(ben!, intent, policy, 'approve', { locale, renderHash: renderHash(each) }), intent, policy).id, ben!.id)
    assert.deepEqual(
      lines[1]?.split('\n').slice(0, 3),
      describePolicy({ ...next, previous: policyHash(policy) } as Policy, locale, { isLast: true }).slice(0, 3),
    )
  }
})
