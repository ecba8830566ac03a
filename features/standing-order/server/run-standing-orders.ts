import type { OrganisationTx } from '@holdfast/db'
import { followedStandingOrders, type StandingOrderInForce, standingStops, type Stopped } from '@holdfast/features/policy/server'
import { sweepForSigners } from '@holdfast/features/signer-link/server'
import type { Repeating } from '@holdfast/jobs'
import { bytesToUuid, type OrganisationId } from '@holdfast/units'
import { lookAt, type LookNeeds } from './look.ts'

/** What there is to move is looked at so often. */
const LOOK_MS = 10_000

const sweeps = sweepForSigners()

/** Has every standing order looked at now, where this process does that at all. */
export const pokeStandingOrders: typeof sweeps.poke = sweeps.poke

/** Looks at what standing orders cover until stopped. */
export function startStandingOrders(needs: LookNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  const lookedAt = new Map<string, number>()
  return sweeps.start(needs, { report }, async ({ isStopped, attend }) => {
    const orgs = await needs.db.readSystem((tx) =>
      tx.selectFrom('signer_order').select('org_id').distinct().where('kind', '=', 'standing_order').where('state', '=', 'followed').execute(),
    )
    for (const { org_id: orgId } of orgs) {
      const nowMs = needs.ports.clock.nowMs()
      const open = await needs.db.asOrganisation(orgId, (tx) => standingOrdersInForce(tx, nowMs))
      for (const standing of open) {
        const id = bytesToUuid(standing.intent.id)
        if (isStopped()) return
        if (nowMs - (lookedAt.get(id) ?? 0) < LOOK_MS) continue
        lookedAt.set(id, nowMs)
        await attend(id, async () => (await lookAt(needs, orgId as OrganisationId, standing)) >= 0)
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
