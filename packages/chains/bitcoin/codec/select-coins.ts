import { BuildError, SIGNATURES_MAX } from '@holdfast/chain-core'
import { at } from '@holdfast/units'
import type { SpentCoin } from './psbt.ts'
import { dustLimit, feeFor, inputWeight, outputSize, virtualSize } from './size.ts'

export type Selection = {
  /** In the order in which they are spent, the required ones first. */
  coins: SpentCoin[]
  /** What comes back, or 0 if no change is made: the rest is then left to the fee. */
  change: bigint
  fee: bigint
}

export type SelectionOrder = {
  /** The script of the paying address, which all coins have. */
  script: Uint8Array
  coins: readonly SpentCoin[]
  /** Coins that are spent in any case and come first, such as the anchor of a transaction that is replaced. */
  required?: readonly SpentCoin[]
  payments: readonly { script: Uint8Array; amount: bigint }[]
  changeScript: Uint8Array
  satPerKvb: bigint
  /** The size of the whole for so many inputs and such outputs, where it is not one transaction. */
  sizeOf?: (inputs: number, outputScripts: readonly Uint8Array[]) => bigint
  /** Fee that the rate does not ask for, but another rule does. */
  feeMin?: bigint
}

// Change is spent one day, at a rate nobody knows: what it costs is counted at this one, ten satoshi per vbyte.
const LONG_TERM_SAT_PER_KVB = 10_000n
// Bitcoin Core allows 100,000 steps; the coins of one address need fewer, and a person waits.
const SEARCH_STEPS_MAX = 20_000

/**
 * Chooses coins for payments; deterministic. Of three ways it takes the one that wastes least (`wasteOf`), and of equals the first: coins that pay without
 * change
 * (branch and bound, as M. Erhardt described it in "An Evaluation of Coin Selection Strategies", 2016), from which an observer learns least; the smallest
 * single
 * coin that suffices, so that no two coins are shown to belong together; the fewest coins, the largest first. At high rates that is few inputs, at low ones
 * small
 * coins are used up. Coins that cost more to spend than they are worth are left alone. Throws ChainError if the coins do not suffice, with what is missing.
 */
export function selectCoins(order: SelectionOrder): Selection {
  const { script, required = [], satPerKvb } = order
  const taken = new Set(required.map(nameOf))
  const useful = order.coins
    .filter((coin) => !taken.has(nameOf(coin)) && worth(coin, script, satPerKvb) > 0n)
    .toSorted((a, b) => compare(b.amount, a.amount) || (nameOf(a) < nameOf(b) ? -1 : 1))
  const exact = searchWithoutChange(order, useful)
  const isEnough = required.length > 0 && suffices(order, required)
  const single = isEnough ? undefined : useful.findLast((coin) => suffices(order, [...required, coin]))
  const fewest = isEnough ? [...required] : largestFirst(order, useful)
  const ways = [
    ...(exact ? [finish(order, [...required, ...exact], false)] : []),
    ...(single ? [finish(order, [...required, single], true)] : []),
    ...(suffices(order, fewest) ? [finish(order, fewest, true)] : []),
  ]
  if (ways.length > 0) return ways.reduce((best, each) => (wasteOf(order, each) < wasteOf(order, best) ? each : best))
  if (fewest.length >= SIGNATURES_MAX) {
    throw new BuildError(
      `the coins are so small that more than ${SIGNATURES_MAX} were needed, which signers do not sign for at once; join some of them first`,
      { kind: 'coins_small' },
    )
  }
  const missing = sum(order.payments) + feeOf(order, fewest.length, false) - sum(fewest)
  const words = `the coins that may be spent do not suffice: ${missing} satoshi are missing with the fee; wait for more coin, or unlock some`
  throw new BuildError(words, { kind: 'coins_missing', missing })
}

/** The required coins and the largest beside, as few as suffice; fewer than suffice where there are no more, or signers sign for no more. */
function largestFirst(order: SelectionOrder, useful: readonly SpentCoin[]): SpentCoin[] {
  const chosen = [...(order.required ?? [])]
  for (const coin of useful) {
    if ((chosen.length > 0 && suffices(order, chosen)) || chosen.length >= SIGNATURES_MAX) break
    chosen.push(coin)
  }
  return chosen
}

/**
 * What a choice costs now and later: its fee, and to spend its change one day; what it spends costs nothing any more. The waste of Bitcoin Core
 * (`SelectionResult::RecalculateWaste`) but for what all choices have in common.
 */
function wasteOf(order: Pick<SelectionOrder, 'script'>, { coins, change, fee }: Selection): bigint {
  return fee + (change > 0n ? laterCost(order.script) : 0n) - BigInt(coins.length) * laterCost(order.script)
}

