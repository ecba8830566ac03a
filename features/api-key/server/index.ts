import type { ServerFeature } from '@holdfast/features/server-feature'
import { apiKeyEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: (context, { session }) => apiKeyEndpoints(context, session) }
