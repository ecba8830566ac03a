import { pinnedContract } from '@holdfast/chain-core'
import { equalBytes, encode } from '@holdfast/encoding'
import { type Condition, conditionShape } from '../conditions/index.ts'
import type { Policy } from '../policy.ts'
import { callsAsked } from '../rules/call-bounds.ts'
import { limitShape, type StoredLimit } from '../rules/limits.ts'
import { readRule } from '../rules/read-rule.ts'
import { tradeBoundsOf } from '../rules/trade-bounds.ts'
import { countedName, countsNoLess, countsTheSame, tradesNoWorse } from '../rules/valuation.ts'
import type { NamedRule, Rule } from '../rules/rule-shapes.ts'
import { stakesAsked } from '../rules/stake-bounds.ts'
import { areAmong, isAtMost, isWithin } from './compare.ts'
import { isNarrowerOnParameters } from './narrower-parameters.ts'

/** A rule in the policy that has it. */
export type Placed = { rule: Rule; policy: Policy }

/** Whether a rule covers nothing that another one did not: by what it is about, by its conditions, and by who may ask. */
export function coversNoMore(after: Placed, before: Placed): boolean {
  const [is, was] = [after.rule, before.rule]
  if (!boundsNoWider(is, was) || !tradesNoWider(after, before)) return false
  if (is.kind === 'transfer' && was.kind === 'transfer')
    return isWithin(asList(is.chain), asList(was.chain)) && isWithin(asList(is.asset), asList(was.asset)) && isAtMost(is.maxAmount, was.maxAmount)
  if (is.kind !== 'named' || was.kind !== 'named') return is.kind === was.kind
  return conditionsNoWider(is.conditions, was.conditions, tablesOf(after, before)) && areAmong(askersOf(after), askersOf(before))
}

/** The policies of two rules that are compared, which say what assets are worth. */
export type Tables = { after: Policy; before: Policy }

export const tablesOf = (after: Pick<Placed, 'policy'>, before: Pick<Placed, 'policy'>): Tables => ({ after: after.policy, before: before.policy })

const asList = (name: string | null) => (name === null ? null : [name])
const askersOf = ({ rule, policy }: Placed) => readRule(rule, policy).askers

/** Assets of networks that a rule may be about; null stands for any. */
function reachOf(rule: Rule): { chain: string | null; asset: string | null }[] {
  if (rule.kind !== 'named') return [{ chain: rule.chain, asset: rule.kind === 'transfer' ? rule.asset : null }]
  if (rule.covers.kind !== 'payments') return [{ chain: rule.covers.chain, asset: null }]
  const named = rule.conditions.find((each) => each.kind === 'assets')
  return named ? named.assets : [{ chain: null, asset: null }]
}

/** Whether there may be an order that both rules cover: a token of a collection stands for the whole collection here. */
export function mayMeet(one: Rule, other: Rule): boolean {
  const isEither = (a: string | null, b: string | null) => a === null || b === null || a === b
  const whole = (asset: string | null) => asset && (pinnedContract(asset) ?? '')
  return reachOf(one).some((a) => reachOf(other).some((b) => isEither(a.chain, b.chain) && isEither(whole(a.asset), whole(b.asset))))
}

function boundsNoWider(is: Rule, was: Rule): boolean {
  const [calls, called] = [callsAsked(is), callsAsked(was)]
  if (calls && called)
    return (
      calls.chain === called.chain &&
      (calls.maxTokens === null) === (called.maxTokens === null) &&
      isWithin(calls.payers, called.payers) &&
      isWithin(calls.contracts, called.contracts) &&
      isWithin(calls.functions, called.functions) &&
      isAtMost(calls.maxValue, called.maxValue) &&
      isAtMost(calls.maxTokens, called.maxTokens) &&
      (called.unlimitedAllowances || !calls.unlimitedAllowances) &&
      (called.unknownCallData || !calls.unknownCallData)
    )
  const [stakes, staked] = [stakesAsked(is), stakesAsked(was)]
  if (stakes && staked)
    return (
      stakes.chain === staked.chain &&
      isWithin(stakes.payers, staked.payers) &&
      isWithin(stakes.actions, staked.actions) &&
      isWithin(stakes.receivers, staked.receivers) &&
      isAtMost(stakes.maxAmount, staked.maxAmount) &&
      isAtMost(stakes.maxLockBlocks, staked.maxLockBlocks)
    )
  return !calls && !called && !stakes && !staked
}

