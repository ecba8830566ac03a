import type { ServerFeature } from '@holdfast/features/server-feature'
import { configEndpoints } from './config-routes.ts'
import { startCollections } from './look.ts'
import { runEndpoints } from './run-routes.ts'
import { tokenEndpoints } from './token-routes.ts'

export const feature: ServerFeature = {
  endpoints: (context, services) => [...configEndpoints(context, services), ...tokenEndpoints(context), ...runEndpoints(context)],
  work: (context, { report }) => [startCollections(context, report)],
}
