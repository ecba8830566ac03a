import { answerPage, AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { policyErrors } from '@holdfast/features/policy/errors'
import { policyOf } from '@holdfast/features/policy/server'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { type Policy } from '@holdfast/policy'
import { newId } from '@holdfast/units'
import { auditHigher, deleteHigher, getHigher, listHigher, saveHigher, setHigherStatus, sortHigher } from '../contract.ts'
import type { RuleDraft, RulesDraft } from '@holdfast/features/rule-draft/contract'
import { refuseAudit } from './audit.ts'
import { subWalletChoices } from './choices.ts'
import { draftOfRule } from '@holdfast/features/rule-draft/server'
import { namedRulesOf } from '@holdfast/features/rule-draft/server'
import { rowOf } from './rule-rows.ts'
import { answerOf, proposeAs } from './rules-routes.ts'
import { presentDraft, readState, standingOf } from './rules-in-force.ts'
import { type StrategyWords, strategyWords } from '@holdfast/features/rule-draft/server'

type Placed = RulesDraft['rules'][number]

/** The higher rules one by one. Each saves a change of the whole policy that differs by that one rule. */
export function higherEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db, ports } = context
  const standings = async (tx: OrganisationTx) => {
    const state = await readState(tx, ports.clock.nowMs())
    return { state, standing: standingOf(state.inForce.policy, state.open?.next) }
  }
  return [
    handle(listHigher, ({ orgId, language }, asked) =>
      db.asOrganisation(orgId, async (tx) => {
        const { state, standing } = await standings(tx)
        const wallets = await subWalletChoices(tx, asked.wallet_id)
        const isOfWallet = (ids: readonly string[]) => ids.length === 0 || wallets.some(({ sub_wallet_id: id }) => ids.includes(id))
        const rows = standing
          .filter(({ rule }) => rule.level === 'higher')
          .map((each) => ({ rule: each.rule, row: rowOf(each, state, wallets, language) }))
          .filter(({ row }) => asked.type === undefined || row.type === asked.type)
          .filter(
            ({ rule, row }) =>
              asked.wallet_id === undefined ||
              !rule.conditions.some(({ kind }) => kind === 'sources') ||
              (row.sub_wallet_ids.length > 0 && isOfWallet(row.sub_wallet_ids)),
          )
          .map(({ row }) => row)
        const from = (asked.page_no - 1) * asked.page_size
        return answerPage(asked, rows.length, rows.slice(from, from + asked.page_size))
      }),
    ),
    handle(getHigher, ({ orgId, language }, { id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { state, standing } = await standings(tx)
        const found = standing.find(({ rule }) => rule.id === id)
        if (!found) throw new AppError('resource_not_found')
        return { ...rowOf(found, state, await subWalletChoices(tx), language), rule: draftOfRule(found.rule, found.policy) }
      }),
    ),
    handle(saveHigher, async (caller, input) => {
      const words = strategyWords[caller.language]
      const id = input.id ?? newId(ports.clock.nowMs(), ports.random)
      const rule = { ...input.rule, id, level: 'higher' as const }
      const { change } = await proposeAs(context, session, caller, input, (_, policy) =>
        input.id === undefined ? withNew(policy, rule) : withInPlace(policy, rule, words),
      )
      return { ...answerOf(context, change), id }
    }),
    handle(deleteHigher, async (caller, input) => {
      const { change } = await proposeAs(context, session, caller, input, (_, policy) => without(policy, input.id, strategyWords[caller.language]))
      return { ...answerOf(context, change), id: input.id }
    }),
    handle(sortHigher, async (caller, input) => {
      const { change } = await proposeAs(context, session, caller, input, (_, policy) => sorted(policy, input.ids, strategyWords[caller.language]))
      return answerOf(context, change)
    }),
    handle(auditHigher, ({ orgId }, { id }) => db.asOrganisation(orgId, (tx) => refuseAudit(tx, context, id))),
    handle(setHigherStatus, async (caller, input) => {
      const words = strategyWords[caller.language]
      const { change } = await proposeAs(context, session, caller, input, (tx, policy) =>
        input.status === 'off' ? without(policy, input.id, words) : withFormer(tx, policy, input.id, words),
      )
      return { ...answerOf(context, change), id: input.id }
    }),
  ]
}

const refused = (reason: string) => new AppError(policyErrors.policy_refused, { details: { reason } })

/** A new rule is asked last of the higher ones with names, but before what stays from the first forms, which would decide all that is left. */
export function withNew(policy: Policy, rule: RuleDraft): RulesDraft {
  const draft = presentDraft(policy)
  const last = draft.rules.findLastIndex((each) => each.kind === 'named' && each.level === 'higher')
  return { ...draft, rules: draft.rules.toSpliced(last + 1, 0, { kind: 'named', ...rule }) }
}

function requireHigher(policy: Policy, id: string, words: StrategyWords): void {
  const found = namedRulesOf(policy).find((rule) => rule.id === id)
  if (!found) throw refused(words.noRule(id))
  if (found.level !== 'higher') throw refused(words.notHigher(found.name))
}

function withInPlace(policy: Policy, rule: RuleDraft, words: StrategyWords): RulesDraft {
  requireHigher(policy, rule.id, words)
  const draft = presentDraft(policy)
  return { ...draft, rules: draft.rules.map((each): Placed => (each.id === rule.id ? { kind: 'named', ...rule } : each)) }
}

function without(policy: Policy, id: string, words: StrategyWords): RulesDraft {
  requireHigher(policy, id, words)
  const draft = presentDraft(policy)
  return { ...draft, rules: draft.rules.filter((each) => each.id !== id) }
}

/** The higher rules with names in another order, each in one of the places that they have. */
function sorted(policy: Policy, ids: readonly string[], words: StrategyWords): RulesDraft {
  const draft = presentDraft(policy)
  const isHigher = (each: Placed) => each.kind === 'named' && each.level === 'higher'
  const higher = draft.rules.filter(isHigher)
  const wanted = ids.flatMap((id) => higher.filter((each) => each.id === id))
  if (new Set(ids).size !== ids.length || wanted.length !== higher.length || ids.length !== higher.length) throw refused(words.otherIds)
  const next = wanted[Symbol.iterator]()
  return { ...draft, rules: draft.rules.map((each) => (isHigher(each) ? (next.next().value ?? each) : each)) }
}

/** A rule that is in force no more, as the last version had it that had it. */
async function withFormer(tx: OrganisationTx, policy: Policy, id: string, words: StrategyWords): Promise<RulesDraft> {
  const present = namedRulesOf(policy).find((rule) => rule.id === id)
  if (present) throw refused(words.inForce(present.name))
  for (let version = policy.version - 1n; version >= 1n; version -= 1n) {
    const former = await policyOf(tx, version)
    const found = namedRulesOf(former).find((rule) => rule.id === id && rule.level === 'higher')
    if (found) return withNew(policy, draftOfRule(found, former))
  }
  throw refused(words.neverWas(id))
}
