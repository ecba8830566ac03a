export { depositAddressEndpoints } from './routes.ts'
export { normalComment, readComments } from './deposit-comments.ts'
