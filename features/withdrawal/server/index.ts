import type { ServerFeature } from '@holdfast/features/server-feature'
import { withdrawalEndpoints } from './routes.ts'

export { withdrawalEndpoints } from './routes.ts'
export { checkFeeCap } from './checks/fee-cap.ts'
export { createWithdrawal } from './create-withdrawal.ts'
export { cancellationShape, cancelWithdrawal } from './cancel-withdrawal.ts'
export { capBounds, feeView, readTiers, type Tiers } from './estimate-gas.ts'
export { memoOf } from './read-request.ts'
export { sendInscription } from './send-inscription.ts'

export const feature: ServerFeature = { endpoints: withdrawalEndpoints }
