import type { Block } from '@holdfast/chain-core'
import { actForOrganisation, type SystemTx } from '@holdfast/db'
import type { PendingDeposit } from '@holdfast/features/transfer/server'
import { announceAll } from '@holdfast/jobs'
import type { ScanNeeds } from './advance.ts'

export type OpenPending = Pick<PendingDeposit, 'org_id' | 'id' | 'sub_wallet_id' | 'txid' | 'tx_index' | 'spends' | 'state' | 'sub_status'>
type Standing = Pick<PendingDeposit, 'state' | 'sub_status'> & Partial<Pick<PendingDeposit, 'replaced_by' | 'height'>>

/** The payments of a chain that no block has decided. */
export async function findOpenPending(tx: SystemTx, chain: string): Promise<OpenPending[]> {
  return tx
    .selectFrom('waiting_deposit')
    .select(['org_id', 'id', 'sub_wallet_id', 'txid', 'tx_index', 'spends', 'state', 'sub_status'])
    .where('chain', '=', chain)
    .where('height', 'is', null)
    .orderBy('id')
    .execute()
}

/** Changes the state of a payment that no block has decided, and tells open pages. */
export async function endPending(needs: ScanNeeds, row: OpenPending, standing: Standing): Promise<void> {
  await needs.db.asSystem((tx) => writeStanding(tx, needs, row, standing))
}

async function writeStanding(tx: SystemTx, { ports }: Pick<ScanNeeds, 'ports'>, { org_id, id, sub_wallet_id }: OpenPending, standing: Standing): Promise<void> {
  await actForOrganisation(tx, org_id, async (own) => {
    const { numUpdatedRows } = await own
      .updateTable('waiting_deposit')
      .set((row) => ({
        replaced_by: null,
        height: null,
        ...standing,
        updated_at: row.fn<bigint>('greatest', ['updated_at', row.val(BigInt(ports.clock.nowMs()))]),
      }))
      .where('org_id', '=', org_id)
      .where('id', '=', id)
      .where('height', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await announceAll(own, ports, [{ topic: 'deposit.changed', ids: { deposit_id: id, sub_wallet_id } }])
  })
}

/** Decides pending payments by a block, in the transaction that takes it in: it has the payment, or another transaction that spends one of its coins. */
export async function settlePending(tx: SystemTx, needs: Pick<ScanNeeds, 'ports'>, chain: string, { height, transactions }: Block): Promise<void> {
  if (!transactions) return
  const open = await findOpenPending(tx, chain)
  if (open.length === 0) return
  const included = new Set(transactions.map(({ txid }) => txid))
  const spenders = new Map(transactions.flatMap(({ txid, inputs }) => inputs.map(({ outpoint }) => [outpoint, txid] as const)))
  for (const row of open) {
    const other = row.spends.flatMap((outpoint) => spenders.get(outpoint) ?? [])[0]
    if (included.has(row.txid)) await writeStanding(tx, needs, row, { state: 'in_block', sub_status: 'confirming', height })
    else if (other !== undefined) await writeStanding(tx, needs, row, { state: 'gone', sub_status: 'replaced', replaced_by: other, height })
  }
}

/** Makes payments pending again that blocks above a height decided: the next look at the pool says how they stand. */
export async function reopenPending(tx: SystemTx, { ports }: Pick<ScanNeeds, 'ports'>, chain: string, height: bigint): Promise<void> {
  await tx
    .updateTable('waiting_deposit')
    .set((row) => ({
      state: 'waiting',
      sub_status: 'mempool',
      replaced_by: null,
      height: null,
      updated_at: row.fn<bigint>('greatest', ['updated_at', row.val(BigInt(ports.clock.nowMs()))]),
    }))
    .where('chain', '=', chain)
    .where('height', '>', height)
    .execute()
}
