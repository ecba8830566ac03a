import type { ServerContext } from '@holdfast/features/context'
import { hasPayouts } from './by-contract.ts'
import { readPayer } from '@holdfast/features/transfer/server'
import { capBounds, readTiers, type Tiers } from '@holdfast/features/withdrawal/server'
import type { OrganisationId, SubWalletId } from '@holdfast/units'
import type { BatchMode } from '../shapes-contract.ts'
import type { Coin } from './drafts.ts'

type Needs = Pick<ServerContext, 'db' | 'networks'>
type Line = { to: string; memo: string | null; amount: bigint }
type Quoting = Coin & { subWalletId: SubWalletId; lines: readonly Line[]; mode: BatchMode }

/** What a transaction of a batch costs now, and the most that each is to cost by the tiers: some of it is paid hours later. */
export type BatchQuote = { transactions: number; together: number; tiers: Tiers; caps: [bigint, bigint, bigint] }

/** So many of its transactions are tried: what they cost differs by whom they pay. */
const TRIED = 5
/** How many lines one transaction pays, tried in this sequence. */
const SIZES = [100, 50, 25, 10, 5, 2] as const

/**
 * How many lines one transaction pays: where the network itself pays several, and by contract where that was chosen, as many as fit, none of which pays an
 * address that another one in it pays, nor has a memo that would not go along; elsewhere one.
 */
export function togetherOf({ network, asset }: Coin, lines: readonly Line[], mode: BatchMode): number {
  const isByChain = network.codec.paysSeveral?.(asset.contract) ?? false
  const carriesMemos = isByChain && network.codec.memoMax !== undefined
  if (!isByChain && !(mode === 'contract' && hasPayouts(network))) return 1
  if (!carriesMemos && lines.some(({ memo }) => memo !== null)) return 1
  const isApart = (size: number) => chunksOf(lines, size).every((chunk) => new Set(chunk.map(({ to }) => to)).size === chunk.length)
  // The contract takes any number, so a batch that fits into one call is one.
  const sizes = mode === 'contract' ? [Math.min(lines.length, SIZES[0]), ...SIZES] : SIZES
  return sizes.find((size) => size > 1 && size <= Math.max(lines.length, 2) && isApart(size)) ?? 1
}

export const chunksOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))

/** Has some of the transactions of a batch estimated, as its network would run them now. Throws `fee_estimate_failed`. */
export async function quoteBatch({ db }: Needs, orgId: OrganisationId, { network, asset, subWalletId, lines, mode }: Quoting): Promise<BatchQuote> {
  const together = togetherOf({ network, asset }, lines, mode)
  const parts = chunksOf(lines, together)
  const { address: from } = await db.asOrganisation(orgId, (tx) => readPayer(tx, { subWalletId, network }))
  const tried = tries(parts)
  const found = await Promise.all(
    tried.map((chunk) => {
      const [first] = chunk
      if (!first) throw new Error('a part of a batch has no line')
      const amount = chunk.reduce((sum, each) => sum + each.amount, 0n)
      const payments = chunk.length > 1 ? chunk.map(({ to, amount, memo }) => ({ to, amount, ...(memo !== null && { memo }) })) : undefined
      return readTiers(network, { from, to: first.to, asset, amount, payments })
    }),
  )
  const dearest = (tier: 0 | 1 | 2) => found.map((tiers) => tiers[tier]).reduce((most, each) => (each.feeMax > most.feeMax ? each : most))
  const tiers: Tiers = [dearest(0), dearest(1), dearest(2)]
  const { least, most } = capBounds(tiers)
  const capOf = (tier: 0 | 1 | 2) => {
    const wanted = (tiers[tier].feeMax * 3n) / 2n
    return wanted < least ? least : wanted > most ? most : wanted
  }
  return { transactions: parts.length, together, tiers, caps: [capOf(0), capOf(1), capOf(2)] }
}

/** The first, the last, and some between, evenly. */
function tries<T>(parts: readonly T[]): T[] {
  const places = Array.from({ length: TRIED }, (_, i) => Math.round((i * (parts.length - 1)) / (TRIED - 1)))
  return [...new Set(places)].flatMap((place) => {
    const part = parts[place]
    return part === undefined ? [] : [part]
  })
}
