import type { ServerFeature } from '@holdfast/features/server-feature'
import { standingOrderEndpoints } from './routes.ts'
import { startStandingOrders } from './run-standing-orders.ts'

export type { Chosen, FeeTerms, Reason } from './choose/chosen.ts'
export { feeWithin } from './choose/fee-within.ts'
export { dueAt, type Narrowing, narrowingShape, raiseShape, scheduleText } from './choose/narrowing.ts'
export { feeNow } from './fee-now.ts'
export { writeNarrowing } from './narrowings.ts'
export { readHoldings } from './read-holdings.ts'
export { type Said, writeReasons } from './reasons.ts'
export { readTerms } from './read-terms.ts'
export { type Dated, endsBetween, paymentsBetween } from './scheduled/payments-between.ts'
export { standingOrdersInForce, stopOf } from './run-standing-orders.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => standingOrderEndpoints(context, session),
  work: (context, { report }) => [startStandingOrders(context, report)],
}
