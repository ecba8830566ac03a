import type { ServerFeature } from '@holdfast/features/server-feature'
import { claimKind } from './proposals/claim-kind.ts'
import { orderKind } from './proposals/order-kind.ts'
import { transactionEndpoints } from './routes.ts'

export { markTransactions } from './mark-transactions.ts'
export { orderDetail, transactionEndpoints } from './routes.ts'
export { DEPOSIT_STATUS } from './view/deposit-view.ts'
export { openView, readHeights, type ViewContext } from './view/view-context.ts'
export { readCosts } from './view/describe-transactions.ts'
export { claimKind } from './proposals/claim-kind.ts'
export { orderKind } from './proposals/order-kind.ts'

export const feature: ServerFeature = { endpoints: transactionEndpoints, proposals: [claimKind, orderKind] }
