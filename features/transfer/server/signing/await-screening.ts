import type { OrganisationTx } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import { type KeptScreening, screeningsOf } from '@holdfast/features/evidence/server'
import type { Screenings } from '@holdfast/features/kyt/contract'
import { type BatchIntent, intentHash, intentShape, isCancellation, judgedAs, originalOf, type SpendingIntent } from '@holdfast/intent'
import {
  asksForScreening,
  findMachine,
  outcomesOfOrder,
  type Policy,
  readRule,
  readScreenings,
  type Screened,
  screeningAsked,
  type ScreeningAsked,
  UNSCREENED,
} from '@holdfast/policy'
import { knownDestinations, payingOf } from '../opening/known-destinations.ts'
import { outcomeByLimits } from '../opening/outcome-by-limits.ts'
import type { Order } from '../order/read-order.ts'
import { readBatch } from './read-batch.ts'

/** What people decide, and the rule by which they do. */
export type Decided = { intent: SpendingIntent | BatchIntent; ruleId: string | null }

/** What screeners said of an order, as far as it counts. */
const saidOf = ({ intent }: Pick<Decided, 'intent'>, kept: readonly KeptScreening[], policy: Policy): Screened['said'] =>
  readScreenings(
    kept.map(({ word }) => word),
    { genesis: intent.genesis, intentHash: intentHash(intent) },
    policy,
  )

/**
 * What screeners have to say of an order, or of a batch, before signers sign it by its rule, and how each of it stands: as signers will judge it. Empty
 * where no rule asks.
 */
export async function screeningOf(
  tx: OrganisationTx,
  policy: Policy,
  { intent, ruleId, kept }: Decided & { kept: readonly KeptScreening[] },
  nowMs: number,
): Promise<ScreeningAsked[]> {
  if (!asksForScreening(policy) || (intent.kind !== 'batch' && isCancellation(intent))) return []
  const judged = intent.kind === 'batch' ? judgedAs(intent) : intent
  const destination = await knownDestinations(tx, policy, payingOf(originalOf(judged)), nowMs)
  const outcomes = outcomesOfOrder(policy, judged, { atMs: nowMs, destination, screened: UNSCREENED })
  return screeningAsked(policy, outcomes, ruleId, { said: saidOf({ intent }, kept, policy), atMs: nowMs })
}

/** The same of an order, with everything that was said of it: of the batch of which it pays lines, where people decided that. */
async function screeningOfOrder(tx: OrganisationTx, policy: Policy, { row, intent }: Pick<Order, 'row' | 'intent'>, nowMs: number) {
  if (row.standing_order_id !== null || !asksForScreening(policy)) return { asked: [], kept: [] }
  const batch = await readBatch(tx, row)
  const decided = batch ? (decode(intentShape, batch.intent) as BatchIntent) : intent
  const kept = await screeningsOf(tx, batch?.hash ?? row.intent_hash)
  return { asked: await screeningOf(tx, policy, { intent: decided, ruleId: row.rule_id, kept }, nowMs), kept }
}

/** The same as people are shown it; undefined where the rule demands nothing. */
export async function screeningsShown(
  tx: OrganisationTx,
  policy: Policy,
  order: Pick<Order, 'row' | 'intent'>,
  nowMs: number,
): Promise<Screenings | undefined> {
  const { asked, kept } = await screeningOfOrder(tx, policy, order, nowMs)
  const shown = asked.map(({ rule, levels, withinMs, state }) => {
    const last = kept.findLast(({ word }) => word.machine === state.machine)?.word
    return {
      screener: findMachine(policy, state.machine)?.name ?? state.machine,
      levels: [...levels],
      refuses: readRule(rule, policy).refuses,
      within_ms: Number(withinMs),
      state: state.is,
      last: last ? { level: last.level, provider: last.provider, at: Number(last.screenedAtMs) } : null,
    }
  })
  return shown.length === 0 ? undefined : shown
}

/** Whether an order that people allowed waits for what a screener says: signers would not sign it yet. What was said and does not allow it, they refuse. */
export const awaitsScreening = async (tx: OrganisationTx, policy: Policy, order: Pick<Order, 'row' | 'intent'>, nowMs: number): Promise<boolean> =>
  (await screeningOfOrder(tx, policy, order, nowMs)).asked.some(({ state }) => state.is !== 'said')

/** The rule that is to decide an order by what screeners have said meanwhile: its own, as long as that may. */
export async function ruleByScreening(
  tx: OrganisationTx,
  policy: Policy,
  { intent, ruleId, kept }: Decided & { kept: readonly KeptScreening[] },
  nowMs: number,
): Promise<string | null> {
  const judged = intent.kind === 'batch' ? judgedAs(intent) : intent
  if (ruleId === null || isCancellation(judged)) return ruleId
  const screened: Screened = { said: saidOf({ intent }, kept, policy), atMs: [nowMs], isOpen: true }
  const destination = await knownDestinations(tx, policy, payingOf(originalOf(judged)), nowMs)
  const outcomes = outcomesOfOrder(policy, judged, { atMs: nowMs, destination, screened })
  if (outcomes.some(({ kind, rule }) => kind === 'needs' && rule?.id === ruleId)) return ruleId
  const { outcome, by, refusal } = await outcomeByLimits(tx, policy, judged, nowMs, { before: null, screened })
  return outcome.kind === 'needs' && !refusal && by !== null ? by : ruleId
}
