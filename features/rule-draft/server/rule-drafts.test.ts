import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SCREENING_LEVELS } from '@holdfast/intent'
import type { Comparison, NamedRule } from '@holdfast/policy'
import { isSameRule } from '@holdfast/policy/drafting'
import { uuidToBytes } from '@holdfast/units'
import fc from 'fast-check'
import { comparisonsOfRule } from '../../../packages/policy/src/testing/random-comparisons.ts'
import { type RuleDraft, ruleDraft } from '../contract.ts'
import { draftOfRule } from './draft-of-rule.ts'
import { RuleFault, ruleOfDraft } from './rule-of-draft.ts'
import { strategyWords } from './strategy-words.ts'

const CHAIN = 'eip155:31337'
const USDT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const assets = [
  { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18n },
  { chain: CHAIN, contract: USDT, symbol: 'USDT', decimals: 6n },
]
const words = strategyWords.en_US
const places = { assets, words, canonicalAddress: (_: string, text: string) => (text.startsWith('0x') ? text : undefined) }

const text = fc.stringMatching(/^[a-zA-Z0-9]{1,20}$/)
const person = fc.uuid().map(uuidToBytes)
const who = fc.array(
  fc.oneof(
    person.map((id) => ({ kind: 'person' as const, id })),
    text.map((id) => ({ kind: 'group' as const, id })),
  ),
  { maxLength: 5 },
)
const base = fc.bigInt(0n, 10n ** 30n)
const seconds = fc.bigInt(0n, 315_360_000n).map((value) => value * 1000n)
const named = fc.record({ chain: fc.constant(CHAIN), asset: fc.constantFrom('', USDT) })
const address = fc.constantFrom('0xaa', '0xbb')

const slippageBps: fc.Arbitrary<bigint | null> = fc.option(fc.bigInt(0n, 9_999n))
const deadlineMs: fc.Arbitrary<bigint | null> = fc.option(seconds)
const trades: fc.Arbitrary<NamedRule['covers']> = fc.record({
  kind: fc.constant('trades' as const),
  chain: fc.constant(CHAIN),
  form: fc.constantFrom('uniswap-v2', 'uniswap-v3'),
  router: address,
  gives: fc.uniqueArray(fc.record({ asset: fc.constantFrom('', USDT), atMost: fc.option(base) }), { selector: ({ asset }) => asset }),
  gets: fc.subarray(['', USDT]),
  slippageBps,
  deadlineMs,
})

/** What has the form of before: the first and the third parameter. */
const isFirstForm = ({ path, test }: Comparison) => path.length === 1 && ['numbers', 'addresses'].includes(test.kind) && [0n, 2n].includes(path[0] ?? -1n)

