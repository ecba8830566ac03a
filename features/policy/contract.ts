import {
  addressText,
  amountText,
  defineEndpoint,
  idText,
  jsonField,
  pageNumber,
  pageOf,
  pageSize,
  remarkText,
  requestIdText,
  tokenIdText,
  totpText,
} from '@holdfast/contract'
import { PARTS } from '@holdfast/policy/part-names'
import * as z from 'zod'

export { ABSENCE_DAYS_MAX, getFreezes, getSigningState, proposeAbsence, proposeLift, withdrawSignerOrder } from './signer-order-contract.ts'

/** What the policy says of an order, before it is sent. */
export const policyOutcome = z.object({
  outcome: z.enum(['deny', 'needs']),
  reason: z.string().nullable(),
  rule_id: z.string().nullable(),
  threshold: z.int(),
  eligible: z.array(z.object({ person_id: z.string(), name: z.string() })),
  initiator_excluded: z.boolean(),
  /** The outcome as one sentence in the caller's language, such as "Needs 2 of these 3 people, not you: …". */
  sentence: z.string(),
})

export const checkStrategy = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/strategy/check',
  permission: 'withdraw.create',
  staleOn: ['policy.changed'],
  summary: 'Who would have to approve this order',
  input: z.object({
    sub_wallet_id: idText,
    chain: z.string().max(64),
    symbol: z.string().max(32),
    token_id: tokenIdText.optional(),
    amount: amountText,
    from: addressText.optional().describe('Which address of the sub-wallet pays; its first one if absent'),
    address_to: addressText.optional().describe('Without it the answer is by the rule that is asked first, whatever it asks of the destination and its limits'),
    memo: remarkText(128).optional(),
  }),
  output: policyOutcome,
  tenantParameters: ['sub_wallet_id'],
})

export const listOwnStrategies = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/user/strategy/list',
  permission: 'policy.read',
  staleOn: ['policy.changed'],
  summary:
    'The rules of the policy under which the caller asks or approves, and whether the caller governs it; with a wallet, those that cover a network of it',
  input: z.object({ wallet_id: idText.optional() }),
  output: z.array(
    z.object({
      strategy_id: z.string().describe("The rule's id; empty for the governance of the policy"),
      name: z.string(),
      level: z.enum(['transfer', 'call', 'stake', 'trade', 'governance']),
      /** What it covers and who decides, as a sentence in the caller's language. */
      scope: z.string(),
      may_ask: z.boolean(),
      /** The caller's place among the steps; null if the caller only asks. A policy has one step: a quorum of signed approvals. */
      my_node: z.object({ no: z.int(), type: z.literal('audit_sign'), need: z.int(), of: z.int() }).nullable(),
    }),
  ),
  tenantParameters: ['wallet_id'],
})

const named = z.object({ person_id: z.string(), name: z.string() })
const quorumParts = { approvers: z.array(named), threshold: z.int() }

/** An approval key: `key_id` is the credential's id, `fingerprint` its public key, both hexadecimal; `page` is null for one from the time of the one page. */
export const approvalKey = z.object({
  key_id: z.string(),
  kind: z.string(),
  label: z.string(),
  fingerprint: z.string(),
  page: z.string().nullable().describe('The approval page at which it was made, which alone can ask for it'),
})

export const policyChangeStates = ['approving', 'approved', 'applied', 'rejected', 'refused', 'withdrawn', 'expired', 'superseded'] as const

const closes = z
  .object({ count: z.int(), named: z.array(z.object({ id: z.string(), title: z.string() })) })
  .describe('The orders that wait and that the new version closes without payment; the oldest of them by name')

/**
 * Whose approvals a change needs: `current`, the people who govern the version in force; `next`, those who are to govern, where they are others; or those who approve
 * changes of a part of the workspace.
 */
export const changeQuorums = ['current', 'next', ...PARTS] as const

const changeSummary = z.object({
  id: z.string(),
  intent_hash: z.string(),
  /** The version this change would put into force. */
  version: z.int(),
  state: z.enum(policyChangeStates),
  /** Why it ended as it did, or what it waits for; null if there is nothing to say. */
  reason: z.string().nullable(),
  initiator: named,
  /** What it changes, in the caller's language. */
  lines: z.array(z.string()),
  closes: closes.nullable(),
  quorums: z.array(
    z.object({
      name: z.enum(changeQuorums),
      need: z.int(),
      approved: z.array(named),
      rejected: z.array(named),
      waiting: z.array(named),
    }),
  ),
  /** What the caller can do. `stop`: it is approved and waits at the signers, and the caller's no still ends it. */
  mine: z.enum(['decide', 'stop', 'decided', 'initiator', 'watch']),
  /** Until when signers wait before they follow it, because it loosens the policy; null where they do not. */
  waits_until: z.int().nullable(),
  may_stop: z.array(named).describe('Who has not spoken yet and whose no is enough to stop it, also while it waits at the signers'),
  approval_url: z.string(),
  expire_at: z.int(),
  created_at: z.int(),
})

