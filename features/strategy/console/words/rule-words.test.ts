import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import i18next, { type TFunction } from 'i18next'
import type { Known, NamedDraft } from '@holdfast/features/rule-draft/console'
import { sampleRule } from '../../../rule-draft/console/testing/sample-rule.ts'
import { dayWords, ruleWords } from './rule-words.ts'
import { spanWords } from './sentence.ts'

const wordsIn = (locale: string) => JSON.parse(readFileSync(new URL(`../../locales/pages/${locale}.json`, import.meta.url), 'utf8')) as object
const texts = i18next.createInstance()
await texts.init({
  lng: 'en-US',
  resources: Object.fromEntries(['en-US', 'zh-CN'].map((locale) => [locale, { strategyEngine: wordsIn(locale) }])),
  interpolation: { escapeValue: false },
})
const inLanguage = (locale: string) => texts.getFixedT(locale, 'strategyEngine') as unknown as TFunction
const [en, zh] = [inLanguage('en-US'), inLanguage('zh-CN')]

const known: Known = {
  people: [{ id: 'alice', name: 'Alice', has_key: true }],
  assets: [
    { chain: 'a', network: 'Ethereum', asset: '', symbol: 'ETH', decimals: 18 },
    { chain: 'a', network: 'Ethereum', asset: '0x1', symbol: 'USDC', decimals: 6 },
    { chain: 'b', network: 'Base', asset: '0x2', symbol: 'USDC', decimals: 6 },
  ],
  networks: [],
  wallets: [],
  lists: [],
  coSigners: [{ id: 'guard', name: 'Guard' }],
  screeners: [{ id: 'lists', name: 'List desk' }],
}
const read = (rule: NamedDraft, t = en) => ruleWords({ t, groups: [{ id: 'desk', name: 'Desk', members: ['alice'] }], known }, rule)

const rule = sampleRule({
  conditions: [
    { kind: 'times', zone: 'Asia/Shanghai', days: [1, 2, 3, 4, 5, 0], from_minute: 540, until_minute: 1080 },
    { kind: 'destinations', own: false, listed: true, lists: ['Suppliers'], paid_before: false, addresses: [] },
    {
      kind: 'assets',
      assets: [
        { chain: 'a', asset: '', above: '1.5', at_most: '12500.25' },
        { chain: 'b', asset: '0x2', above: '0', at_most: '1000' },
      ],
    },
    { kind: 'value', above_usd: '0', at_most_usd: '12500.5' },
    {
      kind: 'askers',
      who: [
        { kind: 'group', id: 'desk' },
        { kind: 'person', id: 'alice' },
      ],
    },
  ],
  limits: [{ each: 'asker', length_s: 86_400, amounts: [{ chain: 'a', asset: '', max: '50000' }], max_tokens: null, max_count: 3, max_usd: '75000' }],
})

test('a rule reads as one sentence, whatever order its conditions have; a coin that two networks have is told apart', () => {
  assert.equal(
    read(rule).when,
    'A payment requested by group Desk or Alice of more than 1.5 and up to 12,500.25 ETH or up to 1,000 USDC on Base worth up to 12,500.5 USD to whitelisted addresses or whitelist group Suppliers signed Mon–Fri, Sun 09:00–18:00 (Asia/Shanghai)',
  )
  assert.deepEqual(read(rule).limits, ['At most 50,000 ETH, 3 orders and 75,000 USD in value in 1 day for each requester'])
  assert.equal(read(rule, zh).limits[0], '每位发起人 1 天内累计不超过 50,000 ETH、3 笔、价值 75,000 美元')
})

test('a rule without conditions says that it is for everything', () => {
  assert.equal(read(sampleRule()).when, 'Any payment, in any coin, to anyone')
  assert.equal(read(sampleRule(), zh).when, '任意付款：任意币种、任意收款方')
})

test('a rule says by name which co-signer approves as well', () => {
  const action = { kind: 'approve' as const, steps: [], may_stop: [], delay_s: 0, expire_s: 0, co_signer: 'guard' }
  assert.deepEqual(read(sampleRule({ action })).more, ['the co-signer Guard approves as well'])
  assert.deepEqual(read(sampleRule({ action }), zh).more, ['另须协签程序“Guard”批准'])
})

test('days and spans of time are said as people say them', () => {
  assert.equal(dayWords(en, [0, 1, 2, 3, 4, 5, 6]), 'every day')
  assert.equal(dayWords(en, [6, 0]), 'Sat, Sun')
  assert.equal(dayWords(zh, [1, 2, 3]), '周一至周三')
  assert.deepEqual(
    [90, 3600, 5400, 172_800].map((seconds) => spanWords({ t: en }, seconds)),
    ['90 seconds', '1 hour', '90 minutes', '2 days'],
  )
})

