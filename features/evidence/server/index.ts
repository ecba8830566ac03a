import type { ServerFeature } from '@holdfast/features/server-feature'
import { evidenceEndpoints } from './routes.ts'
import { startLogFacts } from './run-log-facts.ts'

export { appendAlong, appendToLog, type LogEntryKind } from './append-to-log.ts'
export { type MachineWord, readMachineWords, storeMachineWord } from './machine-signatures.ts'
export { type KeptScreening, newestScreenings, readScreenings, screeningsOf, screeningsSince, storeScreening } from './screening-words.ts'
export { approvalRefused, readApprovals, readVote, storeApproval, type Word } from './approvals.ts'
export { bringLogUp, type CosignedCheckpoint, cosignedCheckpoint, type Logged, loggedAt } from './cosigned-checkpoint.ts'

export const feature: ServerFeature = { endpoints: evidenceEndpoints, work: ({ db, ports }, { report }) => [startLogFacts({ db, ports }, report)] }
