import type { ServerFeature } from '@holdfast/features/server-feature'
import { delegationPageCalls } from './delegation/page-calls.ts'
import { startDelegations } from './delegation/spread-delegations.ts'
import { keyPageCalls } from './key-links.ts'
import { teamEndpoints } from './routes.ts'

export type { Gap, TimedStandIn } from './absence-gaps.ts'
export { readShortages, readSilent, type Shortages } from './availability.ts'
export { lastDelegation, readDeciding } from './delegation/read-delegations.ts'
export { gapText, readStandIns, standInText } from './delegation/stand-ins.ts'
export { tellOfWord } from './delegation/tell-both.ts'
export { lastSeen } from './last-seen.ts'
export { listPeople, maskAccount } from './list-members.ts'
export { readAbsentNow, readOutOfOffice } from './out-of-office.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => teamEndpoints(context, session),
  pageCalls: (context) => ({ ...keyPageCalls(context), ...delegationPageCalls(context) }),
  work: (context, { report }) => [startDelegations(context, report)],
}
