import type { OrganisationTx } from '@holdfast/db'
import type { NetworkAsset } from '@holdfast/features/network/server'
import { hold, InsufficientBalanceError, release } from '@holdfast/ledger'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { AppError } from '@holdfast/contract'
import { sql } from 'kysely'
import { transferErrors } from '../../errors.ts'
import type { OrderRow } from './read-order.ts'

/*
 * What a collection takes of other addresses than the one that pays for it. Each part is held from when the order is opened. What the chain then took is
 * posted as every allowance spend is, by what the block says (features/deposit), in place of the hold; what it did not take is free when the order ends.
 */

type MoneyPorts = Pick<Ports, 'clock' | 'random'>

/** What a collection takes of one address, in base units of a token. */
export type Part = { subWalletId: string; address: string; asset: NetworkAsset; amount: bigint }

/** Holds what an order takes of each address. Throws `insufficient_balance`, and then nothing is held. */
export async function holdParts(tx: OrganisationTx, ports: MoneyPorts, { id: orderId }: Pick<OrderRow, 'id'>, parts: readonly Part[]): Promise<void> {
  const nowMs = ports.clock.nowMs()
  const rows = parts.map(({ subWalletId, address, asset, amount }, place) => ({
    ...{ org_id: tx.orgId, order_id: orderId, place, sub_wallet_id: subWalletId, chain: asset.chain, contract: asset.contract ?? '', address, amount },
    hold_id: newId(nowMs, ports.random),
  }))
  try {
    for (const { hold_id: id, sub_wallet_id: subWalletId, place, address, chain, contract, amount } of rows)
      await hold(tx, { id, reference: `part:${orderId}:${place}`, nowMs, subWalletId, address, amounts: [{ asset: { chain, contract }, amount }] })
  } catch (cause) {
    if (cause instanceof InsufficientBalanceError) throw new AppError(transferErrors.insufficient_balance, { cause })
    throw cause
  }
  if (rows.length > 0) await tx.insertInto('order_part').values(rows).execute()
}

type HeldPart = { order_id: string; place: number; hold_id: string }

/** The sub-wallets of which an order still holds a part. */
export async function subWalletsOfParts(tx: OrganisationTx, orderId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('order_part')
    .select('sub_wallet_id')
    .distinct()
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', orderId)
    .where('freed_at', 'is', null)
    .execute()
  return rows.map(({ sub_wallet_id: id }) => id)
}

/** Frees what an order that has ended did not take. What a block says it took stays held until that is posted. */
export async function freeParts(tx: OrganisationTx, ports: MoneyPorts, { id }: Pick<OrderRow, 'id'>): Promise<void> {
  const { rows } = await sql<HeldPart>`
    select part.order_id, part.place, part.hold_id from order_part part
      join transfer_order o on o.org_id = part.org_id and o.id = part.order_id
      where part.org_id = ${tx.orgId} and part.order_id = ${id} and part.freed_at is null
        and not exists (select from token_pull pull where pull.org_id = part.org_id and pull.chain = part.chain and pull.txid = o.txid
          and pull.address = part.address and pull.contract = part.contract and pull.booked_at is null and pull.reversed_at is null)
      order by part.place`.execute(tx)
  await free(tx, ports, rows)
}

/**
 * Frees what an order held of an address, as that is posted now. Answers whether a collection of ours took it: then nobody has to be told that somebody takes
 * tokens.
 */
export async function freeTaken(
  tx: OrganisationTx,
  ports: MoneyPorts,
  { chain, txid, address, contract }: { chain: string; txid: string; address: string; contract: string },
): Promise<boolean> {
  const { rows } = await sql<HeldPart & { is_held: boolean }>`
    select part.order_id, part.place, part.hold_id, part.freed_at is null as is_held from order_part part
      join order_transaction made on made.org_id = part.org_id and made.order_id = part.order_id and made.txid = ${txid}
      where part.org_id = ${tx.orgId} and part.chain = ${chain} and part.address = ${address} and part.contract = ${contract}`.execute(tx)
  await free(
    tx,
    ports,
    rows.filter((each) => each.is_held),
  )
  return rows.length > 0
}

async function free(tx: OrganisationTx, ports: MoneyPorts, parts: readonly HeldPart[]): Promise<void> {
  const nowMs = ports.clock.nowMs()
  for (const { order_id: orderId, place, hold_id: holdId } of parts) {
    await release(tx, { id: newId(nowMs, ports.random), holdId, nowMs })
    await tx
      .updateTable('order_part')
      .set({ freed_at: nowMs })
      .where('org_id', '=', tx.orgId)
      .where('order_id', '=', orderId as never)
      .where('place', '=', place)
      .execute()
  }
}
