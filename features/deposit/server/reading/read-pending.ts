import type { PoolMemory, PendingPayment } from '@holdfast/chain-core'
import { actForOrganisation, inParts, type SystemTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { announceAll } from '@holdfast/jobs'
import { known } from '@holdfast/units'
import type { ScanNeeds } from './advance.ts'
import { arrivalOf, matchDeposits, ownersOf } from './match-deposits.ts'
import { endPending, findOpenPending, type OpenPending } from './settle-pending.ts'

/** What a reader remembers of a node's pool while it lives. */
export type PendingMemory = { pool: PoolMemory }

/** The memory of a reader that has not looked yet. */
export const noMemory = (): PendingMemory => ({ pool: { listed: new Set(), read: new Set() } })

/**
 * Looks at pending transactions: payments to addresses of ours are written down, for people to see, and those that the pool no longer has end in a state that
 * says why. Nothing of this is money. Two readers at once write the same.
 */
export async function readPending(needs: ScanNeeds, network: Network, memory: PendingMemory): Promise<void> {
  const { db } = needs
  const pool = await network.node.coins?.pending(memory.pool, (addresses) =>
    db.asSystem(async (tx) => {
      const owners = await ownersOf(tx, network, addresses)
      return new Set(addresses.filter((address) => owners(address).length > 0))
    }),
  )
  if (!pool) return
  const { txids, looked, payments } = pool
  if (payments.length > 0) await db.asSystem((tx) => insertPending(tx, needs, network, payments))
  const open = await db.asSystem((tx) => findOpenPending(tx, network.chain))
  for (const row of open) if (row.state === 'waiting' && !txids.has(row.txid)) await endMissing(needs, network, row)
  const back = open.filter((row) => row.state === 'gone' && txids.has(row.txid))
  for (const row of back) await endPending(needs, row, { state: 'waiting', sub_status: 'mempool' })
  memory.pool = { listed: txids, read: new Set([...memory.pool.read, ...looked].filter((txid) => txids.has(txid))) }
}

async function insertPending(tx: SystemTx, { ports }: ScanNeeds, network: Network, payments: readonly PendingPayment[]): Promise<void> {
  const nowMs = ports.clock.nowMs()
  const matches = await matchDeposits(tx, network, { transfers: payments.flatMap(({ transfers }) => transfers) })
  for (const [orgId, own] of Map.groupBy(matches, (match) => match.orgId)) {
    await actForOrganisation(tx, orgId, async (ours) => {
      const rows: { id: string; sub_wallet_id: string }[] = []
      for (const part of inParts(own))
        rows.push(
          ...(await ours
            .insertInto('waiting_deposit')
            .values(
              part.map((match) => ({
                ...arrivalOf(match, ports.random, nowMs),
                spends: known(
                  payments.find(({ txid }) => txid === match.transfer.txid),
                  `the payment ${match.transfer.txid}`,
                ).spends,
                state: 'waiting' as const,
                sub_status: 'mempool' as const,
              })),
            )
            .onConflict((conflict) => conflict.columns(['org_id', 'chain', 'txid', 'tx_index']).doNothing())
            .returning(['id', 'sub_wallet_id'])
            .execute()),
        )
      await announceAll(
        ours,
        ports,
        rows.map(({ id, sub_wallet_id }) => ({ topic: 'deposit.changed', ids: { deposit_id: id, sub_wallet_id } })),
      )
    })
  }
}

/** Payments that the pool no longer has: a block has them, or they are gone. Each waits until the reader has taken that block in. */
async function endMissing(needs: ScanNeeds, network: Network, row: OpenPending): Promise<void> {
  const taken = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('deposit')
      .select('height')
      .where('chain', '=', network.chain)
      .where('txid', '=', row.txid)
      .where('tx_index', '=', row.tx_index)
      .where('state', '<>', 'reversed')
      .executeTakeFirst(),
  )
  if (taken) return endPending(needs, row, { state: 'in_block', sub_status: 'confirming', height: taken.height })
  const { state } = await network.node.transaction(row.txid)
  if (state !== 'unknown') return undefined
  const replacedBy = await network.node.coins?.pendingSpender(row.spends)
  if (replacedBy === row.txid) return undefined
  return endPending(
    needs,
    row,
    replacedBy === undefined ? { state: 'gone', sub_status: 'dropped' } : { state: 'gone', sub_status: 'replaced', replaced_by: replacedBy },
  )
}
