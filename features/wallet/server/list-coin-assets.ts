import { familyOf } from '@holdfast/chain-registry/codec'
import { AppError } from '@holdfast/contract'
import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { assetsOf, closedCoins, type NetworkAsset, type Networks, networksOfKeys, unevenTokens } from '@holdfast/features/network/server'
import { formatWorth } from '@holdfast/features/price/server'
import { balances } from '@holdfast/ledger'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import { focusedCoins } from './coin-focus.ts'
import { TOKEN_STANDARDS } from '../contract.ts'
import { isNotHeld } from './held-deposits.ts'
import { requireSubWallet, withSubWallet } from './list-sub-wallets.ts'
import { recoveryOfKeys, recoveryOn } from '@holdfast/features/key/server'
import { networkErrors } from '@holdfast/features/network/errors'
import { countUnverified } from './unverified.ts'
import { type Prices, priceView, readPrices, type Valued, valueOf, worthOf, worthView } from './worth.ts'

/** `personId`: whose marked coins are said to be marked; null where no person looks. */
type Asked = Valued & { subWalletId: string; personId: string | null; baseSymbol?: string | undefined }
type Amounts = { available: bigint; held: bigint; staked: bigint; collecting: bigint; pending: bigint }
const NOTHING: Amounts = { available: 0n, held: 0n, staked: 0n, collecting: 0n, pending: 0n }

/** The holdings of a sub-wallet, coin by coin, in exact decimal text: every coin its wallet offers, and any other that it has. */
export async function listCoinAssets(tx: OrganisationTx, networks: Networks, asked: Asked) {
  const { subWalletId, personId, nowMs } = asked
  const { wallet, found } = await withSubWallet(tx, subWalletId, (walletId) =>
    Promise.all([
      recoveryOfKeys(tx, walletId, nowMs),
      askFirstChains(tx, { orgId: tx.orgId, subWalletId }),
      readAmounts(tx, subWalletId),
      closedCoins(tx, walletId),
      personId === null ? new Set<string>() : focusedCoins(tx, personId, subWalletId),
      readPrices(tx, networks, asked),
      unevenTokens(tx),
      countUnverified(tx, subWalletId),
    ]),
  )
  const [keys, chains, amounts, closed, focused, prices, marked, unverifiedCount] = found
  const hasAddress = new Set(chains.map((each) => each.chain))
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
      uneven: asset.contract !== null && marked(tx.orgId, asset.chain, asset.contract),
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

/** What is on its way in, and what is being collected by orders and by parts of orders, coin by coin. One question. */
const askMoving = writtenOnce(
  (_, { orgId, subWalletId }: { orgId: string; subWalletId: string }) => sql<{
    what: 'pending' | 'collecting'
    chain: string
    contract: string
    amount: bigint
  }>`
    select 'pending' as what, chain, contract, sum(amount) as amount from deposit
      where org_id = ${orgId} and sub_wallet_id = ${subWalletId} and state in ('unconfirmed', 'confirmed') and ${isNotHeld} group by 2, 3
    union all select 'collecting', chain, contract, sum(amount) from (
      select chain, contract, amount from transfer_order where org_id = ${orgId} and sub_wallet_id = ${subWalletId} and kind = 'collect' and not is_final
      union all select chain, contract, amount from order_part where org_id = ${orgId} and sub_wallet_id = ${subWalletId} and freed_at is null
    ) collected group by 2, 3`,
)

const askFirstChains = writtenOnce((db, { orgId, subWalletId }: { orgId: string; subWalletId: string }) =>
  db.selectFrom('address').select('chain').where('org_id', '=', orgId).where('sub_wallet_id', '=', subWalletId).where('number', '=', 0),
)

async function readAmounts(tx: OrganisationTx, subWalletId: string): Promise<Map<string, Amounts>> {
  const found = new Map<string, Amounts>()
  const add = (id: string, amounts: Partial<Amounts>) => found.set(id, { ...(found.get(id) ?? NOTHING), ...amounts })
  const of = { orgId: tx.orgId, subWalletId }
  const [booked, moving] = await Promise.all([balances(tx, subWalletId), askMoving(tx, of)])
  for (const { asset, available, held, staked } of booked) add(idOf(asset), { available, held, staked })
  for (const { what, chain, contract, amount } of moving) add(`${chain}|${contract}`, { [what]: amount })
  return found
}
