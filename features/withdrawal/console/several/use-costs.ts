import { useApi } from '@holdfast/client'
import { at } from '@holdfast/units'
import { estimateGas } from '../../contract.ts'
import { hasCaps, warningsOf } from '../draft.ts'
import type { JudgedRow } from './judge-rows.ts'
import { recipientName } from './recipient-name.ts'
import type { SeveralCoin } from './several-coin.ts'
import type { CheckedRecipient, TierFees } from './several-orders.ts'

export type CheckedBatch = {
  recipients: CheckedRecipient[]
  total: string
  fees: TierFees | null
  feeSymbol: string
  feeBalance: string
  feeDecimals: number
  /** Whether the speeds cost different fees. */
  hasTiers: boolean
}

/** So many fees are asked for at once. */
const TOGETHER = 4

/** Asks the server what the payments may cost, once every line is ready. Throws what a call throws. */
export function useCosts(subWalletId: string, coin: SeveralCoin) {
  const { client } = useApi()
  const place = { sub_wallet_id: subWalletId, chain: coin.chain, symbol: coin.symbol }
  type Output = { address_to: string; amount: string }
  const costOf = ({ address_to: to, amount }: Output, outputs?: Output[]) =>
    client.call(estimateGas, { ...place, to, amount, ...(outputs && { outputs }) }, { shows: () => true })
  return async (rows: readonly JudgedRow[], total: string): Promise<CheckedBatch> => {
    const checked = rows.map(recipientOf)
    const outputs = checked.map(({ address_to, amount }) => ({ address_to, amount }))
    const quotes = coin.isTogether ? [await costOf({ ...at(outputs, 0), amount: total }, outputs)] : await inTurns(outputs, (each) => costOf(each))
    const fees = quotes.map(({ tiers }) => Object.fromEntries(tiers.map(({ tier, fee }) => [tier, fee])) as TierFees)
    const { fee_symbol: feeSymbol, fee_balance: feeBalance, fee_decimals: feeDecimals } = at(quotes, 0)
    const common = { total, feeSymbol, feeBalance, feeDecimals, hasTiers: quotes.some(hasCaps) }
    if (coin.isTogether) return { recipients: checked, fees: at(fees, 0), ...common }
    return { recipients: checked.map((each, i) => ({ ...each, fees: at(fees, i) })), fees: null, ...common }
  }
}

function recipientOf({ line, amount, check }: JudgedRow): CheckedRecipient {
  if (!check || check.canonical === null) throw new Error(`line ${line} was not checked`)
  return { line, address_to: check.canonical, amount: amount.trim(), name: recipientName(check), warnings: warningsOf(check), fees: null }
}

async function inTurns<T, R>(all: readonly T[], ask: (each: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  for (let from = 0; from < all.length; from += TOGETHER) answers.push(...(await Promise.all(all.slice(from, from + TOGETHER).map(ask))))
  return answers
}
