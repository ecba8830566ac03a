import type { ServerFeature } from '@holdfast/features/server-feature'
import { keyChangeKind } from './key-change-kind.ts'
import { countKeyReminders } from './key-reminders.ts'
import { keyRecoveryEndpoints } from './routes.ts'
import { startKeyChanges } from './run-key-changes.ts'

export { demoDrillUrl } from './demo-drill.ts'
export { type KeyReminder, keyReminders } from './key-reminders.ts'
export { keyRecoveryEndpoints } from './routes.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => keyRecoveryEndpoints(context, session),
  work: (context, { report }) => [startKeyChanges(context, report)],
  proposals: [keyChangeKind],
  unread: { notice: (context, { orgId, personId }) => countKeyReminders(context, orgId, personId) },
}
