export { approvalPageEndpoints } from './routes.ts'
