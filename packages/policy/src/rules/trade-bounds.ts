import { deadAddress } from '@holdfast/chain-core'
import { canonicalAddress, isTradeForm } from '@holdfast/chain-evm/codec'
import { pinnedBy } from '../conditions/index.ts'
import { type Policy, rulesOf } from '../policy.ts'
import type { NamedRule, Rule } from './rule-shapes.ts'
import type { TradeBounds } from './trades-shape.ts'

/** Ten thousand hundredths of a percent are all of it. */
export const WHOLE_BPS = 10_000n

/** The bounds of a rule for trades; undefined for one that is for something else. */
export const tradeBoundsOf = (rule: Rule): TradeBounds | undefined => (rule.kind === 'named' && rule.covers.kind === 'trades' ? rule.covers : undefined)

/** The asset that rules name so, as trades name it: null for the network's own coin. */
export const tradedAsset = (asset: string): string | null => (asset === '' ? null : asset)

/** The venues of a policy are found once: it is never changed. */
const venues = new WeakMap<Policy, ReadonlyMap<string, string>>()

/**
 * The form of the router at an address, if any rule for trades names it as a venue; undefined if none does. A call of a venue is judged by rules for trades
 * alone.
 */
export function venueForm(policy: Policy, chain: string, address: string): string | undefined {
  const known =
    venues.get(policy) ??
    new Map(
      rulesOf(policy).flatMap((rule): [string, string][] => {
        const bounds = tradeBoundsOf(rule)
        return bounds ? [[`${bounds.chain}|${bounds.router}`, bounds.form]] : []
      }),
    )
  venues.set(policy, known)
  return known.get(`${chain}|${address}`)
}

const nameOf = (asset: string) => (asset === '' ? 'the own coin' : asset)

/** Why a rule for trades cannot stand in a policy, after the rule's name; undefined if it can. */
export function faultOfTrades(policy: Policy, rule: NamedRule, bounds: TradeBounds): string | undefined {
  const { chain, gives, gets } = bounds
  const venue = faultOfVenue(policy, rule, bounds)
  if (venue !== undefined) return venue
  const given = gives.map(({ asset }) => asset)
  if (given.length === 0) return 'lets nothing be given'
  if (gets.length === 0) return 'lets nothing be got'
  if (new Set(given).size !== given.length || new Set(gets).size !== gets.length) return 'names an asset of its trades twice'
  const other = [...given, ...gets].find((asset) => asset.includes(':') || !policy.assets.some((each) => isAsset(each, chain, asset)))
  if (other !== undefined) return `is for trades of ${nameOf(other)} on ${chain}, which the policy does not pin as a coin or token`
  if (!given.some((asset) => gets.some((got) => got !== asset))) return 'lets an asset be given for itself only'
  return rule.action.kind === 'refuse' ? faultOfRefused(bounds) : faultOfBounds(bounds)
}

const isAsset = (pinned: { chain: string; contract: string | null }, chain: string, asset: string) =>
  pinned.chain === chain && pinned.contract === tradedAsset(asset)

function faultOfVenue(policy: Policy, { id }: NamedRule, { chain, form, router }: TradeBounds): string | undefined {
  if (!isTradeForm(form)) return `is for routers of the form ${form}, which nobody here can read`
  if (!chain.startsWith('eip155:') || !policy.assets.some((each) => isAsset(each, chain, '')))
    return `is for trades on ${chain}, which is no EVM network whose own coin the policy pins`
  // Another spelling would not be the venue when a call of it is judged, and rules for calls would decide on it.
  if (canonicalAddress(router) !== router || deadAddress(chain, router) !== undefined) return `names ${router} as a router, which is no address of one`
  if (pinnedBy(policy, { chain, asset: router })) return `names ${router} as a router, which is a token of the policy`
  const other = rulesOf(policy).find((each) => {
    const theirs = each.id === id ? undefined : tradeBoundsOf(each)
    return theirs?.chain === chain && theirs.router === router && theirs.form !== form
  })
  return other ? `takes ${router} for a router of the form ${form}, and rule ${other.id} for one of another` : undefined
}

/** What would be let through beside such bounds nobody means. */
function faultOfRefused({ gives, slippageBps, deadlineMs }: TradeBounds): string | undefined {
  const isBounded = slippageBps !== null || deadlineMs !== null || gives.some(({ atMost }) => atMost !== null)
  if (!isBounded) return undefined
  return 'refuses trades up to a bound, and would let through what is beyond it: bound the rules that let through'
}

function faultOfBounds({ gives, slippageBps, deadlineMs }: TradeBounds): string | undefined {
  const unbounded = gives.find(({ atMost }) => atMost === null || atMost === 0n)
  if (unbounded) return `lets any amount of ${nameOf(unbounded.asset)} be given, or none: set the most of one order`
  if (slippageBps === null || slippageBps >= WHOLE_BPS) return 'lets trades through at any price: say how much less what is got may be worth'
  return deadlineMs === 0n ? 'lets no trade wait for its block: give it time' : undefined
}
