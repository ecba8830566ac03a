import { type Database, type OrganisationTx, writtenOnce } from '@holdfast/db'
import { repeat, type Repeating } from '@holdfast/jobs'
import type { Timer } from '@holdfast/ports'
import { at } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'

/** What a wallet holds of one coin in all its sub-wallets: available, held and staked together, in base units. */
export type WalletSum = { walletId: string; chain: string; contract: string; amount: bigint }

/** Whether wallet sums include an asset: they leave out tokens of a collection, each of which is one of its kind. */
export const isSummed = (contract: string | null): boolean => contract === null || !contract.includes('/')

/** What the wallets of an organisation hold, or one of them. */
export async function walletSums(tx: OrganisationTx, walletId?: string): Promise<WalletSum[]> {
  return walletId === undefined ? askAll(tx, { orgId: tx.orgId }) : askOne(tx, { orgId: tx.orgId, walletId })
}

const sumsOf = (of: RawBuilder<unknown>) => sql<WalletSum>`
  select wallet_id as "walletId", chain, contract, sum(amount) as amount from (
    select wallet_id, chain, contract, amount from wallet_sum where ${of}
    union all select wallet_id, chain, contract, amount from wallet_change where ${of}
  ) held group by 1, 2, 3`
const askAll = writtenOnce((_, { orgId }: { orgId: string }) => sumsOf(sql`org_id = ${orgId}`))
const askOne = writtenOnce((_, { orgId, walletId }: { orgId: string; walletId: string }) => sumsOf(sql`org_id = ${orgId} and wallet_id = ${walletId}`))

const PAUSE_MS = 5_000
const CHANGES_AT_ONCE = 1_000

/** Adds changes to the sums until stopped. */
export function startWalletSums(
  { db, ports }: { db: Pick<Database, 'asSystem'>; ports: { timer: Pick<Timer, 'sleep'> } },
  report: (cause: unknown) => void = () => {},
): Repeating {
  return repeat(
    ports.timer,
    PAUSE_MS,
    async (isStopped) => {
      while ((await sumChanges(db)) === CHANGES_AT_ONCE && !isStopped());
    },
    report,
  )
}

/** Adds some changes to the sums, in one order, and leaves out those that another server has added meanwhile. Returns how many. */
export async function sumChanges(db: Pick<Database, 'asSystem'>): Promise<number> {
  const { rows } = await db.asSystem((tx) =>
    sql<{ count: bigint }>`
      with drawn as (
        delete from wallet_change where (org_id, transfer_id, wallet_id, chain, contract) in (
          select org_id, transfer_id, wallet_id, chain, contract from wallet_change order by org_id, transfer_id limit ${CHANGES_AT_ONCE})
        returning *
      ), summed as (
        insert into wallet_sum (org_id, wallet_id, chain, contract, amount)
        select org_id, wallet_id, chain, contract, sum(amount) from drawn group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (org_id, wallet_id, chain, contract) do update set amount = wallet_sum.amount + excluded.amount
      )
      select count(*) as count from drawn`.execute(tx),
  )
  return Number(at(rows, 0).count)
}
