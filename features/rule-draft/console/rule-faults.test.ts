import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActionDraft, ConditionDraft } from '../contract.ts'
import { sampleRule } from './testing/sample-rule.ts'
import type { Known } from './known.ts'
import type { NamedDraft } from './rules-draft.ts'
import { ruleFaults } from './rule-faults.ts'

const KNOWN: Known = {
  people: [
    { id: 'alice', name: 'Alice', has_key: true },
    { id: 'bruno', name: 'Bruno', has_key: true },
    { id: 'dora', name: 'Dora', has_key: false },
  ],
  assets: [{ chain: 'eip155:1', network: 'Ethereum', asset: '', symbol: 'ETH', decimals: 18 }],
  networks: [{ chain: 'eip155:1', name: 'Ethereum' }],
  wallets: [],
  lists: [],
  coSigners: [],
  screeners: [],
}
const GROUPS = [{ id: 'desk', name: 'Desk', members: ['alice', 'bruno'] }]

const faultsOf = (said: Partial<NamedDraft>) => {
  const rule = sampleRule({ id: 'new', ...said })
  return ruleFaults(rule, { rules: [sampleRule({ id: 'other', name: 'Taken' })], groups: GROUPS }, KNOWN).map(({ field, key }) => `${field} ${key}`)
}
const approve = (...steps: Extract<ActionDraft, { kind: 'approve' }>['steps']): ActionDraft => ({
  kind: 'approve',
  steps,
  may_stop: [],
  delay_s: 0,
  expire_s: 0,
})
const eth = (above: string, most: string | null): ConditionDraft => ({ kind: 'assets', assets: [{ chain: 'eip155:1', asset: '', above, at_most: most }] })
const to = (said: Partial<Extract<ConditionDraft, { kind: 'destinations' }>>): ConditionDraft => ({
  kind: 'destinations',
  own: false,
  listed: false,
  lists: [],
  paid_before: false,
  addresses: [],
  ...said,
})

const LOCK = 'lock(uint64,address)'
const SEND = 'send(address[],int8,bool,bytes4,string,(bool,bytes)[])'
type Parameter = Extract<ConditionDraft, { kind: 'parameters' }>['parameters'][number]
const calling = (...parameters: Partial<Parameter>[]): Partial<NamedDraft> => ({
  covers: {
    ...{ kind: 'calls', chain: 'eip155:1', contracts: ['0x1'], functions: [LOCK, SEND], max_value: '0', max_tokens: '0' },
    ...{ unlimited_allowances: false, unknown_call_data: false },
  },
  action: approve({ need: 1, who: [{ kind: 'group', id: 'desk' }] }),
  conditions: [
    {
      kind: 'parameters',
      parameters: parameters.map((each) => ({ function: LOCK, number: 1, addresses: [], at_least: '0', at_most: null, ...each })),
    },
  ],
})
const parameterCases: [Partial<NamedDraft>, string[]][] = [
  [calling(), ['parameters noParameter']],
  [calling({ function: 'gone(uint8)', at_most: '1' }), ['parameters noFunctionOf']],
  [calling({}), ['parameters.0.at_least noArgument']],
  [calling({ number: 2, addresses: [''] }), ['parameters.0.addresses noArgument']],
  [calling({ at_least: '1.5' }), ['parameters.0.at_least wholeNumber']],
  [calling({ at_least: '3', at_most: '2' }), ['parameters.0.at_most leastMost']],
  [calling({ at_least: '2', at_most: '2' }, { number: 2, addresses: ['0x1'] }), []],
  [calling({ function: SEND, addresses: [''] }), ['parameters.0.addresses noArgument']],
  [calling({ function: SEND, addresses: [''], max_length: 0 }), []],
  [calling({ function: SEND, number: 2, at_least: null }), ['parameters.0.at_least noArgument']],
  [calling({ function: SEND, number: 2, at_least: '0' }), []],
  [calling({ function: SEND, number: 2, at_least: '-3', at_most: '-4' }), ['parameters.0.at_most leastMost']],
  [calling({ function: SEND, number: 2, at_least: '--3' }), ['parameters.0.at_least signedNumber']],
  [calling({ at_least: '-3' }), ['parameters.0.at_least wholeNumber']],
  [calling({ function: SEND, number: 3 }), ['parameters.0.is noArgument']],
  [calling({ function: SEND, number: 3, is: false }), []],
  [calling({ function: SEND, number: 4, values: [''] }), ['parameters.0.values noArgument']],
  [calling({ function: SEND, number: 4, values: ['0xabc'] }), ['parameters.0.values hexBytes']],
  [calling({ function: SEND, number: 5, values: [''] }), []],
  [calling({ function: SEND, number: 6 }), ['parameters.0.max_length noArgument']],
  [calling({ function: SEND, number: 6, parts: [1], is: true }), []],
  [{ ...calling({ function: SEND, number: 6, parts: [1], is: true }), action: { kind: 'refuse' } }, ['parameters listRefuses']],
  [{ ...calling({ function: SEND, number: 3, is: true }), action: { kind: 'refuse' } }, []],
]

const refuse: NamedDraft['action'] = { kind: 'refuse' }
const calls = { ...calling().covers, max_value: '', max_tokens: 'many' } as NamedDraft['covers']
const stake: NamedDraft['covers'] = { kind: 'stake', chain: 'eip155:1', actions: [], receivers: null, max_amount: '', max_lock_blocks: 0 }
const boundCases: [Partial<NamedDraft>, string[]][] = [
  [{ covers: calls, action: approve({ need: 1, who: [{ kind: 'group', id: 'desk' }] }) }, ['covers.value amountEmpty', 'covers.tokens baseUnits']],
  [{ covers: calls, action: refuse }, []],
  [{ covers: stake, action: approve({ need: 1, who: [{ kind: 'group', id: 'desk' }] }) }, ['covers.actions noAction', 'covers.amount amountEmpty']],
  [{ covers: stake, action: refuse }, ['covers.actions noAction']],
]

