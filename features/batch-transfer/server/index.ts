import type { ServerFeature } from '@holdfast/features/server-feature'
import { batchProposalKind } from './batch-proposal-kind.ts'
import { batchTransferEndpoints } from './routes.ts'
import { startBatches } from './run-batches.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => batchTransferEndpoints(context, session),
  proposals: [batchProposalKind],
  work: (context, { report }) => [startBatches(context, report)],
}
