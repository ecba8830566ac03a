import type { ServerFeature } from '@holdfast/features/server-feature'
import { approvalEndpoints } from './routes.ts'

export { approvalEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: (context, { proposals }) => approvalEndpoints(context, proposals) }
