export { keyChangeKind } from './key-change-kind.ts'
export { countKeyReminders, type KeyReminder, keyReminders } from './key-reminders.ts'
export { keyRecoveryEndpoints } from './routes.ts'
export { startKeyChanges } from './run-key-changes.ts'
