import {
  boolText,
  defineEndpoint,
  idText,
  keywordText,
  labelText,
  pageNumber,
  pageSize,
  remarkText,
  requestIdText,
  timeMsText,
  totpText,
} from '@holdfast/contract'
import { approvalKey } from '@holdfast/features/policy/contract'
import * as z from 'zod'

export const memberRoles = ['owner', 'admin', 'finance', 'approver', 'compliance', 'viewer'] as const
export const memberStates = ['invited', 'active', 'suspended', 'removed'] as const

const roleText = z.enum(memberRoles)
const accountText = z
  .string()
  .max(254)
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => /^[a-z0-9][a-z0-9._+-]{0,63}@[a-z0-9][a-z0-9.-]{0,188}$/.test(text), 'it must be a name and a place such as dora@example.com')

const memberKey = approvalKey.extend({
  in_policy: z.boolean(),
  created_at: z.int().nullable(),
  /** Who made the link it was made with, and what its person says of it; null if that is not known, as of founding members' first keys. */
  origin: z.object({ link_by: z.string(), answer: z.enum(['confirmed', 'denied', 'waiting']) }).nullable(),
})

/** When a member is not there. Whom to ask meanwhile gets no vote by it: that takes what the member signs (`listVoteDelegations`), or the signed policy. */
const outOfOffice = z.object({
  from: z.int(),
  to: z.int(),
  delegate: z.object({ user_id: z.string(), name: z.string() }).nullable(),
  note: z.string(),
  /** It has begun. */
  now: z.boolean(),
})

const member = z.object({
  user_id: z.string(),
  nick_name: z.string(),
  /** The account name with its middle hidden, for those who may not manage members. */
  account_masked: z.string(),
  workspace_role: z.string(),
  /** Roles in single wallets; none are given yet, the role counts in every wallet. */
  wallet_roles: z.array(z.object({ sub_wallet_id: z.string(), role: z.string() })),
  same_rights_pri: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  kyc_status: z.literal(0),
  google_bind: z.boolean(),
  /** Whether the policy names this person among approvers. */
  approver: z.boolean(),
  /** In how many rules of the policy the person may approve. */
  strategies: z.int(),
  rules: z.array(z.string()),
  governs: z.boolean(),
  ways: z.array(z.enum(['passkey', 'password', 'device'])),
  keys: z.array(memberKey),
  last_login_at: z.int().nullable(),
  last_seen_at: z.int().nullable(),
  state: z.enum(memberStates),
  /** Present or to come; null if neither. */
  out_of_office: outOfOffice.nullable(),
  joined_at: z.int(),
})

export const listMembers = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallet/member/list',
  permission: 'member.read',
  staleOn: ['member.changed', 'policy.changed'],
  summary: 'The members of the organisation, what they may do, and which approvals the policy asks of them',
  input: z.object({
    wallet_id: idText.optional(),
    sub_wallet_id: idText.optional(),
    role: roleText.optional(),
    state: z.enum(memberStates).optional(),
    keyword: keywordText.optional(),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: z.object({ pageTotal: z.int(), has_more: z.boolean(), list: z.array(member) }),
  tenantParameters: ['wallet_id', 'sub_wallet_id'],
})

export const memberEventKinds = [
  'invited',
  'invited_again',
  'joined',
  'role_changed',
  'suspended',
  'resumed',
  'removed',
  'key_link',
  'key_enrolled',
  'key_confirmed',
  'key_denied',
  'delegated',
  'delegation_ended',
  'decided_for',
] as const

export const getMember = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallet/member/detail',
  permission: 'member.read',
  staleOn: ['member.changed', 'policy.changed'],
  summary: 'One member: rights, keys, sessions, what became of them, approvals they took part in, and what would break without them',
  input: z.object({ wallet_id: idText.optional(), user_id: idText }),
  output: member.extend({
    permissions: z.array(z.string()),
    strategies_detail: z.array(z.object({ id: z.string(), name: z.string(), node: z.string(), only: z.boolean() })),
    sign_in_ways: z.array(z.object({ kind: z.string(), label: z.string(), created_at: z.int(), last_used_at: z.int().nullable() })),
    /** Open sessions; null for who may not read the login history of others. */
    devices: z.array(z.object({ model: z.string(), ip: z.string(), created_at: z.int(), last_at: z.int() })).nullable(),
    events: z.array(
      z.object({ kind: z.enum(memberEventKinds), actor: z.string(), from: z.string().nullable(), to: z.string().nullable(), note: z.string(), at: z.int() }),
    ),
    approvals: z.array(
      z.object({ kind: z.enum(['transfer', 'policy_change']), id: z.string(), title: z.string(), decision: z.enum(['approve', 'reject']), at: z.int() }),
    ),
    /** What stands against suspending and against removing this member, as sentences; nothing if it can be done. */
    against: z.object({ suspend: z.array(z.string()), remove: z.array(z.string()) }),
  }),
  tenantParameters: ['wallet_id', 'user_id'],
})

const links = z.object({
  user_id: z.string(),
  /** Opened once, within seven days: the member chooses how to sign in. Shown now and never again. Null if they have one already. */
  sign_in_url: z.string().nullable(),
  /** Opened once each, within seven days: at each approval page the member makes a key for that page. Empty if none was asked for. */
  key_links: z.array(z.object({ page: z.string(), url: z.string() })),
  expires_at: z.int(),
})

