import type { Trade } from '@holdfast/chain-evm/codec'
import type { Policy } from '../policy.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { tradeBoundsOf, tradedAsset, WHOLE_BPS } from '../rules/trade-bounds.ts'
import type { TradeBounds } from '../rules/trades-shape.ts'
import { countedName, isWorthShare, unitsOfShare } from '../rules/valuation.ts'
import { type Band, bandsOf, type Piece, type Told } from './dimension.ts'

type Of<K extends Told['kind']> = Extract<Told, { kind: K }>

const boundsIn = (rules: readonly Rule[]): TradeBounds[] => rules.flatMap((rule) => tradeBoundsOf(rule) ?? [])

const once = <T>(all: readonly T[]): T[] => [...new Set(all)]

/** The venues that rules name: calls of other contracts are no trades. */
export const venuePieces = (rules: readonly Rule[]): Piece[] =>
  once(boundsIn(rules).map(({ router }) => router)).map((router) => ({ told: { kind: 'contract', address: router }, act: { contract: router } }))

/** More pairs than these, each in its bands of amounts, are not all looked at. */
const PAIRS_MAX = 4_096

/** Every two assets that rules name, with how much of the first is given; one of any other is denied. */
export function pairPieces(chain: string, rules: readonly Rule[]): { pieces: Piece[]; isWhole: boolean } {
  const all = boundsIn(rules)
  const gets = once(all.flatMap((each) => each.gets))
  const pieces = once(all.flatMap(({ gives }) => gives.map(({ asset }) => asset))).flatMap((asset) => {
    const borders = all.flatMap(({ gives }) => gives.flatMap((each) => (each.asset === asset && each.atMost !== null ? [each.atMost] : [])))
    const bands = bandsOf(borders, 1n)
    return gets
      .filter((other) => other !== asset)
      .flatMap((other) => bands.map((given): Piece => ({ told: { kind: 'pair', chain, gives: asset, gets: other, given }, act: {} })))
  })
  return { pieces: pieces.slice(0, PAIRS_MAX), isWhole: pieces.length <= PAIRS_MAX }
}

export const coversPair = ({ gives, gets }: TradeBounds, told: Of<'pair'>): boolean =>
  gets.includes(told.gets) && gives.some(({ asset, atMost }) => asset === told.gives && (atMost === null || told.given.from <= atMost))

/** What is got at least in hundredths of a percent of the worth of what is given at most, in the bands between what rules let it be less. */
export const sharePieces = (rules: readonly Rule[]): Piece[] => {
  const least = boundsIn(rules).flatMap(({ slippageBps }) => (slippageBps === null ? [] : [WHOLE_BPS - slippageBps - 1n]))
  return bandsOf(least, 0n).map((share) => ({ told: { kind: 'share', share }, act: {} }))
}

export const coversShare = ({ slippageBps }: TradeBounds, { share }: Of<'share'>): boolean => slippageBps === null || share.from >= WHOLE_BPS - slippageBps

/** How far away deadlines are, and none. */
export const deadlinePieces = (rules: readonly Rule[]): Piece[] => {
  const borders = boundsIn(rules).flatMap(({ deadlineMs }) => (deadlineMs === null ? [] : [deadlineMs]))
  return [...bandsOf(borders, 1n), null].map((left) => ({ told: { kind: 'deadline', left }, act: {} }))
}

export const coversDeadline = ({ deadlineMs }: TradeBounds, { left }: Of<'deadline'>): boolean =>
  deadlineMs === null || (left !== null && left.from <= deadlineMs)

/** Whether the table says at a time what both assets are worth. */
export const isPriced = (policy: Policy, { chain, gives, gets }: Of<'pair'>, atMs: number): boolean =>
  isWorthShare(policy, { name: nameOf(chain, gets), amount: 1n }, { name: nameOf(chain, gives), amount: 1n }, 0n, atMs) !== undefined

const nameOf = (chain: string, asset: string) => countedName(chain, tradedAsset(asset))

/** One trade of these pieces, for the address that pays: the larger its amounts are, the closer it is to the share. */
export function tradeOf(told: readonly Told[], { policy, from, atMs }: { policy: Policy; from: string; atMs: number }): Trade | undefined {
  const of = <K extends Told['kind']>(kind: K) => told.find((each): each is Of<K> => each.kind === kind)
  const [pair, share, deadline] = [of('pair'), of('share'), of('deadline')]
  if (!pair) return undefined
  const { chain } = pair
  const atMost = lastOf(pair.given)
  const given = { name: nameOf(chain, pair.gives), amount: atMost }
  const least = unitsOfShare(policy, nameOf(chain, pair.gets), given, share?.share.from ?? 0n, atMs) ?? 1n
  return {
    gives: tradedAsset(pair.gives),
    atMost,
    gets: tradedAsset(pair.gets),
    atLeast: least === 0n ? 1n : least,
    to: from,
    deadlineS: deadline?.left ? secondIn(deadline.left, BigInt(atMs)) : null,
  }
}

/** A whole second so far away: the last one, or the first where there is no last. */
const secondIn = ({ from, to }: Band, atMs: bigint): bigint => (to === null ? (atMs + from + 999n) / 1000n : (atMs + to) / 1000n)

const lastOf = ({ from, to }: Band): bigint => to ?? from
