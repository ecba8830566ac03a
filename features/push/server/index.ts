import type { ServerFeature } from '@holdfast/features/server-feature'
import { pushPageCalls } from './page-calls.ts'
import { pushEndpoints } from './routes.ts'
import { startPushes } from './run-pushes.ts'

export { renewPushSeals } from './push-key.ts'

export const feature: ServerFeature = {
  endpoints: pushEndpoints,
  pageCalls: (context, services) => pushPageCalls(context, services),
  work: (context, services) => [startPushes({ ...context, ...services }, services.report)],
}
