import { toHex } from '@holdfast/encoding'
import type { Act } from '@holdfast/intent'
import type { Policy } from '../policy.ts'
import type { CountedAsset, Limit, LimitEach } from '../rules/limits.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { tradeBoundsOf } from '../rules/trade-bounds.ts'
import { tokensOfCall } from './evaluate-call.ts'
import { readVenueTrade } from './evaluate-trade.ts'

/** What limits count of an order: so much of an asset, in base units. */
export type Counted = CountedAsset & { amount: bigint }

/**
 * What the limits of a rule count of what an order does: its asset; what a trade gives at most; or, where a call moves tokens or lets others take them, those,
 * under the contract that is called. No rule with a limit lets a call through that does both.
 */
export function countedOf(policy: Policy, rule: Rule, act: Act): Counted {
  const { chain } = act
  if (act.as !== 'call') return { chain, contract: act.as === 'payment' ? act.contract : null, amount: act.amount, isOfTokens: false }
  const trade = tradeBoundsOf(rule) && readVenueTrade(policy, act)
  if (trade) return { chain, contract: trade.gives, amount: trade.atMost, isOfTokens: false }
  const tokens = tokensOfCall(policy, rule, act)
  return tokens > 0n ? { chain, contract: act.contract, amount: tokens, isOfTokens: true } : { chain, contract: null, amount: act.value, isOfTokens: false }
}

/** Who asked for an order, from where it is paid, and whom it pays how much: limits may count those by themselves. */
export type Parties = { initiator: Uint8Array; from: string; paid: readonly { to: string; amount: bigint }[] }

/** For whom a limit counts an order of an amount, and how much of it. `of` is the person's id in hexadecimal, or an address; empty for all together. */
export function placesOf(each: LimitEach, { initiator, from, paid, amount }: Parties & { amount: bigint }): { of: string; amount: bigint }[] {
  if (each === 'rule') return [{ of: '', amount }]
  if (each === 'asker') return [{ of: toHex(initiator), amount }]
  if (each === 'source') return [{ of: from, amount }]
  return paid.map((one) => ({ of: one.to, amount: one.amount }))
}

/**
 * One limit of a rule as an order meets it: for whom it counts, what the order adds, and the most. `unit` is base units of the asset, orders, or US cents that
 * those base units are worth.
 */
export type Cap = { limit: Limit; of: string; unit: 'amount' | 'order' | 'cent'; adds: bigint; most: bigint }

/** What the limits of a rule count for an order, and how much they let through. `worth` says what base units of what they count are worth, in cents. */
export function capsOf(limits: readonly Limit[], order: Counted & Parties, worth: (amount: bigint) => bigint): Cap[] {
  return limits.flatMap((limit) => {
    const { each, maxCount, maxCents } = limit
    const mostAmount = limit.maxOf(order)
    return placesOf(each, order).flatMap(({ of, amount }): Cap[] => [
      ...(mostAmount === null ? [] : [{ limit, of, unit: 'amount' as const, adds: amount, most: mostAmount }]),
      ...(maxCount === null ? [] : [{ limit, of, unit: 'order' as const, adds: 1n, most: maxCount }]),
      ...(maxCents === null ? [] : [{ limit, of, unit: 'cent' as const, adds: worth(amount), most: maxCents }]),
    ])
  })
}
