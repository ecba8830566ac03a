import type { ServerFeature } from '@holdfast/features/server-feature'
import { accountingEndpoints } from './routes.ts'

export { exportTransactions } from './export-transactions.ts'
export { labelTransactions } from './label-transactions.ts'

export const feature: ServerFeature = { endpoints: accountingEndpoints }
