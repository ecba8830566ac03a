import { AppError, type InputOf, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { readNamedSubWallets, subWalletPath } from '@holdfast/features/wallet/server'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import type { readFeeUsage } from '../contract.ts'
import { savedBy } from './agent/saved-by.ts'
import { tronPlaces } from './tron-places.ts'

const DAY_MS = 86_400_000

/**
 * A fee as the ledger has it, or what was paid for rented energy (`rented`, with an `amount` of 0). `kind` is that of the order that it was paid for; null for
 * what the chain took of an address without one.
 */
export type Fee = { atMs: bigint; subWalletId: string; kind: string | null; amount: bigint; rented: bigint }
type Sum = { key: string; amount: bigint; rented: bigint; count: number }

/** Fees and rents by day of UTC, by sub-wallet or by kind of order: days in their order, the others with the largest sum first. */
export function groupFees(fees: readonly Fee[], group: InputOf<typeof readFeeUsage>['group']): Sum[] {
  const sums = new Map<string, Sum>()
  for (const { atMs, subWalletId, kind, amount, rented } of fees) {
    const day = String(atMs - (atMs % BigInt(DAY_MS)))
    const key = group === 'day' ? day : group === 'sub_wallet' ? subWalletId : (kind ?? 'charge')
    const before = sums.get(key) ?? { key, amount: 0n, rented: 0n, count: 0 }
    sums.set(key, { key, amount: before.amount + amount, rented: before.rented + rented, count: before.count + 1 })
  }
  const byDay = (one: string, other: string) => Number(BigInt(one) - BigInt(other))
  const bySize = (one: bigint, other: bigint) => (one === other ? 0 : one > other ? -1 : 1)
  return [...sums.values()].toSorted((one, other) =>
    group === 'day' ? byDay(one.key, other.key) : bySize(one.amount + one.rented, other.amount + other.rented),
  )
}

/** What was burned and paid for rented energy in a time, by the ledger, and what that saved. Throws `tron_no_data` if nothing was, or if this server knows no network with resources. */
export async function feeUsage(
  tx: OrganisationTx,
  context: Pick<ServerContext, 'networks'>,
  { start_time: from, end_time: until, group }: InputOf<typeof readFeeUsage>,
): Promise<OutputOf<typeof readFeeUsage>> {
  const places = tronPlaces(context)
  const asked = { chains: places.map(({ network }) => network.chain), from, until }
  const [burned, rents, saved] = await Promise.all([readFees(tx, asked), readRents(tx, asked), readSaved(tx, asked)])
  const fees = [...burned, ...rents]
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
  const shown = (value: bigint) => formatAmount(value, decimals)
  const sum = (of: (each: Fee) => bigint) => fees.reduce((all, each) => all + of(each), 0n)
  return {
    symbol,
    burned_trx: shown(sum(({ amount }) => amount)),
    rented_trx: shown(sum(({ rented }) => rented)),
    saved_trx: saved === undefined ? null : shown(saved),
    list: groupFees(fees, group).map(({ key, amount, rented, count }) => ({
      key,
      name: nameOf(key),
      burned_trx: shown(amount),
      rented_trx: shown(rented),
      count,
    })),
  }
}

type Asked = { chains: readonly string[]; from: number; until: number }

/** What was paid for rented energy, by orders that are final. */
async function readRents(tx: OrganisationTx, { chains, from, until }: Asked): Promise<Fee[]> {
  const rows = await tx
    .selectFrom('transfer_order')
    .select(['updated_at', 'sub_wallet_id', 'amount'])
    .where('org_id', '=', tx.orgId)
    .where('chain', 'in', chains.length > 0 ? [...chains] : [''])
    .where('kind', '=', 'rent')
    .where('state', '=', 'completed')
    .where('updated_at', '>=', BigInt(from))
    .where('updated_at', '<', BigInt(until))
    .execute()
  return rows.map((row) => ({ atMs: BigInt(row.updated_at), subWalletId: row.sub_wallet_id, kind: 'rent', amount: 0n, rented: row.amount }))
}

/** What payments saved that had energy of lent or rented stake; undefined if there were none. */
async function readSaved(tx: OrganisationTx, { chains, from, until }: Asked): Promise<bigint | undefined> {
  const rows = await tx
    .selectFrom('tron_supply')
    .select(['covered', 'price', 'rent'])
    .where('org_id', '=', tx.orgId)
    .where('chain', 'in', chains.length > 0 ? [...chains] : [''])
    .where('covered', 'is not', null)
    .where('burned_at', '>=', BigInt(from))
    .where('burned_at', '<', BigInt(until))
    .execute()
  return rows.length === 0 ? undefined : rows.reduce((sum, row) => sum + savedBy(row), 0n)
}

/** Fees that were settled and not taken back. */
async function readFees(tx: OrganisationTx, { chains, from, until }: Asked): Promise<Fee[]> {
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
  return rows.map(({ at, sub_wallet_id: subWalletId, kind, amount }) => ({ atMs: BigInt(at), subWalletId, kind, amount: BigInt(amount), rented: 0n }))
}
