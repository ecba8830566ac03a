import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { latestPrices, priceKey } from '@holdfast/features/price/server'
import type { TransactionIntent } from '@holdfast/intent'
import { BEYOND_CENTS, centsOf, countedName, hasThirdForm, inThirdForm, type NamedRule, pinnedBy, type Policy, readsValues, unitsWorth } from '@holdfast/policy'
import { formatAmount } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'

/**
 * What amounts are worth as this server takes it: what the table of the policy says, or what the market asks now, if that is more. So a price can only have an
 * order refused, or decided by the next rule, that signers would let through: they know the table alone.
 */
export type Values = {
  policy: Policy
  atMs: number
  /** Live prices by `countedName`, in millionths of a dollar for one whole unit, rounded up. Which is not known, is not there. */
  live: ReadonlyMap<string, bigint>
}

/** Prices are asked for where a rule of the policy goes by what orders are worth, and nowhere else. */
export async function valuesNow(tx: OrganisationTx, policy: Policy, nowMs: number): Promise<Values> {
  const { valuation, rules } = inThirdForm(policy)
  if (!rules.some(readsValues)) return { policy, atMs: nowMs, live: new Map() }
  const assets = valuation.map(({ chain, asset }) => ({ chain, contract: asset === '' ? null : asset }))
  const prices = await latestPrices(tx, assets, nowMs, 'USD')
  const live = assets.flatMap(({ chain, contract }): [string, bigint][] => {
    const quote = prices.get(priceKey({ chain, contract }))
    return quote ? [[countedName(chain, contract), (quote.price + MICRO_OF_PRICE - 1n) / MICRO_OF_PRICE]] : []
  })
  return { policy, atMs: nowMs, live: new Map(live) }
}

/** Prices count 10^-24 dollars. */
const MICRO_OF_PRICE = 10n ** 18n

type OfAsset = { chain: string; contract: string | null }

/** An amount in cents, and whether a live price made it more than the table says. */
export function worthOf({ policy, atMs, live }: Values, { chain, contract }: OfAsset, amount: bigint): { cents: bigint; isLive: boolean } {
  const name = countedName(chain, contract)
  const byTable = centsOf(policy, name, amount, { atMs })
  const cents = centsOf(policy, name, amount, { atMs, live: live.get(name) ?? 0n })
  return { cents, isLive: cents > byTable }
}

/** The policy as it would be if its table said what the market does, where that is more. */
export function atLivePrices({ policy, live }: Values): Policy {
  const raised = inThirdForm(policy).valuation.map((each) => {
    const price = live.get(countedName(each.chain, each.asset)) ?? 0n
    return price > each.microUsd ? { ...each, microUsd: price } : each
  })
  return hasThirdForm(policy) ? { ...policy, valuation: raised } : policy
}

/**
 * The most base units of an asset that are worth no more than so many cents; none of one whose worth nobody knows, or no longer. Together with `worthOf`: these
 * are within the cents, and one more is not.
 */
export function unitsWithin({ policy, atMs, live }: Values, { chain, contract }: OfAsset, cents: bigint): bigint {
  const name = countedName(chain, contract)
  if (cents <= 0n || centsOf(policy, name, 1n, { atMs }) >= BEYOND_CENTS) return 0n
  const byTable = unitsWorth(policy, name, cents) ?? 0n
  const price = live.get(name)
  const pinned = pinnedBy(policy, { chain, asset: contract ?? '' })
  if (price === undefined || price === 0n || !pinned) return byTable
  const byPrice = (cents * 10_000n * 10n ** pinned.decimals) / price
  return byPrice < byTable ? byPrice : byTable
}

/** What each cent of an asset costs, as the database counts it: an order is worth its amount times `micro` by `divisor`, rounded up. */
export type Rate = { chain: string; contract: string; micro: string; divisor: string }

/** What base units of the assets are worth of which anybody knows it. */
export function ratesOf({ policy, atMs, live }: Values): Rate[] {
  return inThirdForm(policy).valuation.flatMap(({ chain, asset, microUsd, validUntilMs }): Rate[] => {
    const pinned = pinnedBy(policy, { chain, asset })
    if (!pinned || BigInt(atMs) >= validUntilMs) return []
    const price = live.get(countedName(chain, asset)) ?? 0n
    return [{ chain, contract: asset, micro: String(price > microUsd ? price : microUsd), divisor: String(10_000n * 10n ** pinned.decimals) }]
  })
}

