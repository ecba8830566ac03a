export type { OpenCalls } from './calls.ts'
export { type AskedBatch, checkAsked, checkBatch, checkCalled, OrderFault } from './check-asked.ts'
export { createOpenClient, type OpenClient, OpenCallError, type OpenClientOptions, type Signed } from './create-open-client.ts'
export { importKey } from './import-key.ts'
