import type { ServerContext } from '@holdfast/features/context'
import type { ServerFeature } from '@holdfast/features/server-feature'
import type { KeyOfCall } from './door/admit-call.ts'
import { startForgettingCalls } from './forget-calls.ts'
import { apiKeyEndpoints } from './routes.ts'
import { switchOff } from './settings.ts'

export { admitCall, type AdmittedCall, type AskedCall, keyIdOf, type KeyOfCall, type RefusedCall, type RefusedWhy } from './door/admit-call.ts'
export { type MadeCall, recordCall } from './door/record-call.ts'
export { type CallbackInForce, callbacksInForce } from './callbacks.ts'
export { doorTwoKeys, type DoorTwoKeys } from './door-two.ts'
export { readPlatformKey, renewPlatformKeySeals } from './platform-key.ts'
export { useNonces } from './door/use-nonces.ts'

/** Switches a key off at once because a call that it signed asked for it. */
export async function switchOffItself({ db, ports }: Pick<ServerContext, 'db' | 'ports'>, { orgId, machineId }: KeyOfCall): Promise<void> {
  await db.asOrganisation(orgId, (tx) => switchOff(tx, { ports }, machineId, null))
}

export const feature: ServerFeature = {
  endpoints: (context, { session, sealer, localHosts }) => apiKeyEndpoints({ ...context, sealer, localHosts }, session),
  work: (context, { report }) => [startForgettingCalls(context, report)],
}