export const getPolicy = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/strategy/policy/info',
  permission: 'policy.read',
  staleOn: ['policy.changed', 'member.changed'],
  summary: 'The policy in force, who it names, whether every approval it asks for can be completed, and how far the signers are',
  input: z.object({}),
  output: z.object({
    version: z.int(),
    hash: z.string(),
    issued_at: z.int(),
    expire_at: z.int(),
    /** Everything the policy says, line by line, in the caller's language. */
    description: z.array(z.string()),
    people: z.array(named.extend({ state: z.string(), keys: z.array(approvalKey) })),
    rules: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['transfer', 'call', 'stake', 'trade']),
        is_named: z.boolean().describe('It has a name, conditions and steps, and is changed among the strategies'),
        network: z.string().nullable(),
        symbol: z.string().nullable(),
        max_amount: z.string().nullable(),
        window: z.object({ hours: z.number(), max_amount: z.string() }).nullable(),
        /** Which calls of contracts or orders about stake the rule covers, in the caller's language; null for a rule for payments. */
        covers: z.string().nullable(),
        initiators: z.array(named),
        ...quorumParts,
      }),
    ),
    governance: z.object(quorumParts),
    /** Where approvals count. */
    pages: z.array(z.string()),
    /** Networks whose contracts are called and whose coin the policy names. */
    networks: z.array(z.object({ chain: z.string(), name: z.string() })),
    /** Networks that give resources for stake and whose coin the policy names. */
    stake_networks: z.array(z.object({ chain: z.string(), name: z.string() })),
    /** Approvals that nobody could complete now, as sentences in the caller's language. */
    broken: z.array(z.string()),
    /** Members who could be named: active or invited, with the approval keys they have made so far that the policy does not name. */
    candidates: z.array(named.extend({ role: z.string(), new_keys: z.array(approvalKey) })),
    signers: z.array(
      z.object({
        party: z.int(),
        name: z.string(),
        operator: z.string(),
        sign_key: z.string(),
        online: z.boolean(),
        policy_version: z.int().nullable(),
        page: z.string().nullable().describe('The approval page that it serves; null where it serves none or is not connected'),
      }),
    ),
    open_change: changeSummary.nullable(),
  }),
})

const people = z.array(idText).max(256)
const quorum = { approvers: people, threshold: z.int().min(1).max(255) }

/** A name in the policy: 200 bytes at most, in the one form in which text is signed. */
const signerText = z
  .string()
  .trim()
  .min(1)
  .transform((text) => text.normalize('NFC'))
  .refine((text) => new TextEncoder().encode(text).length <= 200)

const assetPlace = z.object({ chain: z.string().min(1).max(64), contract: z.string().max(128).describe("Empty for the network's own coin") })

/** Base units of whatever token: a rule may be for several. */
const baseUnits = z.string().regex(/^(0|[1-9]\d{0,28})$/, 'it must be a whole number of base units, less than 2^95')

/** A rule for calls. Without payers every address may call; functions it has to name, and what tokens they may move or allow others to take. */
const callRuleDraft = z.object({
  id: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u, 'it must be a short name of letters and digits'),
  chain: z.string().min(1).max(64),
  payers: z.array(addressText).max(256),
  contracts: z.array(addressText).min(1).max(256),
  functions: z.array(z.string().min(3).max(512)).min(1).max(256),
  max_value: amountText.describe("The most of the network's own coin that goes along with one call"),
  max_tokens: baseUnits.describe('The most base units of tokens that one call moves or lets others take, all together'),
  window: z
    .object({ hours: z.int().min(1).max(8760), max_value: amountText, max_tokens: baseUnits })
    .nullable()
    .default(null)
    .describe('What all calls under the rule may send along, and of tokens move or let others take for each contract, in so many hours together'),
  unlimited_allowances: z.boolean(),
  unknown_call_data: z.boolean(),
  initiators: people,
  ...quorum,
})
export type CallRuleDraft = z.output<typeof callRuleDraft>

/** A rule for stake. Without payers it is for every address, without receivers anybody may be delegated to. */
const stakeRuleDraft = z.object({
  id: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u, 'it must be a short name of letters and digits'),
  chain: z.string().min(1).max(64),
  payers: z.array(addressText).max(256),
  actions: z
    .array(z.enum(['stake', 'unstake', 'withdraw', 'cancel-unstake', 'delegate', 'undelegate']))
    .min(1)
    .max(6),
  receivers: z.array(addressText).max(256),
  max_amount: amountText.describe('The most stake that one order is about'),
  max_lock_blocks: z.int().min(0).max(10_512_000),
  initiators: people,
  ...quorum,
})
export type StakeRuleDraft = z.output<typeof stakeRuleDraft>

/**
 * What the next version is to say of people, assets, calls and stake, of officers who recover keys, and of one signer at most. Rules keep their limits; each
 * rule of the version in force must be given or dropped, but for rules with names, which stay as they are.
 */
