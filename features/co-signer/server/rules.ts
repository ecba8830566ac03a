import { AppError, type InputOf } from '@holdfast/contract'
import { networkErrors } from '@holdfast/features/network/errors'
import type { NetworkAsset, Networks } from '@holdfast/features/network/server'
import { dueAt } from '@holdfast/features/standing-order/server'
import { amountOf } from '@holdfast/http'
import { formatAmount } from '@holdfast/units'
import type { operateCollectingRules, ruleInput } from '../contract.ts'
import { coSignerErrors } from '../errors.ts'
import type * as z from 'zod'
import type { Plan, Rule } from './plan.ts'

type Given = z.output<typeof ruleInput>

export const RULES_MAX = 64
/** The most that an amount of a rule can be, in whole units. */
const WHOLE_MAX = 9_999_999_999_999_999n
const SHARE_DEFAULT = 1_000

/** A rule as it was given, in base units. Throws AppError that says what is wrong with it. */
export function ruleOf(networks: Networks, given: Given): Rule {
  const asset = networks.asset(given.chain, given.symbol)
  const coin = networks.byContract(given.chain, '')
  if (!asset || !coin) throw new AppError(networkErrors.unsupported_coin)
  const refuse = (reason: string): never => {
    throw new AppError(coSignerErrors.collecting_rule_amounts, { details: { symbol: given.symbol, reason } })
  }
  const inUnits = (text: string, of: NetworkAsset) => {
    const amount = amountOf(text, of)
    return amount > WHOLE_MAX * 10n ** BigInt(of.decimals) ? refuse(`${text} is more than ${WHOLE_MAX}`) : amount
  }
  const collectMin = inUnits(given.collect_min, asset)
  const singleMin = given.single_min === undefined ? null : inUnits(given.single_min, asset)
  const collectMax = given.collect_max === undefined ? WHOLE_MAX * 10n ** BigInt(asset.decimals) : inUnits(given.collect_max, asset)
  const fuelLimit = given.fueling_limit === undefined ? null : inUnits(given.fueling_limit, coin)
  const maxFee = given.max_fee === undefined ? fuelLimit : inUnits(given.max_fee, coin)
  const share = given.max_fee_pct === undefined ? SHARE_DEFAULT : Math.round(Number(given.max_fee_pct) * 100)
  if (maxFee === null) return refuse('say how much one transfer may cost at most')
  if (collectMax < collectMin) refuse('the most of one transfer is less than the amount from which it is collected')
  if (share < 1 || share > 10_000) refuse('the fee can be between 0.01 and 100 percent of the amount')
  if (asset.contract === null && fuelLimit !== null && fuelLimit >= collectMin) refuse('what is sent for fees would be collected again at once')
  return {
    ...{ chain: given.chain, contract: asset.contract ?? '', symbol: asset.symbol },
    ...{ collectMin: String(collectMin), singleMin: singleMin === null ? null : String(singleMin), collectMax: String(collectMax) },
    ...{ fuelLimit: fuelLimit === null ? null : String(fuelLimit), maxFee: String(maxFee), maxFeeShare: share },
    ...{ schedule: given.schedule, raise: raiseOf(given), isOn: true },
  }
}

/** Once, unless it says how often. */
function raiseOf({ rbf_after_s: after, rbf_times: times = '1' }: Given): Rule['raise'] {
  return after === undefined ? null : { afterMs: Number(after) * 1000, times: Number(times) }
}

const isOf = (rule: Pick<Rule, 'chain' | 'symbol'>, coin: { chain: string; symbol: string }) => rule.chain === coin.chain && rule.symbol === coin.symbol

/** Rules of a file, which does not say whether fees are raised: of coins that had a rule they are raised as they were. */
export const raisedAsBefore = (rules: readonly Rule[], before: Plan['rules']): Rule[] =>
  rules.map((rule) => ({ ...rule, raise: before.find((each) => isOf(each, rule))?.raise ?? null }))

