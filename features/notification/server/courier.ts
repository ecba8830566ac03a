import { forEachApart } from '@holdfast/jobs'
import { newId } from '@holdfast/units'
import { type Attempt, claimDeliveries, dueEndpoints, type DueEndpoint, type SendingNeeds } from './claim-deliveries.ts'
import type { LocalHosts } from './endpoint-address.ts'
import type { Manner } from './manner.ts'
import { recordOutcome } from './record-outcome.ts'
import { sendAttempt } from './send-attempt.ts'

/** How many are sent to one endpoint at once: a slow endpoint delays its own queue and no other. */
const PER_ENDPOINT = 4
const ALTOGETHER = 256

export type Courier = {
  /** Takes what is due, as far as there is room, and begins to send it. Answers how many that were. */
  round(): Promise<number>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** Breaks off what is under way and resolves when that is written down. */
  stop(): Promise<void>
}

export type CourierOptions = { localHosts: LocalHosts; report?: (cause: unknown) => void; onRoom?: () => void }

/** Sends notifications to endpoints of one sort. Any number may work on one database, in any number of processes. */
export function createCourier(needs: SendingNeeds, manner: Manner, { localHosts, report = () => {}, onRoom = () => {} }: CourierOptions): Courier {
  const holder = newId(needs.ports.clock.nowMs(), needs.ports.random)
  const underway = new Map<string, Set<Promise<void>>>()
  const stopping = new AbortController()
  /** The endpoint for which something was taken last. */
  let last = ''
  const count = () => [...underway.values()].reduce((sum, each) => sum + each.size, 0)

  const begin = (attempt: Attempt) => {
    const own = underway.get(attempt.endpointId) ?? new Set<Promise<void>>()
    underway.set(attempt.endpointId, own)
    const sending = sendAttempt(needs, localHosts, attempt, stopping.signal)
      .then((outcome) => recordOutcome(needs, holder, attempt, outcome))
      .catch(report)
      .finally(() => {
        own.delete(sending)
        if (own.size === 0) underway.delete(attempt.endpointId)
        onRoom()
      })
    own.add(sending)
  }
  const take = async (endpoint: DueEndpoint): Promise<number> => {
    const room = Math.min(PER_ENDPOINT - (underway.get(endpoint.endpointId)?.size ?? 0), ALTOGETHER - count())
    if (room <= 0) return 0
    const attempts = await claimDeliveries(needs, manner, endpoint, { count: room, holder })
    attempts.forEach(begin)
    return attempts.length
  }
  return {
    round: async () => {
      const due = await dueEndpoints(needs.db, manner.of, needs.ports.clock.nowMs())
      // Endpoints take turns: where there is no room for all of them, those that had none come first the next time.
      const next = due.filter(({ endpointId }) => endpointId > last)
      let taken = 0
      const causes = await forEachApart([...next, ...due.slice(0, due.length - next.length)], async (endpoint) => {
        if (stopping.signal.aborted) return
        const count = await take(endpoint)
        if (count > 0) last = endpoint.endpointId
        taken += count
      })
      causes.forEach(report)
      return taken
    },
    idle: async () => {
      while (underway.size > 0) await Promise.all([...underway.values()].flatMap((each) => [...each]))
    },
    stop: async () => {
      stopping.abort()
      while (underway.size > 0) await Promise.all([...underway.values()].flatMap((each) => [...each]))
    },
  }
}
