import {
  boolText,
  defineEndpoint,
  idText,
  jsonField,
  keywordText,
  pageNumber,
  pageOf,
  pageSize,
  remarkText,
  requestIdText,
  timeMsText,
  totpText,
  wholeNumberText,
} from '@holdfast/contract'
import { changeQuorums, policyChangeStates } from '@holdfast/features/policy/contract'
import * as z from 'zod'
import { ruleDraft, ruleIdText, rulesDraft, ruleView, step, who } from '@holdfast/features/rule-draft/contract'

// Strategies are the rules of the one policy that signers follow. Whatever is saved here is a change of it, which the people who govern approve.

const reading = { method: 'GET', permission: 'strategy.read', staleOn: ['policy.changed'] } as const
const writing = { method: 'POST', permission: 'strategy.write' } as const
const proposing = { ...writing, changes: ['policy.changed', 'todo.changed'] } as const

const named = z.object({ person_id: z.string(), name: z.string() })
const group = z.object({ id: z.string(), name: z.string(), members: z.array(named) })
const typeText = z.enum(['transfer', 'web3', 'stake', 'trade'])
const proposed = { request_id: requestIdText, google_code: totpText.optional() }

/** What is wrong with a draft, and where: `rule_id` of the rule it is about, `field` of that rule, `step` from 1. */
export const draftFault = z.object({
  rule_id: z.string().nullable(),
  rule_name: z.string().nullable(),
  field: z.enum(['name', 'level', 'covers', 'conditions', 'limits', 'action', 'steps', 'may_stop', 'groups', 'rules', 'version']).nullable(),
  step: z.int().nullable(),
  person: named.nullable(),
  code: z.string().describe('200143 where people cannot meet it'),
  text: z.string(),
})

/** What a drafted change of the policy would change, and whether it can be. */
export const checkedDraft = z.object({
  lines: z.array(z.string()),
  closes: z.object({ count: z.int(), named: z.array(z.object({ id: z.string(), title: z.string() })) }).nullable(),
  waits_h: z.number().describe('How long each signer waits before it follows it, because it loosens the policy; 0 where it does not'),
  faults: z.array(draftFault),
  warnings: z
    .array(draftFault)
    .describe('What can be proposed, and stands on one person, on people who are away or of whom nothing was heard for long, or behind an earlier rule'),
  quorums: z.array(z.object({ name: z.enum(changeQuorums), need: z.int(), people: z.array(named) })),
})

const inUse = { hits_30d: z.int(), last_hit: z.int().nullable() }
const sentence = z.string().describe("The rule in words, in the caller's language")

/** A rule in force in its place: one that the editor draws, or one that stays as it is: of the first forms, or with machines in it. */
const placedRule = z.discriminatedUnion('kind', [
  ruleView.extend({ kind: z.literal('named'), sentence, ...inUse }),
  z.object({
    kind: z.literal('kept'),
    id: z.string(),
    name: z.string().nullable().describe('Of a rule that stays as it is because machines ask or approve under it; null for one of the first forms'),
    type: typeText,
    sentence,
    ...inUse,
  }),
])

export const getRules = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/rules/info',
  staleOn: ['policy.changed', 'order.changed', 'member.changed'],
  summary: 'Every rule of the policy in force in the order in which they are asked, what they can name, and how to move over to rules with names',
  input: z.object({}),
  output: z.object({
    base_version: z.int(),
    is_third_form: z.boolean(),
    rules: z.array(placedRule),
    groups: z.array(group),
    people: z.array(named.extend({ role: z.string(), state: z.string(), has_key: z.boolean(), is_in_policy: z.boolean(), new_keys: z.array(z.string()) })),
    assets: z.array(z.object({ chain: z.string(), network: z.string(), asset: z.string(), symbol: z.string(), decimals: z.int() })),
    sources: z.array(z.object({ wallet: z.string(), sub_wallet_id: z.string(), name: z.string(), key_id: z.string(), path: z.array(z.int()) })),
    co_signers: z.array(z.object({ id: z.string(), name: z.string() })).describe('The co-signers that the policy names'),
    screeners: z.array(z.object({ id: z.string(), name: z.string() })).describe('The screeners that the policy names'),
    lists: z.array(z.string()).describe('The lists of the whitelist'),
    move_over: z
      .object({ draft: rulesDraft, kept: z.array(z.object({ id: z.string(), why: z.string() })) })
      .nullable()
      .describe('The same rules with names, as far as it can be said exactly; null where there is nothing to say otherwise'),
    open_change_id: z.string().nullable(),
  }),
})

