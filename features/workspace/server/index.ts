import type { ServerFeature } from '@holdfast/features/server-feature'
import { workspaceEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: (context, { session }) => workspaceEndpoints(context, session) }
