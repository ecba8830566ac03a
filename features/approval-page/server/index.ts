import type { ServerFeature } from '@holdfast/features/server-feature'
import { approvalPageEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: approvalPageEndpoints }
