import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { type Networks, protocolFor, protocolsFor } from '@holdfast/features/network/server'

/**
 * The protocols of the keys that a wallet can get beside those it has: each signs on a network on which none of its keys does, and on none on which one does,
 * for which key signs on a network never changes.
 */
export function protocolsToAdd(networks: Pick<Networks, 'list'>, present: readonly string[]): string[] {
  const chains = networks.list().map(({ chain }) => chain)
  const isHarmless = (protocol: string) =>
    chains.every((chain) => protocolFor(chain, present) === undefined || protocolFor(chain, [...present, protocol]) === protocolFor(chain, present))
  const isOfUse = (protocol: string) => chains.some((chain) => protocolFor(chain, present) === undefined && protocolFor(chain, [protocol]) !== undefined)
  return protocolsFor(networks).filter((protocol) => !present.includes(protocol) && isOfUse(protocol) && isHarmless(protocol))
}

const askAdded = writtenOnce((db, { orgId }: { orgId: string }) =>
  db
    .selectFrom('added_key')
    .innerJoin('wallet_key', (join) => join.onRef('wallet_key.org_id', '=', 'added_key.org_id').onRef('wallet_key.key_id', '=', 'added_key.key_id'))
    .select(['added_key.wallet_id', 'wallet_key.state'])
    .where('added_key.org_id', '=', orgId)
    .where('added_key.owned_at', 'is', null),
)

/** How the key stands that a wallet is getting, by the wallet; null if it is getting none. */
export async function readAddedKeys(tx: OrganisationTx): Promise<(walletId: string) => 'making' | 'failed' | null> {
  const rows = await askAdded(tx, { orgId: tx.orgId })
  const states = new Map(rows.map(({ wallet_id: id, state }) => [id, state === 'failed' ? ('failed' as const) : ('making' as const)]))
  return (walletId) => states.get(walletId) ?? null
}
