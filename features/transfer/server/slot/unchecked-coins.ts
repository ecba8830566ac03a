import { POSTAGE_MAX } from '@holdfast/chain-core'
import type { OrganisationTx, SystemTx } from '@holdfast/db'

/** The first block that can hold an inscription, if the chain is older than inscriptions. */
const FIRST_INSCRIPTIONS: Record<string, bigint> = { 'bip122:000000000019d6689c085ae165831e93': 767_430n }

/** The block from which a chain is read for inscriptions, and whether that is early enough to know all of them. */
export type InscriptionReading = { fromHeight: bigint; isWhole: boolean }

/** How a chain is read for inscriptions; undefined if it has not been read. */
export async function inscriptionReading(tx: OrganisationTx | SystemTx, chain: string): Promise<InscriptionReading | undefined> {
  const row = await (tx as SystemTx).selectFrom('inscription_reading').select('from_height').where('chain', '=', chain).executeTakeFirst()
  return row && { fromHeight: row.from_height, isWhole: row.from_height <= (FIRST_INSCRIPTIONS[chain] ?? 1n) }
}

/**
 * Coins from outside that may carry an unknown inscription: as small as those coins are, on a chain that is not read from its first inscription on. A
 * person who has looked unlocks them one by one. Empty if the reading is complete, since then every inscription is followed.
 */
export async function uncheckedCoins(tx: OrganisationTx, { chain, address }: { chain: string; address: string }): Promise<Set<string>> {
  const reading = await inscriptionReading(tx, chain)
  if (reading?.isWhole) return new Set()
  const coins = await tx
    .selectFrom('deposit')
    .select(['txid', 'tx_index'])
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('contract', '=', '')
    .where('amount', '<=', POSTAGE_MAX)
    .where('state', '<>', 'reversed')
    .execute()
  const checked = await tx
    .selectFrom('coin_lock')
    .select('outpoint')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('unlocked_at', 'is not', null)
    .execute()
  const names = new Set(coins.map(({ txid, tx_index }) => `${txid}:${tx_index}`))
  for (const { outpoint } of checked) names.delete(outpoint)
  return names
}
