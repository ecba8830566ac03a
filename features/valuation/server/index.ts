import type { ServerFeature } from '@holdfast/features/server-feature'
import { valuationEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: (context, { session }) => valuationEndpoints(context, session) }
