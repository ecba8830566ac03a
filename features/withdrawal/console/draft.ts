import type { OutputOf } from '@holdfast/contract'
import type { Outcome } from '@holdfast/features/policy/console'
import type { listCoinAssets } from '@holdfast/features/wallet/contract'
import { AmountTextFault, assetName, formatAmount, parseAmount } from '@holdfast/units'
import { type checkAddress, type estimateGas, type Warning, WARNINGS } from '../contract.ts'

/** What can be paid: a coin, or with `token_id` one token of a collection, by the piece. */
export type Coin = Pick<
  OutputOf<typeof listCoinAssets>['list'][number],
  'chain' | 'network' | 'symbol' | 'contract_address' | 'decimals' | 'normal_balance'
> & {
  token_id?: string
  /** There is one piece of the token in the world (ERC-721): nobody says how many. */
  isSingle?: boolean
  /** Of one, in the currency that values are shown in; null or absent if nobody knows. */
  price?: string | null
}
export type AddressCheck = OutputOf<typeof checkAddress>
export type Quote = OutputOf<typeof estimateGas>
export type Tier = Quote['tiers'][number]

/** The fee a person chose: a tier, or with `custom` the cap in `cap`. */
export type ChosenFee = { tier: Tier['tier'] | 'custom'; cap: string }

/** A payment that was filled in and not sent yet. */
export type Draft = {
  coin: Coin
  /** Which address of the sub-wallet pays, where there was a choice. */
  from: string | undefined
  to: string
  check: AddressCheck
  /** Empty if the network carries none. */
  memo: string
  /** The typed amount, and whether the fee is taken from it. */
  amount: string
  isGross: boolean
  /** The amount that the recipient gets. */
  paid: string
  chosenFee: ChosenFee
  /** The most the fee may reach, in `feeSymbol`. */
  fee: string
  feeSymbol: string
  /** Of the coin that pays the fee, as `Coin.price`. */
  feePrice: string | null
  /** The coin for a token that is inscribed first, in `feeSymbol`; null if there is none. */
  along: string | null
  remark: string
  /** The label of the order, which is not signed; tags separated by commas. */
  category: string
  tags: string
  expireHours: number
  outcome: Outcome
}

/** Whether a warning is shown in red. */
export const isGrave = (warning: Warning): boolean => warning === 'lookalike' || warning === 'control' || warning === 'policy_contract'

type Known = Pick<AddressCheck, 'similar_to' | 'control' | 'policy_contract' | 'is_contract' | 'first_seen' | 'own'>

/** The warnings about a destination to acknowledge, the gravest first. */
export function warningsOf(check: Known): Warning[] {
  const found: Record<Warning, boolean> = {
    lookalike: check.similar_to.length > 0,
    control: check.control?.own === false,
    policy_contract: check.policy_contract,
    contract: check.is_contract && !check.policy_contract,
    // Of an own address nobody has to know from whom it came.
    first_seen: check.first_seen && check.own === null,
  }
  return WARNINGS.filter((warning) => found[warning])
}

/** What the approval page will say above an order about its destination: the key of each sentence, with the address that it names. */
export function alarmsOf(check: Known): { key: string; address?: string }[] {
  return warningsOf(check).flatMap((warning): { key: string; address?: string }[] =>
    warning === 'lookalike' ? check.similar_to.map(({ address, kind }) => ({ key: `similar_${kind}`, address })) : [{ key: warning }],
  )
}

/** How many bytes a memo is too long, or undefined if the network carries it. */
export function memoExcess(memo: string, max: number): number | undefined {
  const bytes = new TextEncoder().encode(memo.trim().normalize('NFC')).length
  return bytes > max ? bytes - max : undefined
}

type Misread = 'shape' | 'precision'
export type AmountFault = Misread | 'zero' | 'exceeds' | 'eaten' | 'least' | 'onTop'
export type CapFault = Misread | 'low' | 'high'

/** An amount in base units, or why its text is invalid. */
function readAmount(text: string, decimals: number): bigint | Misread {
  try {
    return parseAmount(text, decimals)
  } catch (error) {
    if (!(error instanceof AmountTextFault)) throw error
    return /^\d+\.\d+$/.test(text) ? 'precision' : 'shape'
  }
}

/** What bounds an amount, as far as it is known. */
export type Bounds = {
  /** The fee that is taken from it: something must be left. */
  fee?: string | undefined
  /** The smallest amount that the network relays to the address. */
  least?: string | undefined
  /** The most that can be typed, with the fee on top or in it (`mostOf`). */
  most?: string | undefined
}

/** Why an amount cannot be sent, or undefined if it can. */
export function amountFault(text: string, coin: Pick<Coin, 'decimals' | 'normal_balance'>, { fee, least, most }: Bounds = {}): AmountFault | undefined {
  const amount = readAmount(text, coin.decimals)
  if (typeof amount === 'string') return amount
  if (amount === 0n) return 'zero'
  if (amount > parseAmount(coin.normal_balance, coin.decimals)) return 'exceeds'
  const taken = fee === undefined ? 0n : parseAmount(fee, coin.decimals)
  if (fee !== undefined && amount <= taken) return 'eaten'
  if (most !== undefined && amount > parseAmount(most, coin.decimals)) return fee === undefined ? 'onTop' : 'exceeds'
  return least !== undefined && amount - taken < parseAmount(least, coin.decimals) ? 'least' : undefined
}

type Caps = Pick<Quote, 'cap_min' | 'cap_max' | 'fee_decimals'>

