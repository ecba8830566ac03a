import { sum, type Selection, type SelectionOrder } from '../codec/select-coins.ts'
import type { SpentCoin } from '../codec/psbt.ts'
import { feeFor, virtualSize } from '../codec/size.ts'

/*
 * For tests: how Bitcoin Core's wallet chooses (wallet/coinselection.cpp, version 28), as far as coins of one kind of script go: branch and bound, the
 * knapsack of
 * old, a single random draw, and above three times the long-term rate the fewest coins (CoinGrinder, which for coins of one weight is the largest first). Of
 * what
 * they find the least waste. `draw` is a number from 0 to one below `below`.
 */

const LONG_TERM = 10_000n
const CHANGE_LOWER = 50_000n
const CHANGE_UPPER = 1_000_000n

export function selectAsCore(order: SelectionOrder, draw: (below: number) => number): Selection | undefined {
  const { script, changeScript, satPerKvb } = order
  const payments = order.payments.map((each) => each.script)
  const size = (inputs: number, withChange: boolean) => virtualSize(script, inputs, withChange ? [...payments, changeScript] : payments)
  const inputCost = feeFor(size(1, false) - size(0, false), satPerKvb)
  const later = feeFor(size(1, false) - size(0, false), LONG_TERM)
  const changeCost = feeFor(size(1, true) - size(1, false), satPerKvb)
  const paid = sum(order.payments)
  const upper = paid * 2n < CHANGE_UPPER ? (paid * 2n > CHANGE_LOWER ? paid * 2n : CHANGE_LOWER) : CHANGE_UPPER
  const changeTarget = CHANGE_LOWER + changeCost + BigInt(draw(Number(upper - CHANGE_LOWER) + 1))
  const coins = order.coins.filter(({ amount }) => amount > inputCost)
  const worth = ({ amount }: SpentCoin) => amount - inputCost
  const target = paid + feeFor(size(0, false), satPerKvb)

  const finish = (chosen: readonly SpentCoin[]): Selection | undefined => {
    const rest = sum(chosen) - paid
    if (chosen.length === 0 || rest < feeFor(size(chosen.length, false), satPerKvb)) return undefined
    const change = rest - feeFor(size(chosen.length, true), satPerKvb)
    return change > later ? { coins: [...chosen], change, fee: rest - change } : { coins: [...chosen], change: 0n, fee: rest }
  }
  const until = (sorted: readonly SpentCoin[], goal: bigint) => {
    const chosen: SpentCoin[] = []
    let left = goal
    for (const coin of sorted) {
      if (left <= 0n) break
      chosen.push(coin)
      left -= worth(coin)
    }
    return left <= 0n ? chosen : []
  }
  const descending = coins.toSorted((a, b) => Number(b.amount - a.amount))
  const shuffled = coins.map((coin) => ({ coin, at: draw(1 << 30) })).toSorted((a, b) => a.at - b.at)
  const drawn = until(
    shuffled.map(({ coin }) => coin),
    target + changeTarget,
  )
  const fewest = satPerKvb > 3n * LONG_TERM ? until(descending, target + changeTarget) : []
  const found = [branchAndBound(descending.map(worth), target, changeCost + later, inputCost - later), knapsack(coins.map(worth), target, changeTarget, draw)]
  const ways = [...found.map((at, i) => at.map((each) => (i === 0 ? descending : coins)[each]!)), drawn, fewest].flatMap((each) => finish(each) ?? [])
  const waste = ({ coins: chosen, change, fee }: Selection) => fee + (change > 0n ? later : 0n) - BigInt(chosen.length) * later
  return ways.reduce<Selection | undefined>((best, each) => (best && waste(best) <= waste(each) ? best : each), undefined)
}

/** The set without change of the least waste, as places in `worths`, which are sorted downwards. */
function branchAndBound(worths: readonly bigint[], target: bigint, costOfChange: bigint, inputWaste: bigint): number[] {
  const rests = [...worths, 0n]
  for (let i = worths.length - 1; i >= 0; i--) rests[i] = worths[i]! + rests[i + 1]!
  let best: { picked: number[]; waste: bigint } | undefined
  let tries = 0
  const search = (at: number, picked: number[], total: bigint): void => {
    const waste = BigInt(picked.length) * inputWaste
    if (++tries > 100_000 || total + rests[at]! < target || total > target + costOfChange || (best && inputWaste > 0n && waste > best.waste)) return
    if (total >= target) {
      if (!best || waste + total - target <= best.waste) best = { picked, waste: waste + total - target }
      return
    }
    if (at >= worths.length) return
    search(at + 1, [...picked, at], total + worths[at]!)
    let next = at + 1
    while (worths[next] === worths[at]) next++
    search(next, picked, total)
  }
  search(0, [], 0n)
  return best?.picked ?? []
}

/** KnapsackSolver: the smallest coin above the target, or the smallest sum that random inclusion finds. */
function knapsack(worths: readonly bigint[], target: bigint, changeTarget: bigint, draw: (below: number) => number): number[] {
  const places = worths.map((_, i) => i).toSorted((a, b) => Number(worths[b]! - worths[a]!))
  const lower = places.filter((i) => worths[i]! < target + changeTarget)
  const larger = places.filter((i) => worths[i]! >= target + changeTarget).at(-1)
  const total = lower.reduce((all, i) => all + worths[i]!, 0n)
  if (total === target) return lower
  if (total < target) return larger === undefined ? [] : [larger]
  const approximate = (goal: bigint) => {
    let best = { picked: lower, total }
    for (let round = 0; round < 1000 && best.total !== goal; round++) {
      const picked = new Set<number>()
      let sumOf = 0n
      for (let pass = 0; pass < 2 && sumOf < goal; pass++) {
        for (const i of lower) {
          if (picked.has(i) || (pass === 0 && draw(2) === 0)) continue
          picked.add(i)
          sumOf += worths[i]!
          if (sumOf < goal) continue
          if (sumOf < best.total) best = { picked: [...picked], total: sumOf }
          picked.delete(i)
          sumOf -= worths[i]!
        }
      }
    }
    return best
  }
  let best = approximate(target)
  if (best.total !== target && total >= target + changeTarget) best = approximate(target + changeTarget)
  const isWorse = (best.total !== target && best.total < target + changeTarget) || (larger !== undefined && worths[larger]! <= best.total)
  return larger !== undefined && isWorse ? [larger] : best.picked
}
