import type { OrganisationTx } from '@holdfast/db'
import type { StandingOrderIntent } from '@holdfast/intent'
import { sql } from 'kysely'
import type { Wanting } from './choose/choose-fuel.ts'
import type { Reason } from './choose/chosen.ts'
import { beneath } from './read-holdings.ts'

/** Why an address that has an amount of an asset was not moved. `detail`: base units, of which the reason says what they are. */
export type Said = { chain: string; contract: string; address: string; subWalletId: string; amount: bigint; reason: Reason; detail: string | null }

/** Reasons whose detail counts the network's own coin. */
export const COIN_DETAILS: ReadonlySet<string> = new Set(['no_fee_coins', 'fee_too_high', 'no_source', 'fee_stays'])

/**
 * Keeps what was said of a standing order in the place of what was said before, and that it was looked at. `nowMs`: from when on it was looked, before anything
 * was read. Answers whether anything is new.
 */
export async function writeReasons(tx: OrganisationTx, standingOrderId: string, said: readonly Said[], nowMs: number): Promise<boolean> {
  await tx
    .insertInto('standing_look')
    .values({ org_id: tx.orgId, standing_order_id: standingOrderId, looked_at: nowMs })
    .onConflict((conflict) => conflict.columns(['org_id', 'standing_order_id']).doUpdateSet({ looked_at: nowMs }))
    .execute()
  const of = (read: (each: Said) => string | null) => said.map(read)
  const given = sql`unnest(${of(({ chain }) => chain)}::text[], ${of(({ address }) => address)}::text[], ${of(({ contract }) => contract)}::text[],
    ${of(({ subWalletId }) => subWalletId)}::uuid[], ${of(({ amount }) => String(amount))}::numeric[], ${of(({ reason }) => reason)}::text[],
    ${of(({ detail }) => detail)}::text[]) as said (chain, address, contract, sub_wallet_id, amount, reason, detail)`
  const gone = await sql`
    update standing_reason kept set amount = 0, reason = null, detail = null, at = ${nowMs}::int8
      where kept.org_id = ${tx.orgId} and kept.standing_order_id = ${standingOrderId}::uuid and kept.reason is not null
        and not exists (select from ${given} where said.chain = kept.chain and said.address = kept.address and said.contract = kept.contract)
      returning 1`.execute(tx)
  const told = await sql`
    insert into standing_reason (org_id, standing_order_id, chain, address, contract, sub_wallet_id, amount, reason, detail, at)
    select ${tx.orgId}::uuid, ${standingOrderId}::uuid, said.chain, said.address, said.contract, said.sub_wallet_id, said.amount, said.reason, said.detail,
      ${nowMs}::int8 from ${given}
      -- Most of it was said the last time too, and is not written again.
      where not exists (select from standing_reason kept
        where kept.org_id = ${tx.orgId}::uuid and kept.standing_order_id = ${standingOrderId}::uuid and kept.chain = said.chain
          and kept.address = said.address and kept.contract = said.contract
          and (kept.amount, kept.reason, kept.detail) is not distinct from (said.amount, said.reason, said.detail))
    on conflict (org_id, standing_order_id, chain, address, contract)
      do update set amount = excluded.amount, reason = excluded.reason, detail = excluded.detail, at = excluded.at
      where (standing_reason.amount, standing_reason.reason, standing_reason.detail) is distinct from (excluded.amount, excluded.reason, excluded.detail)
    returning 1`.execute(tx)
  return gone.rows.length + told.rows.length > 0
}

/** What was said of an address says nothing any more once nobody has looked for this long: whoever said it was stopped, or nobody was there to look. */
const SAID_LATELY_MS = 5 * 60_000

/**
 * Addresses beneath some places that any standing order would move something from, if they had the coins for the fee. One to which such coins were sent since
 * that was said is busy: it may have them by now, and only the next look of whoever said it knows.
 */
export async function readWanting(
  tx: OrganisationTx,
  { chain, places, standingOrderId, nowMs }: { chain: string; places: StandingOrderIntent['sources']; standingOrderId: string; nowMs: number },
): Promise<Wanting[]> {
  if (places.length === 0) return []
  const { rows } = await sql<{ address: string; sub_wallet_id: string; lacks: string; is_busy: boolean }>`
    select held.address, max(held.sub_wallet_id::text) as sub_wallet_id, max(held.detail::numeric) as lacks,
        bool_or(exists (select from transfer_order moving where moving.org_id = held.org_id and moving.standing_order_id = ${standingOrderId}::uuid
          and moving.chain = held.chain and moving.address_to = held.address
          and (not moving.is_final or moving.updated_at >= look.looked_at))) as is_busy
      from standing_reason held
      join standing_look look on look.org_id = held.org_id and look.standing_order_id = held.standing_order_id
        and look.looked_at > ${nowMs - SAID_LATELY_MS}::int8
      ${beneath(chain, places)} and held.org_id = ${tx.orgId} and held.reason = 'no_fee_coins'
      group by held.address`.execute(tx)
  return rows.map((row) => ({ address: row.address, subWalletId: row.sub_wallet_id, lacks: BigInt(row.lacks), isBusy: row.is_busy }))
}