export const policyDraft = z.object({
  base_version: z.int().min(1),
  governance: z.object(quorum),
  rules: z.array(z.object({ id: z.string().min(1).max(64), initiators: people, ...quorum })).max(256),
  /** Keys people made on the approval page that count from the next version on, and keys that no longer do, by `key_id`. */
  add_keys: z.array(z.string().regex(/^([0-9a-f]{2}){1,1024}$/)).max(64),
  drop_keys: z.array(z.string().regex(/^([0-9a-f]{2}){1,1024}$/)).max(64),
  /** A machine that takes the place of signer `party`: `sign_key` is the public key it printed when it was set up, hexadecimal. */
  replace_signer: z.object({ party: z.int().min(1).max(3), name: signerText, operator: signerText, sign_key: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
  /** Whom signers seal their recovery shares to from then on: for each signer named all of its officers, and how many of them open its share together. */
  recovery: z
    .array(z.object({ party: z.int().min(1).max(3), recipients: z.array(z.string().min(20).max(4096)).min(1).max(16), threshold: z.int().min(1).max(16) }))
    .max(3)
    .optional(),
  /** Approval pages that connected signers serve and from which approvals are to count, and pages from which they no longer do, by their origins. */
  add_pages: z.array(z.string().max(256)).max(16).default([]),
  drop_pages: z.array(z.string().max(256)).max(16).default([]),
  /** Assets that this server works with and the policy does not name yet. */
  add_assets: z.array(assetPlace).max(64).default([]),
  add_call_rules: z.array(callRuleDraft).max(64).default([]),
  add_stake_rules: z.array(stakeRuleDraft).max(64).default([]),
  /** Rules for calls or for stake that are to end, by their ids. */
  drop_rules: z.array(z.string().min(1).max(64)).max(256).default([]),
})
export type PolicyDraft = z.output<typeof policyDraft>

export const listAddableAssets = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/strategy/asset/list',
  permission: 'policy.read',
  staleOn: ['policy.changed'],
  summary: 'Assets that this server works with and the policy does not name yet, each as the server lists it and as its contract describes itself',
  input: z.object({}),
  output: z.array(
    assetPlace.extend({
      network: z.string(),
      symbol: z.string(),
      decimals: z.int(),
      on_chain: z
        .object({ symbol: z.string(), decimals: z.int() })
        .nullable()
        .describe('What the contract says of itself now; null where there is none or it does not answer'),
    }),
  ),
})

export const checkPolicyDraft = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/strategy/policy/check',
  permission: 'policy.propose',
  changes: [],
  summary: 'What a change of the policy would change, who would have to approve it, and why it cannot be, before it is proposed',
  input: z.object({ draft: jsonField(policyDraft) }),
  output: z.object({
    lines: z.array(z.string()),
    closes: closes.nullable(),
    /** Why this cannot be proposed; null if it can. */
    fault: z.string().nullable(),
    fault_code: z.string().nullable().describe('The code that proposing it would be refused with: 200143 where the people chosen cannot fill a step'),
    quorums: z.array(z.object({ name: z.enum(changeQuorums), need: z.int(), people: z.array(named) })),
  }),
})

export const proposePolicy = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/strategy/policy/propose',
  permission: 'policy.propose',
  changes: ['policy.changed', 'todo.changed'],
  summary: 'Proposes the next version of the policy. It comes into force when the people who govern have approved it and the signers follow it.',
  input: z.object({ request_id: requestIdText, draft: jsonField(policyDraft), google_code: totpText.optional() }),
  output: z.object({ id: z.string(), intent_hash: z.string(), approval_url: z.string(), idempotent: z.boolean() }),
})

export const listPolicyChanges = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/strategy/policy/change/list',
  permission: 'policy.read',
  staleOn: ['policy.changed'],
  summary: 'Every change of the policy that was proposed, newest first',
  input: z.object({ page_no: pageNumber, page_size: pageSize }),
  output: pageOf(changeSummary),
})

export const getPolicyChange = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/strategy/policy/change/info',
  permission: 'policy.read',
  staleOn: ['policy.changed'],
  summary: 'One change of the policy with its story and its signed record',
  input: z.object({ id: idText }),
  output: changeSummary.extend({
    timeline: z.array(z.object({ state: z.string(), actor: z.string(), reason: z.string().nullable(), at: z.int() })),
    /** Once it is in force: the signed record (`holdfast/policy-change-record/v1`), hexadecimal, as the signers hold it. */
    record: z.string().nullable(),
  }),
  tenantParameters: ['id'],
})

export const withdrawPolicyChange = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/strategy/policy/change/withdraw',
  permission: 'policy.propose',
  changes: ['policy.changed', 'todo.changed'],
  summary: 'Takes a proposed change back while it waits for approvals; only who proposed it can',
  input: z.object({ id: idText, remark: remarkText() }),
  output: z.null(),
  tenantParameters: ['id'],
})
