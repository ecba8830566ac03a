import { addressText, amountText, idText, labelText } from '@holdfast/contract'
import { SCREENING_LEVELS } from '@holdfast/intent/screening-levels'
import * as z from 'zod'

// The rules of the third form of the policy as they travel: ids of people, amounts in whole units as text, spans of time in seconds.

/** Steps that a rule has at most, that of a co-signer among them. */
export const STEPS_MAX = 9

/** How a rule is called at most. */
export const RULE_NAME_MAX = 30

const chain = z.string().min(1).max(64)
const asset = z.string().max(128).describe("A contract, or a collection or one token of it; empty for the network's own coin")
const seconds = z.int().min(0).max(315_360_000)
/** Base units of whatever token: a rule may be for several. */
export const baseUnits = z.string().regex(/^(0|[1-9]\d{0,28})$/, 'it must be a whole number of base units, less than 2^95')

/** Numbers of a contract: below zero only where the type has a sign. */
const contractNumber = z.string().regex(/^(0|-?[1-9]\d{0,77})$/, 'it must be a whole number, less than 2^256')

/** US dollars in whole cents. */
export const dollarsText = z.string().regex(/^(0|[1-9]\d{0,16})(\.\d{1,2})?$/, 'it must be less than 10^17 US dollars, with two decimals at most')

/** A percentage of less than 100. */
const percentText = z.string().regex(/^\d{1,2}(\.\d{1,2})?$/, 'it must be a percentage of less than 100, with two decimals at most')

/** A name that is signed: so many bytes at most. */
const signedName = (most: number) =>
  labelText(most).refine((text) => new TextEncoder().encode(text).length <= 64, 'it is too long to be signed: choose a shorter one')

/** By what rules and groups are told apart, also once they are called otherwise. */
export const ruleIdText = z
  .string()
  .min(1)
  .max(64)
  .refine((text) => new TextEncoder().encode(text).length <= 64, 'it is too long to be signed: choose a shorter one')

export const who = z.discriminatedUnion('kind', [z.object({ kind: z.literal('person'), id: idText }), z.object({ kind: z.literal('group'), id: ruleIdText })])

const people = z.array(who).max(20)

export const step = z.object({ need: z.int().min(1).max(255), who: people })

const condition = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('askers'), who: people }),
  z.object({
    kind: z.literal('sources'),
    wallets: z
      .array(
        z.object({
          name: signedName(64),
          key_id: z.string().regex(/^[0-9a-f]{64}$/),
          path: z.array(z.int().min(0).max(2_147_483_647)).max(8),
        }),
      )
      .max(64),
  }),
  z.object({
    kind: z.literal('assets'),
    assets: z
      .array(
        z.object({
          chain,
          asset: asset.nullable().describe('Null for every asset of the network, of which amounts cannot be compared'),
          above: amountText,
          at_most: amountText.nullable(),
        }),
      )
      .max(256),
  }),
  z.object({
    kind: z.literal('destinations'),
    own: z.boolean(),
    listed: z.boolean(),
    lists: z.array(signedName(64)).max(16),
    paid_before: z.boolean(),
    addresses: z.array(z.object({ name: signedName(64), chain, address: addressText, memo: z.string().min(1).max(128).nullable().default(null) })).max(256),
  }),
  z.object({ kind: z.literal('memo'), is_present: z.boolean() }),
  z.object({
    kind: z.literal('times'),
    zone: z.string().min(1).max(64),
    days: z.array(z.int().min(0).max(6)).max(7).describe('0 is Sunday'),
    from_minute: z.int().min(0).max(1440),
    until_minute: z.int().min(0).max(1440),
  }),
  z.object({
    kind: z.literal('value'),
    above_usd: dollarsText.describe('What it is worth more than, by the table of values; 0 where nothing is too little'),
    at_most_usd: dollarsText.nullable(),
  }),
  z.object({
    kind: z.literal('parameters'),
    parameters: z
      .array(
        z.object({
          function: z.string().min(3).max(512),
          number: z.int().min(1).max(256).describe('Counted from 1'),
          parts: z.array(z.int().min(1).max(256)).min(1).max(8).optional().describe('For a part of a tuple: which, counted from 1, and which of that one'),
          addresses: z.array(addressText).max(64).describe('For an address: one of these'),
          at_least: contractNumber
            .nullable()
            .describe('For a whole number: base units, or whatever the function counts; 0 for no lower bound, and null for none of a number with a sign'),
          at_most: contractNumber.nullable(),
          is: z.boolean().optional().describe('For a boolean'),
          values: z
            .array(z.string().max(514))
            .min(1)
            .max(64)
            .optional()
            .describe('For a string: one of these; for bytes: one of these, in hexadecimal with 0x'),
          max_length: z.int().min(0).max(256).optional().describe('For a list: how many elements it has at most. Everything else is of each of its elements'),
        }),
      )
      .max(32)
      .describe('With what parameters functions may be called; calls of other functions are not compared'),
  }),
  z.object({
    kind: z.literal('screening'),
    screeners: z.array(ruleIdText).max(8).describe('Machines of the kind screener, each of which has to have said one of the levels'),
    levels: z.array(z.enum(SCREENING_LEVELS)).max(SCREENING_LEVELS.length),
    within_s: seconds.describe('How old their words may be when signers sign, by their clocks: a minute to 30 days'),
  }),
])

