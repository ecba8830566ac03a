import { startSending } from '@holdfast/features/notification/server'
import type { ServerFeature } from '@holdfast/features/server-feature'
import { callbackManner, callbackSubscriber } from './wire/callbacks.ts'

export { openDoor } from './open-door.ts'
export { openWireDoor } from './wire/open-wire-door.ts'

/** Calls programs of door two back. The doors themselves are opened by the program, since they need the calls of all other features. */
export const feature: ServerFeature = {
  subscribers: (context) => [callbackSubscriber(context)],
  work: (context, { sealer, localHosts, report }) => [startSending(context, { sealer, localHosts }, callbackManner(context, sealer), report)],
}
