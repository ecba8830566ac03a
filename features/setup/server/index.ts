import type { ServerFeature } from '@holdfast/features/server-feature'
import { startFounding } from './found-organisation.ts'
import { setupPageCalls } from './page-calls.ts'
import { setupEndpoints } from './routes.ts'

export const feature: ServerFeature = {
  endpoints: setupEndpoints,
  pageCalls: setupPageCalls,
  work: (context) => [startFounding(context)],
}
