import type { Schema } from '@holdfast/db'
import { contractFields } from '@holdfast/features/network/server'
import { formatAmount } from '@holdfast/units'
import type { Selectable } from 'kysely'
import { confirmationsOf } from './order-view.ts'
import type { ViewContext } from './view-context.ts'
import { confirmingText, waitText } from './words.ts'

export type DepositRow = Selectable<Schema['deposit']>
export type WaitingRow = Selectable<Schema['waiting_deposit']>

/** The numbers by which the interface tells the state of a deposit; the last two are of those that no block has. */
export const DEPOSIT_STATUS = { unconfirmed: 1000, confirmed: 1100, credited: 2000, reversed: 3000, waiting: 1000, gone: 3000 } as const
const SUB_STATUS = { unconfirmed: 'unconfirmed', confirmed: 'confirming', credited: 'ok', reversed: 'reorged' } as const

/** What lists show of a deposit, whether or not a block has it. */
type Shown = Pick<
  DepositRow,
  'id' | 'chain' | 'contract' | 'sub_wallet_id' | 'symbol' | 'amount' | 'from_address' | 'address' | 'memo' | 'found_in' | 'txid' | 'created_at' | 'updated_at'
> & { state: keyof typeof DEPOSIT_STATUS; sub_status: string; height: bigint | null; isOver: boolean }

/** A deposit as lists show it. */
export function depositView(view: ViewContext, row: DepositRow) {
  const isOver = row.state === 'credited' || row.state === 'reversed'
  // What no chain has any more stands nowhere.
  return shown(view, { ...row, sub_status: row.sub_status ?? SUB_STATUS[row.state], isOver }, row.state === 'reversed' ? null : row.height)
}

/** The same of a deposit that no block has: it waits for one, or is gone. */
export function waitingView(view: ViewContext, row: WaitingRow) {
  const state = row.state === 'waiting' ? ('waiting' as const) : ('gone' as const)
  return shown(view, { ...row, state, memo: null, found_in: 'transaction', height: null, isOver: state === 'gone' }, null)
}

function shown(view: ViewContext, row: Shown, confirmedFrom: bigint | null) {
  const network = view.networks.find(row.chain)
  const asset = view.networks.byContract(row.chain, row.contract)
  const coin = network?.assets.find((each) => each.contract === null)
  const { done, need } = confirmationsOf(view, row.chain, confirmedFrom)
  const subWallet = view.subWallet(row.sub_wallet_id)
  return {
    id: row.id,
    type: 'deposit' as const,
    request_id: null,
    wallet_id: subWallet.walletId,
    sub_wallet_id: row.sub_wallet_id,
    sub_wallet_name: subWallet.name,
    symbol: row.symbol,
    base_symbol: coin?.symbol ?? '',
    chain: row.chain,
    network: network?.name ?? row.chain,
    ...contractFields(row.contract),
    amount: formatAmount(row.amount, asset?.decimals ?? 0),
    address_from: row.from_address === '' ? null : row.from_address,
    address_to: row.address,
    call: null,
    memo: row.memo,
    txid: row.found_in === 'balance' ? null : row.txid,
    found_in: row.found_in,
    fee_symbol: coin?.symbol ?? '',
    fee: null,
    real_fee: null,
    status: DEPOSIT_STATUS[row.state],
    sub_status: row.sub_status,
    next_action: row.isOver
      ? { action: 'none' as const, who: [], text: '' }
      : { action: 'wait' as const, who: [], text: waitText(row.sub_status, view.language) || confirmingText(done, need, view.language) },
    confirmations: done,
    need_confirmations: need,
    tx_height: row.height === null ? null : String(row.height),
    initiator: null,
    approvals: null,
    remark: '',
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
export function waitingTimeline(row: WaitingRow) {
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
