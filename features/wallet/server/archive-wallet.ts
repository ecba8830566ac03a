import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import { walletErrors } from '../errors.ts'
import { tokensOfWallet } from './read-holdings.ts'

type Asked = { walletId: string; isArchived: boolean; nowMs: number }

/**
 * Keeps a wallet out of lists and selectors, or puts it back. One that holds value, that something is on its way to, or about which orders are open stays in
 * them: nobody looks after what is out of sight. Throws AppError `wallet_not_found`, `wallet_holds_value`, `wallet_has_orders`.
 */
export async function archiveWallet(tx: OrganisationTx, networks: Networks, { walletId, isArchived, nowMs }: Asked): Promise<void> {
  // The lock is the one under which orders about its keys are opened.
  const wallet = await tx.selectFrom('wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', walletId).forNoKeyUpdate().executeTakeFirst()
  if (!wallet) throw new AppError('wallet_not_found')
  if (isArchived) {
    const held = [...(await coinsHeld(tx, networks, walletId)), ...(await tokensHeld(tx, networks, walletId))]
    if (held.length > 0) throw new AppError(walletErrors.wallet_holds_value, { details: { held: held.join(', ') } })
    const count = await openOrders(tx, walletId)
    if (count > 0) throw new AppError(walletErrors.wallet_has_orders, { details: { count } })
  }
  const archived_at = isArchived ? nowMs : null
  await tx.updateTable('wallet').set({ archived_at }).where('org_id', '=', tx.orgId).where('id', '=', walletId).execute()
}

/** Whether something came to a row of `wallet` since it was archived: then it is in the lists again, whoever put it away. */
export const isArchivedWithValue = (orgId: string) => sql<boolean>`(wallet.archived_at is not null and exists (
      select from sub_wallet s join ledger_account a on a.org_id = s.org_id and a.sub_wallet_id = s.id
        where s.org_id = ${orgId} and s.wallet_id = wallet.id and a.balance > 0))`

/** What it has and what is on its way to it, coin by coin in words; by contract if a coin is not configured any more. */
async function coinsHeld(tx: OrganisationTx, networks: Networks, walletId: string): Promise<string[]> {
  const { rows } = await sql<{ chain: string; contract: string; amount: bigint }>`
    select chain, contract, sum(amount)::numeric(78,0) as amount from (
      select a.chain, a.contract, a.balance as amount from ledger_account a join sub_wallet s on s.org_id = a.org_id and s.id = a.sub_wallet_id
        where a.org_id = ${tx.orgId} and s.wallet_id = ${walletId} and a.contract not like '%/%' and a.balance > 0
      union all
      select d.chain, d.contract, d.amount from deposit d join sub_wallet s on s.org_id = d.org_id and s.id = d.sub_wallet_id
        where d.org_id = ${tx.orgId} and s.wallet_id = ${walletId} and d.contract not like '%/%' and d.state in ('unconfirmed', 'confirmed')) held
    group by chain, contract order by chain, contract`.execute(tx)
  return rows.map(({ chain, contract, amount }) => {
    const asset = networks.byContract(chain, contract)
    return asset ? `${formatAmount(amount, asset.decimals)} ${asset.symbol}` : `${amount} ${contract} (${chain})`
  })
}

async function tokensHeld(tx: OrganisationTx, networks: Networks, walletId: string): Promise<string[]> {
  return (await tokensOfWallet(tx, networks, walletId)).map(({ name, pieces }) => `${pieces} ${name}`)
}

/** Orders that have not ended: to pay from it, and about its keys. */
async function openOrders(tx: OrganisationTx, walletId: string): Promise<number> {
  const open = (table: 'transfer_order' | 'key_change') =>
    tx
      .selectFrom(table)
      .select((row) => row.fn.countAll<bigint>().as('count'))
      .where('org_id', '=', tx.orgId)
      .where('wallet_id', '=', walletId)
      .where('is_final', '=', false)
      .executeTakeFirstOrThrow()
  const counts = await Promise.all([open('transfer_order'), open('key_change')])
  return counts.reduce((sum, { count }) => sum + Number(count), 0)
}
