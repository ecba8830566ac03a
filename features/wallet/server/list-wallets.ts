import { countsWrittenOnce, type OrganisationTx, type Schema, writtenOnce } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { formatWorth } from '@holdfast/features/price/server'
import { signatureKindOf } from '@holdfast/mpc'
import { at, formatAmount, known } from '@holdfast/units'
import { type Selectable, sql } from 'kysely'
import { isArchivedWithValue } from './archive-wallet.ts'
import { depositsOf } from './closed-networks.ts'
import { addUp, type Holding, type HoldingsBy, holdingsByWallet } from './read-holdings.ts'
import { protocolsToAdd, readAddedKeys, recoveryOfWallet, recoveryStates } from '@holdfast/features/key/server'
import { percentText, shareTexts, type Prices, priceView, readPrices, type Valued, valueOf, worthDayAgo, worthOf, worthView } from './worth.ts'

const API_WALLET = 2
const MPC_WALLET = 1
/** Sub-wallets that come with a wallet; the others are read page by page. */
const FIRST_SUB_WALLETS = 5

type Asked = Valued & { type: number; needStat: boolean; isArchived: boolean; personId: string }

/** The wallets, pinned ones apart, with their values; those put away alone, or the others. `type` 2 asks for API wallets, of which there are none yet. */
export async function listWallets(tx: OrganisationTx, networks: Networks, asked: Asked) {
  const { type, needStat, isArchived, personId, nowMs } = asked
  const [holdings, prices, rows] = await Promise.all([
    holdingsByWallet(tx, networks),
    readPrices(tx, networks, asked),
    type === API_WALLET ? undefined : readWallets(tx, personId, nowMs),
  ])
  const all = rows ? walletViews(rows, networks, holdings, prices) : []
  const withValue = new Set(rows?.wallets.flatMap(({ id, withValue }) => (withValue ? [id] : [])))
  const isAway = ({ archived, wallet_id: id }: (typeof all)[number]) => archived && !withValue.has(id)
  const away = all.filter(isAway)
  const wallets = isArchived ? away : all.filter((each) => !isAway(each))
  const stat = needStat ? statOf(addUp(holdings.values(), networks), networks, prices, wallets.length) : null
  return {
    top_wallet: wallets.filter((each) => each.top),
    wallet_list: wallets.filter((each) => !each.top),
    archived_count: isArchived ? 0 : away.length,
    stat,
  }
}

type WalletRow = Pick<Selectable<Schema['wallet']>, 'id' | 'name' | 'alias' | 'state' | 'created_at' | 'archived_at'> & {
  pinned: boolean | null
  /** How many of its orders wait for approvals; null for none. */
  waiting: bigint | null
  /** Put away, and yet it has something. */
  withValue: boolean
}

const askWallets = writtenOnce(
  (_, { orgId, personId }: { orgId: string; personId: string }) => sql<WalletRow>`
    select wallet.id, wallet.name, wallet.alias, wallet.state, wallet.created_at, wallet.archived_at, pin.pinned, waiting.count as waiting,
      ${isArchivedWithValue(orgId)} as "withValue"
    from wallet
    left join wallet_pin pin on pin.org_id = wallet.org_id and pin.wallet_id = wallet.id and pin.person_id = ${personId}
    left join (select wallet_id, count(*) as count from transfer_order where org_id = ${orgId} and state = 'approving' group by 1) waiting
      on waiting.wallet_id = wallet.id
    where wallet.org_id = ${orgId} order by wallet.created_at, wallet.id`,
)

const askFirstSubWallets = writtenOnce(
  (_, { orgId }: { orgId: string }) => sql<{ id: string; wallet_id: string; number: number; name: string; alias: string | null; created_at: bigint }>`
    select first.id, w.id as wallet_id, first.number, first.name, a.alias, first.created_at
    from wallet w
    cross join lateral (select s.id, s.number, s.name, s.created_at from sub_wallet s
      where s.org_id = ${orgId} and s.wallet_id = w.id and not s.hidden order by s.number limit ${sql.lit(FIRST_SUB_WALLETS)}) first
    left join sub_wallet_alias a on a.org_id = ${orgId} and a.sub_wallet_id = first.id
    where w.org_id = ${orgId} order by first.number`,
)

// A sub-wallet stays for ever; whether it is hidden changes.
const countAll = countsWrittenOnce(({ orgId }: { orgId: string }) => [
  { from: sql`sub_wallet s`, where: sql`s.org_id = ${orgId}`, staysSince: sql`s.created_at`, group: sql`s.wallet_id::text` },
  { from: sql`sub_wallet s`, where: sql`s.org_id = ${orgId} and s.hidden`, group: sql`s.wallet_id::text` },
])

