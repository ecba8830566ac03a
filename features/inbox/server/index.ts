import type { ServerFeature } from '@holdfast/features/server-feature'
import { inboxEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: (context, { proposals }) => inboxEndpoints(context, proposals) }
