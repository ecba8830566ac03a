import type { ServerFeature } from '@holdfast/features/server-feature'
import { apiKeyEndpoints } from './routes.ts'

export { admitCall, type AdmittedCall, type AskedCall, keyIdOf, type KeyOfCall, type RefusedCall, type RefusedWhy } from './door/admit-call.ts'
export { type MadeCall, recordCall } from './door/record-call.ts'

export const feature: ServerFeature = { endpoints: (context, { session }) => apiKeyEndpoints(context, session) }
