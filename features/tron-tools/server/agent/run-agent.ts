import { ChainError } from '@holdfast/chain-core'
import { forEachApart, repeat, type Repeating } from '@holdfast/jobs'
import type { OrderId, OrganisationId } from '@holdfast/units'
import { tronPlaces } from '../tron-places.ts'
import { attendAsked, attendPayment, windUp } from './attend.ts'
import type { AgentNeeds } from './lend.ts'
import type { Agent, Supply } from './supplies.ts'

const PAUSE_MS = 2_000
const AT_ONCE = 200

/** Has energy lent before payments, and taken back after them, until stopped. */
export function startAgent(needs: AgentNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  return repeat(
    needs.ports.timer,
    PAUSE_MS,
    async (isStopped) => {
      for (const cause of await attendAll(needs, isStopped)) report(cause)
    },
    report,
  )
}

/** Takes every payment that waits for energy, and every loan that is not over, as far as it goes now, each apart. Answers what failed. */
export async function attendAll(needs: AgentNeeds, isStopped: () => boolean = () => false): Promise<unknown[]> {
  const places = new Map(tronPlaces(needs).map((place) => [place.network.chain, place]))
  const [agents, waiting, open] = await needs.db.asSystem(async (tx) => [
    await tx.selectFrom('tron_agent').selectAll().execute(),
    await tx
      .selectFrom('transfer_order')
      .innerJoin('tron_account', (join) =>
        join
          .onRef('tron_account.org_id', '=', 'transfer_order.org_id')
          .onRef('tron_account.chain', '=', 'transfer_order.chain')
          .onRef('tron_account.address', '=', 'transfer_order.address_from'),
      )
      .select(['transfer_order.org_id', 'transfer_order.id', 'transfer_order.chain'])
      .where('transfer_order.state', '=', 'approved')
      .where('transfer_order.contract', '<>', '')
      .where('transfer_order.kind', 'in', ['withdraw', 'collect'])
      .where('tron_account.is_on', '=', true)
      .orderBy('transfer_order.created_at')
      .limit(AT_ONCE)
      .execute(),
    await tx.selectFrom('tron_supply').selectAll().where('state', '<>', 'over').orderBy('created_at').limit(AT_ONCE).execute(),
  ])
  const agentOf = ({ org_id: orgId, chain }: { org_id: string; chain: string }): Agent | undefined =>
    agents.find((each) => each.org_id === orgId && each.chain === chain && each.is_on)
  const silent = (cause: unknown) => {
    // No answer is not a failure: the next look asks again.
    if (!(cause instanceof ChainError)) throw cause
  }
  const failed = await forEachApart(waiting, async (each) => {
    const [place, agent] = [places.get(each.chain), agentOf(each)]
    if (place && agent && !isStopped()) await attendPayment(needs, each.org_id, place, agent, each.id as OrderId).catch(silent)
  })
  const more = await forEachApart(open as Supply[], async (supply) => {
    const [place, agent, orgId] = [places.get(supply.chain), agentOf(supply), supply.org_id as OrganisationId]
    if (!place || isStopped()) return
    if (agent && supply.order_id === null && (supply.state === 'waiting' || supply.state === 'lending'))
      return attendAsked(needs, orgId, place, agent, supply).catch(silent)
    await windUp(needs, orgId, place, supply).catch(silent)
  })
  return [...failed, ...more]
}