export const checkRules = defineEndpoint({
  ...writing,
  path: '/api/mpc/strategy/rules/check',
  changes: [],
  summary: 'What other rules would change, who would have to approve it, and everything that is wrong with them; nothing is changed',
  input: z.object({ draft: jsonField(rulesDraft) }),
  output: checkedDraft.extend({ sentences: z.array(z.object({ id: z.string(), text: z.string() })).describe('Each rule with a name, in words') }),
})

export const proposeRules = defineEndpoint({
  ...proposing,
  path: '/api/mpc/strategy/rules/propose',
  summary: 'Proposes a version of the policy with other rules. It comes into force when the people who govern have approved it and the signers follow it.',
  input: z.object({ ...proposed, draft: jsonField(rulesDraft) }),
  output: z.object({ id: z.string(), trade_no: z.string(), intent_hash: z.string(), approval_url: z.string(), idempotent: z.boolean() }),
})

export const restoreRules = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/rules/restore',
  summary: 'The rules and groups of an earlier version of the policy, as a draft on top of the one in force',
  input: z.object({ version: wholeNumberText(1, 1_000_000_000) }),
  output: z.object({ draft: rulesDraft, left_out: z.array(z.object({ id: z.string(), why: z.string() })) }),
})

export const templateNames = ['tiers'] as const

export const listTemplates = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/templates',
  summary: 'Rules to begin with, made for chosen assets and people',
  input: z.object({
    form: jsonField(
      z.object({
        assets: z
          .array(
            z.object({
              chain: z.string().max(64),
              asset: z.string().max(128),
              each: z.string().max(120),
              day: z.string().max(120),
              large: z.string().max(120).nullable(),
            }),
          )
          .max(64),
        askers: z.array(who).max(20),
        approvers: z.array(who).max(20),
      }),
    ).optional(),
  }),
  output: z.array(z.object({ id: z.enum(templateNames), name: z.string(), text: z.string(), draft: rulesDraft.nullable() })),
})

const node = z.object({
  no: z.int(),
  type: z.literal('audit_sign'),
  need: z.int(),
  approvers: z.array(z.object({ kind: z.enum(['person', 'group']), id: z.string(), name: z.string() })),
  exclude_initiator: z.literal(true),
})

/** `none`: in force, and nobody asks for another. Otherwise what an open change would do with it. */
const auditStatus = z.enum(['none', 'create', 'update', 'delete'])

const listed = z.object({
  id: z.string(),
  name: z.string(),
  type: typeText,
  priority: z.int().nullable().describe('From 1; null for one that is not in force yet'),
  sub_wallet_ids: z.array(z.string()).describe('Empty for all'),
  sentence,
  action: z.enum(['pass', 'approve', 'refuse']),
  nodes: z.array(node),
  co_signer: z.boolean(),
  expire_h: z.number().nullable(),
  delay_s: z.int(),
  enabled: z.boolean(),
  audit_status: auditStatus,
  change_id: z.string().nullable(),
  version: z.int().describe('The version of the policy it stands in'),
  ...inUse,
})

const savedRule = z.object({ id: z.string(), trade_no: z.string().describe("The change's id"), approval_url: z.string() })

export const listHigher = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/higher/list',
  staleOn: ['policy.changed', 'order.changed'],
  summary: 'The higher rules with names, in the order in which they are asked, with those that an open change adds',
  input: z.object({ wallet_id: idText.optional(), type: typeText.optional(), page_no: pageNumber, page_size: pageSize }),
  output: pageOf(listed),
  tenantParameters: ['wallet_id'],
})

