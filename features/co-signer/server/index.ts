import type { ServerFeature } from '@holdfast/features/server-feature'
import { fundsEndpoints } from './funds-routes.ts'
import { noticeEndpoints } from './notice-routes.ts'
import { startNotices } from './notices.ts'
import { recordEndpoints } from './record-routes.ts'
import { ruleEndpoints } from './rule-routes.ts'
import { setupEndpoints } from './setup-routes.ts'

export { collectingNeeds } from './notices.ts'

export const feature: ServerFeature = {
  endpoints: (context, services) => [
    ...setupEndpoints(context, services),
    ...ruleEndpoints(context),
    ...fundsEndpoints(context),
    ...recordEndpoints(context),
    ...noticeEndpoints(context),
  ],
  work: (context, { report }) => [startNotices(context, report)],
}
