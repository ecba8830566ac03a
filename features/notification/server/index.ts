import type { ServerFeature } from '@holdfast/features/server-feature'
import { notificationEndpoints } from './routes.ts'
import { startNotifications } from './run-notifications.ts'
import { notificationSubscriber } from './tell-endpoints.ts'

export { checkEndpoint, EndpointRefused, type LocalHosts, NO_ADDRESS, readEndpoint, resolveEndpoint } from './endpoint-address.ts'
export { type MachineEndpoint, placeMachineEndpoints } from './machine-endpoints.ts'
export type { Manner } from './manner.ts'
export { startSending } from './run-notifications.ts'
export { openRecordContext } from './stories/record-fields.ts'
export type { Step, Story } from './story.ts'
export { storiesOf, tellAll } from './tell-endpoints.ts'
export { renewWebhookSeals } from './webhook-keys.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session, sealer, localHosts }) => notificationEndpoints({ ...context, ...session, sealer, localHosts }),
  work: (context, { sealer, localHosts, report }) => [startNotifications(context, { sealer, localHosts }, report)],
  subscribers: (context) => [notificationSubscriber(context)],
}
