import type { ServerFeature } from '@holdfast/features/server-feature'
import { keyPageCalls } from './key-links.ts'
import { teamEndpoints } from './routes.ts'

export { readShortages, readSilent, type Shortages } from './availability.ts'
export { lastSeen } from './last-seen.ts'
export { listPeople } from './list-members.ts'
export { readAbsentNow, readOutOfOffice } from './out-of-office.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => teamEndpoints(context, session),
  pageCalls: keyPageCalls,
}
