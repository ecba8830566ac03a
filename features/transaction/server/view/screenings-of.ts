import { intentOf, type OrderRow, screeningOfOrder } from '@holdfast/features/transfer/server'
import { asksForScreening, findMachine, readRule } from '@holdfast/policy'
import type { ViewContext } from './view-context.ts'

/** What the rule of an order demands of screeners, and what each said last; undefined where it demands nothing. */
export async function screeningsOf(view: ViewContext, row: OrderRow) {
  const policy = await view.policy(row.policy_version)
  if (!asksForScreening(policy)) return undefined
  const { asked, kept } = await screeningOfOrder(view.tx, policy, { row, intent: intentOf(row) }, view.nowMs)
  if (asked.length === 0) return undefined
  return asked.map(({ rule, levels, withinMs, state }) => {
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
}
