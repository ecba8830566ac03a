import type { OrganisationTx } from '@holdfast/db'
import {
  followedStandingOrders,
  organisationsWithStandingOrders,
  type StandingOrderInForce,
  standingStops,
  type Stopped,
} from '@holdfast/features/policy/server'
import { sweepForSigners } from '@holdfast/features/signer-link/server'
import type { Repeating } from '@holdfast/jobs'
import { bytesToUuid, type OrganisationId } from '@holdfast/units'
import { lookAt, type LookNeeds } from './look.ts'

/** What there is to move is looked at so often. */
const LOOK_MS = 10_000

const sweeps = sweepForSigners()

/** Looks at what standing orders cover until stopped. */
export function startStandingOrders(needs: LookNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  const lookedAt = new Map<string, number>()
  return sweeps.start(needs, { report }, async ({ isStopped, attend }) => {
    for (const orgId of await organisationsWithStandingOrders(needs)) {
      const nowMs = needs.ports.clock.nowMs()
      if (nowMs - (lookedAt.get(orgId) ?? 0) < LOOK_MS) continue
      lookedAt.set(orgId, nowMs)
      for (const standing of await needs.db.asOrganisation(orgId, (tx) => standingOrdersInForce(tx, nowMs))) {
        if (isStopped()) return
        await attend(bytesToUuid(standing.intent.id), async () => (await lookAt(needs, orgId as OrganisationId, standing)) >= 0)
      }
    }
  })
}

/** The standing orders under which something can be moved now: in their time, and stopped by nobody. */
export async function standingOrdersInForce(tx: OrganisationTx, nowMs: number): Promise<StandingOrderInForce[]> {
  const stops = await standingStops(tx)
  const isOpen = ({ intent }: StandingOrderInForce) =>
    intent.notBeforeMs <= BigInt(nowMs) && BigInt(nowMs) < intent.untilMs && stopOf(stops, { intent }) === undefined
  return (await followedStandingOrders(tx)).filter(isOpen)
}

/** The first stop of a standing order in this version or a later one; undefined if nobody stopped it. */
export const stopOf = (stops: readonly Stopped[], { intent }: Pick<StandingOrderInForce, 'intent'>): Stopped | undefined =>
  stops.find(({ id, version }) => id === bytesToUuid(intent.id) && version >= intent.version)
