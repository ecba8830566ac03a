export { resourceEndpoints } from './routes.ts'