/** Why a fee cap would be refused, or undefined if it would not. */
export function capFault(text: string, { cap_min, cap_max, fee_decimals: decimals }: Caps): CapFault | undefined {
  const cap = readAmount(text, decimals)
  if (typeof cap === 'string') return cap
  if (cap < parseAmount(cap_min, decimals)) return 'low'
  return cap > parseAmount(cap_max, decimals) ? 'high' : undefined
}

/** Whether there is enough of the coin that pays a fee, apart from what is paid. */
export function isFeeCovered({ fee_balance: has, fee_decimals: decimals }: Pick<Quote, 'fee_balance' | 'fee_decimals'>, fee: string): boolean {
  return parseAmount(fee, decimals) <= parseAmount(has, decimals)
}

/** Whether a custom fee cap changes anything: not if every tier may cost the same. */
export function hasCaps({ tiers }: Pick<Quote, 'tiers'>): boolean {
  return tiers.some(({ fee }) => fee !== tiers[0]?.fee)
}

/**
 * The most the chosen fee may reach; undefined while it is unknown, or if the cap would be refused. Where every tier may cost the same no cap is
 * offered, and one that was typed for another coin counts for nothing.
 */
export function feeOf(quote: (Caps & Pick<Quote, 'tiers'>) | undefined, { tier, cap }: ChosenFee): string | undefined {
  if (tier === 'custom' && quote && hasCaps(quote)) return capFault(cap, quote) === undefined ? cap : undefined
  return quote?.tiers.find((each) => each.tier === (tier === 'custom' ? 'normal' : tier))?.fee
}

/** What the recipient gets of an amount in which `amountFault` finds no fault: all of it, or what the fee leaves. */
export function paidOf(amount: string, { decimals }: Pick<Coin, 'decimals'>, fee: string | undefined): string {
  return fee === undefined ? amount : formatAmount(parseAmount(amount, decimals) - parseAmount(fee, decimals), decimals)
}

/** The most that can be typed as the amount with the chosen fee, which is taken from it or comes on top. */
export function mostOf(quote: Pick<Quote, 'max_gross' | 'max_withdraw' | 'fee_decimals'>, isGross: boolean, fee: string | undefined): string {
  const { max_gross: gross, max_withdraw: most, fee_decimals: decimals } = quote
  if (gross === null) return most
  if (isGross) return gross
  if (fee === undefined) return most
  const left = parseAmount(gross, decimals) - parseAmount(fee, decimals)
  return formatAmount(left > 0n ? left : 0n, decimals)
}

/** The most that can be typed, of which the rules let no more than `payable` be paid. What the fee takes of it is paid to nobody. */
export function withinRules(most: string, payable: string | undefined, { decimals }: Pick<Coin, 'decimals'>, taken: string | undefined): string {
  if (payable === undefined) return most
  const bound = parseAmount(payable, decimals) + (taken === undefined ? 0n : parseAmount(taken, decimals))
  return bound < parseAmount(most, decimals) ? formatAmount(bound, decimals) : most
}

/** What leaves the wallet at most: one line if the fee is in the coin itself, else the amount apart from the fee and the coin of an inscription. */
export function leavesAtMost({ coin, paid, fee, feeSymbol, along }: Pick<Draft, 'coin' | 'paid' | 'fee' | 'feeSymbol' | 'along'>): {
  value: string
  unit: string
}[] {
  if (feeSymbol !== coin.symbol || coin.contract_address !== null)
    return [
      { value: paid, unit: unitOf(coin) },
      { value: along === null ? fee : addedTo(fee, along), unit: feeSymbol },
    ]
  return [{ value: formatAmount(parseAmount(paid, coin.decimals) + parseAmount(fee, coin.decimals), coin.decimals), unit: coin.symbol }]
}

/** The sum of two amounts of one coin, exactly. */
function addedTo(one: string, other: string): string {
  const decimals = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0))
  return formatAmount(parseAmount(one, decimals) + parseAmount(other, decimals), decimals)
}

/** What an amount is worth at a price, exactly; null if the price is not known or the amount is none. */
export function worthOf(amount: string, price: string | null | undefined): string | null {
  if (price == null) return null
  const [one, other] = [decimalOf(amount), decimalOf(price)]
  if (!one || !other) return null
  return formatAmount(one.units * other.units, one.places + other.places)
}

function decimalOf(text: string): { units: bigint; places: number } | undefined {
  const [, whole, fraction = ''] = /^(\d{1,40})(?:\.(\d{1,36}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : { units: BigInt(whole + fraction), places: fraction.length }
}

/** A span of seconds in the largest unit that it fills: 86,400 is one day. */
export function spanOf(seconds: number): { unit: 'day' | 'hour' | 'minute' | 'second'; count: number } {
  if (seconds >= 86_400) return { unit: 'day', count: Math.round(seconds / 86_400) }
  if (seconds >= 3_600) return { unit: 'hour', count: Math.round(seconds / 3_600) }
  return seconds >= 60 ? { unit: 'minute', count: Math.round(seconds / 60) } : { unit: 'second', count: seconds }
}

/** The part of the coin that can be sent now: for a token that is inscribed first, without what existing inscriptions hold. */
export function sendable<T extends Coin>(coin: T, quote: Pick<Quote, 'along' | 'max_withdraw'> | undefined): T {
  return quote === undefined || quote.along === null ? coin : { ...coin, normal_balance: quote.max_withdraw }
}

/** Whether two fields of the form name the same coin: symbols repeat between networks, and a collection's between its tokens. */
export function coinKey({ chain, symbol, token_id = '' }: Pick<Coin, 'chain' | 'symbol' | 'token_id'>): string {
  return `${chain} ${symbol} ${token_id}`
}

/** The name of a coin beside its amount. */
export function unitOf({ symbol, token_id }: Pick<Coin, 'symbol' | 'token_id'>): string {
  return assetName(symbol, token_id)
}
