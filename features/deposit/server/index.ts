import type { ServerFeature } from '@holdfast/features/server-feature'
import { depositEndpoints } from './routes.ts'
import { startDeposits } from './run-deposits.ts'

export { leastAmount } from './reading/match-deposits.ts'
export { depositEndpoints } from './routes.ts'
export { auditAll } from './audit/run-audits.ts'
export { scanChain } from './reading/scan.ts'
export { ScanHaltedError } from './reading/rewind.ts'
export { noMemory, readPending, type PendingMemory } from './reading/read-pending.ts'

export const feature: ServerFeature = {
  endpoints: depositEndpoints,
  work: (context, { report }) => [startDeposits(context, report)],
}
