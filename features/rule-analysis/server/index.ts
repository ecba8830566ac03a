import type { ServerFeature } from '@holdfast/features/server-feature'
import { analysisEndpoints } from './analysis-routes.ts'

export { type Taken, takenByEarlier } from './earlier-rules.ts'

export const feature: ServerFeature = { endpoints: (context) => analysisEndpoints(context) }
