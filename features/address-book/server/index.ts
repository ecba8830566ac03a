export { addressBookEndpoints } from './routes.ts'
