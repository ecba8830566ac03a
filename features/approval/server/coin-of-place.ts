import type { ServerContext } from '@holdfast/features/context'
import { type OrderRow, readOrder } from '@holdfast/features/transfer/server'
import type { OrganisationTx } from '@holdfast/db'

/**
 * The coin, as `<txid>:<index>`, whose digest is the place on the chain of an order about a payment: the first one that the payment spends. Null for every
 * other order, and on chains without coins. The approval page compares the digest, so that it need not trust the server.
 */
export async function coinOfPlace(tx: OrganisationTx, networks: ServerContext['networks'], { replaces, chain }: OrderRow): Promise<string | null> {
  const codec = networks.find(chain)?.codec
  if (replaces === null || codec?.slotRule !== 'anchor-input') return null
  const payment = await readOrder(tx, replaces)
  const unsigned = payment?.transactions.find(({ unsigned_tx }) => unsigned_tx !== null)?.unsigned_tx
  return (unsigned && codec.decode(unsigned).inputs?.[0]?.outpoint) ?? null
}
