import { familyOf } from '@holdfast/chain-registry/codec'
import { AppError } from '@holdfast/contract'
import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { assetsOf, type NetworkAsset, type Networks, networksOfKeys, selectClosed, selectMarked } from '@holdfast/features/network/server'
import { formatWorth } from '@holdfast/features/price/server'
import { selectBalances } from '@holdfast/ledger'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import { selectFocused } from './coin-focus.ts'
import { TOKEN_STANDARDS } from '../contract.ts'
import { isNotHeld } from './held-deposits.ts'
import { requireSubWallet } from './list-sub-wallets.ts'
import { recoveryOfSubWallet, recoveryOn } from '@holdfast/features/key/server'
import { networkErrors } from '@holdfast/features/network/errors'
import { selectUnverifiedCount } from './unverified.ts'
import { type Prices, priceView, readPrices, type Valued, valueOf, worthOf, worthView } from './worth.ts'

/** `personId`: whose marked coins are said to be marked; null where no person looks. */
type Asked = Valued & { subWalletId: string; personId: string | null; baseSymbol?: string | undefined }
type Amounts = { available: bigint; held: bigint; staked: bigint; collecting: bigint; pending: bigint }
const NOTHING: Amounts = { available: 0n, held: 0n, staked: 0n, collecting: 0n, pending: 0n }

/** The holdings of a sub-wallet, coin by coin, in exact decimal text: every coin its wallet offers, and any other that it has. */
export async function listCoinAssets(tx: OrganisationTx, networks: Networks, asked: Asked) {
  const { subWalletId, personId, nowMs } = asked
  const [wallet, known, prices] = await Promise.all([
    recoveryOfSubWallet(tx, subWalletId, nowMs),
    askCoins(tx, { orgId: tx.orgId, subWalletId, personId }).then(coinsKnown),
    readPrices(tx, networks, asked),
  ])
  const { keys } = wallet
  const { amounts, closed, focused, uneven, hasAddress, unverifiedCount } = known
  const coins = networksOfKeys(networks, keys).flatMap((network) =>
    assetsOf(network, tx.orgId).map((asset) => ({ network, asset, amounts: amounts.get(idOf(asset)) ?? NOTHING })),
  )
  const all = coins.map(({ asset, amounts: { available, held, staked } }) => ({ asset, amount: available + held + staked }))
  const list = coins
    .filter(({ asset, amounts: has }) => !closed.has(idOf(asset)) || Object.values(has).some((amount) => amount > 0n))
    .map(({ network, asset, amounts: has }) => ({ network, asset, has, recovery: recoveryOn(asset.chain, keys) }))
    .map(({ network, asset, has, recovery }) => ({
      ...coinView(asset, has, prices),
      base_symbol: network.assets.find((each) => each.contract === null)?.symbol ?? '',
      network: network.name,
      focus: focused.has(idOf(asset)),
      verified: true,
      uneven: asset.contract !== null && uneven.has(idOf(asset)),
      enable_deposit: (recovery.depositsOpen || recovery.provenBeforeMs !== null) && hasAddress.has(asset.chain),
      enable_withdraw: wallet.state === 'active' && !recovery.retired && hasAddress.has(asset.chain),
    }))
    .filter((coin) => asked.baseSymbol === undefined || coin.base_symbol === asked.baseSymbol)
  return { ...worthView(worthOf(all, prices)), price_source: prices.source, list, unverified_count: unverifiedCount }
}

/** The token standard of a coin on its chain. */
export function standardOf({ chain, contract }: Pick<NetworkAsset, 'chain' | 'contract'>): 'native' | (typeof TOKEN_STANDARDS)[keyof typeof TOKEN_STANDARDS] {
  const family = contract === null ? undefined : familyOf(chain)?.family
  return family === undefined ? 'native' : TOKEN_STANDARDS[family]
}

function coinView(asset: NetworkAsset, { available, held, staked, collecting, pending }: Amounts, prices: Prices) {
  const { symbol, chain, contract, decimals } = asset
  const value = valueOf({ asset, amount: available + held + staked }, prices)
  return {
    symbol,
    chain,
    contract_address: contract,
    decimals,
    token_standard: standardOf(asset),
    normal_balance: formatAmount(available, decimals),
    lock_balance: formatAmount(held, decimals),
    stake_balance: formatAmount(staked, decimals),
    collecting_balance: formatAmount(collecting, decimals),
    pending_balance: formatAmount(pending, decimals),
    usd: value === undefined ? null : formatWorth(value),
    ...priceView(asset, prices),
  }
}

