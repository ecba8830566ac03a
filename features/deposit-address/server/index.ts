import type { ServerFeature } from '@holdfast/features/server-feature'
import { startAddresses } from './making/run-addresses.ts'
import { depositAddressEndpoints } from './routes.ts'

export { depositAddressEndpoints } from './routes.ts'
export { toldAddresses } from './listing/told-addresses.ts'
export { normalComment, readComments } from './deposit-comments.ts'

export const feature: ServerFeature = {
  endpoints: depositAddressEndpoints,
  work: (context, { report }) => [startAddresses(context, report)],
}
