import { ChainError } from '@holdfast/chain-core'
import { forEachApart, repeat, type Repeating } from '@holdfast/jobs'
import type { OrganisationId } from '@holdfast/units'
import { tronPlaces } from '../tron-places.ts'
import { attendAsked, attendPayment, windUp } from './attend.ts'
import { endLook, newRounds, nextPayments, nextSupplies, type Rounds } from './due-for-energy.ts'
import type { AgentNeeds } from './lend.ts'
import type { Agent } from './supplies.ts'

const PAUSE_MS = 2_000

/** Has energy lent before payments, and taken back after them, until stopped. */
export function startAgent(needs: AgentNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  const rounds = newRounds()
  return repeat(
    needs.ports.timer,
    PAUSE_MS,
    async (isStopped) => {
      for (const cause of await attendAll(needs, isStopped, rounds)) report(cause)
    },
    report,
  )
}

/**
 * Takes payments that wait for energy, and loans that are not over, as far as they go now, each apart: of those that are due, the next after the last look.
 * Answers what failed.
 */
export async function attendAll(needs: AgentNeeds, isStopped: () => boolean = () => false, rounds: Rounds = newRounds()): Promise<unknown[]> {
  const places = new Map(tronPlaces(needs).map((place) => [place.network.chain, place]))
  const which = { chains: [...places.keys()], nowMs: needs.ports.clock.nowMs() }
  const [agents, waiting, open] = await needs.db.asSystem(async (tx) => [
    await tx.selectFrom('tron_agent').selectAll().where('is_on', '=', true).execute(),
    await nextPayments(tx, which, rounds.payments),
    await nextSupplies(tx, which, rounds.supplies),
  ])
  endLook(rounds.payments, waiting)
  endLook(rounds.supplies, open)
  const agentOf = ({ org_id: orgId, chain }: { org_id: string; chain: string }): Agent | undefined =>
    agents.find((each) => each.org_id === orgId && each.chain === chain)
  const silent = (cause: unknown) => {
    // No answer is not a failure: the next look asks again.
    if (!(cause instanceof ChainError)) throw cause
  }
  const failed = await forEachApart(waiting, async (each) => {
    const [place, agent] = [places.get(each.chain), agentOf(each)]
    if (place && agent && !isStopped()) await attendPayment(needs, each.org_id, place, agent, each.id).catch(silent)
  })
  const more = await forEachApart(open, async (supply) => {
    const [place, agent, orgId] = [places.get(supply.chain), agentOf(supply), supply.org_id as OrganisationId]
    if (!place || isStopped()) return
    if (agent && supply.order_id === null && (supply.state === 'waiting' || supply.state === 'lending'))
      return attendAsked(needs, orgId, place, agent, supply).catch(silent)
    await windUp(needs, orgId, place, supply).catch(silent)
  })
  return [...failed, ...more]
}
