import type { ServerFeature } from '@holdfast/features/server-feature'
import { countWaiting } from './count-waiting.ts'
import { approvalPageCalls } from './page-calls.ts'
import { approvalEndpoints } from './routes.ts'

export { approvalEndpoints } from './routes.ts'
export { approvalPageCalls } from './page-calls.ts'
export { approveOrder } from './approve.ts'
export { countWaiting } from './count-waiting.ts'

export const feature: ServerFeature = { endpoints: approvalEndpoints, pageCalls: approvalPageCalls, unread: { todo: countWaiting } }
