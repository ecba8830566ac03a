export { nftEndpoints } from './routes.ts'
