import type { ServerContext } from '@holdfast/features/context'
import type { Sealer } from '@holdfast/features/session/server'
import { repeat } from '@holdfast/jobs'
import { createCourier } from './courier.ts'
import type { LocalHosts } from './endpoint-address.ts'
import { type Manner, ownManner } from './manner.ts'
import { CHANNEL, tellWhatTimeBrings } from './tell-endpoints.ts'

const PAUSE_MS = 1_000
/** What is to be done about keys and about collection changes slowly. */
const TIME_EVERY_MS = 60_000

type Services = { sealer: Sealer; localHosts: LocalHosts }

/** Sends what is due to endpoints of one sort until stopped, whichever server wrote it. */
export function startSending(
  { ports, db, settings }: ServerContext,
  { sealer, localHosts }: Services,
  manner: Manner,
  report: (cause: unknown) => void = () => {},
): { stop(): Promise<void> } {
  const courier = createCourier({ db, ports, settings, sealer }, manner, { localHosts, report, onRoom: () => sweeper.poke() })
  const sweeper = repeat(ports.timer, PAUSE_MS, async () => void (await courier.round()), report)
  const listener = db.listen(CHANNEL, () => sweeper.poke())
  return {
    stop: async () => {
      await listener.close()
      await sweeper.stop()
      await courier.stop()
    },
  }
}

/** Sends what is due to the organisations' own endpoints, and writes what is to be told because time brings it. */
export function startNotifications(context: ServerContext, services: Services, report: (cause: unknown) => void = () => {}): { stop(): Promise<void> } {
  const sending = startSending(context, services, ownManner(services.sealer), report)
  const timed = repeat(context.ports.timer, TIME_EVERY_MS, (isStopped) => tellWhatTimeBrings(context, isStopped, report), report)
  return {
    stop: async () => {
      await timed.stop()
      await sending.stop()
    },
  }
}
