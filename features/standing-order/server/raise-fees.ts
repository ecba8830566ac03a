import type { ServerContext } from '@holdfast/features/context'
import type { OrganisationTx } from '@holdfast/db'
import { raiseFee, readOrder, whyNotRaised } from '@holdfast/features/transfer/server'
import type { OrderId, OrganisationId } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'
import type { NarrowedAsset } from './choose/narrowing.ts'

/** So many fees are raised in one look; the next look goes on. */
const RAISES_AT_ONCE = 50

/**
 * Raises the fees of moves that no block took in the time that the rule of their asset gives them, within what each may cost at most. Signers judge the new
 * bytes as those before, and the standing order with them. Each is raised in a transaction of its own, so that none holds up whoever else tells news. Answers
 * how many it raised.
 */
export async function raiseFees(
  needs: Pick<ServerContext, 'db' | 'ports' | 'networks'>,
  orgId: OrganisationId,
  standingOrderId: string,
  assets: readonly Pick<NarrowedAsset, 'chain' | 'contract' | 'raise'>[],
): Promise<number> {
  const nowMs = needs.ports.clock.nowMs()
  let raised = 0
  for (const { chain, contract, raise } of assets) {
    if (!raise) continue
    // Tries that signers or the node did not carry out count too: what cannot be raised is not tried without end.
    const { rows } = await needs.db.asOrganisation(orgId, (tx) =>
      sql<{ id: OrderId }>`
        select o.id ${waiting(tx, standingOrderId, nowMs - raise.afterMs)}
          and count(*) <= ${raise.times} and o.chain = ${chain} and o.contract = ${contract} order by o.id limit ${RAISES_AT_ONCE}`.execute(tx),
    )
    for (const { id } of rows) {
      const outcome = await needs.db.asOrganisation(orgId, (tx) => raiseFee(tx, needs, id, { askedBy: null, reason: '' }))
      if ('raised' in outcome) raised++
    }
  }
  return raised
}

/** The moves under a standing order that no block took, and for which nothing was tried since a time, as the end of a query that is grouped by the order `o`. */
const waiting = ({ orgId }: OrganisationTx, standingOrderId: string, sinceMs: number): RawBuilder<unknown> => sql`
  from transfer_order o join order_transaction made on made.org_id = o.org_id and made.order_id = o.id
    where o.org_id = ${orgId} and o.standing_order_id = ${standingOrderId}::uuid and not o.is_final and o.state = 'pending'
    group by o.org_id, o.id having max(greatest(made.created_at, coalesce(made.signed_at, 0))) <= ${sinceMs}`

/**
 * The moves that wait and whose fee is raised no further by itself, each with the most that it may cost: it offers all of that, it was raised as often as a
 * rule says, or its approval is of before. A person can have a higher fee approved for it.
 */
export async function readUnraised(
  tx: OrganisationTx,
  needs: Pick<ServerContext, 'ports' | 'networks'>,
  standingOrderId: string,
  { afterMs, times }: NonNullable<NarrowedAsset['raise']>,
): Promise<ReadonlyMap<OrderId, bigint>> {
  const { rows } = await sql<{ id: OrderId; tries: bigint }>`
    select o.id, count(*) as tries ${waiting(tx, standingOrderId, needs.ports.clock.nowMs() - afterMs)}`.execute(tx)
  const unraised = new Map<OrderId, bigint>()
  for (const { id, tries } of rows) {
    const order = await readOrder(tx, id)
    const why = order && (await whyNotRaised(tx, needs, order))
    if (order && (why === 'at_cap' || why === 'late' || (why === undefined && tries > BigInt(times)))) unraised.set(id, order.row.fee_cap)
  }
  return unraised
}
