import type { ServerFeature } from '@holdfast/features/server-feature'
import { batchProposalKind } from './batch-proposal-kind.ts'
import { batchTransferEndpoints } from './routes.ts'
import { startBatches } from './run-batches.ts'

export { BATCH_STATUS } from './batch-proposal-kind.ts'
export { readSums } from './batch-view.ts'
export { createBatch } from './create-batch.ts'
export { batchOf } from './move-batch.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => batchTransferEndpoints(context, session),
  proposals: [batchProposalKind],
  work: (context, { report }) => [startBatches(context, report)],
}