export const getHigher = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/higher/info',
  staleOn: ['policy.changed', 'order.changed'],
  summary: 'A rule with a name',
  input: z.object({ id: ruleIdText }),
  output: listed.extend({ rule: ruleView }),
})

export const saveHigher = defineEndpoint({
  ...proposing,
  path: '/api/mpc/strategy/higher/save',
  summary: 'Proposes a policy in which one rule is added, at the end of its level, or replaced',
  input: z.object({ ...proposed, id: ruleIdText.optional(), rule: jsonField(ruleDraft.omit({ id: true })) }),
  output: savedRule,
})

export const deleteHigher = defineEndpoint({
  ...proposing,
  path: '/api/mpc/strategy/higher/delete',
  summary: 'Proposes a policy without one rule',
  input: z.object({ ...proposed, id: ruleIdText, remark: remarkText() }),
  output: savedRule,
})

export const sortHigher = defineEndpoint({
  ...proposing,
  path: '/api/mpc/strategy/higher/sort',
  summary: 'Proposes a policy in which rules are asked in another order',
  input: z.object({ ...proposed, ids: jsonField(z.array(ruleIdText).min(1).max(256)) }),
  output: savedRule,
})

const auditing = {
  ...writing,
  changes: [],
  input: z.object({ id: idText, result: boolText, remark: remarkText() }),
  output: z.null(),
} as const
const AUDIT = 'Always refuses with the place where it is decided: a change of the policy is approved with a key at the approval page alone'

export const auditHigher = defineEndpoint({ ...auditing, path: '/api/mpc/strategy/higher/audit', summary: AUDIT, tenantParameters: ['id'] })

export const setHigherStatus = defineEndpoint({
  ...proposing,
  path: '/api/mpc/strategy/higher/status',
  summary: 'Proposes a policy without one rule (off), or with the rule as the last version had it that had it (on)',
  input: z.object({ ...proposed, id: ruleIdText, status: z.enum(['on', 'off']) }),
  output: savedRule,
})

const basic = z.object({
  sub_wallet_id: z.string(),
  sub_wallet: z.string(),
  wallet: z.string(),
  strategy_id: z.string().nullable().describe('Null where no basic rule covers it: what no higher rule covers is refused'),
  name: z.string().nullable(),
  sentence: z.string().nullable(),
  is_shared: z.boolean().describe('Whether the rule covers other sub-wallets too'),
  nodes: z.array(node),
  expire_h: z.number().nullable(),
  version: z.int(),
  audit_status: auditStatus,
  change_id: z.string().nullable(),
  ...inUse,
})

export const listBasic = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/basic/list',
  staleOn: ['policy.changed', 'wallet.changed'],
  summary: 'The basic rule of each sub-wallet: what decides where no higher rule does',
  input: z.object({ wallet_id: idText.optional() }),
  output: z.array(basic),
  tenantParameters: ['wallet_id'],
})

export const getBasic = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/basic/info',
  staleOn: ['policy.changed', 'wallet.changed'],
  summary: 'The basic rule of a sub-wallet',
  input: z.object({ sub_wallet_id: idText }),
  output: basic,
  tenantParameters: ['sub_wallet_id'],
})

export const saveBasic = defineEndpoint({
  ...proposing,
  path: '/api/mpc/strategy/basic/save',
  summary: 'Proposes a policy in which a sub-wallet has a basic rule of its own with these steps',
  input: z.object({ ...proposed, sub_wallet_id: idText, nodes: jsonField(z.array(step).min(1).max(9)), expire_h: wholeNumberText(0, 8760).default(168) }),
  output: savedRule,
  tenantParameters: ['sub_wallet_id'],
})

export const auditBasic = defineEndpoint({ ...auditing, path: '/api/mpc/strategy/basic/audit', summary: AUDIT, tenantParameters: ['id'] })

