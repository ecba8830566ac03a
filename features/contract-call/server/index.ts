import type { ServerFeature } from '@holdfast/features/server-feature'
import { contractCallEndpoints } from './routes.ts'

export { readCallFields } from './call-fields.ts'

export const feature: ServerFeature = { endpoints: (context, { session }) => contractCallEndpoints(context, session) }