/** What spending a coin of a script costs one day, in satoshi. */
function laterCost(script: Uint8Array): bigint {
  return feeFor(BigInt(Math.ceil(inputWeight(script) / 4)), LONG_TERM_SAT_PER_KVB)
}

/** What the fee is with so many inputs, with or without an output for change. */
function feeOf(order: SelectionOrder, inputs: number, withChange: boolean): bigint {
  const { script, payments, changeScript, satPerKvb, feeMin = 0n, sizeOf = (count, outputs) => virtualSize(script, count, outputs) } = order
  const scripts = payments.map((payment) => payment.script)
  const size = sizeOf(inputs, withChange ? [...scripts, changeScript] : scripts)
  const fee = feeFor(size, satPerKvb)
  return fee < feeMin ? feeMin : fee
}

function suffices(order: SelectionOrder, coins: readonly SpentCoin[]): boolean {
  return sum(coins) >= sum(order.payments) + feeOf(order, coins.length, false)
}

/** Change is made where it is worth more than it costs to make and, one day, to spend. */
function finish(order: SelectionOrder, coins: readonly SpentCoin[], withChange: boolean): Selection {
  const rest = sum(coins) - sum(order.payments)
  const change = rest - feeOf(order, coins.length, true)
  if (withChange && change >= changeMin(order)) return { coins: [...coins], change, fee: rest - change }
  return { coins: [...coins], change: 0n, fee: rest }
}

/** What change has to be worth to be made: a coin of less is dust, or would cost more to spend one day than it is worth. */
export function changeMin({ script, changeScript }: Pick<SelectionOrder, 'script' | 'changeScript'>): bigint {
  const dust = dustLimit(changeScript)
  const spending = laterCost(script)
  return dust > spending ? dust : spending
}

/** Coins whose sum is what is needed and at most as much more as change would cost; of several such sets the one that wastes least. */
function searchWithoutChange(order: SelectionOrder, useful: readonly SpentCoin[]): SpentCoin[] | undefined {
  const { script, required = [], payments, changeScript, satPerKvb } = order
  const inputs = required.length
  const target = sum(payments) + feeOf(order, inputs, false) - sum(required)
  const tolerance = changeMin(order) + feeFor(BigInt(outputSize(changeScript)), satPerKvb)
  const worths = useful.map((coin) => worth(coin, script, satPerKvb))
  // What one more input wastes: above the long-term rate it costs more now than later, below it less.
  const inputWaste = feeFor(BigInt(inputWeight(script)), satPerKvb) / 4n - laterCost(script)
  const rests = worths.map(() => 0n)
  for (let i = worths.length - 1; i >= 0; i--) rests[i] = at(worths, i) + (rests[i + 1] ?? 0n)
  let best: { picked: number[]; waste: bigint } | undefined
  let steps = 0
  const picked: number[] = []
  const search = (index: number, missing: bigint): void => {
    const waste = BigInt(picked.length) * inputWaste
    if (++steps > SEARCH_STEPS_MAX || -missing > tolerance || (best && inputWaste >= 0n && waste >= best.waste)) return
    if (missing <= 0n) {
      const chosen = picked.map((i) => at(useful, i))
      if ((!best || waste - missing < best.waste) && isExact(order, chosen, tolerance)) best = { picked: [...picked], waste: waste - missing }
      return
    }
    if (index >= worths.length || at(rests, index) < missing) return
    picked.push(index)
    search(index + 1, missing - at(worths, index))
    picked.pop()
    // Leaving out one of two equal coins and taking the other is the same again.
    let next = index + 1
    while (next < worths.length && worths[next] === worths[index]) next++
    search(next, missing)
  }
  search(0, target)
  return best?.picked.map((i) => at(useful, i))
}

/** The search counts each coin by itself; rounding and the count's own length are settled here, on the whole. */
function isExact(order: SelectionOrder, picked: readonly SpentCoin[], tolerance: bigint): boolean {
  const coins = [...(order.required ?? []), ...picked]
  if (coins.length === 0 || coins.length > SIGNATURES_MAX) return false
  const over = sum(coins) - sum(order.payments) - feeOf(order, coins.length, false)
  return over >= 0n && over <= tolerance
}

/** What a coin adds once the fee for its own input is paid. */
function worth({ amount }: SpentCoin, script: Uint8Array, satPerKvb: bigint): bigint {
  return amount - feeFor(BigInt(inputWeight(script)), satPerKvb) / 4n
}

export function nameOf({ txid, index }: { txid: string; index: number }): string {
  return `${txid}:${index}`
}

export function sum(amounts: readonly { amount: bigint }[]): bigint {
  return amounts.reduce((total, { amount }) => total + amount, 0n)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