const condition: fc.Arbitrary<NamedRule['conditions'][number]> = fc.oneof(
  fc.record({ kind: fc.constant('askers' as const), who }),
  fc.record({
    kind: fc.constant('sources' as const),
    wallets: fc.array(
      fc.record({ name: text, keyId: fc.uint8Array({ minLength: 32, maxLength: 32 }), path: fc.array(fc.bigInt(0n, 2_147_483_647n), { maxLength: 3 }) }),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    kind: fc.constant('assets' as const),
    assets: fc.array(
      fc.oneof(
        fc.constant({ chain: CHAIN, asset: null, above: 0n, atMost: null }),
        fc.record({ named, above: base, atMost: fc.option(base) }).map(({ named: asset, ...bounds }) => ({ ...asset, ...bounds })),
      ),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    kind: fc.constant('destinations' as const),
    own: fc.boolean(),
    listed: fc.boolean(),
    lists: fc.array(text, { maxLength: 2 }),
    paidBefore: fc.boolean(),
    addresses: fc.array(fc.record({ name: text, chain: fc.constant(CHAIN), address, memo: fc.option(text) }), { maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant('memo' as const), isPresent: fc.boolean() }),
  fc.record({
    kind: fc.constant('screening' as const),
    machines: fc.array(text, { maxLength: 3 }),
    levels: fc.subarray<string>([...SCREENING_LEVELS]),
    withinMs: seconds,
  }),
  fc.record({
    kind: fc.constant('times' as const),
    zone: fc.constant('Asia/Shanghai'),
    days: fc.subarray([0n, 1n, 6n]),
    fromMinute: fc.bigInt(0n, 1440n),
    untilMinute: fc.bigInt(0n, 1440n),
  }),
  fc.record({
    kind: fc.constant('parameters' as const),
    parameters: fc.array(
      fc.record({
        signature: fc.constantFrom('approve(address,uint256)', 'lock(uint64)'),
        position: fc.bigInt(0n, 255n),
        addresses: fc.array(address, { maxLength: 2 }),
        atLeast: fc.bigInt(0n, (1n << 256n) - 1n),
        atMost: fc.option(fc.bigInt(0n, (1n << 256n) - 1n)),
      }),
      { maxLength: 3 },
    ),
  }),
  comparisonsOfRule.filter((compared) => !compared.every(isFirstForm)).map((comparisons) => ({ kind: 'comparisons' as const, comparisons })),
  fc.record({ kind: fc.constant('value' as const), aboveCents: fc.bigInt(0n, 10n ** 18n), atMostCents: fc.option(fc.bigInt(0n, 10n ** 18n)) }),
)

const covers: fc.Arbitrary<NamedRule['covers']> = fc.oneof(
  fc.constant({ kind: 'payments' as const }),
  fc.record({
    kind: fc.constant('calls' as const),
    chain: fc.constant(CHAIN),
    contracts: fc.array(address, { maxLength: 2 }),
    functions: fc.array(fc.constantFrom('deposit()', 'transfer(address,uint256)'), { maxLength: 2 }),
    maxValue: base,
    maxTokens: fc.bigInt(0n, 10n ** 28n),
    unlimitedAllowances: fc.boolean(),
    unknownCallData: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('stake' as const),
    chain: fc.constant(CHAIN),
    actions: fc.subarray(['stake', 'unstake', 'delegate']),
    receivers: fc.option(fc.array(address, { maxLength: 2 })),
    maxAmount: base,
    maxLockBlocks: fc.bigInt(0n, 10_000_000n),
  }),
  trades,
)

const limit = fc.record({
  each: fc.constantFrom('rule', 'asker', 'destination', 'source'),
  lengthMs: seconds,
  amounts: fc.array(
    fc.record({ named, max: base }).map(({ named: asset, max }) => ({ ...asset, max })),
    { maxLength: 2 },
  ),
  maxTokens: fc.option(fc.bigInt(0n, 10n ** 28n)),
  maxCount: fc.option(fc.bigInt(1n, 4_294_967_295n)),
  maxCents: fc.option(fc.bigInt(0n, 10n ** 15n)),
})

const told = { mayStop: who, expiresAfterMs: seconds }
const action: fc.Arbitrary<NamedRule['action']> = fc.oneof(
  fc.constant({ kind: 'refuse' as const }),
  fc.record({
    kind: fc.constant('pass' as const),
    fees: fc.array(fc.record({ chain: fc.constant(CHAIN), max: base }), { maxLength: 2 }),
    ...told,
  }),
  fc
    .record({
      kind: fc.constant('approve' as const),
      coSigner: fc.option(text),
      steps: fc.array(fc.record({ need: fc.bigInt(1n, 255n), who }), { maxLength: 8 }),
      delayMs: seconds,
      ...told,
    })
    .map(({ coSigner, steps, ...rest }) => ({
      ...rest,
      steps: [...(coSigner === null ? [] : [{ need: 1n, who: [{ kind: 'machine' as const, id: coSigner }] }]), ...steps],
    })),
)

const rules: fc.Arbitrary<NamedRule> = fc.record({
  kind: fc.constant('named' as const),
  id: text,
  name: text,
  level: fc.constantFrom('higher', 'basic'),
  covers,
  conditions: fc.array(condition, { maxLength: 4 }),
  limits: fc.array(limit, { maxLength: 3 }),
  action,
})

const callBounds = { max_value: '0', max_tokens: '0', unlimited_allowances: false, unknown_call_data: false }

describe('a draft of a rule', () => {
  it('is the rule and nothing else: there and back, it says what it said, and travels by the contract', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        const draft = draftOfRule(rule, { assets })
        const travelled = ruleDraft.parse(JSON.parse(JSON.stringify(draft)))
        assert.ok(isSameRule(ruleOfDraft(travelled, places), rule))
        const parameters = ({ conditions }: RuleDraft) => JSON.stringify(conditions.filter(({ kind }) => kind === 'parameters'))
        assert.equal(parameters(draft), parameters(travelled))
      }),
    )
  })

  it('is refused with the field that is wrong: an asset that is not pinned, too many digits, no address, an amount of any asset', () => {
    const rule = ruleOfDraft(
      draftOfRule({ ...fc.sample(rules, 1)[0]!, covers: { kind: 'payments' }, conditions: [], limits: [], action: { kind: 'refuse' } }, { assets }),
      places,
    )
    const draft = draftOfRule(rule, { assets })
    const bounded = (asset: string | null, at_most: string) => ({
      ...draft,
      conditions: [{ kind: 'assets' as const, assets: [{ chain: CHAIN, asset, above: '0', at_most }] }],
    })
    const limited = {
      each: 'rule' as const,
      length_s: 60,
      amounts: [{ chain: CHAIN, asset: USDT, max: '1.0000001' }],
      max_tokens: null,
      max_count: null,
      max_usd: null,
    }
    const calling = (signature: string, said: object) => ({
      ...draft,
      covers: { kind: 'calls', chain: CHAIN, contracts: [], functions: [signature], ...callBounds } as RuleDraft['covers'],
      conditions: [{ kind: 'parameters' as const, parameters: [{ function: signature, number: 1, addresses: [], at_least: null, at_most: null, ...said }] }],
    })
    const stake: RuleDraft['covers'] = { kind: 'stake', chain: CHAIN, actions: [], receivers: ['nowhere'], max_amount: '1', max_lock_blocks: 0 }
    const bad: [RuleDraft, string, RegExp][] = [
      [bounded('0xother', '1'), 'conditions', /does not pin/],
      [bounded(null, '1'), 'conditions', /name the asset/],
      [bounded(USDT, '0.1234567'), 'conditions', /no amount/],
      [{ ...draft, limits: [limited] }, 'limits', /no amount/],
      [{ ...draft, covers: stake }, 'covers', /no address/],
      [calling('f(uint8)', { at_least: '-1' }), 'conditions', /no number/],
      [calling('f(uint8)', { at_most: '9'.repeat(78) }), 'conditions', /no number/],
      [calling('f(int8[])', { at_least: `-${'9'.repeat(77)}` }), 'conditions', /no number/],
      [calling('f(uint8[])', { at_least: '-1' }), 'conditions', /no number/],
      [calling('f(bytes)', { values: ['ab'] }), 'conditions', /no bytes/],
      [calling('f(string)', { values: ['é'.repeat(200)] }), 'conditions', /at most 256 bytes/],
      [calling('f(bool)', { is: true, values: ['0x'] }), 'conditions', /two kinds/],
      [calling('f(address[])', { addresses: ['nowhere'] }), 'conditions', /no address/],
    ]
    for (const [wrong, field, why] of bad)
      assert.throws(
        () => ruleOfDraft(wrong, places),
        (error) => error instanceof RuleFault && error.field === field && why.test(error.message),
      )
  })
})
