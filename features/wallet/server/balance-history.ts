import type { OrganisationTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { formatWorth, priceKey, pricesAt, type Quote, worthAt } from '@holdfast/features/price/server'
import { type Balance, balances, walletSums } from '@holdfast/ledger'
import { at } from '@holdfast/units'
import { sql } from 'kysely'
import { assetOf } from './read-holdings.ts'
import type { Valued } from './worth.ts'

const HOUR_MS = 3_600_000
/** How far back a range reaches, and its number of points. */
const RANGES = {
  '24h': { stepMs: HOUR_MS / 2, steps: 48 },
  '7d': { stepMs: 2 * HOUR_MS, steps: 84 },
  '30d': { stepMs: 8 * HOUR_MS, steps: 90 },
  '90d': { stepMs: 24 * HOUR_MS, steps: 90 },
} as const

type Asked = { walletId: string | undefined; subWalletId: string | undefined; range: keyof typeof RANGES } & Valued
type Change = { chain: string; contract: string; place: number; amount: bigint }

/**
 * The value of the holdings at moments up to now, the last being now. A moment at which a price of the holdings is not known
 * has no value. Balances come from the ledger: the present balance, less what was posted since.
 */
export async function balanceHistory(tx: OrganisationTx, networks: Networks, asked: Asked) {
  const { stepMs, steps } = RANGES[asked.range]
  const times = Array.from({ length: steps + 1 }, (_, at) => asked.nowMs - (steps - at) * stepMs)
  const rows = await readChanges(tx, asked, times)
  const series = new Map<string, { chain: string; contract: string; amounts: bigint[] }>()
  for (const { chain, contract, place, amount } of rows) {
    const key = `${chain}|${contract}`
    const one = series.get(key) ?? { chain, contract, amounts: times.map(() => 0n) }
    for (let i = place; i < times.length; i++) one.amounts[i] = at(one.amounts, i) + amount
    series.set(key, one)
  }
  const coins = [...series.values()].flatMap(({ chain, contract, amounts }) => {
    const asset = assetOf(networks, chain, contract)
    return asset ? [{ asset, amounts }] : []
  })
  const prices = await pricesAt(
    tx,
    coins.map((each) => each.asset),
    times,
    asked.fiat,
  )
  const points = times.map((moment, place) => {
    const values = coins.map(({ asset, amounts }) => valueAt(at(amounts, place), asset.decimals, prices.get(priceKey(asset))?.[place]))
    const isKnown = values.every((value) => value !== undefined)
    return { at: moment, usd: isKnown ? formatWorth(values.reduce<bigint>((sum, value) => sum + value, 0n)) : null }
  })
  return { points, price_source: [...prices.values()].flatMap((quotes) => quotes.at(-1)?.source[asked.language] ?? [])[0] ?? null }
}

function valueAt(amount: bigint, decimals: number, quote: Quote | undefined): bigint | undefined {
  if (amount === 0n) return 0n
  return quote && worthAt(amount, decimals, quote.price)
}

const heldOf = (of: readonly Balance[]) =>
  of.map(({ asset, available, held, staked }) => ({ chain: asset.chain, contract: asset.contract ?? '', amount: available + held + staked }))

/** The sum of postings before the first moment (place 0), then the postings of each step; place n counts from moment n on. */
async function readChanges(tx: OrganisationTx, { walletId, subWalletId }: Asked, times: readonly number[]): Promise<Change[]> {
  const scope = subWalletId
    ? sql`and account.sub_wallet_id = ${subWalletId}`
    : walletId
      ? sql`and account.sub_wallet_id in (select id from sub_wallet where org_id = ${tx.orgId} and wallet_id = ${walletId})`
      : sql``
  const reading = sql<{ chain: string; contract: string; place: number; amount: bigint }>`
    select account.chain, account.contract, width_bucket(transfer.created_at - 1, ${[...times]}::int8[]) as place, sum(entry.amount) as amount
    from ledger_transfer as transfer
    join ledger_entry as entry on entry.org_id = transfer.org_id and entry.transfer_id = transfer.id
    join ledger_account as account on account.org_id = entry.org_id and account.id = entry.account_id
    where transfer.org_id = ${tx.orgId} and transfer.created_at > ${at(times, 0)}::int8 and account.kind in ('available', 'held', 'staked') ${scope}
    group by 1, 2, 3`.execute(tx)
  const [{ rows: since }, now] = await Promise.all([reading, subWalletId ? balances(tx, subWalletId).then(heldOf) : walletSums(tx, walletId)])
  const before = now.map(({ chain, contract, amount }) => {
    const later = since.filter((each) => each.chain === chain && each.contract === contract).reduce((sum, each) => sum + BigInt(each.amount), 0n)
    return { chain, contract, place: 0, amount: amount - later }
  })
  // A server whose clock is ahead of ours may have posted after "now": that counts from now on.
  return [...before, ...since.map((each) => ({ ...each, place: Math.min(each.place, times.length - 1) }))]
}
