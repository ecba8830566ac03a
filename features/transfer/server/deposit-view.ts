import type { Schema } from '@holdfast/db'
import type { Selectable } from 'kysely'
import { moneyFields, UNASKED } from './money-fields.ts'
import { confirmationsOf } from './order-view.ts'
import type { ViewContext } from './view-context.ts'
import type { WaitingClaim } from './read-claims.ts'
import { claimText, confirmingText, waitText } from './words.ts'

export type DepositRow = Selectable<Schema['deposit']>

/** The numbers by which the interface tells the state of a deposit. */
export const DEPOSIT_STATUS = { unconfirmed: 1000, confirmed: 1100, credited: 2000, reversed: 3000 } as const
const SUB_STATUS = { unconfirmed: 'unconfirmed', confirmed: 'confirming', credited: 'ok', reversed: 'reorged' } as const

/** A deposit as lists show it, with what was said of it and waits for another person where it is held. */
export function depositView(view: ViewContext, row: DepositRow, claim?: WaitingClaim) {
  const network = view.networks.find(row.chain)
  const waits = row.state === 'unconfirmed' || row.state === 'confirmed'
  const { done, need } = row.state === 'reversed' ? { done: 0, need: network?.finalityBlocks ?? 0 } : confirmationsOf(view, row.chain, row.height)
  return {
    ...moneyFields(view, row),
    ...UNASKED,
    id: row.id,
    type: 'deposit' as const,
    symbol: row.symbol,
    address_from: row.from_address === '' ? null : row.from_address,
    address_to: row.address,
    memo: row.memo,
    txid: row.found_in === 'balance' ? null : row.txid,
    found_in: row.found_in,
    status: DEPOSIT_STATUS[row.state],
    sub_status: row.sub_status ?? SUB_STATUS[row.state],
    next_action: claim
      ? { action: 'approve' as const, who: claim.who, text: claimText(claim, view.language) }
      : waits
        ? { action: 'wait' as const, who: [], text: waitText(row.sub_status ?? '', view.language) || confirmingText(done, need, view.language) }
        : { action: 'none' as const, who: [], text: '' },
    confirmations: done,
    need_confirmations: need,
    tx_height: String(row.height),
    created_at: Number(row.created_at),
    updated_at: Number(row.updated_at),
  }
}

/** A deposit's story, from the times its row keeps. */
export function depositTimeline(row: DepositRow) {
  const step = (state: keyof typeof DEPOSIT_STATUS, at: bigint) => ({ state, sub_status: SUB_STATUS[state], at: Number(at), actor: 'chain', reason: null })
  return [
    step('unconfirmed', row.created_at),
    ...(row.credited_at === null ? [] : [step('credited', row.credited_at)]),
    ...(row.reversed_at === null ? [] : [step('reversed', row.reversed_at)]),
    ...(row.state === 'confirmed' ? [step('confirmed', row.updated_at)] : []),
  ]
}
