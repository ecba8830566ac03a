import type { ServerFeature } from '@holdfast/features/server-feature'
import { claimKind } from './claim-kind.ts'
import { orderKind } from './order-kind.ts'

export { claimKind } from './claim-kind.ts'
export { orderKind } from './order-kind.ts'

/** How orders and what people say of held deposits are put before those who decide them. */
export const feature: ServerFeature = { proposals: [claimKind, orderKind] }
