import { ChainError, SIGNATURES_MAX } from '@holdfast/chain-core'
import type { SpentCoin } from './psbt.ts'
import { feeFor, inputWeight, virtualSize } from './size.ts'
import { nameOf, sum } from './select-coins.ts'

/** Why a coin may not be spent: a person said so, an order has it, or it carries an inscription. */
export type CoinLock = { reason: 'person' | 'order' | 'inscription'; note: string }
/** Locks by outpoint `<txid>:<index>`. Data only: whoever keeps them replaces the whole. */
export type CoinLocks = Readonly<Record<string, CoinLock>>

/** A coin that stands in a block, or waits where `height` is null. Coins of mining and of nobody's making are `immature` for 100 blocks. */
export type ListedCoin = SpentCoin & { height: bigint | null; isImmature?: boolean }

/** Locks a coin. Throws ChainError if another reason has it locked already: that one must end first. */
export function lockCoin(locks: CoinLocks, outpoint: string, lock: CoinLock): CoinLocks {
  const held = locks[outpoint]
  if (held && held.reason !== lock.reason) throw new ChainError(`the coin ${outpoint} is locked already (${held.reason}: ${held.note})`)
  return { ...locks, [outpoint]: lock }
}

/** Unlocks a coin for the reason it was locked for; a lock for another reason stays, with a ChainError that names it. */
export function unlockCoin(locks: CoinLocks, outpoint: string, reason: CoinLock['reason']): CoinLocks {
  const held = locks[outpoint]
  if (!held) return locks
  if (held.reason !== reason) throw new ChainError(`the coin ${outpoint} stays locked (${held.reason}: ${held.note})`)
  const { [outpoint]: _, ...rest } = locks
  return rest
}

/** The coins that may be spent: in a block, not locked, not immature. What waits can be replaced by whoever sent it. */
export function spendableCoins<T extends ListedCoin>(coins: readonly T[], locks: CoinLocks): T[] {
  return coins.filter((coin) => coin.height !== null && !coin.isImmature && !locks[nameOf(coin)])
}

export type ConsolidationHint = { coins: number; amount: bigint; feeNow: bigint; feeSavedLater: bigint }

// Fewer coins than this cost little to spend together when the time comes.
const COINS_MIN = 10

/**
 * Whether many small coins are better joined now: the rate now, and the rate at which they would be spent one day. Undefined if it would
 * not save anything. The smallest coins are joined, since those cost the most for what they are worth.
 */
export function consolidationHint(coins: readonly ListedCoin[], rates: { nowSatPerKvb: bigint; laterSatPerKvb: bigint }): ConsolidationHint | undefined {
  const [first] = coins
  if (!first) return undefined
  const each = BigInt(inputWeight(first.script)) / 4n
  const worthless = (coin: ListedCoin) => coin.amount <= feeFor(each, rates.nowSatPerKvb)
  const small = coins
    .filter((coin) => !worthless(coin))
    .toSorted((a, b) => (a.amount < b.amount ? -1 : 1))
    .slice(0, SIGNATURES_MAX)
  if (small.length < COINS_MIN) return undefined
  const feeNow = feeFor(virtualSize(first.script, small.length, [first.script]), rates.nowSatPerKvb)
  const feeSavedLater = feeFor(each * BigInt(small.length - 1), rates.laterSatPerKvb)
  return feeSavedLater > feeNow ? { coins: small.length, amount: sum(small), feeNow, feeSavedLater } : undefined
}
