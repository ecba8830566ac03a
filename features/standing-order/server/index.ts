import type { ServerFeature } from '@holdfast/features/server-feature'
import { standingOrderEndpoints } from './routes.ts'
import { startStandingOrders } from './run-standing-orders.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => standingOrderEndpoints(context, session),
  work: (context, { report }) => [startStandingOrders(context, report)],
}
