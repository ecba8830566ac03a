import type { OrganisationTx } from '@holdfast/db'
import { sql } from 'kysely'
import type { Plan } from './plan.ts'

const DAY_MS = 86_400_000
/** What was sent in so many days says how long the rest lasts. */
const SPENT_DAYS = 7n

/** `balance` in base units of a network's own coin; `daysLeft` is undefined where nothing was sent lately and something is left. */
export type Gas = { balance: bigint; daysLeft: number | undefined }

/** What the sub-wallet that pays for fees has on each network, and how long that lasts by what it sent for fees lately, with what sending it cost. */
export async function readGas(tx: OrganisationTx, { fuel, orders }: Plan, nowMs: number): Promise<Map<string, Gas>> {
  if (!fuel) return new Map()
  const { rows } = await sql<{ chain: string; balance: string; spent: string }>`
    select own.chain, coalesce(sum(held.available), 0) as balance,
        coalesce((select sum(sent.amount + coalesce(sent.fee_paid, 0)) from transfer_order sent
          where sent.org_id = ${tx.orgId} and sent.standing_order_id = ${orders.fuel}::uuid and sent.chain = own.chain and sent.state = 'completed'
            and sent.created_at >= ${nowMs - Number(SPENT_DAYS) * DAY_MS}), 0) as spent
      from address own
      left join address_balance held on held.org_id = own.org_id and held.chain = own.chain and held.address = own.address and held.contract = ''
      where own.org_id = ${tx.orgId} and own.sub_wallet_id = ${fuel.subWalletId}::uuid
      group by own.chain`.execute(tx)
  return new Map(rows.map(({ chain, ...row }) => [chain, gasOf(BigInt(row.balance), BigInt(row.spent))]))
}

/** How long a balance lasts if it goes on as in the last seven days. */
export function gasOf(balance: bigint, spent: bigint): Gas {
  if (balance === 0n) return { balance, daysLeft: 0 }
  return { balance, daysLeft: spent === 0n ? undefined : Number((balance * SPENT_DAYS) / spent) }
}
