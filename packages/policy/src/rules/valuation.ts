import { pinnedContract, readTokenWallets } from '@holdfast/chain-core'
import { type Infer, struct, text, uint } from '@holdfast/encoding'
import type { Asset } from '@holdfast/intent'

/**
 * The most that one whole unit of an asset is taken to be worth, in millionths of a US dollar, until a time. After that no amount of it is known to be small.
 */
export const valuationShape = struct('holdfast/valuation/v1', { chain: text(64), asset: text(128), microUsd: uint(128), validUntilMs: uint(53) })

export type Valuation = Infer<typeof valuationShape>

/** What a policy says of what its assets are worth. Its forms before the third say nothing. */
export type Valued = { assets: readonly Asset[]; valuation?: readonly Valuation[] }

/** More cents than any rule can let through: what an amount counts as that nobody has said the worth of, or no longer. */
export const BEYOND_CENTS = 1n << 64n

const CENT_MICRO_USD = 10_000n

/** The name under which limits count an asset: tokens of a collection count together, by the piece. */
export const countedName = (chain: string, contract: string | null): string => `${chain}|${pinnedContract(contract) ?? ''}`

/** Millionths of a dollar for `units` base units, until a time. */
type Worth = { microUsd: bigint; units: bigint; validUntilMs: bigint }

/** A table is read once for each version of a policy, which is never changed. */
const tables = new WeakMap<Valued, ReadonlyMap<string, Worth>>()

function tableOf(policy: Valued): ReadonlyMap<string, Worth> {
  const known = tables.get(policy)
  if (known) return known
  const { assets, valuation = [] } = policy
  const table = new Map(
    valuation.flatMap(({ chain, asset, microUsd, validUntilMs }): [string, Worth][] => {
      const pinned = assets.find((each) => each.chain === chain && (each.contract ?? '') === asset)
      return pinned ? [[countedName(chain, asset), { microUsd, units: 10n ** pinned.decimals, validUntilMs }]] : []
    }),
  )
  tables.set(policy, table)
  return table
}

/** What the table says of an asset at a time; without one, what it said last. */
function worthAt(policy: Valued, name: string, atMs: number | undefined): Worth | undefined {
  const worth = tableOf(policy).get(name)
  return worth && (atMs === undefined || BigInt(atMs) < worth.validUntilMs) ? worth : undefined
}

/**
 * What base units of an asset (`countedName`) are worth at most by the policy's own table, in whole cents rounded up; `BEYOND_CENTS` where the table does not say
 * it, or says it no more at `atMs` (without a time, what it said last). `live` is a price, in millionths of a dollar for one whole unit, that counts if it is higher.
 */
export function centsOf(policy: Valued, name: string, amount: bigint, { atMs, live = 0n }: { atMs?: number; live?: bigint } = {}): bigint {
  if (amount === 0n) return 0n
  const worth = worthAt(policy, name, atMs)
  if (!worth) return BEYOND_CENTS
  const divisor = worth.units * CENT_MICRO_USD
  const cents = (amount * (live > worth.microUsd ? live : worth.microUsd) + divisor - 1n) / divisor
  return cents < BEYOND_CENTS ? cents : BEYOND_CENTS
}

type Amount = { name: string; amount: bigint }

/**
 * Whether base units of one asset (`countedName`) are worth at least so many ten-thousandths of those of another, to the last digit; undefined where the table
 * does not say what one of them is worth, or says it no more at `atMs` (without a time, what it said last).
 */
export function isWorthShare(policy: Valued, one: Amount, other: Amount, tenThousandths: bigint, atMs?: number): boolean | undefined {
  const [worth, theirs] = [worthAt(policy, one.name, atMs), worthAt(policy, other.name, atMs)]
  if (!worth || !theirs) return undefined
  return one.amount * worth.microUsd * theirs.units * 10_000n >= other.amount * theirs.microUsd * worth.units * tenThousandths
}

/** The fewest base units of one asset that are worth so many ten-thousandths of those of another (`isWorthShare`); undefined where nobody knows. */
export function unitsOfShare(policy: Valued, name: string, other: Amount, tenThousandths: bigint, atMs: number): bigint | undefined {
  const [worth, theirs] = [worthAt(policy, name, atMs), worthAt(policy, other.name, atMs)]
  if (!worth || !theirs) return undefined
  const divisor = worth.microUsd * theirs.units * 10_000n
  return (other.amount * theirs.microUsd * worth.units * tenThousandths + divisor - 1n) / divisor
}

/** The most base units of an asset that are worth no more than so many cents by the table; undefined where it does not say what they are worth. */
export function unitsWorth(policy: Valued, name: string, cents: bigint): bigint | undefined {
  const worth = tableOf(policy).get(name)
  return worth && (cents * CENT_MICRO_USD * worth.units) / worth.microUsd
}

/**
 * Whether the table of a policy lets no amount count for less than that of another did, nor for longer: by base units, which is what orders move. An asset with
 * more decimals is worth less in each of them.
 */
export const countsNoLess = (after: Valued, before: Valued): boolean =>
  [...tableOf(after)].every(([name, is]) => {
    const was = tableOf(before).get(name)
    return was !== undefined && is.microUsd * was.units >= was.microUsd * is.units && is.validUntilMs <= was.validUntilMs
  })

/**
 * Whether no trade of one of the assets `given` for one of those `got` is let through by the table of a policy that was not by that of another: what is given
 * counts for no less, what is got for no more, and neither for longer.
 */
export function tradesNoWorse(after: Valued, before: Valued, { given, got }: { given: readonly string[]; got: readonly string[] }): boolean {
  const compares = (names: readonly string[], isNoWorse: (is: bigint, was: bigint) => boolean) =>
    names.every((name) => {
      const [is, was] = [tableOf(after).get(name), tableOf(before).get(name)]
      return !is || (was !== undefined && is.validUntilMs <= was.validUntilMs && isNoWorse(is.microUsd * was.units, was.microUsd * is.units))
    })
  return compares(given, (is, was) => is >= was) && compares(got, (is, was) => is <= was)
}

/** Whether amounts count for the same, and for as long, by the tables of two policies. */
export const countsTheSame = (one: Valued, other: Valued): boolean => countsNoLess(one, other) && countsNoLess(other, one)

/** Why a table cannot stand in a policy; undefined if it can. */
export function faultOfValuation({ assets, valuation = [] }: Valued): string | undefined {
  const unknown = valuation.find(
    ({ chain, asset }) => readTokenWallets(asset) || !assets.some((each) => each.chain === chain && (each.contract ?? '') === asset),
  )
  const nameOf = ({ chain, asset }: Valuation) => `${asset === '' ? 'the own coin' : asset} on ${chain}`
  if (unknown) return `says what ${nameOf(unknown)} is worth, which the policy does not pin`
  const names = valuation.map(nameOf)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) return `says twice what ${twice} is worth`
  const worthless = valuation.find(({ microUsd }) => microUsd === 0n)
  return worthless && `takes ${nameOf(worthless)} to be worth nothing: say the most that one unit is worth`
}
