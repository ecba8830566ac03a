import type { ServerFeature } from '@holdfast/features/server-feature'
import { claimKind } from './claim-kind.ts'
import { orderProposalKind } from './order-proposal-kind.ts'

/** How orders and what people say of held deposits are put before those who decide them. */
export const feature: ServerFeature = { proposals: [claimKind, orderProposalKind] }
