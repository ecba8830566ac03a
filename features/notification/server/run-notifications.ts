import type { ServerContext } from '@holdfast/features/context'
import type { Sealer } from '@holdfast/features/session/server'
import { repeat } from '@holdfast/jobs'
import { createCourier } from './courier.ts'
import type { LocalHosts } from './endpoint-address.ts'
import { CHANNEL, tellOfKeys } from './tell-endpoints.ts'

const PAUSE_MS = 1_000
/** What is to be done about keys changes slowly. */
const KEYS_EVERY_MS = 60_000

/** Sends what is due until stopped, whichever server wrote it, and writes what is to be told of keys. */
export function startNotifications(
  context: ServerContext,
  { sealer, localHosts }: { sealer: Sealer; localHosts: LocalHosts },
  report: (cause: unknown) => void = () => {},
): { stop(): Promise<void> } {
  const { ports, db, settings } = context
  const courier = createCourier({ db, ports, settings, sealer }, { localHosts, report, onRoom: () => sweeper.poke() })
  const sweeper = repeat(ports.timer, PAUSE_MS, async () => void (await courier.round()), report)
  const keys = repeat(ports.timer, KEYS_EVERY_MS, (isStopped) => tellOfKeys(context, isStopped), report)
  const listener = db.listen(CHANNEL, () => sweeper.poke())
  return {
    stop: async () => {
      await listener.close()
      await keys.stop()
      await sweeper.stop()
      await courier.stop()
    },
  }
}
