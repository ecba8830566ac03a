import * as z from 'zod'
import { chooseSweeps } from './choose-sweeps.ts'
import type { Chosen, FeeTerms, Holding, Terms } from './chosen.ts'

const baseUnits = z.string().regex(/^\d{1,78}$/)

/** When something is done: at any time, in the first minutes of each hour, or in the hour that begins at a time of the day (UTC). */
export const scheduleText = z.string().regex(/^(|hourly|([01]\d|2[0-3]):[0-5]\d)$/, 'it must be empty, hourly, or a time of day such as 02:30')

/** When the fee of a move that waits is raised, and how often. */
export const raiseShape = z.object({ afterMs: z.int().min(30_000).max(86_400_000), times: z.int().min(1).max(5) })

const narrowedAsset = z.object({
  chain: z.string(),
  /** Empty for the network's own coin. */
  contract: z.string(),
  isOn: z.boolean(),
  /** Base units; `single`: a deposit of so much is moved although its address has less than `atLeast`. */
  atLeast: baseUnits,
  single: baseUnits.nullable(),
  /** The most in one transfer. */
  atMost: baseUnits,
  /** Base units of the network's own coin, and hundredths of a percent of the amount. */
  feeMax: baseUnits,
  feeShare: z.int().min(1).max(10_000),
  schedule: scheduleText,
  /** The fee of a move is raised after each such time in which no block took it, so many times at most; null if it is left to wait. */
  raise: raiseShape.nullable().default(null),
})

/**
 * What the organisation lets the server move of what a standing order lets through: always less, so it needs no approval, and signers need not know. `asked`:
 * addresses that somebody has moved at once, or left, whatever else is said.
 */
export const narrowingShape = z.object({
  isPaused: z.boolean(),
  assets: z.array(narrowedAsset).max(64),
  scope: z.object({ mode: z.enum(['all', 'part', 'except']), subWalletIds: z.array(z.string()).max(10_000) }),
  never: z.array(z.object({ chain: z.string(), address: z.string() })).max(1024),
  asked: z.array(z.object({ chain: z.string(), address: z.string(), contract: z.string(), what: z.enum(['now', 'leave']) })).max(1000),
})
export type Narrowing = z.output<typeof narrowingShape>
export type NarrowedAsset = Narrowing['assets'][number]

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** So long after each full hour what goes by the hour goes. */
const HOURLY_MS = 600_000

/** When a schedule next lets something be done, in milliseconds since 1970: `nowMs` itself if it does now. */
export function dueAt(schedule: string, nowMs: number): number {
  if (schedule === '') return nowMs
  if (schedule === 'hourly') return nowMs % HOUR_MS < HOURLY_MS ? nowMs : nowMs - (nowMs % HOUR_MS) + HOUR_MS
  const [hours = 0, minutes = 0] = schedule.split(':').map(Number)
  const since = (nowMs - (hours * HOUR_MS + minutes * 60_000)) % DAY_MS
  return since < HOUR_MS ? nowMs : nowMs - since + DAY_MS
}

/** The fee that is allowed by both the standing order and the narrowing. */
export function feeNarrowed(fee: FeeTerms, asset: Pick<NarrowedAsset, 'feeMax' | 'feeShare' | 'raise'>): FeeTerms {
  const [max, share] = [BigInt(asset.feeMax), BigInt(asset.feeShare)]
  return { ...fee, max: max < fee.max ? max : fee.max, maxShare: share < fee.maxShare ? share : fee.maxShare, isRaised: asset.raise !== null }
}

type At = { chain: string; contract: string; address: string; subWalletId: string }

const keyOf = (...parts: readonly string[]): string => parts.join('|')
const askedFor = (asked: Narrowing['asked'], what: 'now' | 'leave'): ReadonlySet<string> =>
  new Set(asked.filter((each) => each.what === what).map(({ chain, contract, address }) => keyOf(chain, contract, address)))

/** Says of addresses, which may be many, why each is left alone whatever it has; undefined of one that is not. */
export function leavesAlone({ isPaused, scope, never, asked }: Narrowing): (at: At) => 'black_address' | 'out_of_scope' | 'left' | 'paused' | undefined {
  const black = new Set(never.map(({ chain, address }) => keyOf(chain, address)))
  const left = askedFor(asked, 'leave')
  const named = new Set(scope.subWalletIds)
  return ({ chain, contract, address, subWalletId }) => {
    if (black.has(keyOf(chain, address))) return 'black_address'
    if (scope.mode !== 'all' && named.has(subWalletId) !== (scope.mode === 'part')) return 'out_of_scope'
    if (left.has(keyOf(chain, contract, address))) return 'left'
    return isPaused ? 'paused' : undefined
  }
}

/**
 * What a sweep moves now of what a standing order lets it, as `chooseSweeps`; `hasSingle` says of an address whether a deposit of at least the single amount
 * arrived there since it was last emptied.
 */
export function chooseNarrowed(
  terms: Terms,
  narrowing: Narrowing,
  holdings: readonly Holding[],
  { chain, contract, nowMs, hasSingle }: { chain: string; contract: string; nowMs: number; hasSingle: (address: string) => boolean },
): Chosen[] {
  const asset = narrowing.assets.find((each) => each.chain === chain && each.contract === contract)
  const due = asset ? dueAt(asset.schedule, nowMs) : nowMs
  const leftFor = leavesAlone(narrowing)
  const now = askedFor(narrowing.asked, 'now')
  return holdings.flatMap((holding): Chosen[] => {
    const { address, subWalletId } = holding
    if (address === terms.target) return []
    const left = leftFor({ chain, contract, address, subWalletId })
    if (left) return [{ holding, reason: left }]
    if (!asset?.isOn) return [{ holding, reason: 'switched_off' }]
    const isAsked = now.has(keyOf(chain, contract, address))
    if (!isAsked && due > nowMs) return [{ holding, reason: 'scheduled', detail: BigInt(due) }]
    const [least, most] = [BigInt(asset.atLeast), BigInt(asset.atMost)]
    const atLeast = isAsked || hasSingle(address) || least < terms.atLeast ? terms.atLeast : least
    const atMost = most < terms.atMost ? most : terms.atMost
    return chooseSweeps({ ...terms, atLeast, atMost, fee: feeNarrowed(terms.fee, asset) }, [holding])
  })
}