const logRow = z.object({
  id: z.string(),
  at: z.int(),
  user: named,
  action: z.enum(['create', 'update', 'delete', 'sort', 'other']),
  target: z.string(),
  lines: z.array(z.string()).describe('Everything that changes, in words'),
  diff: z.array(z.object({ path: z.string(), name: z.string(), old: z.string().nullable(), new: z.string().nullable() })),
  flow: z.object({ state: z.enum(policyChangeStates), nodes: z.array(z.object({ need: z.int(), approved: z.array(named), rejected: z.array(named) })) }),
  reason: z.string().nullable(),
  version: z.int(),
  can_restore: z.boolean(),
})

const logged = {
  user: idText.optional(),
  start_time: timeMsText.optional(),
  end_time: timeMsText.optional(),
  page_no: pageNumber,
  page_size: pageSize,
}

export const listBasicLog = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/basic/log/list',
  summary: 'Changes of the policy that changed basic rules, the newest first',
  input: z.object(logged),
  output: pageOf(logRow),
  tenantParameters: ['user'],
})

export const listOperateLog = defineEndpoint({
  ...reading,
  path: '/api/mpc/strategy/operate_log/list',
  summary:
    'Changes of the policy, with what each changes of the rules, or of the workspace: who approves its parts and how long loosening waits; newest first. Scope `address_book`: changes of the whitelist',
  staleOn: ['policy.changed', 'book.changed'],
  input: z.object({ ...logged, scope: z.enum(['basic', 'higher', 'workspace', 'address_book', 'all']).default('all'), type: typeText.optional() }),
  output: pageOf(logRow),
  tenantParameters: ['user'],
})

const choosing = { ...reading, staleOn: ['policy.changed', 'wallet.changed', 'member.changed', 'book.changed'] } as const
const ofWallet = z.object({ wallet_id: idText.optional(), keyword: keywordText.optional() })

export const listSubWalletChoices = defineEndpoint({
  ...choosing,
  path: '/api/mpc/strategy/business/sub_wallet/list',
  summary: 'Sub-wallets that a rule can be for, each with the keys and paths it pays from',
  input: ofWallet,
  output: z.array(
    z.object({
      sub_wallet_id: z.string(),
      name: z.string(),
      wallet_id: z.string(),
      wallet: z.string(),
      sources: z.array(z.object({ key_id: z.string(), path: z.array(z.int()) })),
    }),
  ),
  tenantParameters: ['wallet_id'],
})

export const listMemberChoices = defineEndpoint({
  ...choosing,
  path: '/api/mpc/strategy/business/member/list',
  summary: 'People who can ask or approve',
  input: ofWallet.extend({ role: z.string().max(32).optional() }),
  output: z.array(named.extend({ role: z.string(), has_key: z.boolean().describe('Whether the policy names an approval key of theirs') })),
  tenantParameters: ['wallet_id'],
})

export const listCoinChoices = defineEndpoint({
  ...choosing,
  path: '/api/mpc/strategy/business/coin/list',
  summary: 'Assets that the policy pins, which rules can name',
  input: ofWallet,
  output: z.array(z.object({ chain: z.string(), network: z.string(), asset: z.string(), symbol: z.string(), decimals: z.int() })),
  tenantParameters: ['wallet_id'],
})

export const listContractChoices = defineEndpoint({
  ...choosing,
  path: '/api/mpc/strategy/business/contract/list',
  summary: 'Contracts that rules of the policy let be called',
  input: ofWallet,
  output: z.array(z.object({ chain: z.string(), network: z.string(), contract: z.string(), functions: z.array(z.string()) })),
  tenantParameters: ['wallet_id'],
})

export const listAddressLists = defineEndpoint({
  ...choosing,
  path: '/api/mpc/strategy/business/address_list/list',
  summary: 'The lists of the address book, with how many addresses of each are on the whitelist',
  input: ofWallet,
  output: z.array(z.object({ name: z.string(), listed: z.int() })),
  tenantParameters: ['wallet_id'],
})

export const listGroupChoices = defineEndpoint({
  ...choosing,
  path: '/api/mpc/strategy/business/group/list',
  summary: 'Groups of people that the policy names',
  input: ofWallet,
  output: z.array(group),
  tenantParameters: ['wallet_id'],
})
