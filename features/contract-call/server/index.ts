export { contractCallEndpoints } from './routes.ts'
export { createCall } from './create-call.ts'
