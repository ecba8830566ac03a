import type { CoversDraft } from '@holdfast/features/rule-draft/contract'
import type { NamedDraft } from '@holdfast/features/rule-draft/console'

type Trades = Extract<CoversDraft, { kind: 'trades' }>

/** The lines on which something stands. */
const filled = (lines: readonly string[]) => lines.filter((line) => line !== '')

/** What a rule is about without what was typed around it, and without bounds where it refuses. */
export function settledCovers({ covers, action }: Pick<NamedDraft, 'covers' | 'action'>): CoversDraft {
  const refuses = action.kind === 'refuse'
  if (covers.kind === 'trades') return settledTrades(covers, refuses)
  if (covers.kind === 'calls') {
    const bounds = refuses ? { max_value: '0', max_tokens: '0', unlimited_allowances: false } : {}
    return { ...covers, ...bounds, contracts: filled(covers.contracts), functions: filled(covers.functions) }
  }
  if (covers.kind !== 'stake') return covers
  return { ...covers, ...(refuses && { max_amount: '0', max_lock_blocks: 0 }), receivers: covers.receivers && filled(covers.receivers) }
}

/** Trades as they are proposed: a rule that refuses without bounds. */
function settledTrades(covers: Trades, refuses: boolean): Trades {
  const router = covers.router.trim()
  if (refuses) return { ...covers, router, gives: covers.gives.map(({ asset }) => ({ asset, at_most: null })), slippage_percent: null, deadline_s: null }
  const gives = covers.gives.map(({ asset, at_most: most }) => ({ asset, at_most: most?.trim() || null }))
  return { ...covers, router, gives, slippage_percent: covers.slippage_percent?.trim() || null }
}
