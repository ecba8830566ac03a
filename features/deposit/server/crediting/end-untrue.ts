import { actForOrganisation, type OrganisationTx, type SystemTx } from '@holdfast/db'
import { assetByContract, nameOfAsset, type Network, setAlarms } from '@holdfast/features/network/server'
import { announceAll } from '@holdfast/jobs'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import type { ScanNeeds } from '../reading/advance.ts'

/** The sub-status of a payment that a source reported and that its block never had. */
const NEVER_THERE = 'never_there'

type Written = { id: string; contract: string; address: string; amount: bigint; txid: string; height: bigint }

/** A payment in words, for an alarm. */
export function wordsOfPayment(network: Network, { contract, address, amount, txid, height }: Omit<Written, 'id'>): string {
  const asset = assetByContract(network, contract)
  const shown = asset ? `${formatAmount(amount, asset.decimals)} ${nameOfAsset(asset)}` : `${amount} of ${contract}`
  return `${shown} to ${address} in ${txid}, block ${height}`
}

/**
 * Ends a payment that was read and that two sources now say was never in its block: it is reversed and credited to nobody, an alarm names the source, and
 * reading goes on. What the block really has may be written beside it. If it was credited before, it stays so, and only the alarm reports it. Call it only
 * if at least two sources agree. True if it ended now.
 */
export async function endUntrue(tx: OrganisationTx, { ports }: Pick<ScanNeeds, 'ports'>, network: Network, depositId: string): Promise<boolean> {
  const row = await tx.selectFrom('deposit').selectAll().where('org_id', '=', tx.orgId).where('id', '=', depositId).forNoKeyUpdate().executeTakeFirst()
  if (!row || row.state === 'reversed') return false
  const isCredited = row.state === 'credited'
  const reason = `source 1 told of ${wordsOfPayment(network, row)}, and no second source has such a payment in this block. ${
    isCredited ? 'It was credited before and stays so until somebody has looked.' : 'It is not credited.'
  }`
  await setAlarms(tx, ports, ['untold'], [], [{ chain: row.chain, contract: row.contract, place: row.address, cause: 'untold', reason }])
  if (isCredited) return false
  const nowMs = Math.max(ports.clock.nowMs(), Number(row.created_at))
  await tx
    .updateTable('deposit')
    .set({ state: 'reversed', sub_status: NEVER_THERE, confirmations: 0n, reversed_at: nowMs, updated_at: nowMs, untrue: await nextUntrue(tx, row) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', depositId)
    .execute()
  await announceAll(tx, ports, [{ topic: 'deposit.changed', ids: { deposit_id: depositId, sub_wallet_id: row.sub_wallet_id } }])
  return true
}

type Key = { chain: string; txid: string; tx_index: number; block_hash: string }

async function nextUntrue(tx: OrganisationTx, { chain, txid, tx_index, block_hash }: Key): Promise<number> {
  const { last } = await tx
    .selectFrom('deposit')
    .select(sql<number>`max(untrue)`.as('last'))
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('txid', '=', txid)
    .where('tx_index', '=', tx_index)
    .where('block_hash', '=', block_hash)
    .executeTakeFirstOrThrow()
  return last + 1
}

/** The same for several organisations, in the reader's own transaction. */
export async function endAllUntrue(tx: SystemTx, needs: ScanNeeds, network: Network, rows: readonly { org_id: string; id: string }[]): Promise<void> {
  for (const [orgId, own] of [...Map.groupBy(rows, (row) => row.org_id)].sort(([a], [b]) => (a < b ? -1 : 1)))
    await actForOrganisation(tx, orgId, async (ours) => {
      for (const { id } of own) await endUntrue(ours, needs, network, id)
    })
}