const limit = z.object({
  each: z.enum(['rule', 'asker', 'destination', 'source']),
  length_s: seconds,
  amounts: z.array(z.object({ chain, asset, max: amountText })).max(64),
  max_tokens: baseUnits.nullable(),
  max_count: z.int().min(1).max(4_294_967_295).nullable(),
  max_usd: dollarsText.nullable().describe('What all of it is worth together, by the table of values'),
})

const covers = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('payments') }),
  z.object({
    kind: z.literal('calls'),
    chain,
    contracts: z.array(addressText).max(256),
    functions: z.array(z.string().min(3).max(512)).max(256),
    max_value: amountText.describe("The most of the network's own coin that goes along with one call"),
    max_tokens: baseUnits.describe('The most base units of tokens that one call moves or lets others take, all together'),
    unlimited_allowances: z.boolean(),
    unknown_call_data: z.boolean(),
  }),
  z.object({
    kind: z.literal('stake'),
    chain,
    actions: z.array(z.enum(['stake', 'unstake', 'withdraw', 'cancel-unstake', 'delegate', 'undelegate'])).max(6),
    receivers: z.array(addressText).max(256).nullable().describe('Null for anybody'),
    max_amount: amountText,
    max_lock_blocks: z.int().min(0),
  }),
  z.object({
    kind: z.literal('trades'),
    chain,
    form: z.enum(['uniswap-v2', 'uniswap-v3']).describe('What the router is: Router02 of Uniswap v2, or SwapRouter02 of Uniswap v3'),
    router: addressText,
    gives: z
      .array(z.object({ asset, at_most: amountText.nullable() }))
      .max(64)
      .describe('What may be given, and at most how much of it in one order; null in a rule that refuses'),
    gets: z.array(asset).max(64).describe('What may be got for any other of those'),
    slippage_percent: percentText
      .nullable()
      .describe('How much less what is got at least may be worth than what is given at most, by the table of values; null in a rule that refuses'),
    deadline_s: seconds.nullable().describe('How far away the deadline of a call may be when it is signed; null for any deadline or none'),
  }),
])

const action = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refuse') }),
  z
    .object({
      kind: z.literal('approve'),
      steps: z.array(step).max(STEPS_MAX),
      co_signer: ruleIdText.optional().describe('A co-signer of the policy that has to approve as well, before people; absent for none'),
      may_stop: people,
      delay_s: seconds.describe('How long signers wait once they have seen every approval'),
      expire_s: seconds.describe('How long an order may be open; 0 where the rule does not say'),
    })
    .refine(
      ({ steps, co_signer: looks }) => looks === undefined || steps.length < STEPS_MAX,
      'the co-signer takes a step of its own: have one step less of people',
    ),
  z.object({
    kind: z.literal('pass'),
    fees: z
      .array(z.object({ chain, max: amountText }))
      .max(64)
      .describe('What the fee of an order may reach on each network, in its own coin; on no other it passes'),
    may_stop: people,
    expire_s: seconds,
  }),
])

/** A rule of the policy as it stands. */
export const ruleView = z.object({
  id: ruleIdText,
  name: z.string(),
  level: z.enum(['higher', 'basic']),
  covers,
  conditions: z.array(condition).max(16),
  limits: z.array(limit).max(8),
  action,
})

/** A rule as it is to be. */
export const ruleDraft = ruleView.extend({ name: signedName(RULE_NAME_MAX) })

const group = z.object({ id: ruleIdText, name: signedName(64), members: z.array(idText).max(256) })

/**
 * What the next version is to say of payments, calls, stake and trades: the whole list of rules in the order in which they are asked, and the groups.
 * A rule that is not in it ends. `kept` keeps one of the first forms as it is. `add_keys` are keys that people made and the policy does not name yet.
 */
export const rulesDraft = z.object({
  base_version: z.int().min(1),
  groups: z.array(group).max(64),
  rules: z
    .array(z.discriminatedUnion('kind', [ruleDraft.extend({ kind: z.literal('named') }), z.object({ kind: z.literal('kept'), id: ruleIdText })]))
    .max(256),
  add_keys: z
    .array(z.string().regex(/^([0-9a-f]{2}){1,1024}$/))
    .max(64)
    .default([]),
})

export type Who = z.output<typeof who>
export type StepDraft = z.output<typeof step>
export type ConditionDraft = z.output<typeof condition>
export type LimitDraft = z.output<typeof limit>
export type CoversDraft = z.output<typeof covers>
export type ActionDraft = z.output<typeof action>
export type GroupDraft = z.output<typeof group>
export type RuleDraft = z.output<typeof ruleDraft>
export type RulesDraft = z.output<typeof rulesDraft>
