import type { ServerFeature } from '@holdfast/features/server-feature'
import { firstStepsEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: firstStepsEndpoints }
