import type { ServerFeature } from '@holdfast/features/server-feature'
import { contractCallEndpoints } from './routes.ts'

export { createCall } from './create-call.ts'

export const feature: ServerFeature = { endpoints: contractCallEndpoints }