/** Whether a rule for trades covers no trade that another one did not, also by what their policies take assets to be worth. True for two others. */
function tradesNoWider(after: Placed, before: Placed): boolean {
  const [is, was] = [tradeBoundsOf(after.rule), tradeBoundsOf(before.rule)]
  if (!is || !was) return is === was
  const givenBefore = (asset: string) => was.gives.find((each) => each.asset === asset)
  const names = (assets: readonly string[]) => assets.map((asset) => countedName(is.chain, asset))
  const traded = { given: names(is.gives.map(({ asset }) => asset)), got: names(is.gets) }
  return (
    is.chain === was.chain &&
    is.router === was.router &&
    is.form === was.form &&
    is.gives.every(({ asset, atMost }) => isGivenNoMore(atMost, givenBefore(asset))) &&
    isWithin(is.gets, was.gets) &&
    isAtMost(is.slippageBps, was.slippageBps) &&
    isAtMost(is.deadlineMs, was.deadlineMs) &&
    (was.slippageBps === null || tradesNoWorse(after.policy, before.policy, traded))
  )
}

const isGivenNoMore = (atMost: bigint | null, was: { atMost: bigint | null } | undefined): boolean => was !== undefined && isAtMost(atMost, was.atMost)

/** Whether each condition of before still stands, as it was or narrower. Those on who asks are compared by who may ask. */
export function conditionsNoWider(after: readonly Condition[], before: readonly Condition[], tables: Tables): boolean {
  return before.every((was) => was.kind === 'askers' || after.some((is) => isNarrower(is, was, tables)))
}

function isNarrower(is: Condition, was: Condition, tables: Tables): boolean {
  if (is.kind === 'value' && was.kind === 'value') return isNarrowerValue(is, was, tables)
  if (is.kind === 'screening' && was.kind === 'screening') return isNarrowerScreening(is, was)
  if (isOnParameters(is) && isOnParameters(was)) return isNarrowerOnParameters(is, was)
  if (equalBytes(encode(conditionShape, is), encode(conditionShape, was))) return true
  if (is.kind !== 'assets' || was.kind !== 'assets') return false
  return is.assets.every(({ chain, asset, above, atMost }) =>
    was.assets.some((each) => each.chain === chain && each.asset === asset && above >= each.above && isAtMost(atMost, each.atMost)),
  )
}

const isOnParameters = ({ kind }: Condition): boolean => kind === 'parameters' || kind === 'comparisons'

type Screening = Extract<Condition, { kind: 'screening' }>

/** Fewer levels, by the same screeners within the same time: what is not known to one rule is not known to the other, and one that refuses refuses it too. */
const isNarrowerScreening = (is: Screening, was: Screening): boolean =>
  is.withinMs === was.withinMs && is.machines.length === was.machines.length && isWithin(is.machines, was.machines) && isWithin(is.levels, was.levels)

type ValueBounds = Pick<Extract<Condition, { kind: 'value' }>, 'aboveCents' | 'atMostCents'>

/**
 * Bounds that move up or down with what assets are worth: under an upper bound comes less where they are worth more, and above a lower one where they are worth
 * less.
 */
function isNarrowerValue(is: ValueBounds, was: ValueBounds, { after, before }: Tables): boolean {
  if (is.aboveCents < was.aboveCents || !isAtMost(is.atMostCents, was.atMostCents)) return false
  return (was.atMostCents === null || countsNoLess(after, before)) && (was.aboveCents === 0n || countsNoLess(before, after))
}

/** Whether limits let no more through than others did, and count all that those counted. */
export const limitsNoHigher = (after: readonly StoredLimit[], before: readonly StoredLimit[], tables: Tables): boolean =>
  before.every((was) => after.some((is) => isTighter(is, was, tables)))

function isTighter(is: StoredLimit, was: StoredLimit, { after, before }: Tables): boolean {
  if (was.maxCents !== null && !countsNoLess(after, before)) return false
  const isSameAmounts = was.amounts.length === 0 || was.amounts.length === is.amounts.length
  const amountsFit = is.amounts.every((each) => {
    const found = was.amounts.find(({ chain, asset }) => chain === each.chain && asset === each.asset)
    return was.amounts.length === 0 || (found !== undefined && each.max <= found.max)
  })
  const counts = [
    [is.maxTokens, was.maxTokens],
    [is.maxCount, was.maxCount],
    [is.maxCents, was.maxCents],
  ] as const
  return is.each === was.each && is.lengthMs >= was.lengthMs && isSameAmounts && amountsFit && counts.every(([most, before]) => isAtMost(most, before))
}

export const limitsAre = (after: readonly StoredLimit[], before: readonly StoredLimit[], tables: Tables): boolean =>
  after.length === before.length &&
  (countsTheSame(tables.after, tables.before) || after.every(({ maxCents }) => maxCents === null)) &&
  after.every((limit, i) => equalBytes(encode(limitShape, limit), encode(limitShape, before[i] as StoredLimit)))

/** Whether the window of a rule of the first forms lets no more through than another one did. */
export function windowNoWider(is: Exclude<Rule, NamedRule>, was: Exclude<Rule, NamedRule>): boolean {
  if (was.window === null) return true
  if (is.window === null || is.window.lengthMs < was.window.lengthMs || is.window.maxAmount > was.window.maxAmount) return false
  const tokens = (window: object) => ('maxTokens' in window ? (window.maxTokens as bigint) : 0n)
  return tokens(is.window) <= tokens(was.window)
}
