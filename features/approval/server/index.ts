import type { ServerFeature } from '@holdfast/features/server-feature'
import { claimKind } from './claim-kind.ts'
import { orderProposalKind } from './order-proposal-kind.ts'

/** How orders and claims of held deposits are shown to those who decide them. */
export const feature: ServerFeature = { proposals: [claimKind, orderProposalKind] }
