import { AppError, type InputOf, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { readNamedSubWallets, subWalletPath } from '@holdfast/features/wallet/server'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import type { readFeeUsage } from '../contract.ts'
import { tronPlaces } from './tron-places.ts'

const DAY_MS = 86_400_000

/** A fee as the ledger has it. `kind` is that of the order that it was paid for; null for what the chain took of an address without one. */
export type Fee = { atMs: bigint; subWalletId: string; kind: string | null; amount: bigint }

/** Fees by day of UTC, by sub-wallet or by kind of order: days in their order, the others with the largest sum first. */
export function groupFees(fees: readonly Fee[], group: InputOf<typeof readFeeUsage>['group']): { key: string; amount: bigint; count: number }[] {
  const sums = new Map<string, { key: string; amount: bigint; count: number }>()
  for (const { atMs, subWalletId, kind, amount } of fees) {
    const day = String(atMs - (atMs % BigInt(DAY_MS)))
    const key = group === 'day' ? day : group === 'sub_wallet' ? subWalletId : (kind ?? 'charge')
    const before = sums.get(key) ?? { key, amount: 0n, count: 0 }
    sums.set(key, { key, amount: before.amount + amount, count: before.count + 1 })
  }
  const byDay = (one: string, other: string) => Number(BigInt(one) - BigInt(other))
  const bySize = (one: bigint, other: bigint) => (one === other ? 0 : one > other ? -1 : 1)
  return [...sums.values()].toSorted((one, other) => (group === 'day' ? byDay(one.key, other.key) : bySize(one.amount, other.amount)))
}

/** What was burned in a time, by the ledger. Throws `tron_no_data` if nothing was, or if this server knows no network with resources. */
export async function feeUsage(
  tx: OrganisationTx,
  context: Pick<ServerContext, 'networks'>,
  { start_time: from, end_time: until, group }: InputOf<typeof readFeeUsage>,
): Promise<OutputOf<typeof readFeeUsage>> {
  const places = tronPlaces(context)
  const fees = await readFees(tx, { chains: places.map(({ network }) => network.chain), from, until })
  const [place] = places
  if (!place || fees.length === 0) throw new AppError(resourceErrors.tron_no_data)
  const { decimals, symbol } = place.coin
  const names = await readNamedSubWallets(
    tx,
    fees.map(({ subWalletId }) => subWalletId),
  )
  const nameOf = (key: string) => {
    const named = group === 'sub_wallet' ? names.get(key) : undefined
    return named ? subWalletPath(named) : key
  }
  const burned = fees.reduce((sum, { amount }) => sum + amount, 0n)
  return {
    symbol,
    burned_trx: formatAmount(burned, decimals),
    rented_trx: '0',
    saved_trx: null,
    list: groupFees(fees, group).map(({ key, amount, count }) => ({ key, name: nameOf(key), burned_trx: formatAmount(amount, decimals), count })),
  }
}

/** Fees that were settled and not taken back. */
async function readFees(tx: OrganisationTx, { chains, from, until }: { chains: readonly string[]; from: number; until: number }): Promise<Fee[]> {
  const { rows } = await sql<{ at: bigint; sub_wallet_id: string; kind: string | null; amount: bigint }>`
    select t.created_at as at, o.kind, fee.amount, (
        select a.sub_wallet_id from ledger_entry e join ledger_account a on a.org_id = e.org_id and a.id = e.account_id
        where e.org_id = t.org_id and e.transfer_id = t.id and a.sub_wallet_id is not null limit 1
      ) as sub_wallet_id
    from ledger_transfer t
      join (
        select e.org_id, e.transfer_id, sum(e.amount) as amount from ledger_entry e join ledger_account a on a.org_id = e.org_id and a.id = e.account_id
        where e.org_id = ${tx.orgId} and a.kind = 'fee' and a.chain = any(${[...chains]}::text[]) group by 1, 2
      ) fee on fee.org_id = t.org_id and fee.transfer_id = t.id
      left join ledger_transfer h on h.org_id = t.org_id and h.id = t.closes
      left join transfer_order o on o.org_id = t.org_id and h.reference like 'order:%' and o.id = split_part(h.reference, ':', 2)::uuid
    where t.org_id = ${tx.orgId} and t.kind = 'settle' and t.created_at >= ${from} and t.created_at < ${until} and fee.amount > 0
      and not exists (select from ledger_transfer r where r.org_id = t.org_id and r.closes = t.id and r.kind = 'reversal')`.execute(tx)
  return rows.map(({ at, sub_wallet_id: subWalletId, kind, amount }) => ({ atMs: BigInt(at), subWalletId, kind, amount: BigInt(amount) }))
}
