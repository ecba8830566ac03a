import type { Block } from '@holdfast/chain-core'
import { actForOrganisation, inParts, type SystemTx } from '@holdfast/db'
import { agreedAnswer, type FinalView, type Network, SourcesDisagreeError, throwFirst } from '@holdfast/features/network/server'
import type { Settled } from '@holdfast/features/transfer/server'
import { announceAll, forEachApart } from '@holdfast/jobs'
import { hold, InsufficientBalanceError, settle } from '@holdfast/ledger'
import { at, known, newId } from '@holdfast/units'
import { sql } from 'kysely'
import type { ScanNeeds } from './advance.ts'

/** Writes down what a block charged addresses of any organisation. Posted only when the block is final. */
export async function insertCharges(tx: SystemTx, { chain }: Network, block: Block): Promise<void> {
  const owned = await ownCharges(tx, chain, block)
  for (const orgId of [...new Set(owned.map((each) => each.org_id))].sort()) {
    const rows = owned.filter((each) => each.org_id === orgId)
    await actForOrganisation(tx, orgId, async (own) => {
      for (const part of inParts(rows))
        await own
          .insertInto('chain_charge')
          .values(part.map((each) => ({ ...each, chain, height: block.height, block_hash: block.hash })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    })
  }
}

/** What a block charged addresses of ours, each of them once. */
export async function ownCharges(
  tx: SystemTx,
  chain: string,
  block: Block,
): Promise<{ org_id: string; sub_wallet_id: string; address: string; amount: bigint }[]> {
  const byAddress = new Map<string, bigint>()
  for (const { address, amount } of block.charges ?? []) byAddress.set(address, (byAddress.get(address) ?? 0n) + amount)
  if (byAddress.size === 0) return []
  const owned = await tx
    .selectFrom('address')
    .select(['org_id', 'sub_wallet_id', 'address'])
    .where('chain', '=', chain)
    .where(sql<boolean>`address = any(${[...byAddress.keys()]}::text[])`)
    .execute()
  return owned.map((each) => ({ ...each, amount: known(byAddress.get(each.address), `the charge of ${each.address}`) }))
}

type Charge = { org_id: string; sub_wallet_id: string; address: string; height: bigint; block_hash: string; amount: bigint }

/**
 * Posts what final blocks charged, after their deposits are credited, since a charge is paid of what is there. If less is available
 * it waits. Returns what was posted. Throws SourcesDisagreeError.
 */
export async function bookCharges(needs: ScanNeeds, { chain }: Network, final: FinalView): Promise<Settled[]> {
  const rows: Charge[] = await needs.db.readSystem((tx) =>
    tx
      .selectFrom('chain_charge')
      .innerJoin('chain_block', (join) =>
        join
          .onRef('chain_block.chain', '=', 'chain_charge.chain')
          .onRef('chain_block.height', '=', 'chain_charge.height')
          .onRef('chain_block.hash', '=', 'chain_charge.block_hash'),
      )
      .select(['org_id', 'sub_wallet_id', 'address', 'chain_charge.height', 'block_hash', 'amount'])
      .where('chain_charge.chain', '=', chain)
      .where('booked_at', 'is', null)
      .where('chain_charge.height', '<=', final.height)
      .execute(),
  )
  const booked: Settled[] = []
  const failed = await forEachApart(Map.groupBy(rows, (row) => `${row.org_id}|${row.address}`).values(), async (charges) => {
    if (final.sources.length > 1) for (const each of charges) await assertChargedByAll(final, each)
    if (await bookAll(needs, chain, charges)) booked.push({ orgId: at(charges, 0).org_id, chain, contract: '' })
  })
  throwFirst(failed)
  return booked
}

async function assertChargedByAll(final: FinalView, { address, height, amount }: Charge): Promise<void> {
  const what = `what block ${height} charged ${address}`
  const charged = await agreedAnswer(final, what, async (source) => {
    const { charges = [] } = (await source.readBlock(height)) ?? {}
    return charges.reduce((sum, each) => (each.address === address ? sum + each.amount : sum), 0n)
  })
  if (charged !== amount) throw new SourcesDisagreeError(`${what}: ${amount} was read, and now the sources say ${charged}`)
}

/** One posting for all charges of an address. False if another server has posted them, or less is available. */
async function bookAll({ db, ports }: ScanNeeds, chain: string, charges: readonly Charge[]): Promise<boolean> {
  const { org_id: orgId, sub_wallet_id: subWalletId, address } = at(charges, 0)
  const asset = { chain, contract: null }
  const nowMs = ports.clock.nowMs()
  try {
    return await db.asOrganisation(orgId, async (tx) => {
      const taken = await tx
        .updateTable('chain_charge')
        .set({ booked_at: nowMs })
        .where('org_id', '=', orgId)
        .where('chain', '=', chain)
        .where('address', '=', address)
        .where(
          'block_hash',
          'in',
          charges.map((each) => each.block_hash),
        )
        .where('booked_at', 'is', null)
        .returning('amount')
        .execute()
      const amount = taken.reduce((sum, each) => sum + each.amount, 0n)
      if (amount === 0n) return false
      const id = newId(nowMs, ports.random)
      await hold(tx, { id, reference: `charges:${id}`, nowMs, subWalletId, address, amounts: [{ asset, amount }] })
      await settle(tx, { id: newId(nowMs, ports.random), holdId: id, nowMs, payments: [{ to: 'fee', asset, amount }] })
      await announceAll(tx, ports, [{ topic: 'balance.changed', ids: { sub_wallet_id: subWalletId } }])
      return true
    })
  } catch (cause) {
    if (cause instanceof InsufficientBalanceError) return false
    throw cause
  }
}
