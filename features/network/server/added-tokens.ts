import type { Database, OrganisationTx } from '@holdfast/db'
import type { AddedAsset, Network, NetworkAsset, Networks } from './types.ts'

/*
 * Tokens that organisations asked for and that whoever runs the server did not list. Each counts for those alone whose policy names it. What is open is kept in
 * the database and taken into the networks of each program that runs.
 */

/** The tokens that an organisation asked for and whose approval is still to come. */
export async function appliedTokens(tx: OrganisationTx): Promise<NetworkAsset[]> {
  return tx
    .selectFrom('added_token')
    .select(['chain', 'contract', 'symbol', 'decimals'])
    .where('org_id', '=', tx.orgId)
    .where('state', '=', 'applied')
    .orderBy('created_at')
    .execute()
}

/** Opens the tokens that the organisation's policy names from now on, also one that somebody refused while its version was being approved. */
export async function openTokens(tx: OrganisationTx, named: readonly { chain: string; contract: string | null }[], nowMs: number): Promise<void> {
  const opened = { state: 'open' as const, opened_at: nowMs, refused_by: null, refused_at: null, refusal: null }
  for (const { chain, contract } of named) {
    if (contract === null) continue
    await tx
      .updateTable('added_token')
      .set(opened)
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('contract', '=', contract)
      .where('state', '<>', 'open')
      .execute()
  }
}

/** Takes what is open by now into the networks. */
export async function loadAddedTokens(db: Database, networks: Pick<Networks, 'list'>): Promise<void> {
  const rows = await db.readSystem((tx) =>
    tx.selectFrom('added_token').select(['org_id', 'chain', 'contract', 'symbol', 'decimals']).where('state', '=', 'open').orderBy('opened_at').execute(),
  )
  for (const network of networks.list()) for (const row of rows) if (row.chain === network.chain) takeIn(network, row)
}

type Opened = NetworkAsset & { org_id: string; contract: string }

function takeIn(network: Network, { org_id: orgId, chain, contract, symbol, decimals }: Opened): void {
  // Whoever runs the server may have listed it since; then it is listed for everybody.
  if (network.assets.some((each) => each.contract === contract)) return
  const known = network.added?.find((each) => each.contract === contract)
  if (known) return void known.organisations.add(orgId)
  for (const node of [network.node, ...(network.witnesses ?? [])]) node.contracts?.watch(contract)
  const asset: AddedAsset = { chain, contract, symbol, decimals, organisations: new Set([orgId]) }
  network.added = [...(network.added ?? []), asset]
}

/**
 * Says from which block on the reader of a chain knows the tokens that are new, so that what came before can be read again. To be called by the reader after it
 * took them in, before it reads on.
 */
export async function noteReader({ db }: { db: Database }, { chain, added = [] }: Network, height: bigint): Promise<void> {
  if (added.length === 0) return
  await db.asSystem(async (tx) => {
    const fresh = await tx
      .selectFrom('added_token')
      .select('id')
      .where('chain', '=', chain)
      .where('state', '=', 'open')
      .where('opened_height', 'is', null)
      .execute()
    if (fresh.length === 0) return
    await tx
      .updateTable('added_token')
      .set({ opened_height: height })
      .where('chain', '=', chain)
      .where('state', '=', 'open')
      .where('opened_height', 'is', null)
      .where(
        'contract',
        'in',
        added.map(({ contract }) => contract),
      )
      .execute()
  })
}
