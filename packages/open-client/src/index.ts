export type { OpenCalls } from './calls.ts'
export { checkAsked, OrderFault } from './check-asked.ts'
export { createOpenClient, type OpenClient, OpenCallError, type OpenClientOptions } from './create-open-client.ts'
export { importKey } from './import-key.ts'
