import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import { listsOfBook } from '@holdfast/features/address-book/server'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { policyErrors } from '@holdfast/features/policy/errors'
import {
  currentPolicy,
  closingOrders,
  draftIntent,
  DraftRefused,
  type MakePolicy,
  PeopleRefused,
  type PolicyChange,
  proposePolicyChange,
  quorumsOfChange,
  toldNow,
} from '@holdfast/features/policy/server'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { lastSeen, readSilent } from '@holdfast/features/team/server'
import { subWalletPath } from '@holdfast/features/wallet/server'
import { handle, type HandledEndpoint, type MemberContext, type RequestKey } from '@holdfast/http'
import { describeChange, describeRule, findPerson, hasThirdForm, machinesOf, type Policy, type Rule, rulesOf, waitOfChange } from '@holdfast/policy'
import { moveOver } from '@holdfast/policy/drafting'
import { bytesToUuid } from '@holdfast/units'
import { checkRules, getRules, listTemplates, proposeRules, restoreRules } from '../contract.ts'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { coinChoices, groupChoices, memberChoices, subWalletChoices } from './choices.ts'
import { takenByEarlier } from '@holdfast/features/rule-analysis/server'
import { type Silent, warningsOfRules } from '@holdfast/features/rule-draft/server'
import { draftOfRule, isDrawn } from '@holdfast/features/rule-draft/server'
import { namedRulesOf, policyOfRules, RulesRefused } from '@holdfast/features/rule-draft/server'
import { restoredDraft } from './restore-rules.ts'
import { presentDraft, readState } from './rules-in-force.ts'
import { typeOf } from './rule-rows.ts'
import { shortageWarnings } from './shortage-warnings.ts'
import { strategyWords } from '@holdfast/features/rule-draft/server'
import { templatesFor } from './templates.ts'

export const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

/** The whole list of rules: what it says, what another would change, and proposing one. */
export function rulesEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db, ports } = context
  return [
    handle(getRules, ({ orgId, language }) => db.asOrganisation(orgId, (tx) => rulesInfo(tx, context, language))),
    handle(checkRules, async (caller, { draft }) => {
      const told = await toldNow(context, caller.orgId)
      const seen = await lastSeen(context, caller.orgId)
      return db.asOrganisation(caller.orgId, async (tx) => checkDraft(tx, context, { ...caller, ...told, silent: await silentNow(tx, context, seen) }, draft))
    }),
    handle(proposeRules, async (caller, input) => {
      const { change, fresh } = await proposeAs(context, session, caller, input, () => input.draft)
      return { ...answerOf(context, change), intent_hash: toHex(change.row.intent_hash), idempotent: !fresh }
    }),
    handle(restoreRules, ({ orgId, language }, { version }) => db.asOrganisation(orgId, (tx) => restoredDraft(tx, version, strategyWords[language]))),
    handle(listTemplates, ({ orgId, language }, { form }) =>
      db.asOrganisation(orgId, async (tx) => templatesFor((await readState(tx, ports.clock.nowMs())).inForce.policy, form, language)),
    ),
  ]
}

/** A change as calls that save a rule answer it. */
export const answerOf = (context: ServerContext, { row }: PolicyChange) => ({
  id: row.id,
  trade_no: row.id,
  approval_url: approvalUrl(context, row.intent_hash),
})

type Asked = { google_code?: string | undefined }

type Caller = MemberContext & { request: RequestKey }

/** Proposes a drafted version of the policy; see `proposePolicyChange`. */
export async function proposeDraft(
  context: ServerContext,
  session: SecondFactor,
  { orgId, personId, language, request }: Caller,
  { google_code }: Asked,
  draftIn: (tx: OrganisationTx) => MakePolicy,
): Promise<{ change: PolicyChange; fresh: boolean }> {
  const told = await toldNow(context, orgId)
  return context.db.asOrganisation(orgId, (tx) =>
    proposePolicyChange(tx, context, {
      personId,
      language,
      ...told,
      key: request,
      draft: draftIn(tx),
      demandSecondFactor: () => session.demandSecondFactorWhereSet(tx, personId, google_code),
    }),
  )
}

/**
 * Proposes the policy with other rules. Throws AppError 200143 where people could not meet them, `policy_refused` with the reason where they cannot be
 * otherwise.
 */
export async function proposeAs(
  context: ServerContext,
  session: SecondFactor,
  caller: Caller,
  asked: Asked,
  makeDraft: (tx: OrganisationTx, policy: Policy) => RulesDraft | Promise<RulesDraft>,
): Promise<{ change: PolicyChange; fresh: boolean }> {
  const words = strategyWords[caller.language]
  const draftIn =
    (tx: OrganisationTx): MakePolicy =>
    async (inForce, around) =>
      policyOfRules(await makeDraft(tx, inForce.policy), words)(inForce, around)
  return proposeDraft(context, session, caller, asked, draftIn).catch((cause: unknown) => {
    const refused = cause instanceof AppError ? cause.cause : undefined
    if (!(refused instanceof RulesRefused)) throw cause
    const refusal = refused.isAboutPeople ? policyErrors.strategy_personnel_error : policyErrors.policy_refused
    throw new AppError(refusal, { cause, details: { reason: refused.message, faults: refused.faults } })
  })
}

/** The name of a rule that is not drawn because machines are in it. */
const nameOfKept = (rule: Rule): string | null => (rule.kind === 'named' ? rule.name : null)

