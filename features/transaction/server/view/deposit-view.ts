import type { Language } from '@holdfast/contract'
import type { Schema } from '@holdfast/db'
import type { PendingDeposit } from '@holdfast/features/transfer/server'
import type { Selectable } from 'kysely'
import { moneyFields, UNASKED } from './money-fields.ts'
import { confirmationsOf } from './order-view.ts'
import type { ViewContext } from './view-context.ts'
import type { WaitingClaim } from './read-claims.ts'
import { claimText, confirmingText, waitText } from './words.ts'

export type DepositRow = Selectable<Schema['deposit']>

/** The numbers by which the interface tells the state of a deposit; the last two are of those that no block has. */
export const DEPOSIT_STATUS = { unconfirmed: 1000, confirmed: 1100, credited: 2000, reversed: 3000, waiting: 1000, gone: 3000 } as const
const SUB_STATUS = { unconfirmed: 'unconfirmed', confirmed: 'confirming', credited: 'ok', reversed: 'reorged' } as const

/** What lists show of a deposit, whether or not a block has it. */
type Shown = Pick<
  DepositRow,
  'id' | 'chain' | 'contract' | 'sub_wallet_id' | 'symbol' | 'amount' | 'from_address' | 'address' | 'memo' | 'found_in' | 'txid' | 'created_at' | 'updated_at'
> & { state: keyof typeof DEPOSIT_STATUS; sub_status: string; height: bigint | null; isOver: boolean }

/** A deposit as lists show it, with what was said of it and waits for another person where it is held. */
export function depositView(view: ViewContext, row: DepositRow, claim?: WaitingClaim) {
  const isOver = row.state === 'credited' || row.state === 'reversed'
  // What no chain has any more stands nowhere.
  return shown(view, { ...row, sub_status: row.sub_status ?? SUB_STATUS[row.state], isOver }, row.state === 'reversed' ? null : row.height, claim)
}

/** The same of a deposit that no block has: it waits for one, or is gone. */
export function pendingView(view: ViewContext, row: PendingDeposit) {
  const state = row.state === 'waiting' ? ('waiting' as const) : ('gone' as const)
  return shown(view, { ...row, state, memo: null, found_in: 'transaction', height: null, isOver: state === 'gone' }, null)
}

function nextOf({ isOver, sub_status: subStatus }: Shown, { done, need }: { done: number; need: number }, claim: WaitingClaim | undefined, language: Language) {
  if (claim) return { action: 'approve' as const, who: claim.who, text: claimText(claim, language) }
  if (isOver) return { action: 'none' as const, who: [], text: '' }
  return { action: 'wait' as const, who: [], text: waitText(subStatus, language) || confirmingText(done, need, language) }
}

function shown(view: ViewContext, row: Shown, confirmedFrom: bigint | null, claim?: WaitingClaim) {
  const confirmations = confirmationsOf(view, row.chain, confirmedFrom)
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
    sub_status: row.sub_status,
    next_action: nextOf(row, confirmations, claim, view.language),
    confirmations: confirmations.done,
    need_confirmations: confirmations.need,
    tx_height: row.height === null ? null : String(row.height),
    created_at: Number(row.created_at),
    updated_at: Number(row.updated_at),
  }
}

/** A deposit's story, from the times its row keeps. */
export function depositTimeline(row: DepositRow) {
  const step = (state: keyof typeof SUB_STATUS, at: bigint) => ({ state, sub_status: SUB_STATUS[state], at: Number(at), actor: 'chain', reason: null })
  return [
    step('unconfirmed', row.created_at),
    ...(row.credited_at === null ? [] : [step('credited', row.credited_at)]),
    ...(row.reversed_at === null ? [] : [step('reversed', row.reversed_at)]),
    ...(row.state === 'confirmed' ? [step('confirmed', row.updated_at)] : []),
  ]
}

/** The story of a deposit that no block has; where it was replaced, by which transaction. */
export function pendingTimeline(row: PendingDeposit) {
  const step = (state: string, subStatus: string, at: bigint, reason: string | null) => ({
    state,
    sub_status: subStatus,
    at: Number(at),
    actor: 'chain',
    reason,
  })
  return [
    step('waiting', 'mempool', row.created_at, null),
    ...(row.state === 'gone' ? [step(row.sub_status, row.sub_status, row.updated_at, row.replaced_by)] : []),
  ]
}
