import type { ServerFeature } from '@holdfast/features/server-feature'
import { tronToolEndpoints } from './routes.ts'
import { startSampling } from './sample.ts'

export const feature: ServerFeature = {
  endpoints: tronToolEndpoints,
  work: (context, { report }) => [startSampling(context, report)],
}
