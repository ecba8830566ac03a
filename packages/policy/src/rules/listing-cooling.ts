import { hasThirdForm, type Policy, type ThirdForm } from '../policy.ts'

/** How long an address of the whitelist waits at each signer before it counts, by a policy that does not say it. */
export const LISTING_COOLING_MS = 24 * 3_600_000
/** The longest that a policy may say. */
export const LISTING_COOLING_MAX_MS = 72 * 3_600_000

/** How long an address that is put on the whitelist waits at each signer before it counts, from when that signer was told. */
export const listingCoolingMs = (policy: Policy): number => ('listingCoolingMs' in policy ? Number(policy.listingCoolingMs) : LISTING_COOLING_MS)

/** A policy by which addresses of the whitelist wait for so long. It keeps its form where it says so already, so that programs from before still read it. */
export function withListingCooling(policy: ThirdForm, coolingMs: number): ThirdForm {
  if (coolingMs === listingCoolingMs(policy)) return policy
  if (policy.kind === 'namedDeputies') return { ...policy, listingCoolingMs: BigInt(coolingMs) }
  return { ...policy, kind: 'namedCooling', listingCoolingMs: BigInt(coolingMs) }
}

/** Why the time that addresses of the whitelist wait cannot be; undefined if it can. */
export function faultOfCooling(policy: Policy): string | undefined {
  if (!hasThirdForm(policy) || listingCoolingMs(policy) <= LISTING_COOLING_MAX_MS) return undefined
  return `lets an address of the whitelist wait for more than ${LISTING_COOLING_MAX_MS / 3_600_000} hours`
}
