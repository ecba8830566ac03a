import type { ServerFeature } from '@holdfast/features/server-feature'
import { standingOrderEndpoints } from './routes.ts'
import { startStandingOrders } from './run-standing-orders.ts'

export { dueAt, type Narrowing, narrowingShape, scheduleText } from './choose/narrowing.ts'
export { writeNarrowing } from './narrowings.ts'
export { readTerms } from './read-terms.ts'
export { standingOrdersInForce, stopOf } from './run-standing-orders.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => standingOrderEndpoints(context, session),
  work: (context, { report }) => [startStandingOrders(context, report)],
}
