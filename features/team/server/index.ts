import type { ServerFeature } from '@holdfast/features/server-feature'
import { keyPageCalls } from './key-links.ts'
import { teamEndpoints } from './routes.ts'

export { readSilent } from './availability.ts'
export { lastSeen } from './last-seen.ts'
export { listPeople } from './list-members.ts'
export { readOutOfOffice } from './out-of-office.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => teamEndpoints(context, session),
  pageCalls: keyPageCalls,
}
