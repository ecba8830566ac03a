import { sql } from 'kysely'
import { moneyFields, UNASKED } from './money-fields.ts'
import { confirmationsOf } from './order-view.ts'
import type { AllowanceSpendRow } from './read-rows.ts'
import type { ViewContext } from './view-context.ts'
import { confirmingText } from './words.ts'

/** The numbers by which the interface tells the state of an allowance spend. */
export const SPEND_STATUS = { seen: 1100, booked: 2000, reversed: 3000 } as const

/** Allowance spends with their states as lists know them. */
export const SPENDS = sql`(select p.*,
  case when p.reversed_at is not null then 'reversed' when p.booked_at is not null then 'booked' else 'seen' end as state,
  case when p.reversed_at is not null then 'reorged' when p.booked_at is null then 'confirming'
    when p.acknowledged_at is null then 'unacknowledged' else 'ok' end as sub_status
  from token_pull p)`

function statesOf({ booked_at, reversed_at, acknowledged_at }: AllowanceSpendRow) {
  if (reversed_at !== null) return { state: 'reversed', subStatus: 'reorged' } as const
  if (booked_at === null) return { state: 'seen', subStatus: 'confirming' } as const
  return { state: 'booked', subStatus: acknowledged_at === null ? 'unacknowledged' : 'ok' } as const
}

/** What somebody took under an allowance, as lists show it. */
export function allowanceSpendView(view: ViewContext, row: AllowanceSpendRow) {
  const network = view.networks.find(row.chain)
  const { state, subStatus } = statesOf(row)
  const { done, need } = state === 'reversed' ? { done: 0, need: network?.finalityBlocks ?? 0 } : confirmationsOf(view, row.chain, row.height)
  // Accounts date what moved by this, and what a person says of it later moves nothing.
  const times = [row.created_at, row.booked_at ?? 0n, row.reversed_at ?? 0n]
  return {
    ...moneyFields(view, row),
    ...UNASKED,
    id: row.id,
    type: 'pull' as const,
    symbol: view.networks.byContract(row.chain, row.contract)?.symbol ?? row.contract.slice(0, 32),
    address_from: row.address,
    address_to: row.to_address,
    taken_by: row.taken_by,
    memo: null,
    txid: row.txid,
    status: SPEND_STATUS[state],
    sub_status: subStatus,
    next_action:
      state === 'seen' ? { action: 'wait' as const, who: [], text: confirmingText(done, need, view.language) } : { action: 'none' as const, who: [], text: '' },
    confirmations: done,
    need_confirmations: need,
    tx_height: String(row.height),
    created_at: Number(row.created_at),
    updated_at: Math.max(...times.map(Number)),
  }
}

/** The timeline of an allowance spend, from the times its row keeps. */
export function allowanceSpendTimeline({ personName }: Pick<ViewContext, 'personName'>, row: AllowanceSpendRow) {
  const step = (state: string, at: bigint | null, actor = 'chain') => (at === null ? [] : [{ state, sub_status: '', at: Number(at), actor, reason: null }])
  return [
    ...step('unconfirmed', row.created_at),
    ...step('booked', row.booked_at),
    ...(row.acknowledged_by === null ? [] : step('acknowledged', row.acknowledged_at, personName(row.acknowledged_by))),
    ...step('reversed', row.reversed_at),
  ].toSorted((a, b) => a.at - b.at)
}
