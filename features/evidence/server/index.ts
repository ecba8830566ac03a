export { appendToLog, type LogEntryKind } from './append-to-log.ts'
export { approvalRefused, readApprovals, storeApproval, type Word } from './approvals.ts'
export { bringLogUp, type CosignedCheckpoint, cosignedCheckpoint, type Logged, loggedAt } from './cosigned-checkpoint.ts'
export { evidenceEndpoints } from './routes.ts'
