import { addressText, amountText, boolText, defineEndpoint, jsonField, labelText, requestIdText, totpText } from '@holdfast/contract'
import { baseUnits, ruleIdText, who } from '@holdfast/features/rule-draft/contract'
import * as z from 'zod'
import { keySettings, sourceWallet } from './settings-contract.ts'

export { exportCalls, listCalls, listSettingsLog } from './log-contract.ts'

// Machines of the policy: API keys, which ask for payments, and co-signers, which look at them. Each stands in the one policy that signers follow,
// so making one, or having it do more, proposes a change of that.

/** A text that is signed, in as many bytes as there is room for. */
const signedText = (most: number) =>
  labelText(most).refine((text) => new TextEncoder().encode(text).length <= most, 'it is too long to be signed: choose a shorter one')

/** Letters that a header of a call can hold, so that programs can name it. */
const appId = z.string().regex(/^[\w-]{1,48}$/, 'use A to Z, a to z, 0 to 9, - and _ only, 48 at most')

const daily = z.object({ chain: z.string().min(3).max(41), asset: z.string().max(128), max: amountText })

/** What a key may ask for, and who has to agree: made into one rule of the policy that only this key asks under. */
const rule = z.object({
  a_day: z.array(daily).min(1).max(64).describe('The assets it may ask for and how much of each in a day; `asset` is the contract, empty for the own coin'),
  orders_a_day: z.int().min(1).max(100_000),
  from: z.array(sourceWallet).max(64).default([]).describe('The sub-wallets that it may pay from; none for every one'),
  to: z.enum(['own', 'listed', 'own_or_listed', 'any']).describe('Whom it may pay: own addresses, those of the whitelist, or anybody'),
  by: z
    .enum(['people', 'people_and_co_signer', 'co_signer', 'nobody'])
    .describe('Who approves beside the signature of the key; nobody only for own and listed addresses'),
  need: z.int().min(1).max(255).default(1),
  who: z.array(who).max(20).default([]).describe('The people of whom so many approve'),
  co_signer: ruleIdText.nullable().default(null),
  fees: z
    .array(z.object({ chain: z.string().min(3).max(41), max: amountText }))
    .max(64)
    .default([])
    .describe('The most that a fee may be where no person approves'),
})

/** What contracts a key may have called, and who has to agree: one more rule that only this key asks under. People always do. */
const calls = z.object({
  chain: z.string().min(3).max(41),
  contracts: z.array(addressText).min(1).max(64),
  functions: z.array(z.string().min(3).max(512)).min(1).max(64).describe('Such as approve(address,uint256)'),
  max_value: amountText.default('0').describe("The most of the network's own coin that goes along with one call"),
  max_tokens: baseUnits
    .default('0')
    .describe('The most base units of tokens that one call moves or lets others take, and all calls of a day for each contract'),
  calls_a_day: z.int().min(1).max(100_000),
  need: z.int().min(1).max(255).default(1),
  who: z.array(who).min(1).max(20).describe('The people of whom so many approve'),
  co_signer: ruleIdText.nullable().default(null).describe('The co-signer that looks at each call before people do; null for none'),
})

export const machineDraft = z.object({
  base_version: z.int().min(1),
  app_id: appId.describe('The name by which the policy knows it; one that the policy has already is changed'),
  kind: z
    .enum(['api', 'apiRsa', 'coSigner', 'screener'])
    .describe(
      'apiRsa: a key that calls at door two, whose public_key is the fingerprint of its RSA keys; screener: it says what a screening service finds in orders, and asks for none',
    ),
  name: signedText(64),
  public_key: z
    .string()
    .regex(/^(?:0[23])?[0-9a-f]{64}$/, 'it must be an Ed25519 public key of 64 hex digits, or a compressed P-256 public key of 66')
    .describe('Its length says its algorithm. P-256 is for kinds api and screener alone'),
  purpose: signedText(200),
  expire_at: z.int().min(0).max(8_640_000_000_000_000),
  rule: rule.nullable().default(null).describe('Null for a co-signer or a screener, and for a key under rules that stay as they are'),
  calls: calls.optional().describe('Absent for a key that has no contracts called, or whose rule for that stays as it is'),
})
export type MachineDraft = z.output<typeof machineDraft>
export type MachineRule = z.output<typeof rule>
export type MachineCalls = z.output<typeof calls>

const proposed = z.object({ id: z.string(), trade_no: z.string(), approval_url: z.string() })
const writing = { method: 'POST', permission: 'api.write', changes: ['policy.changed', 'machine.changed', 'todo.changed'] } as const

const settingsVersion = z.object({
  version: z.int(),
  settings: keySettings,
  before: keySettings.nullable(),
  made_by: z.string().nullable().describe('Null where the key itself did'),
  made_at: z.int(),
})