type Parameter = Extract<NamedDraft['conditions'][number], { kind: 'parameters' }>['parameters'][number]

const row: Parameter = { function: 'lock(uint64,address)', number: 1, addresses: [], at_least: '0', at_most: null }
const ofCalls = (parameters: Partial<Parameter>[]) =>
  sampleRule({
    covers: {
      ...{ kind: 'calls', chain: 'a', contracts: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'], functions: [row.function] },
      ...{ max_value: '0', max_tokens: '0', unlimited_allowances: false, unknown_call_data: false },
    },
    conditions: [{ kind: 'parameters', parameters: parameters.map((each) => ({ ...row, ...each })) }],
  })

test('what the parameters of a call may be is read with the function that they are of, in both languages', () => {
  const both = ofCalls([
    { at_least: '1000', at_most: '2000' },
    { number: 2, addresses: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', ''] },
  ])
  assert.ok(read(both).when.endsWith('with parameter 1 of lock from 1,000 to 2,000 and with parameter 2 of lock being 0x5aAe…1BeAed'), read(both).when)
  assert.ok(read(both, zh).when.endsWith('lock 的第 1 个参数在 1,000 至 2,000 之间、lock 的第 2 个参数为 0x5aAe…1BeAed'), read(both, zh).when)
  assert.ok(read(ofCalls([{ at_most: '7' }])).when.endsWith('with parameter 1 of lock of at most 7'))
  assert.ok(read(ofCalls([{ at_least: '7' }])).when.endsWith('with parameter 1 of lock of at least 7'))
})

test('parameters of every type are read as what they may be, those of lists in each element, in both languages', () => {
  const every = 'pay(int64,bool,bytes4,string,address[],(address,uint8)[])'
  const cases: [Partial<Parameter>, english: string, chinese: string][] = [
    [{ at_least: '-1500', at_most: '0' }, 'with parameter 1 of pay from -1,500 to 0', 'pay 的第 1 个参数在 -1,500 至 0 之间'],
    [{ at_least: '0' }, 'with parameter 1 of pay of at least 0', 'pay 的第 1 个参数不小于 0'],
    [{ number: 2, is: false }, 'with parameter 2 of pay being false', 'pay 的第 2 个参数为 false'],
    [{ number: 3, values: ['0x00ff00ff', ''] }, 'with parameter 3 of pay being 0x00ff00ff', 'pay 的第 3 个参数为 0x00ff00ff'],
    [{ number: 4, values: ['', 'rent'] }, 'with parameter 4 of pay being “” or “rent”', 'pay 的第 4 个参数为 “”或“rent”'],
    [
      { number: 5, addresses: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'], max_length: 3 },
      'with parameter 5 of pay in each element being 0x5aAe…1BeAed and with at most 3 elements in parameter 5 of pay',
      'pay 的第 5 个参数每个元素为 0x5aAe…1BeAed、pay 的第 5 个参数至多 3 个元素',
    ],
    [{ number: 6, max_length: 1 }, 'with at most 1 element in parameter 6 of pay', 'pay 的第 6 个参数至多 1 个元素'],
    [{ number: 6, parts: [2], at_most: '7' }, 'with part 2 of parameter 6 of pay in each element of at most 7', 'pay 的第 6 个参数第 2 项每个元素不大于 7'],
    [{ number: 5 }, 'with parameter 5 of pay in each element being …', 'pay 的第 5 个参数每个元素为 …'],
  ]
  for (const [said, english, chinese] of cases) {
    const rule = ofCalls([{ function: every, ...(said.number === undefined && { at_least: null }), ...said }])
    assert.ok(read(rule).when.endsWith(english), read(rule).when)
    assert.ok(read(rule, zh).when.endsWith(chinese), read(rule, zh).when)
  }
})

test('what may be traded for what is read with its bounds, and without them where it is refused, in both languages', () => {
  const covers = {
    ...{ kind: 'trades' as const, chain: 'a', form: 'uniswap-v2' as const, router: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    ...{ gives: [{ asset: '', at_most: '1500' }], gets: ['0xc'], slippage_percent: '0.5', deadline_s: 1200 as number | null },
  }
  const rule = sampleRule({ covers, action: { kind: 'approve', steps: [], may_stop: [], delay_s: 0, expire_s: 0 } })
  const [english, chinese] = [read(rule).when, read(rule, zh).when]
  assert.match(
    english,
    /^Trades of up to 1,500 \S+ for \S+ at the router 0x5aAe…1BeAed on .* received at most 0.5% lower and a deadline within 20 minutes of signing$/,
  )
  assert.match(chinese, /路由 0x5aAe…1BeAed 以不超过 1,500 \S+ 换取 .*所得价值至多低 0.5%，截止时间不晚于签署后 20 分钟$/)
  assert.match(read(sampleRule({ ...rule, covers: { ...covers, deadline_s: null } })).when, /and any deadline or none$/)
  assert.match(read(sampleRule({ covers })).when, /^Trades of any amount of \S+ for \S+ at the router 0x5aAe…1BeAed on \S+$/)
})

test('what screeners have to say is read with their names and the age of their words, in both languages', () => {
  const screened = sampleRule({ conditions: [{ kind: 'screening', screeners: ['lists'], levels: ['low', 'medium'], within_s: 1800 }] })
  assert.ok(read(screened).when.endsWith('screened as low risk or medium risk by List desk, no more than 30 minutes before signing'), read(screened).when)
  assert.ok(read(screened, zh).when.endsWith('经 List desk 筛查为低风险或中风险，且签署时结果不早于 30 分钟前'), read(screened, zh).when)
})

test('what a call may do is read with its tokens, allowances and what nobody can read, and without bounds where it is refused, in both languages', () => {
  const { covers } = ofCalls([])
  assert.ok(covers.kind === 'calls')
  const approve = { kind: 'approve' as const, steps: [], may_stop: [], delay_s: 0, expire_s: 0 }
  const saidOf = (changes: Partial<typeof covers>, action: NamedDraft['action'] = approve) =>
    [en, zh].map((t) => read(sampleRule({ covers: { ...covers, ...changes }, action }), t).when)
  assert.deepEqual(saidOf({}), [
    'A call to lock of 0x5aAe…1BeAed on Ethereum, sending up to 0 ETH and moving or allowing no tokens',
    '在 Ethereum 上调用 0x5aAe…1BeAed 的 lock，附带不超过 0 ETH，不转出也不授权代币',
  ])
  assert.deepEqual(saidOf({ max_value: '2500', max_tokens: '1000', unknown_call_data: true }), [
    'A call to lock of 0x5aAe…1BeAed on Ethereum, sending up to 2,500 ETH and moving or allowing up to 1,000 base units of tokens and also with call data that cannot be decoded',
    '在 Ethereum 上调用 0x5aAe…1BeAed 的 lock，附带不超过 2,500 ETH，转出或授权的代币不超过 1,000 个最小单位，含无法解析的调用数据',
  ])
  const [endless, endlessInChinese] = saidOf({ max_tokens: '', unlimited_allowances: true })
  assert.match(String(endless), /and moving up to … base units of tokens, with allowances of any amount$/)
  assert.match(String(endlessInChinese), /转出的代币不超过 … 个最小单位，授权额度不限$/)
  assert.match(String(saidOf({ unlimited_allowances: true })[0]), /and moving no tokens, with allowances of any amount$/)
  assert.deepEqual(saidOf({}, { kind: 'refuse' }), [
    'Any call to lock of 0x5aAe…1BeAed on Ethereum, also inside another call',
    '在 Ethereum 上对 0x5aAe…1BeAed 的 lock 的任何调用，含其他调用内携带的',
  ])
})

test('orders about stake are read with those to whom stake is delegated and for how long, and without bounds where they are refused, in both languages', () => {
  const covers = { kind: 'stake' as const, chain: 'a', actions: ['delegate' as const], receivers: null, max_amount: '2500', max_lock_blocks: 0 }
  const approve = { kind: 'approve' as const, steps: [], may_stop: [], delay_s: 0, expire_s: 0 }
  const saidOf = (changes: object, action: NamedDraft['action'] = approve) =>
    [en, zh].map((t) => read(sampleRule({ covers: { ...covers, ...changes }, action }), t).when)
  assert.deepEqual(saidOf({}), [
    'Delegate on Ethereum, up to 2,500 ETH per order with delegations to anyone',
    '在 Ethereum 上代理资源，每笔不超过 2,500 ETH，可代理给任何人',
  ])
  const locked = { receivers: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', ''], max_lock_blocks: 9 }
  assert.match(String(saidOf(locked)[0]), /with delegations to 0x5aAe…1BeAed that may be locked for up to 9 blocks$/)
  assert.match(String(saidOf(locked)[1]), /代理给 0x5aAe…1BeAed，代理最多可锁定 9 个区块$/)
  assert.deepEqual(saidOf({}, { kind: 'refuse' }), ['Delegate on Ethereum, of any amount', '在 Ethereum 上代理资源，金额不限'])
  assert.match(String(saidOf(locked, { kind: 'refuse' })[0]), /of any amount with delegations to 0x5aAe…1BeAed$/)
  assert.equal(saidOf({ actions: ['stake'] })[0], 'Stake on Ethereum, up to 2,500 ETH per order')
})
