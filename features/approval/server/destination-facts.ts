import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { OrderRow } from '@holdfast/features/transfer/server'
import { inspectAddress } from '@holdfast/features/known-address/server'

/** What the server knows of a destination. The page shows it as the server's word: it may warn, and never reassures. */
export type DestinationFacts = { first_time: boolean; contract: boolean | null; own: boolean; similar: { address: string; kind: 'own' | 'paid_before' }[] }

type Needs = Pick<ServerContext, 'networks'>

/** Whether the destination is a contract, as the chain says; null if the chain does not answer. Asked outside of any transaction. */
export async function askIfContract({ networks }: Needs, { chain, address_to: to }: OrderRow): Promise<boolean | null> {
  const network = networks.list().find((each) => each.chain === chain)
  return network ? network.node.isContract(to).catch(() => null) : null
}

/** The other facts, or null for a network that this server does not have any more. */
export async function destinationFacts(tx: OrganisationTx, { networks }: Needs, row: OrderRow): Promise<Omit<DestinationFacts, 'contract'> | null> {
  const network = networks.list().find((each) => each.chain === row.chain)
  if (!network) return null
  const { own, firstSeen, similarTo } = await inspectAddress(tx, network, row.address_to)
  return { first_time: firstSeen, own: own !== null, similar: similarTo }
}
