import { boolText, defineEndpoint, idText, jsonField, remarkText, requestIdText, totpText, wholeNumberText } from '@holdfast/contract'
import { who } from '@holdfast/features/rule-draft/contract'
import { checkedDraft } from '@holdfast/features/strategy/contract'
import { PARTS } from '@holdfast/policy/part-names'
import * as z from 'zod'

// Who approves changes of what is no payment: members, strategies, assets and so on. It is part of the one policy, so saving it proposes a change of that.

export const DELAY_HOURS_MAX = 168
export const COOLING_HOURS_MAX = 72

const reading = { method: 'GET', permission: 'strategy.read', staleOn: ['policy.changed', 'member.changed'] } as const
const named = z.object({ person_id: z.string(), name: z.string() })

const part = z.object({
  key: z.enum(PARTS),
  is_own: z.boolean().describe('Whether the policy names approvers for it; otherwise those who govern approve'),
  need: z.int(),
  who: z.array(who),
  approvers: z.array(named),
  since_version: z.int(),
  since: z.int(),
  last_change: z.int().nullable().describe('When what it governs last changed; null if it never did'),
})

const logged = z.object({
  version: z.int(),
  at: z.int(),
  change_id: z.string().nullable(),
  initiator: named.nullable(),
  lines: z.array(z.string()),
})

/** Approvers of parts, and what waits, as they are to be. A part that is left out goes back to those who govern. */
export const workspaceDraft = z.object({
  base_version: z.int(),
  delay_h: z.int().min(1).max(DELAY_HOURS_MAX),
  cooling_h: z
    .int()
    .min(0)
    .max(COOLING_HOURS_MAX)
    .optional()
    .describe('How long an address that is put on the whitelist waits at each signer; as in force where it is left out'),
  deputies: z.array(who).max(20).optional().describe('Who may decide for whoever is away; nobody if empty, and as in force where it is left out'),
  parts: z.array(z.object({ key: z.enum(PARTS), need: z.int().min(1).max(255), who: z.array(who).min(1).max(20) })).max(PARTS.length),
})
export type WorkspaceDraft = z.output<typeof workspaceDraft>

export const listWorkspace = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/workspace/list',
  summary: 'Who approves changes of each part of the workspace, since when, and how long addresses of the whitelist and changes that loosen the policy wait',
  input: z.object({}),
  output: z.object({
    base_version: z.int(),
    delay_h: z.number().describe('How long a change that loosens the policy waits at each signer; 0 for not at all'),
    cooling_h: z.number().describe('How long an address that is put on the whitelist waits at each signer before it counts; 0 for not at all'),
    deputies: z.array(who).describe('Who may decide for whoever is away and names them; nobody if empty'),
    governance: z
      .object({ need: z.int(), approvers: z.array(named) })
      .describe('Those who govern: they approve what no part claims, and whatever is saved here'),
    parts: z.array(part),
    people: z.array(named.extend({ has_key: z.boolean() })),
    groups: z.array(z.object({ id: z.string(), name: z.string(), members: z.array(z.string()) })),
    open_change_id: z.string().nullable(),
    touched: z.array(z.enum(['governance', ...PARTS])).describe('What the change touches that waits; empty if none does'),
  }),
})

export const getWorkspacePart = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/workspace/info',
  summary: 'One part of the workspace, with every change of what it governs, newest first',
  input: z.object({ key: z.enum(PARTS) }),
  output: part.extend({ log: z.array(logged) }),
})

export const checkWorkspace = defineEndpoint({
  method: 'POST',
  permission: 'strategy.write',
  path: '/api/mpc/strategy/workspace/check',
  changes: [],
  summary: 'What other approvers of parts would change, in words, who would have to approve it, and what is wrong with them; nothing is changed',
  input: z.object({ draft: jsonField(workspaceDraft) }),
  output: checkedDraft,
})

export const saveWorkspace = defineEndpoint({
  method: 'POST',
  permission: 'strategy.write',
  path: '/api/mpc/strategy/workspace/save',
  changes: ['policy.changed', 'todo.changed'],
  summary:
    'Proposes other approvers of parts, another wait for what loosens the policy or is put on the whitelist, or who may decide for whoever is away. Those who govern approve it. A part that is left out goes back to them.',
  input: z.object({ request_id: requestIdText, google_code: totpText.optional(), draft: jsonField(workspaceDraft) }),
  output: z.object({ id: z.string(), trade_no: z.string(), approval_url: z.string() }),
})

export const restoreWorkspace = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/workspace/restore',
  summary: 'The approvers of parts and the waits of an earlier version of the policy, as a draft on top of the one in force',
  input: z.object({ version: wholeNumberText(1, 1_000_000_000) }),
  output: z.object({
    draft: workspaceDraft,
    left_out: z.array(z.enum(PARTS)).describe('Parts whose approvers the policy in force no longer knows: they stay with those who govern'),
  }),
})

export const auditWorkspace = defineEndpoint({
  method: 'POST',
  permission: 'strategy.write',
  path: '/api/mpc/strategy/workspace/audit',
  changes: [],
  summary: 'Always refuses with the place where it is decided: a change of the policy is approved with a key at the approval page alone',
  input: z.object({ id: idText, result: boolText, remark: remarkText() }),
  output: z.null(),
  tenantParameters: ['id'],
})
