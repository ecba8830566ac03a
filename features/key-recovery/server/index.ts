import type { ServerFeature } from '@holdfast/features/server-feature'
import { countKeyReminders } from './key-reminders.ts'
import { keyRecoveryEndpoints } from './routes.ts'
import { startKeyChanges } from './run-key-changes.ts'

export { approveKeyChange } from './approve-key-change.ts'
export { readKeyChangeByIntent } from './key-change.ts'
export { type KeyChangeItem, listKeyChangeItems } from './key-change-view.ts'
export { type KeyReminder, keyReminders } from './key-reminders.ts'
export { keyRecoveryEndpoints } from './routes.ts'
export { pokeKeyChanges } from './run-key-changes.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => keyRecoveryEndpoints(context, session),
  work: (context, { report }) => [startKeyChanges(context, report)],
  unread: { notice: countKeyReminders },
}
