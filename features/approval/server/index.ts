export { approvalEndpoints } from './routes.ts'
export { approvalPageCalls } from './page-calls.ts'
export { approveOrder } from './approve.ts'
export { countWaiting } from './count-waiting.ts'
