export { setupEndpoints } from './routes.ts'
export { setupPageCalls } from './page-calls.ts'
export { startFounding } from './found-organisation.ts'
