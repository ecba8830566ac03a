import type { ServerFeature } from '@holdfast/features/server-feature'
import { notificationEndpoints } from './routes.ts'
import { startNotifications } from './run-notifications.ts'
import { notificationSubscriber } from './tell-endpoints.ts'

export { EndpointRefused, type LocalHosts, NO_ADDRESS, readEndpoint, resolveEndpoint } from './endpoint-address.ts'
export { renewWebhookSeals } from './webhook-keys.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session, sealer, localHosts }) => notificationEndpoints({ ...context, ...session, sealer, localHosts }),
  work: (context, { sealer, localHosts, report }) => [startNotifications(context, { sealer, localHosts }, report)],
  subscribers: (context) => [notificationSubscriber(context)],
}
