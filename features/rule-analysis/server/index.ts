import type { ServerFeature } from '@holdfast/features/server-feature'
import { analysisEndpoints } from './analysis-routes.ts'

export const feature: ServerFeature = { endpoints: (context) => analysisEndpoints(context) }
