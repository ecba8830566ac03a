export { withdrawalEndpoints } from './routes.ts'
export { createWithdrawal } from './create-withdrawal.ts'
export { inspectAddress } from './inspect-address.ts'
