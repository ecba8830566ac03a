import type { Tx } from '@holdfast/db'
import { sql } from 'kysely'
import type { LedgerAsset } from './account.ts'
import { ImpossibleLedger } from './ledger-error.ts'

/** Each query finds rows that must never exist. Each is one statement, so that postings committed meanwhile do not look like faults. */
const checksOf = (asset: LedgerAsset | undefined) => {
  const ofAsset = asset ? sql`and a.chain = ${asset.chain} and a.contract = ${asset.contract ?? ''}` : sql``
  return [
    {
      fault: 'transfers whose entries do not sum to zero',
      query: sql<Row>`
        select e.org_id, e.transfer_id as id, a.chain, a.contract, sum(e.amount) as difference
        from ledger_entry e join ledger_account a on a.org_id = e.org_id and a.id = e.account_id ${ofAsset}
        group by e.org_id, e.transfer_id, a.chain, a.contract having sum(e.amount) <> 0`,
    },
    {
      fault: 'balances that are not the sum of their entries',
      query: sql<Row>`
        select a.org_id, a.id, a.chain, a.contract, a.balance, coalesce(sum(e.amount), 0) as entries
        from ledger_account a left join ledger_entry e on e.org_id = a.org_id and e.account_id = a.id
        where a.balance is not null ${ofAsset}
        group by a.org_id, a.id, a.chain, a.contract, a.balance having a.balance <> coalesce(sum(e.amount), 0)`,
    },
    {
      fault: 'sums of wallets that are not those of their sub-wallets',
      query: sql<Row>`
        select a.org_id, a.wallet_id as id, a.chain, a.contract, sum(a.balance) as balance, sum(a.amount) as amount from (
          select a.org_id, s.wallet_id, a.chain, a.contract, a.balance, 0 as amount
            from ledger_account a join sub_wallet s on s.org_id = a.org_id and s.id = a.sub_wallet_id where a.balance is not null and a.contract not like '%/%'
          union all select org_id, wallet_id, chain, contract, 0, amount from wallet_sum
          union all select org_id, wallet_id, chain, contract, 0, amount from wallet_change
        ) a where true ${ofAsset}
        group by a.org_id, a.wallet_id, a.chain, a.contract having sum(a.balance) <> sum(a.amount)`,
    },
    {
      fault: 'daily flows that are not what moved',
      query: sql<Row>`
        select a.org_id, a.sub_wallet_id as id, a.chain, a.contract, sum(a.balance) as balance, sum(a.amount) as amount from (
          select a.org_id, a.sub_wallet_id, a.chain, a.contract, a.balance, 0 as amount
            from ledger_account a where a.balance is not null and a.contract not like '%/%'
          union all select org_id, sub_wallet_id, chain, contract, 0, amount_in - amount_out - fee from daily_flow
        ) a where true ${ofAsset}
        group by a.org_id, a.sub_wallet_id, a.chain, a.contract having sum(a.balance) <> sum(a.amount)`,
    },
    {
      fault: 'balances of addresses that are not the sum of their entries',
      query: sql<Row>`
        select a.org_id, a.address as id, a.chain, a.contract, sum(a.balance) as balance, sum(a.amount) as amount from (
          select a.org_id, t.address, a.chain, a.contract, e.amount as balance, 0 as amount
            from ledger_transfer t
            join ledger_entry e on e.org_id = t.org_id and e.transfer_id = t.id
            join ledger_account a on a.org_id = e.org_id and a.id = e.account_id
            where t.address is not null and a.balance is not null
          union all select org_id, address, chain, contract, 0, available + held from address_balance
        ) a where true ${ofAsset}
        group by a.org_id, a.address, a.chain, a.contract having sum(a.balance) <> sum(a.amount)`,
    },
    // A transfer without entries has no asset, so the audit looks for it only if it covers all assets.
    ...(asset
      ? []
      : [
          {
            fault: 'transfers with fewer than two entries',
            query: sql<Row>`
              select t.org_id, t.id, count(e.position) as entries
              from ledger_transfer t left join ledger_entry e on e.org_id = t.org_id and e.transfer_id = t.id
              group by t.org_id, t.id having count(e.position) < 2`,
          },
        ]),
  ]
}

type Row = { chain?: string; contract?: string }
/** A fault of the ledger with its rows in words; `asset` is null if its asset is not known. */
export type LedgerImbalance = { asset: LedgerAsset | null; fault: string }

/**
 * Finds every place where a base unit was made or lost: transfers that do not sum to zero in every asset, and balances that are not the sum of
 * their entries. Looks at one organisation or all of them, as the transaction sees them, and at one asset if it is given.
 */
export async function findLedgerImbalances(tx: Tx, asset?: LedgerAsset): Promise<LedgerImbalance[]> {
  const found: LedgerImbalance[] = []
  for (const { fault, query } of checksOf(asset)) {
    const { rows } = await sql<Row>`${query} limit 5`.execute(tx)
    for (const row of rows) {
      const words = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
      found.push({ asset: row.chain === undefined ? null : { chain: row.chain, contract: row.contract || null }, fault: `${fault}: ${words}` })
    }
  }
  return found
}

/** Proves that no base unit was made or lost, in what the transaction sees. Throws ImpossibleLedger. */
export async function assertConserved(tx: Tx): Promise<void> {
  const broken = await findLedgerImbalances(tx)
  if (broken.length > 0) throw new ImpossibleLedger(broken.map(({ fault }) => fault).join('; '))
}