export const inviteMember = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/member/invite',
  permission: 'member.write',
  changes: ['member.changed'],
  summary: 'Takes a new member in and gives the links of one use with which they join',
  input: z.object({
    request_id: requestIdText,
    nick_name: labelText(50),
    account: accountText,
    role: roleText,
    /** Whether they shall approve: they then also get a link to make an approval key. */
    approver: boolText.default(false),
    google_code: totpText.optional(),
  }),
  output: links,
})

export const renewInvite = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/member/invite/renew',
  permission: 'member.write',
  changes: ['member.changed'],
  summary: 'Gives new links to a member who has not joined or has to make an approval key; the ones before are worth nothing any more',
  input: z.object({ user_id: idText, approver: boolText.default(false), google_code: totpText.optional() }),
  output: links,
  tenantParameters: ['user_id'],
})

export const saveRole = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/member/role/save',
  permission: 'member.write',
  changes: ['member.changed'],
  summary: 'Gives a member another role. Who may approve is not a role: that is the signed policy.',
  input: z.object({ user_id: idText, role: roleText, google_code: totpText.optional() }),
  output: z.null(),
  tenantParameters: ['user_id'],
})

export const setMemberStatus = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/member/status',
  permission: 'member.write',
  changes: ['member.changed'],
  summary: 'Suspends a member at once, or lets them in again',
  input: z.object({ user_id: idText, status: z.enum(['active', 'suspended']), remark: remarkText(), google_code: totpText.optional() }),
  output: z.null(),
  tenantParameters: ['user_id'],
})

export const removeMember = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/member/remove',
  permission: 'member.remove',
  changes: ['member.changed'],
  summary: 'Removes a member for good; refused while the policy names them or could not be fulfilled without them',
  input: z.object({ user_id: idText, remark: remarkText(), google_code: totpText.optional() }),
  output: z.null(),
  tenantParameters: ['user_id'],
})

export const makeOwnKeyLink = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/member/key/link',
  permission: 'member',
  changes: ['member.changed'],
  summary: 'A link of one use with which whoever asks makes another approval key at an approval page. It counts there once a signed policy names it.',
  input: z.object({ page: z.string().max(256).optional().describe('Its origin; the first page of the policy where absent'), google_code: totpText.optional() }),
  output: z.object({ url: z.string(), expires_at: z.int() }),
})

export const answerForOwnKey = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/member/key/answer',
  permission: 'member',
  changes: ['member.changed'],
  summary:
    "The caller says of an approval key in their name, made with somebody else's link, that it is theirs or that it is not. Until then no policy takes it.",
  input: z.object({ key_id: z.string().regex(/^([0-9a-f]{2}){1,1024}$/), is_mine: boolText, google_code: totpText.optional() }),
  output: z.null(),
})

export const saveOutOfOffice = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/member/out_of_office/save',
  permission: 'member',
  changes: ['member.changed'],
  summary: 'Says when the caller will not be there, and whom to ask meanwhile; says which approvals nobody could complete meanwhile',
  input: z.object({ from: timeMsText, to: timeMsText, delegate: idText.optional(), note: remarkText().default('') }),
  output: z.object({ warnings: z.array(z.string()) }),
  tenantParameters: ['delegate'],
})

export const getAvailability = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallet/member/availability',
  permission: 'approval.read',
  staleOn: ['member.changed', 'policy.changed'],
  summary: 'Which approvals nobody can complete while people are away, and who is to approve and has neither signed in nor decided anything for thirty days',
  input: z.object({}),
  output: z.object({
    gaps: z.array(
      z.object({
        text: z.string(),
        from: z.int(),
        until: z.int(),
        decided: z.array(z.string()).describe('Who decides for those who are away, so that it can be completed nevertheless; empty where it cannot'),
      }),
    ),
    silent: z.array(
      z.object({
        user_id: z.string(),
        name: z.string(),
        since: z.int(),
        breaks: z.array(z.string()).describe('Approvals that nobody could complete without them'),
        decided: z.string().nullable().describe('Who decides in their place now'),
      }),
    ),
    together: z.array(z.string()).describe('Approvals that nobody could complete without all of them, and could without any one'),
  }),
})

export const endOutOfOffice = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/wallet/member/out_of_office/end',
  permission: 'member',
  changes: ['member.changed'],
  summary: 'Says that the caller is back, or will be there after all',
  input: z.object({}),
  output: z.null(),
})

const namedMember = z.object({ user_id: z.string(), name: z.string() })

export const listVoteDelegations = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/wallet/member/delegation/list',
  permission: 'member',
  staleOn: ['member.changed', 'policy.changed'],
  summary: 'Who decides for whom, now or later; and whom the caller may name by the policy in force, with the page on which they sign it or end it',
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        delegator: namedMember,
        delegate: namedMember,
        from: z.int(),
        to: z.int().describe('From this moment on the delegate decides no more'),
        now: z.boolean().describe('It has begun'),
        told: z.int().describe('How many of the three signers have heard of it'),
      }),
    ),
    may_name: z.array(namedMember).describe('Whom the caller may name; empty where the policy names nobody, or the caller is not in it'),
    longest_days: z.int(),
    url: z.string().describe('The approval page on which the caller names somebody, or ends it'),
  }),
})
