import type { ServerFeature } from '@holdfast/features/server-feature'
import { fundsEndpoints } from './funds-routes.ts'
import { recordEndpoints } from './record-routes.ts'
import { ruleEndpoints } from './rule-routes.ts'
import { setupEndpoints } from './setup-routes.ts'

export const feature: ServerFeature = {
  endpoints: (context, services) => [...setupEndpoints(context, services), ...ruleEndpoints(context), ...fundsEndpoints(context), ...recordEndpoints(context)],
}