/** Rows of orders with their `chain`, `contract` and `amount`, each in cents and rounded up by itself: all of them together. */
export async function centsUsed(tx: OrganisationTx, values: Values, orders: RawBuilder<unknown>): Promise<bigint> {
  const { rows } = await sql<{ cents: string | null; unknown: bigint }>`
    select sum(div(o.amount * worth.micro + worth.divisor - 1, worth.divisor)) as cents,
        count(*) filter (where worth.micro is null and o.amount > 0) as unknown
      from (${orders}) as o
        left join jsonb_to_recordset(${JSON.stringify(ratesOf(values))}::jsonb) as worth (chain text, contract text, micro numeric, divisor numeric)
          on worth.chain = o.chain and (worth.contract = o.contract or starts_with(o.contract, worth.contract || '/'))`.execute(tx)
  const { cents = null, unknown = 0n } = rows[0] ?? {}
  return BigInt(unknown) > 0n ? BEYOND_CENTS : BigInt(cents ?? 0)
}

/** Why an order has no rule: what it would be worth, by whom, and the most that the rule lets through. */
export type ValueRefusal = { rule: NamedRule; kind: 'order' | 'limit' | 'above'; cents: bigint; most: bigint; isLive: boolean }

const dollars = (cents: bigint) => formatAmount(cents, 2)

const WORDS = {
  en_US: {
    order: (rule: string, worth: string, most: string) => `Rule “${rule}” lets up to ${most} USD through, and this is worth ${worth}.`,
    limit: (rule: string, worth: string, most: string) => `Rule “${rule}” lets ${most} USD through in its window, and with this order it would be ${worth}.`,
    above: (rule: string, worth: string, most: string) =>
      `Rule “${rule}” decides over what is worth more than ${most} USD, and this is worth ${worth}. Signers go by the table: have its values raised first.`,
    live: (amount: string) => `${amount} USD by the live price, which is higher than the table of values`,
    table: (amount: string) => `${amount} USD by the table of values`,
    unknown: 'more than anybody knows: the table of values does not say, or no longer, what all of it is worth',
    worth: (amount: string) => `By the table of values it is worth ${amount} USD.`,
    unvalued: (symbol: string) => `The table of values does not say what ${symbol} is worth, so it counts as more than any bound.`,
    expired: (symbol: string, until: string) => `What the table of values says of ${symbol} expired on ${until}, so it counts as more than any bound.`,
  },
  zh_CN: {
    order: (rule: string, worth: string, most: string) => `规则“${rule}”放行不超过 ${most} 美元，而该订单价值${worth}。`,
    limit: (rule: string, worth: string, most: string) => `规则“${rule}”在其时段内放行 ${most} 美元，计入该订单后将为${worth}。`,
    above: (rule: string, worth: string, most: string) =>
      `规则“${rule}”适用于价值高于 ${most} 美元的订单，而该订单价值${worth}。签名方以估值表为准：请先上调估值。`,
    live: (amount: string) => ` ${amount} 美元（按实时价格，高于估值表）`,
    table: (amount: string) => ` ${amount} 美元（按估值表）`,
    unknown: '不明：估值表未列明其中资产的价值，或已过有效期',
    worth: (amount: string) => `按估值表其价值为 ${amount} 美元。`,
    unvalued: (symbol: string) => `估值表未列明 ${symbol} 的价值，因此视为高于任何上限。`,
    expired: (symbol: string, until: string) => `估值表中 ${symbol} 的价值已于 ${until} 失效，因此视为高于任何上限。`,
  },
}

/** A refusal by what an order is worth in words: by the live price, or by the table. */
export function sayRefusal({ rule, kind, cents, most, isLive }: ValueRefusal, language: Language): string {
  const words = WORDS[language]
  const worth = cents >= BEYOND_CENTS ? words.unknown : (isLive ? words.live : words.table)(dollars(cents))
  return words[kind](rule.name, worth, dollars(most))
}

/** What the table says of an order that no rule covers; undefined where no rule of the policy looks at it. */
export function sayWorth(
  { policy, atMs }: Pick<Values, 'policy' | 'atMs'>,
  { asset, amount }: Pick<TransactionIntent, 'asset' | 'amount'>,
  language: Language,
): string | undefined {
  const { valuation, rules } = inThirdForm(policy)
  if (!rules.some(readsValues)) return undefined
  const words = WORDS[language]
  const name = countedName(asset.chain, asset.contract)
  const entry = valuation.find((each) => countedName(each.chain, each.asset) === name)
  if (!entry) return words.unvalued(asset.symbol)
  if (BigInt(atMs) >= entry.validUntilMs) return words.expired(asset.symbol, new Date(Number(entry.validUntilMs)).toISOString().slice(0, 10))
  return words.worth(dollars(centsOf(policy, name, amount, { atMs })))
}