/** Everything about the wallets except their holdings. */
async function readWallets(tx: OrganisationTx, personId: string, nowMs: number) {
  const { orgId } = tx
  const [wallets, subWallets, countsOf, recovery, addedOf] = await Promise.all([
    askWallets(tx, { orgId, personId }),
    askFirstSubWallets(tx, { orgId }),
    countSubWallets(tx, nowMs),
    recoveryStates(tx, undefined, nowMs),
    readAddedKeys(tx),
  ])
  return { wallets, subWallets, countsOf, recovery, addedOf }
}

type WalletRows = Awaited<ReturnType<typeof readWallets>>

function walletViews({ wallets, subWallets, countsOf, recovery, addedOf }: WalletRows, networks: Networks, holdings: HoldingsBy, prices: Prices) {
  return wallets.map((wallet) => {
    const keys = known(recovery.get(wallet.id), `the recovery of wallet ${wallet.id}`)
    const { depositsOpen, overdue, nextDrillAtMs, retired } = recoveryOfWallet(keys)
    const kinds = keys.map(({ protocol }) => signatureKindOf(protocol))
    const count = countsOf(wallet.id)
    return {
      wallet_id: wallet.id,
      wallet_name: wallet.name,
      alias: wallet.alias,
      wallet_type: MPC_WALLET,
      key_kind: at(kinds, 0),
      key_kinds: kinds,
      addable_kinds: protocolsToAdd(
        networks,
        keys.map(({ protocol }) => protocol),
      ).map(signatureKindOf),
      added_key: addedOf(wallet.id),
      state: wallet.state,
      retired,
      recovery_verified: depositsOpen,
      ...depositsOf(networks, keys),
      recovery_overdue: overdue,
      next_drill_at: nextDrillAtMs,
      archived: wallet.archived_at !== null,
      top: wallet.pinned === true,
      ...worthView(worthOf(holdings.get(wallet.id) ?? [], prices)),
      todo_count: Number(wallet.waiting ?? 0n),
      created_at: Number(wallet.created_at),
      sub_wallet_count: count.shown,
      hidden_count: count.hidden,
      sub_wallet_list: subWallets.filter((each) => each.wallet_id === wallet.id).map(subWalletView),
    }
  })
}

/** How many sub-wallets each wallet has, and how many of them are hidden, by wallet. */
export async function countSubWallets(tx: OrganisationTx, nowMs: number): Promise<(walletId: string) => { shown: number; hidden: number }> {
  const [all, hidden] = await countAll(tx, nowMs, { orgId: tx.orgId }, ['sub-wallets', undefined])
  return (walletId) => {
    const ofWallet = hidden?.get(walletId) ?? 0
    return { shown: (all?.get(walletId) ?? 0) - ofWallet, hidden: ofWallet }
  }
}

export function subWalletView(row: { id: string; number: number; name: string; alias: string | null; created_at: bigint }) {
  return { sub_wallet_id: row.id, sub_wallet_num: row.number, sub_wallet_name: row.name, alias: row.alias || null, created_at: Number(row.created_at) }
}

/** The value of all of it together, coin by coin, the highest first. */
function statOf(holdings: readonly Holding[], networks: Networks, prices: Prices, walletCount: number) {
  const held = holdings.filter(({ amount }) => amount > 0n)
  const whole = worthOf(held, prices)
  const before = worthDayAgo(held, prices)
  const change = whole.value === undefined || before === undefined || whole.isPartial ? undefined : whole.value - before
  const coins = held.map((holding) => ({ holding, value: valueOf(holding, prices) })).sort((a, b) => compare(b.value ?? -1n, a.value ?? -1n))
  const valued = coins.flatMap(({ value }) => value ?? [])
  const shares = whole.value ? shareTexts(valued, whole.value) : []
  return {
    ...worthView(whole),
    usd_24h_change: change === undefined ? null : formatWorth(change),
    usd_24h_change_pct: change === undefined || before === undefined ? null : percentText(change, before),
    coin_count: held.length,
    wallet_count: walletCount,
    // Those without a price come last.
    by_coin: coins.map(({ holding: { asset, amount }, value }, i) => ({
      symbol: asset.symbol,
      chain: asset.chain,
      network: networks.find(asset.chain)?.name ?? asset.chain,
      contract_address: asset.contract,
      amount: formatAmount(amount, asset.decimals),
      usd: value === undefined ? null : formatWorth(value),
      ...priceView(asset, prices),
      pct: value === undefined ? null : (shares[i] ?? null),
    })),
    price_source: prices.source,
  }
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
