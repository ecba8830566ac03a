import type { OutputOf } from '@holdfast/contract'
import type { Outcome } from '@holdfast/features/strategy/console'
import type { listCoinAssets } from '@holdfast/features/wallet/contract'
import { AmountError, assetName, formatAmount, parseAmount } from '@holdfast/units'
import type { checkAddress, estimateGas } from '../contract.ts'

/** What can be paid with: a coin, or with `token_id` one token of a collection, by the piece. */
export type Coin = Pick<
  OutputOf<typeof listCoinAssets>['list'][number],
  'chain' | 'network' | 'symbol' | 'contract_address' | 'decimals' | 'normal_balance'
> & {
  token_id?: string
}
export type AddressCheck = OutputOf<typeof checkAddress>
export type Quote = OutputOf<typeof estimateGas>
export type Tier = Quote['tiers'][number]

/** A payment that was filled in and not sent yet. */
export type Draft = {
  coin: Coin
  to: string
  check: AddressCheck
  /** Empty where the network carries none. */
  memo: string
  amount: string
  tier: Tier
  feeSymbol: string
  remark: string
  expireHours: number
  outcome: Outcome
}

export const WARNINGS = ['lookalike', 'control', 'contract', 'first_seen'] as const
/** What is wrong about a destination without making it impossible; each must be acknowledged before the order is sent. */
export type Warning = (typeof WARNINGS)[number]

/** What must be acknowledged of a destination, the gravest first. */
export function warningsOf(check: Pick<AddressCheck, 'similar_to' | 'control' | 'is_contract' | 'first_seen'>): Warning[] {
  const found: Record<Warning, boolean> = {
    lookalike: check.similar_to.length > 0,
    control: check.control?.own === false,
    contract: check.is_contract,
    first_seen: check.first_seen,
  }
  return WARNINGS.filter((warning) => found[warning])
}

/** How many bytes a memo is too long, or undefined where the network carries it. */
export function memoExcess(memo: string, max: number): number | undefined {
  const bytes = new TextEncoder().encode(memo.trim().normalize('NFC')).length
  return bytes > max ? bytes - max : undefined
}

export type AmountFault = 'shape' | 'precision' | 'zero' | 'exceeds'

/** Why an amount cannot be sent, or undefined where it can. */
export function amountFault(text: string, coin: Pick<Coin, 'decimals' | 'normal_balance'>): AmountFault | undefined {
  try {
    const amount = parseAmount(text, coin.decimals)
    if (amount === 0n) return 'zero'
    return amount > parseAmount(coin.normal_balance, coin.decimals) ? 'exceeds' : undefined
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    return /^\d+\.\d+$/.test(text) ? 'precision' : 'shape'
  }
}

/** What leaves the wallet at most: one line where the fee is of the coin itself, else the amount and the fee apart. */
export function leavesAtMost({ coin, amount, tier, feeSymbol }: Pick<Draft, 'coin' | 'amount' | 'tier' | 'feeSymbol'>): { value: string; unit: string }[] {
  if (feeSymbol !== coin.symbol || coin.contract_address !== null)
    return [
      { value: amount, unit: unitOf(coin) },
      { value: tier.fee, unit: feeSymbol },
    ]
  return [{ value: formatAmount(parseAmount(amount, coin.decimals) + parseAmount(tier.fee, coin.decimals), coin.decimals), unit: coin.symbol }]
}

/** Whether two fields of the form name the same coin: symbols repeat between networks, and a collection's between its tokens. */
export function coinKey({ chain, symbol, token_id = '' }: Pick<Coin, 'chain' | 'symbol' | 'token_id'>): string {
  return `${chain} ${symbol} ${token_id}`
}

/** How a coin is called where its amount stands. */
export function unitOf({ symbol, token_id }: Pick<Coin, 'symbol' | 'token_id'>): string {
  return assetName(symbol, token_id)
}
