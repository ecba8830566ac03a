export { approvalEndpoints } from './routes.ts'
