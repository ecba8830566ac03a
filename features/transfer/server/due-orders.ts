import type { ServerContext } from '@holdfast/features/context'
import type { OrderId, OrganisationId, WalletId } from '@holdfast/units'
import { sql } from 'kysely'
import { asOrderState, type OrderState } from './order/states.ts'

/** An order that can perhaps be taken further now. */
export type Due = {
  orgId: OrganisationId
  orderId: OrderId
  walletId: WalletId
  payer: string
  state: OrderState
  /** Whether a slot of its address is leased to it and no bytes are signed: all others of the address wait for it, older ones too. */
  holdsSlot: boolean
}

/** So many are looked at for each wallet, and in all: wallets take turns, so that none waits because another has much to do. */
const OF_WALLET_MAX = 500
const IN_ALL_MAX = 5_000

/** What has begun comes first, since others may wait for its slot; then what a person or a machine asked for, then what moves under a standing order. */
const TURN = sql<bigint>`row_number() over (
  partition by org_id, wallet_id order by state in ('approving', 'approved'), standing_order_id is not null, created_at, id)`

/** States that stand in the text of a question: only there the database knows, before it is asked, which index has what is not final. */
const literally = (...states: OrderState[]) => states.map((state) => sql.lit(state))

/**
 * The orders that are not final and wait neither for people nor for the chain, those of each wallet in their turn: a payment does not wait for a thousand
 * deposits that are being collected.
 */
export async function dueOrders({ db, ports }: Pick<ServerContext, 'db' | 'ports'>): Promise<Due[]> {
  const nowMs = BigInt(ports.clock.nowMs())
  const rows = await db.readSystem((tx) =>
    tx
      .selectFrom((all) =>
        all
          .selectFrom('transfer_order')
          .select(['org_id', 'id', 'wallet_id', 'chain', 'address_from', 'state'])
          .select((row) =>
            row
              .exists(
                row
                  .selectFrom('slot_lease')
                  .select('slot')
                  .whereRef('slot_lease.org_id', '=', 'transfer_order.org_id')
                  .whereRef('slot_lease.order_id', '=', 'transfer_order.id')
                  .where('slot_lease.state', '=', sql.lit('leased')),
              )
              .as('holds_slot'),
          )
          .select(TURN.as('turn'))
          .where('is_final', '=', sql.lit(false))
          // An order about another payment has its transaction there, and is sent with it.
          .where((row) => row.or([row('replaces', 'is', null), row('state', '<>', sql.lit('broadcasting'))]))
          // A signed authorization waits for the transaction that carries it.
          .where((row) => row.or([row('kind', '<>', sql.lit('authorize')), row('state', '<>', sql.lit('broadcasting'))]))
          .where((row) =>
            row.or([
              row('state', 'in', literally('signing', 'alarmed', 'broadcasting')),
              // One that waits after its last approval holds nobody up.
              row.and([row('state', '=', sql.lit('approved')), row.or([row('signable_at', 'is', null), row('signable_at', '<=', nowMs)])]),
              row.and([
                row('state', '=', sql.lit('pending')),
                row.exists(
                  row
                    .selectFrom('order_transaction')
                    .select('number')
                    .whereRef('order_transaction.org_id', '=', 'transfer_order.org_id')
                    .whereRef('order_transaction.order_id', '=', 'transfer_order.id')
                    .where('raw_tx', 'is', null)
                    .where('ended_at', 'is', null),
                ),
              ]),
              row.and([row('state', 'in', literally('approving', 'approved')), row('expires_at', '<', nowMs)]),
              row.and([
                row('state', 'in', literally('approving', 'approved')),
                row.exists(
                  row
                    .selectFrom('policy_version')
                    .select('version')
                    .whereRef('policy_version.org_id', '=', 'transfer_order.org_id')
                    .whereRef('policy_version.version', '>', 'transfer_order.policy_version'),
                ),
              ]),
            ]),
          )
          .as('due'),
      )
      .selectAll()
      .where('turn', '<=', sql.lit(BigInt(OF_WALLET_MAX)))
      .orderBy('turn')
      .orderBy('id')
      .limit(sql.lit(IN_ALL_MAX))
      .execute(),
  )
  return rows.map((row) => ({
    orgId: row.org_id,
    orderId: row.id,
    walletId: row.wallet_id,
    payer: `${row.chain}|${row.address_from}`,
    state: asOrderState(row.state),
    holdsSlot: Boolean(row.holds_slot),
  }))
}
