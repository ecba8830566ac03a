import { AppError } from '@holdfast/contract'
import { getCollectingRule, getCollectingSubWallets, setCollectingRule } from '@holdfast/features/co-signer/contract'
import { askConsole, type Asking, demandField, fieldOf } from './asking.ts'
import { coinNamed } from './coins.ts'
import { plain } from './fees.ts'
import { numbersOf } from './numbers.ts'
import { mainWallet } from './wallets.ts'

/** At most six decimals, as the wire has amounts of plans. */
const AMOUNT = /^\d{1,16}(\.\d{1,6})?$/

const walletOf = async (asking: Asking): Promise<string> => fieldOf(asking, 'wallet_id') ?? (await mainWallet(asking))

/** Which sub-wallet collects and which one pays for fees; a plan of collection is of a wallet, and the same for each of its coins. */
export async function collectingSubWallets(asking: Asking) {
  const { context, caller } = asking
  coinNamed(context, caller.orgId, demandField(asking, 'symbol'))
  const found = await askConsole(asking, getCollectingSubWallets, { wallet_id: await walletOf(asking) }, 'organisation')
  const { collect_sub_wallet_id: collect, fueling_sub_wallet_id: fuel } = found
  const numbers = await numbersOf(
    context.db,
    caller.orgId,
    'sub_wallet',
    [collect, fuel].flatMap((id) => id ?? []),
  )
  return { collect_sub_wallet_id: numbers.get(collect ?? '') ?? null, fueling_sub_wallet_id: numbers.get(fuel ?? '') ?? null }
}

/**
 * Sets from how much on a coin is collected and what may be sent for fees; what else its rule says stays. Within what people have approved it counts at once,
 * and beyond that nothing of it happens before they approve.
 */
export async function setCollectingSymbol(asking: Asking) {
  const { context, caller } = asking
  const coin = coinNamed(context, caller.orgId, demandField(asking, 'symbol'))
  const { chain, symbol } = coin.asset
  const wallet_id = await walletOf(asking)
  const present = await askConsole(asking, getCollectingRule, { wallet_id, chain, symbol }, 'organisation')
  const { single_min, collect_max, max_fee, max_fee_pct, rbf_after_s, rbf_times, schedule } = present ?? {}
  const kept = { single_min, collect_max, max_fee, max_fee_pct, rbf_after_s, rbf_times, schedule }
  const keptTexts = Object.entries(kept).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]]))
  const given = { chain, symbol, collect_min: amountIn(asking, 'collect_min'), fueling_limit: amountIn(asking, 'fueling_limit') }
  await askConsole(asking, setCollectingRule, { wallet_id, ...(Object.fromEntries(keptTexts) as Record<string, string>), ...given }, 'organisation')
  return { symbol: coin.name }
}

function amountIn(asking: Asking, field: string): string {
  const text = demandField(asking, field)
  if (AMOUNT.test(text)) return plain(text)
  throw new AppError('invalid_parameters', { details: { field, reason: 'it must be an amount with at most 6 decimals' } })
}
