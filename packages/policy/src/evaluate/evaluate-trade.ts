import { ChainError } from '@holdfast/chain-core'
import { readTrade, type Trade } from '@holdfast/chain-evm/codec'
import type { CallAct } from '@holdfast/intent'
import { type Policy, rulesOf } from '../policy.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { tradeBoundsOf, tradedAsset, venueForm, WHOLE_BPS } from '../rules/trade-bounds.ts'
import type { TradeBounds } from '../rules/trades-shape.ts'
import { countedName, isWorthShare } from '../rules/valuation.ts'
import { type Asking, decide, type DenyReason, isPinned, type Outcome } from './evaluate.ts'

/** A call of a venue as the rules look at it: who calls, and the trade that its bytes make. */
export type TradeOrder = { act: CallAct; trade: Trade }

/** What a call of a venue of the policy says, as a trade; undefined if it is none that can be read, or calls no venue. */
export function readVenueTrade(policy: Policy, call: Pick<CallAct, 'chain' | 'contract' | 'data' | 'value' | 'signature'>): Trade | undefined {
  const form = venueForm(policy, call.chain, call.contract)
  if (form === undefined) return undefined
  try {
    return readTrade(form, call)
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/** What the rules for trades say of a call of a venue: see `decide`. Whatever cannot be read as a trade is denied. */
export function decideVenueCall(policy: Policy, act: CallAct, asking: Asking): Outcome[] {
  const trade = readVenueTrade(policy, act)
  return trade ? decideTrade(policy, { act, trade }, asking) : [{ kind: 'deny', reason: 'unreadable-trade', rule: null }]
}

type Bounded = { rule: Rule; bounds: TradeBounds }

/**
 * What the rules that cover a trade say of it: see `decide`. Where none does, it is denied, and the reason is what the rules that came nearest do not let
 * through. What is got goes to the address that pays, and nowhere else. Without a clock nobody knows yet whether its deadline and prices fit.
 */
export function decideTrade(policy: Policy, order: TradeOrder, asking: Asking): Outcome[] {
  const { act, trade } = order
  if (!isPinned(policy, { chain: act.chain, contract: null })) return [{ kind: 'deny', reason: 'asset-not-pinned', rule: null }]
  if (trade.to !== act.from) return [{ kind: 'deny', reason: 'trade-for-another', rule: null }]
  const { covering, reason } = coveringTrade(policy, order, asking.atMs)
  if (reason) return [{ kind: 'deny', reason, rule: null }]
  return decide(policy, covering, act, asking, () => coveringTrade(policy, order, undefined).covering)
}

/** The rules that cover a trade at a time, or may at some time, if there is no clock; and if there are none, why. */
function coveringTrade(policy: Policy, { act, trade }: TradeOrder, atMs: number | undefined): { covering: Rule[]; reason?: DenyReason } {
  const { gives, atMost, gets, atLeast } = trade
  const [got, given] = [
    { name: countedName(act.chain, gets), amount: atLeast },
    { name: countedName(act.chain, gives), amount: atMost },
  ]
  const givenOf = (bounds: TradeBounds) => bounds.gives.find(({ asset }) => tradedAsset(asset) === gives)
  const share = ({ slippageBps }: TradeBounds) => slippageBps === null || isWorthShare(policy, got, given, WHOLE_BPS - slippageBps, atMs)
  const steps: [DenyReason, (bounds: TradeBounds) => boolean][] = [
    ['pair-not-allowed', (each) => givenOf(each) !== undefined && each.gets.some((asset) => tradedAsset(asset) === gets)],
    ['given-too-high', (each) => atMost <= (givenOf(each)?.atMost ?? atMost)],
    ['deadline-not-allowed', (each) => isInTime(each, trade, atMs)],
    ['worth-unknown', (each) => share(each) !== undefined],
    ['slippage-too-high', (each) => share(each) === true],
  ]
  let rules = rulesOf(policy).flatMap((rule): Bounded[] => {
    const bounds = tradeBoundsOf(rule)
    return bounds?.chain === act.chain && bounds.router === act.contract ? [{ rule, bounds }] : []
  })
  for (const [reason, isCovered] of steps) {
    rules = rules.filter(({ bounds }) => isCovered(bounds))
    if (rules.length === 0) return { covering: [], reason }
  }
  return { covering: rules.map(({ rule }) => rule) }
}

/** Whether the deadline has not passed and is no further away than the rule lets it be; without a clock, whether it may be so. */
function isInTime({ deadlineMs }: TradeBounds, { deadlineS }: Trade, atMs: number | undefined): boolean {
  if (deadlineMs === null) return true
  if (deadlineS === null) return false
  if (atMs === undefined) return true
  const leftMs = deadlineS * 1000n - BigInt(atMs)
  return leftMs > 0n && leftMs <= deadlineMs
}