export const listMachines = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/api/detail',
  permission: 'api.read',
  staleOn: ['policy.changed', 'machine.changed'],
  summary: 'The API keys and co-signers of the policy in force, the rules under which each asks or approves, how each stands, and what waits to be decided',
  input: z.object({}),
  output: z.object({
    base_version: z.int(),
    open_change: z.object({ trade_no: z.string(), approval_url: z.string() }).nullable().describe('The change of the policy that waits, whatever it is about'),
    wallets: z.array(z.object({ sub_wallet_id: z.string(), name: z.string() })).describe('What the sub-wallets that settings name are called'),
    list: z.array(
      z.object({
        app_id: z.string(),
        key_id: z.string().nullable().describe('What a program names its key by: unlike any other key of this server; null for a co-signer'),
        system_rsa: z.string().nullable().describe('Of a key that calls at door two: the public key by which it reads answers; null for any other'),
        name: z.string(),
        kind: z.string(),
        public_key: z.string(),
        purpose: z.string(),
        expire_at: z.int().min(0).max(8_640_000_000_000_000),
        status: z.enum(['on', 'off', 'expired', 'pending']),
        pending: z.enum(['none', 'create', 'update', 'delete']).describe('What the open change of the policy would do with it'),
        rules: z.array(z.object({ id: z.string(), sentence: z.string() })),
        rule: rule.nullable().describe('The rule for payments that was made with it, as a draft of it says it; null for none, or one that a draft cannot say'),
        calls: calls.nullable().describe('The rule for calls likewise'),
        settings_version: z.int(),
        settings: keySettings.nullable(),
        waiting: z
          .array(settingsVersion.extend({ with_policy: z.boolean(), can_confirm: z.boolean() }))
          .describe('Settings that wait for a second person, or for the change of the policy that they came with'),
        last_used: z.object({ at: z.int(), ip: z.string() }).nullable(),
        co_signer: z.object({ online: z.boolean(), version: z.string().nullable(), last_seen: z.int().nullable() }).nullable(),
      }),
    ),
  }),
})

export const saveMachine = defineEndpoint({
  ...writing,
  path: '/api/mpc/api/save',
  summary:
    'Proposes an API key or a co-signer, or what is to be other about one. Whoever approves changes of machines approves it, and of rules where it comes with one. Settings begin with it',
  input: z.object({
    request_id: requestIdText,
    google_code: totpText.optional(),
    draft: jsonField(machineDraft),
    settings: jsonField(keySettings).optional(),
  }),
  output: proposed,
})

export const removeMachine = defineEndpoint({
  ...writing,
  path: '/api/mpc/api/remove',
  summary: 'Proposes the policy without an API key or a co-signer, and without the rule that was made with it',
  input: z.object({ request_id: requestIdText, google_code: totpText.optional(), app_id: ruleIdText }),
  output: proposed,
})

const changing = { method: 'POST', permission: 'api.write', changes: ['machine.changed'] } as const
const saved = z.object({ version: z.int(), state: z.enum(['in_force', 'waiting']) })

export const saveSettings = defineEndpoint({
  ...changing,
  path: '/api/mpc/api/settings/save',
  summary: 'Says what an API key may ask of the server. What narrows it counts at once; what widens it waits for a second person',
  input: z.object({ app_id: ruleIdText, base_version: z.string().regex(/^\d{1,9}$/), settings: jsonField(keySettings), google_code: totpText.optional() }),
  output: saved,
})

export const decideSettings = defineEndpoint({
  ...changing,
  path: '/api/mpc/api/settings/decide',
  summary: 'Confirms settings of an API key that somebody else asked for, or takes them back',
  input: z.object({ app_id: ruleIdText, version: z.string().regex(/^\d{1,9}$/), confirmed: boolText, google_code: totpText.optional() }),
  output: z.null(),
})

export const saveStatus = defineEndpoint({
  ...changing,
  path: '/api/mpc/api/save_status',
  summary: 'Switches an API key off at once, or asks for it to be switched on, which a second person confirms',
  input: z.object({ app_id: ruleIdText, status: z.enum(['on', 'off']), google_code: totpText.optional() }),
  output: saved,
})

export const testMachine = defineEndpoint({
  method: 'POST',
  permission: 'api.read',
  changes: [],
  path: '/api/mpc/api/test',
  summary: 'Has a co-signer look at everything that it needs, and says step by step how that is',
  input: z.object({ app_id: ruleIdText, kind: z.literal('co_signer') }),
  output: z.object({ ok: z.boolean(), steps: z.array(z.object({ name: z.string(), ok: z.boolean(), msg: z.string(), ms: z.int() })) }),
})

export const checkKeyPair = defineEndpoint({
  method: 'POST',
  permission: 'api.read',
  changes: [],
  path: '/api/mpc/api/test/key_pair',
  summary:
    'Whether a signature of a text that names an API key (keyCheckText) is by its private half. It opens nothing, and the private half stays where it is',
  input: z.object({
    app_id: ruleIdText,
    nonce: z.string().regex(/^[0-9a-f]{32}$/, 'it must be 32 hex digits, made anew for each check'),
    signature: z
      .string()
      .regex(
        /^(?:[A-Za-z0-9+/]{4}){21,23}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/,
        'it must be a signature in base64, of P-256 as DER or as r and s',
      ),
  }),
  output: z.object({ matches: z.boolean() }),
})
