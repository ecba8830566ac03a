import { answerPage, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { changeOf, changeView, policyOf } from '@holdfast/features/policy/server'
import { handle, type HandledEndpoint, type MemberContext } from '@holdfast/http'
import { changesParts, describeRule, type Policy, type Rule, ruleName, rulesOf } from '@holdfast/policy'
import { isSameRule } from '@holdfast/policy/drafting'
import { listBasicLog, listOperateLog } from '../contract.ts'
import { typeOf } from './rule-rows.ts'
import { readWhitelistLog } from './whitelist-log.ts'
import { strategyWords } from '@holdfast/features/rule-draft/server'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

type Filters = {
  scope: 'basic' | 'higher' | 'workspace' | 'address_book' | 'all'
  type?: string | undefined
  user?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
  page_no: number
  page_size: number
}

/** What was changed of the rules, and of who approves parts of the workspace, by the changes of the policy. */
export function logEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db } = context
  const answer = (caller: MemberContext, asked: Filters) => db.asOrganisation(caller.orgId, (tx) => readLog(tx, context, caller, asked))
  return [handle(listBasicLog, (caller, asked) => answer(caller, { ...asked, scope: 'basic' })), handle(listOperateLog, answer)]
}

async function readLog(tx: OrganisationTx, context: ServerContext, caller: MemberContext, asked: Filters) {
  if (asked.scope !== 'address_book') return readPolicyLog(tx, context, caller, asked)
  // No change of the whitelist is about a type of rules.
  return asked.type === undefined ? readWhitelistLog(tx, context, caller, asked) : answerPage(asked, 0, [])
}

async function readPolicyLog(tx: OrganisationTx, context: ServerContext, { language, personId }: MemberContext, asked: Filters) {
  let changes = tx.selectFrom('policy_change').selectAll().where('org_id', '=', tx.orgId)
  if (asked.user !== undefined) changes = changes.where('initiator', '=', asked.user)
  if (asked.start_time !== undefined) changes = changes.where('created_at', '>=', BigInt(asked.start_time))
  if (asked.end_time !== undefined) changes = changes.where('created_at', '<=', BigInt(asked.end_time))
  const rows = await changes.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  const found = []
  for (const row of rows) {
    const change = changeOf(row)
    const base = await policyOf(tx, row.base_version)
    const differences = differencesOf(base, change.next)
    if (isAbout(asked, differences, base, change.next)) found.push({ change, base, differences })
  }
  const from = (asked.page_no - 1) * asked.page_size
  const list = []
  for (const { change, base, differences } of found.slice(from, from + asked.page_size)) {
    const view = await changeView({ tx, context, language, personId }, change)
    list.push({
      id: view.id,
      at: view.created_at,
      user: view.initiator,
      ...actionOf(differences, base, change.next),
      target: differences.map((each) => ruleName(each.rule)).join(strategyWords[language].separator),
      lines: view.lines,
      diff: differences.map((each) => diffOf(each, base, change.next, language)),
      flow: { state: view.state, nodes: view.quorums.map(({ need, approved, rejected }) => ({ need, approved, rejected })) },
      reason: view.reason,
      version: view.version,
      can_restore: view.state === 'applied',
    })
  }
  return answerPage(asked, found.length, list)
}

/** A rule before and after, and as it is called: one side is undefined where it came or went. */
type Difference = { before: Rule | undefined; after: Rule | undefined; rule: Rule }

/** What two versions say differently of the rules, by the ids of these. */
export function differencesOf(before: Policy, after: Policy): Difference[] {
  const changed = rulesOf(before).flatMap((rule): Difference[] => {
    const then = rulesOf(after).find(({ id }) => id === rule.id)
    return then && isSameRule(rule, then) ? [] : [{ before: rule, after: then, rule: then ?? rule }]
  })
  const added = rulesOf(after).filter(({ id }) => !rulesOf(before).some((rule) => rule.id === id))
  return [...changed, ...added.map((rule) => ({ before: undefined, after: rule, rule }))]
}

/** Whether a change is of what is asked about. What changes no rule is about all of them; an order of rules is about the higher ones. */
function isAbout(asked: Filters, differences: readonly Difference[], before: Policy, after: Policy): boolean {
  const { scope, type } = asked
  if (scope === 'workspace') return type === undefined && changesParts(before, after)
  if (differences.length > 0) return differences.some((each) => isAsked(each, asked))
  return type === undefined && (scope === 'all' || (scope === 'higher' && actionOf(differences, before, after).action === 'sort'))
}

function isAsked({ rule }: Difference, { scope, type }: Filters): boolean {
  const isBasic = rule.kind === 'named' && rule.level === 'basic'
  return (scope === 'all' || (scope === 'basic') === isBasic) && (type === undefined || typeOf(rule) === type)
}

type Action = 'create' | 'update' | 'delete' | 'sort' | 'other'

function actionOf(differences: readonly Difference[], before: Policy, after: Policy): { action: Action } {
  if (differences.length === 0) {
    const order = (policy: Policy) => rulesOf(policy).map(({ id }) => id)
    return { action: order(before).join('\n') === order(after).join('\n') ? 'other' : 'sort' }
  }
  if (differences.every((each) => each.before === undefined)) return { action: 'create' }
  return { action: differences.every((each) => each.after === undefined) ? 'delete' : 'update' }
}

function diffOf(difference: Difference, before: Policy, after: Policy, language: Language) {
  const { id } = difference.rule
  const called = (rule: Rule) => (rule.kind === 'named' ? `“${rule.name}”` : rule.id)
  const words = (rule: Rule | undefined, policy: Policy) => (rule ? describeRule(rule, policy, LOCALE[language], called(rule)) : null)
  return { path: `rules/${id}`, name: ruleName(difference.rule), old: words(difference.before, before), new: words(difference.after, after) }
}
