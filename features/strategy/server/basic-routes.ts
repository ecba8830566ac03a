import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { policyErrors } from '@holdfast/features/policy/errors'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { describeRule, type Policy } from '@holdfast/policy'
import { auditBasic, getBasic, listBasic, saveBasic } from '../contract.ts'
import { RULE_NAME_MAX, type RuleDraft, type RulesDraft, type StepDraft } from '@holdfast/features/rule-draft/contract'
import { refuseAudit } from './audit.ts'
import { nameOfChoice, type SubWalletChoice, subWalletChoices } from './choices.ts'
import { expireHours, nodesOf, subWalletsOf } from './rule-rows.ts'
import { answerOf, LOCALE, proposeAs } from './rules-routes.ts'
import { presentDraft, readState, type RuleStanding, standingOf, type StrategyState } from './rules-in-force.ts'
import { type StrategyWords, strategyWords } from '@holdfast/features/rule-draft/server'

/** The basic rule of each sub-wallet: what decides where no higher one does. */
export function basicEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db, ports } = context
  const rowsOf = (orgId: string, language: keyof typeof LOCALE, walletId?: string) =>
    db.asOrganisation(orgId, async (tx) => {
      const state = await readState(tx, ports.clock.nowMs())
      const standing = standingOf(state.inForce.policy, state.open?.next).filter(({ rule }) => rule.level === 'basic')
      const wallets = await subWalletChoices(tx, walletId)
      return wallets.map((wallet) => basicRow(wallet, standing, state, language))
    })
  return [
    handle(listBasic, ({ orgId, language }, { wallet_id }) => rowsOf(orgId, language, wallet_id)),
    handle(getBasic, async ({ orgId, language }, { sub_wallet_id: id }) => {
      const found = (await rowsOf(orgId, language)).find((row) => row.sub_wallet_id === id)
      if (!found) throw new AppError('wallet_not_found')
      return found
    }),
    handle(saveBasic, async (caller, input) => {
      const words = strategyWords[caller.language]
      const { change } = await proposeAs(context, session, caller, input, async (tx, policy) => {
        const wallet = (await subWalletChoices(tx)).find(({ sub_wallet_id: id }) => id === input.sub_wallet_id)
        if (!wallet) throw new AppError('wallet_not_found')
        return withBasic(policy, wallet, { nodes: input.nodes, expireHours: input.expire_h }, words)
      })
      return { ...answerOf(context, change), id: basicIdOf(input.sub_wallet_id) }
    }),
    handle(auditBasic, ({ orgId }, { id }) => db.asOrganisation(orgId, (tx) => refuseAudit(tx, context, id))),
  ]
}

function basicRow(wallet: SubWalletChoice, standing: readonly RuleStanding[], { inForce, open, use }: StrategyState, language: keyof typeof LOCALE) {
  const covering = standing.filter(({ rule }) => subWalletsOf(rule, [wallet])?.includes(wallet.sub_wallet_id) ?? true)
  // What a rule of its own adds is shown before a wider one that is in force.
  const own = covering.find(({ rule }) => rule.id === basicIdOf(wallet.sub_wallet_id))
  const found = own ?? covering[0]
  return {
    sub_wallet_id: wallet.sub_wallet_id,
    sub_wallet: wallet.name,
    wallet: wallet.wallet,
    strategy_id: found?.rule.id ?? null,
    name: found?.rule.name ?? null,
    sentence: found ? describeRule(found.rule, found.policy, LOCALE[language]) : null,
    is_shared: found !== undefined && found !== own,
    nodes: found ? nodesOf(found.rule, found.policy) : [],
    expire_h: found ? expireHours(found.rule) : null,
    version: Number((found?.policy ?? inForce.policy).version),
    audit_status: found?.status ?? ('none' as const),
    change_id: found && found.status !== 'none' ? (open?.row.id ?? null) : null,
    ...use(found?.rule.id ?? ''),
  }
}

const basicIdOf = (subWalletId: string) => `basic-${subWalletId}`

type Wanted = { nodes: StepDraft[]; expireHours: number }

/** A basic rule of a sub-wallet's own, asked before those that are for more than one. */
export function withBasic(policy: Policy, wallet: SubWalletChoice, { nodes, expireHours: hours }: Wanted, words: StrategyWords): RulesDraft {
  if (wallet.sources.length === 0) throw new AppError(policyErrors.policy_refused, { details: { reason: words.noSource } })
  const draft = presentDraft(policy)
  const id = basicIdOf(wallet.sub_wallet_id)
  const others = draft.rules.filter((each) => each.id !== id)
  const name = nameFor(words.basicName(wallet.name), others)
  const sources = wallet.sources.map((source) => ({ name: nameOfChoice(wallet), ...source }))
  const rule: RuleDraft = {
    id,
    name,
    level: 'basic',
    covers: { kind: 'payments' },
    conditions: [{ kind: 'sources', wallets: sources }],
    limits: [],
    action: { kind: 'approve', steps: nodes, may_stop: [], delay_s: 0, expire_s: hours * 3600 },
  }
  const at = others.findIndex((each) => each.kind === 'named' && each.level === 'basic')
  return { ...draft, rules: others.toSpliced(at < 0 ? others.length : at, 0, { kind: 'named', ...rule }) }
}

/** A name that no other rule has: sub-wallets of two wallets may be called the same. */
function nameFor(wanted: string, others: RulesDraft['rules']): string {
  const taken = new Set(others.map((each) => (each.kind === 'named' ? each.name : '')))
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : ` ${n}`
    const name = shortened(wanted, end)
    if (!taken.has(name)) return name
  }
}

function shortened(wanted: string, end: string): string {
  const letters = [...wanted].slice(0, RULE_NAME_MAX - end.length)
  while (new TextEncoder().encode(letters.join('') + end).length > 64) letters.pop()
  return letters.join('').trimEnd() + end
}
