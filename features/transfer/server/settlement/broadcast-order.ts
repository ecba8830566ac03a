import type { ServerContext } from '@holdfast/features/context'
import { ChainError } from '@holdfast/chain-core'
import type { OrderId, OrganisationId } from '@holdfast/units'
import { subjectKind } from '../order/kinds/index.ts'
import { moveOrder, noteOrder } from '../order/move.ts'
import { newestSigned } from '../order/order-transactions.ts'
import { readOrder } from '../order/read-order.ts'

export type ChainNeeds = Pick<ServerContext, 'ports' | 'db' | 'networks'>

/**
 * Sends stored bytes, these and never others, however often: those of the newest transaction, which pays the highest fee. Anything but an acceptance says
 * nothing about what the chain will do, so the order stays as it is and the bytes are sent again. True if a node has accepted them.
 */
export async function broadcastOrder({ ports, db, networks }: ChainNeeds, orgId: OrganisationId, orderId: OrderId): Promise<boolean> {
  const order = await db.readOrganisation(orgId, (tx) => readOrder(tx, orderId))
  // An order about another payment has its transaction there.
  if (order && order.row.replaces !== null) return broadcastOrder({ ports, db, networks }, orgId, order.row.replaces)
  // An authorization is no transaction: that of another order carries it.
  if (order?.state !== 'broadcasting' || subjectKind(order.payment).isCarried) return true
  const node = networks.find(order.row.chain)?.node
  const sent = node
    ? await node.broadcast(newestSigned(order).raw_tx).catch(unknownOutcome)
    : unknownOutcome(new ChainError(`the network ${order.row.chain} is not configured on this server`))
  await db.asOrganisation(orgId, async (tx) => {
    const present = await readOrder(tx, orderId, true)
    // A newer transaction may have been signed meanwhile: the outcome of this one says nothing of it.
    if (present?.state !== 'broadcasting' || newestSigned(present).number !== newestSigned(order).number) return
    if (sent.outcome === 'accepted') await moveOrder(tx, { ports }, present, { event: 'accept', actor: 'chain' })
    else await noteOrder(tx, { ports }, present, { subStatus: 'broadcast_unknown', actor: 'chain', reason: sent.reason })
  })
  return sent.outcome === 'accepted'
}

function unknownOutcome(cause: unknown): { outcome: 'unknown'; reason: string } {
  if (!(cause instanceof ChainError)) throw cause
  return { outcome: 'unknown', reason: cause.message }
}
