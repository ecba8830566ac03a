import type { ServerContext } from '@holdfast/features/context'
import { raiseFee } from '@holdfast/features/transfer/server'
import type { OrderId, OrganisationId } from '@holdfast/units'
import { sql } from 'kysely'
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
        select o.id from transfer_order o join order_transaction made on made.org_id = o.org_id and made.order_id = o.id
          where o.org_id = ${tx.orgId} and o.standing_order_id = ${standingOrderId}::uuid and not o.is_final and o.state = 'pending'
            and o.chain = ${chain} and o.contract = ${contract}
          group by o.id having count(*) <= ${raise.times} and max(greatest(made.created_at, coalesce(made.signed_at, 0))) <= ${nowMs - raise.afterMs}
          order by o.id limit ${RAISES_AT_ONCE}`.execute(tx),
    )
    for (const { id } of rows) {
      const outcome = await needs.db.asOrganisation(orgId, (tx) => raiseFee(tx, needs, id, { askedBy: null, reason: '' }))
      if ('raised' in outcome) raised++
    }
  }
  return raised
}