type Trades = Extract<NamedDraft['covers'], { kind: 'trades' }>
const trading = (said: Partial<Trades>, action: NamedDraft['action'] = approve({ need: 1, who: [{ kind: 'group', id: 'desk' }] })): Partial<NamedDraft> => ({
  covers: {
    ...{ kind: 'trades', chain: 'eip155:1', form: 'uniswap-v2', router: '0x1', gives: [{ asset: '', at_most: '2.5' }], gets: ['0xa'] },
    ...{ slippage_percent: '0.5', deadline_s: 1200, ...said },
  },
  action,
})
const tradeCases: [Partial<NamedDraft>, string[]][] = [
  [trading({}), []],
  [trading({ router: ' ' }), ['covers.router noRouter']],
  [trading({ gives: [], gets: [] }), ['covers.gives noAsset', 'covers.gets noAsset']],
  [trading({ gets: [''] }), ['covers.gets samePair']],
  [trading({ gives: [{ asset: '', at_most: '' }] }), ['covers.gives.0 amountEmpty']],
  [trading({ gives: [{ asset: '', at_most: '0.0' }] }), ['covers.gives.0 amountEmpty']],
  [trading({ gives: [{ asset: '', at_most: 'much' }] }), ['covers.gives.0 amount']],
  [trading({ slippage_percent: '100' }), ['covers.slippage percent']],
  [trading({ slippage_percent: '' }), ['covers.slippage percent']],
  [trading({ deadline_s: 0 }), ['covers.deadline noLength']],
  [trading({ deadline_s: null }), []],
  [trading({ gives: [{ asset: '', at_most: null }], slippage_percent: null, deadline_s: 0 }, { kind: 'refuse' }), []],
]

test('a rule that is whole has no faults', () => {
  assert.deepEqual(faultsOf({}), [])
  assert.deepEqual(faultsOf({ conditions: [eth('1', '2')], action: approve({ need: 2, who: [{ kind: 'group', id: 'desk' }] }) }), [])
})

test('each fault is said at the field that it is about', () => {
  const cases: [Partial<NamedDraft>, string[]][] = [
    [{ name: ' ' }, ['name nameEmpty']],
    [{ name: 'Taken' }, ['name nameTaken']],
    [{ level: 'basic', conditions: [eth('0', null)] }, ['level basicConditions']],
    [{ conditions: [eth('1,5', null)] }, ['assets.0.above amount']],
    [{ conditions: [eth('0', `0.${'1'.repeat(19)}`)] }, ['assets.0.at_most precise']],
    [{ conditions: [eth('5', '5')] }, ['assets.0.at_most order']],
    [{ conditions: [to({})] }, ['destinations nowhere']],
    [{ conditions: [{ kind: 'times', zone: 'UTC', days: [], from_minute: 600, until_minute: 600 }] }, ['times.days noDay', 'times.until hours']],
    ...parameterCases,
    ...boundCases,
    ...tradeCases,
    [
      { conditions: [{ kind: 'screening', screeners: [], levels: [], within_s: 0 }] },
      ['screening.screeners noScreener', 'screening.levels noLevel', 'screening.within screeningAge'],
    ],
    [{ conditions: [{ kind: 'screening', screeners: ['lists'], levels: ['low'], within_s: 31 * 86_400 }] }, ['screening.within screeningAge']],
    [{ conditions: [{ kind: 'screening', screeners: ['lists'], levels: ['low'], within_s: 60 }] }, []],
    [{ action: approve() }, ['steps noStep']],
    [
      {
        action: approve({
          need: 3,
          who: [
            { kind: 'group', id: 'desk' },
            { kind: 'person', id: 'alice' },
          ],
        }),
      },
      ['steps.0 needMany'],
    ],
    [{ action: approve({ need: 1, who: [{ kind: 'person', id: 'dora' }] }) }, ['steps.0 noKey']],
    [{ action: approve({ need: 0, who: [{ kind: 'person', id: 'alice' }] }) }, ['steps.0 needNone']],
  ]
  for (const [said, expected] of cases) assert.deepEqual(faultsOf(said), expected)
})

test('nothing passes without approval but payments to known addresses, with a limit of amounts', () => {
  const action: ActionDraft = { kind: 'pass', fees: [{ chain: 'eip155:1', max: '0.01' }], may_stop: [], expire_s: 0 }
  const limit = {
    each: 'rule' as const,
    length_s: 3600,
    amounts: [{ chain: 'eip155:1', asset: '', max: '1' }],
    max_tokens: null,
    max_count: 5,
    max_usd: null,
  }
  assert.deepEqual(faultsOf({ action }), ['action passWhere', 'action passLimit', 'action passCount'])
  assert.deepEqual(faultsOf({ action: { ...action, fees: [] }, conditions: [to({ own: true })], limits: [limit] }), ['fees passFee'])
  assert.deepEqual(faultsOf({ action, conditions: [to({ listed: true, paid_before: true })], limits: [{ ...limit, amounts: [], max_count: 3 }] }), [
    'action passPaid',
    'action passLimit',
  ])
  assert.deepEqual(faultsOf({ action, conditions: [to({ own: true })], limits: [limit] }), [])
})
