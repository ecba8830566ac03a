import { amountText, defineEndpoint, jsonField, labelText, requestIdText, totpText } from '@holdfast/contract'
import { ruleIdText, who } from '@holdfast/features/rule-draft/contract'
import * as z from 'zod'

// Machines of the policy: API keys, which ask for payments, and co-signers, which look at them. Each stands in the one policy that signers follow,
// so making one, or having it do more, proposes a change of that.

/** A text that is signed, in as many bytes as there is room for. */
const signedText = (most: number) =>
  labelText(most).refine((text) => new TextEncoder().encode(text).length <= most, 'it is too long to be signed: choose a shorter one')

const daily = z.object({ chain: z.string().min(3).max(41), asset: z.string().max(128), max: amountText })

/** What a key may ask for, and who has to agree: made into one rule of the policy that only this key asks under. */
const rule = z.object({
  a_day: z.array(daily).min(1).max(64).describe('The assets it may ask for and how much of each in a day; `asset` is the contract, empty for the own coin'),
  orders_a_day: z.int().min(1).max(100_000),
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

export const machineDraft = z.object({
  base_version: z.int().min(1),
  app_id: ruleIdText.describe('The name by which programs and the policy know it; one that the policy has already is changed'),
  kind: z.enum(['api', 'coSigner']),
  name: signedText(64),
  public_key: z.string().regex(/^[0-9a-f]{64}$/, 'it must be the 64 hex digits of an Ed25519 public key'),
  purpose: signedText(200),
  expire_at: z.int().min(0).max(8_640_000_000_000_000),
  rule: rule.nullable().default(null).describe('Null for a co-signer, and for a key under rules that stay as they are'),
})
export type MachineDraft = z.output<typeof machineDraft>
export type MachineRule = z.output<typeof rule>

const proposed = z.object({ id: z.string(), trade_no: z.string(), approval_url: z.string() })
const writing = { method: 'POST', permission: 'api.write', changes: ['policy.changed', 'todo.changed'] } as const

export const listMachines = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/api/detail',
  permission: 'api.read',
  staleOn: ['policy.changed'],
  summary: 'The API keys and co-signers of the policy in force, and the rules under which each asks or approves',
  input: z.object({}),
  output: z.object({
    base_version: z.int(),
    list: z.array(
      z.object({
        app_id: z.string(),
        name: z.string(),
        kind: z.string(),
        public_key: z.string(),
        purpose: z.string(),
        expire_at: z.int().min(0).max(8_640_000_000_000_000),
        status: z.enum(['on', 'expired']),
        rules: z.array(z.object({ id: z.string(), sentence: z.string() })),
      }),
    ),
  }),
})

export const saveMachine = defineEndpoint({
  ...writing,
  path: '/api/mpc/api/save',
  summary:
    'Proposes an API key or a co-signer, or what is to be other about one. Whoever approves changes of machines approves it, and of rules where it comes with one',
  input: z.object({ request_id: requestIdText, google_code: totpText.optional(), draft: jsonField(machineDraft) }),
  output: proposed,
})

export const removeMachine = defineEndpoint({
  ...writing,
  path: '/api/mpc/api/remove',
  summary: 'Proposes the policy without an API key or a co-signer, and without the rule that was made with it',
  input: z.object({ request_id: requestIdText, google_code: totpText.optional(), app_id: ruleIdText }),
  output: proposed,
})
