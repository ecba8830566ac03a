import type { ServerFeature } from '@holdfast/features/server-feature'
import { searchEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: searchEndpoints }