/** The rules with some of them set anew; what was switched off stays off. Throws `collecting_rules_full` or `collecting_fuel_returns`. */
export function rulesWith(networks: Networks, rules: Plan['rules'], set: readonly Rule[]): Plan['rules'] {
  const kept = rules.filter((rule) => !set.some((each) => isOf(rule, each)))
  const all = [...kept, ...set.map((rule) => ({ ...rule, isOn: rules.find((before) => isOf(before, rule))?.isOn ?? true }))]
  if (all.length > RULES_MAX) throw new AppError(coSignerErrors.collecting_rules_full)
  demandFuelStays(networks, all, set)
  return all.toSorted((a, b) => (`${a.chain} ${a.symbol}` < `${b.chain} ${b.symbol}` ? -1 : 1))
}

/**
 * Throws `collecting_fuel_returns` where an address would be sent coins for the fees of a token and have them collected again, for ever. Rules that are off
 * count too: they can be switched on. A pair that was saved before this was looked at is refused once one of the two is set anew; until then
 * `sweepNarrowing` holds the coin back.
 */
function demandFuelStays(networks: Networks, all: Plan['rules'], set: readonly Rule[]): void {
  for (const token of all) {
    const own = all.find(({ chain, contract }) => chain === token.chain && contract === '')
    if (token.contract === '' || token.fuelLimit === null || !own || !(isAmong(token, set) || isAmong(own, set))) continue
    const least = leastOf(own)
    if (BigInt(token.fuelLimit) < least) continue
    const inCoin = (amount: bigint) => formatAmount(amount, networks.byContract(own.chain, '')?.decimals ?? 0)
    const details = { symbol: token.symbol, coin: own.symbol, limit: inCoin(BigInt(token.fuelLimit)), least: inCoin(least) }
    throw new AppError(coSignerErrors.collecting_fuel_returns, { details })
  }
}

/** The least that a rule collects, be it together or in one deposit. */
function leastOf({ collectMin, singleMin }: Rule): bigint {
  const [together, single] = [BigInt(collectMin), BigInt(singleMin ?? collectMin)]
  return single < together ? single : together
}

/** Throws `collecting_no_rule` if one of the coins has none. */
export function demandRules(rules: Plan['rules'], coins: InputOf<typeof operateCollectingRules>['symbols']): void {
  if (!coins.every((coin) => rules.some((rule) => isOf(rule, coin)))) throw new AppError(coSignerErrors.collecting_no_rule)
}

export const isAmong = (rule: Rule, coins: readonly { chain: string; symbol: string }[]): boolean => coins.some((coin) => isOf(rule, coin))

/** A rule in whole units. */
export function ruleView(networks: Networks, rule: Rule, nowMs: number, isApproved: boolean) {
  const { chain, contract, symbol, collectMin, singleMin, collectMax, fuelLimit, maxFee, maxFeeShare, schedule, raise, isOn } = rule
  const decimals = networks.byContract(chain, contract)?.decimals ?? 0
  const coin = networks.byContract(chain, '')
  const whole = (amount: string) => formatAmount(BigInt(amount), decimals)
  const inCoin = (amount: string) => formatAmount(BigInt(amount), coin?.decimals ?? 0)
  return {
    ...{ chain, network: networks.find(chain)?.name ?? chain, symbol, contract_address: contract === '' ? null : contract },
    ...{ collect_min: whole(collectMin), single_min: singleMin === null ? null : whole(singleMin), collect_max: whole(collectMax) },
    ...{ fueling_limit: fuelLimit === null ? null : inCoin(fuelLimit), max_fee: inCoin(maxFee), fee_symbol: coin?.symbol ?? '' },
    ...{ rbf_after_s: raise ? raise.afterMs / 1000 : null, rbf_times: raise?.times ?? null },
    ...{ max_fee_pct: maxFeeShare / 100, schedule, next_at: schedule === '' ? null : dueAt(schedule, nowMs), enabled: isOn, approved: isApproved },
  }
}