async function rulesInfo(tx: OrganisationTx, { networks, ports }: ServerContext, language: MemberContext['language']) {
  const nowMs = ports.clock.nowMs()
  const { inForce, open, use } = await readState(tx, nowMs)
  const { policy } = inForce
  const wallets = await subWalletChoices(tx)
  return {
    base_version: Number(policy.version),
    is_third_form: hasThirdForm(policy),
    rules: rulesOf(policy).map((rule) => {
      const common = { sentence: describeRule(rule, policy, LOCALE[language]), ...use(rule.id) }
      return isDrawn(rule)
        ? { kind: 'named' as const, ...draftOfRule(rule, policy), ...common }
        : { kind: 'kept' as const, id: rule.id, name: nameOfKept(rule), type: typeOf(rule), ...common }
    }),
    groups: groupChoices(policy),
    people: await memberChoices(tx, policy),
    assets: coinChoices(policy, networks),
    sources: wallets.flatMap(({ sub_wallet_id, wallet, name, sources }) =>
      sources.map((source) => ({ wallet, sub_wallet_id, name: subWalletPath({ wallet_name: wallet, sub_wallet_name: name }), ...source })),
    ),
    co_signers: machineChoices(policy, 'coSigner'),
    screeners: machineChoices(policy, 'screener'),
    lists: (await listsOfBook(tx, nowMs)).map(({ name }) => name),
    move_over: movedOver(policy, language),
    open_change_id: open?.row.id ?? null,
  }
}

const machineChoices = (policy: Policy, of: string) =>
  machinesOf(policy)
    .filter(({ kind }) => kind === of)
    .map(({ id, name }) => ({ id, name }))

/** The same rules with names, as far as there are rules of the first forms that have one; null if none has. */
function movedOver(policy: Policy, language: MemberContext['language']) {
  const moved = moveOver(policy)
  if (moved.kept.length === rulesOf(policy).filter(({ kind }) => kind !== 'named').length) return null
  const words = strategyWords[language].kept
  return {
    draft: presentDraft(moved.policy),
    kept: moved.kept.map(({ id, reason, why }) => ({ id, why: reason === 'cannot' ? words.cannot(why) : words[reason] })),
  }
}

type Checking = MemberContext & Awaited<ReturnType<typeof toldNow>>

const NOTHING = { lines: [], closes: null, waits_h: 0, faults: [], warnings: [], quorums: [] }
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What a drafted version of the policy would change, who would have to approve it and how long signers would wait, or why it cannot be. Nothing is changed. */
export async function checkedChange(tx: OrganisationTx, context: ServerContext, { personId, language, wallets, served }: Checking, draft: MakePolicy) {
  try {
    const { inForce, next, intent } = await draftIntent(tx, context, { personId, language, wallets, served, draft })
    const { policy, signers } = inForce
    const named = (id: Uint8Array) => ({ person_id: bytesToUuid(id), name: (findPerson(next, id) ?? findPerson(policy, id))?.name ?? '' })
    return {
      next,
      ...NOTHING,
      lines: describeChange(policy, next, LOCALE[language], signers),
      closes: await closingOrders(tx, policy, language),
      waits_h: Number(waitOfChange(policy, next)) / HOUR_MS,
      quorums: quorumsOfChange({ intent, next }, policy).map(({ name, threshold, eligible }) => ({ name, need: threshold, people: eligible.map(named) })),
    }
  } catch (cause) {
    if (cause instanceof RulesRefused) return { ...NOTHING, faults: [...cause.faults] }
    if (!(cause instanceof DraftRefused)) throw cause
    const code = cause instanceof PeopleRefused ? policyErrors.strategy_personnel_error.code : ''
    return { ...NOTHING, faults: [{ rule_id: null, rule_name: null, field: null, step: null, person: null, code, text: cause.message }] }
  }
}

/** Of whom nothing was heard for long, and for how many days. `seen` is when people were last there, where it is known. */
export async function silentNow(tx: OrganisationTx, { ports }: ServerContext, seen: ReadonlyMap<string, number>): Promise<Silent[]> {
  const nowMs = ports.clock.nowMs()
  const silent = await readSilent(tx, { nowMs, lastSeen: seen })
  return silent.map(({ id, heardMs }) => ({ id, days: Math.floor((nowMs - heardMs) / DAY_MS) }))
}

async function checkDraft(tx: OrganisationTx, context: ServerContext, caller: Checking & { silent: readonly Silent[] }, rules: RulesDraft) {
  const words = strategyWords[caller.language]
  const { next, ...found } = { next: undefined, ...(await checkedChange(tx, context, caller, policyOfRules(rules, words))) }
  if (!next) return { ...found, sentences: [] }
  const sentences = namedRulesOf(next).map((rule) => ({ id: rule.id, text: describeRule(rule, next, LOCALE[caller.language]) }))
  const { policy } = await currentPolicy(tx)
  const viewing = { policy: next, networks: context.networks, language: caller.language, nowMs: context.ports.clock.nowMs() }
  const taken = takenByEarlier(policy, viewing).map((each) => ({ ...each, field: null, step: null, person: null, code: '' }))
  const short = await shortageWarnings(tx, next, { ...caller, nowMs: viewing.nowMs }, 'rule')
  return { ...found, sentences, warnings: [...warningsOfRules(next, words, caller.silent), ...short, ...taken] }
}
