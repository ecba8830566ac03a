import type { ServerFeature } from '@holdfast/features/server-feature'
import { transactionEndpoints } from './routes.ts'

export { countTransactions, findTransactions } from './filter-transactions.ts'
export { type Moment, momentOf } from '../moment-of.ts'
export { orderDetail, readRecord, transactionEndpoints, viewing } from './routes.ts'
export { DEPOSIT_STATUS } from './view/deposit-view.ts'
export { openView, type ViewContext, type Viewer } from './view/view-context.ts'
export { kindIn, stepIn } from './view/kind-words.ts'
export { type PayoutOutput, readPayoutOutputs } from './view/payout-outputs.ts'
export { describeTransactions, type MovedCoin, readCosts, readTransactions } from './view/describe-transactions.ts'
export { DECIDES_CLAIMS, readClaimItems } from './view/read-claims.ts'
export { orderView, type Quorum, quorumsOf } from './view/order-view.ts'

export const feature: ServerFeature = { endpoints: transactionEndpoints }
