export { createStakeOrder } from './create-stake-order.ts'
export { resourceEndpoints } from './routes.ts'