/** What a sub-wallet holds of one coin, and of the one that pays the fees of its network. */
export async function symbolBalance(
  tx: OrganisationTx,
  networks: Networks,
  { subWalletId, chain, symbol }: { subWalletId: string; chain: string; symbol: string },
) {
  await requireSubWallet(tx, subWalletId)
  const asset = networks.asset(chain, symbol)
  const feeAsset = networks.find(chain)?.assets.find((each) => each.contract === null)
  if (!asset || !feeAsset) throw new AppError(networkErrors.unsupported_coin)
  const amounts = await readAmounts(tx, subWalletId)
  const { available, held, collecting } = amounts.get(idOf(asset)) ?? NOTHING
  return {
    normal_balance: formatAmount(available, asset.decimals),
    lock_balance: formatAmount(held, asset.decimals),
    collecting_balance: formatAmount(collecting, asset.decimals),
    fee_symbol: feeAsset.symbol,
    fee_balance: formatAmount(amounts.get(idOf(feeAsset))?.available ?? 0n, feeAsset.decimals),
  }
}

const idOf = ({ chain, contract }: { chain: string; contract: string | null }): string => `${chain}|${contract ?? ''}`

type Of = { orgId: string; subWalletId: string }
type AmountRow = { what: keyof Amounts; chain: string; contract: string; amount: bigint }

/** What is booked, what is on its way in, and what is being collected by orders and by parts of orders, coin by coin. */
const selectAmounts = ({ orgId, subWalletId }: Of) => sql<AmountRow>`
    select kind as what, chain, contract, balance as amount from (${selectBalances({ orgId, subWalletId })}) booked
    union all select 'pending', chain, contract, sum(amount) from deposit
      where org_id = ${orgId} and sub_wallet_id = ${subWalletId} and state in ('unconfirmed', 'confirmed') and ${isNotHeld} group by 2, 3
    union all select 'collecting', chain, contract, sum(amount) from (
      select chain, contract, amount from transfer_order where org_id = ${orgId} and sub_wallet_id = ${subWalletId} and kind = 'collect' and not is_final
      union all select chain, contract, amount from order_part where org_id = ${orgId} and sub_wallet_id = ${subWalletId} and freed_at is null
    ) collected group by 2, 3`

const askAmounts = writtenOnce((_, of: Of) => selectAmounts(of))

async function readAmounts(tx: OrganisationTx, subWalletId: string): Promise<Map<string, Amounts>> {
  return amountsOf(await askAmounts(tx, { orgId: tx.orgId, subWalletId }))
}

function amountsOf(rows: readonly AmountRow[]): Map<string, Amounts> {
  const found = new Map<string, Amounts>()
  for (const { what, amount, ...coin } of rows) found.set(idOf(coin), { ...(found.get(idOf(coin)) ?? NOTHING), [what]: amount })
  return found
}

type CoinRow = AmountRow | { what: 'closed' | 'focused' | 'uneven' | 'address' | 'unverified'; chain: string; contract: string; amount: bigint | null }

// One question: each statement costs the database about as much as the rows that it finds.
const askCoins = writtenOnce((_, { orgId, subWalletId, personId }: Of & { personId: string | null }) => {
  const walletId = sql`(select wallet_id from sub_wallet where org_id = ${orgId} and id = ${subWalletId})`
  return sql<CoinRow>`${selectAmounts({ orgId, subWalletId })}
    union all select 'closed', chain, contract, null from (${selectClosed(orgId, walletId)}) closed
    union all select 'focused', chain, contract, null from (${selectFocused(orgId, { personId, subWalletId })}) focused
    union all select 'uneven', chain, contract, null from (${selectMarked(orgId)}) marked
    union all select 'address', chain, '', null from address where org_id = ${orgId} and sub_wallet_id = ${subWalletId} and number = 0
    union all select 'unverified', '', '', count from (${selectUnverifiedCount(orgId, subWalletId)}) unverified`
})

/** What is known of the coins of a sub-wallet; coins by `idOf`, and the networks on which it has an address. */
function coinsKnown(rows: readonly CoinRow[]) {
  const of = (what: CoinRow['what']) => rows.filter((row) => row.what === what)
  const idsOf = (what: CoinRow['what']) => new Set(of(what).map(idOf))
  return {
    amounts: amountsOf(rows.filter(isAmount)),
    closed: idsOf('closed'),
    focused: idsOf('focused'),
    uneven: idsOf('uneven'),
    hasAddress: new Set(of('address').map(({ chain }) => chain)),
    unverifiedCount: Number(of('unverified')[0]?.amount ?? 0n),
  }
}

const isAmount = (row: CoinRow): row is AmountRow => Object.hasOwn(NOTHING, row.what)
