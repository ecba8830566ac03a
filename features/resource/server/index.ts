import type { ServerFeature } from '@holdfast/features/server-feature'
import { resourceEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: resourceEndpoints }
