import type { ServerFeature } from '@holdfast/features/server-feature'
import { addressBookEndpoints } from './routes.ts'

export { listPersonal } from './list-personal.ts'

export const feature: ServerFeature = { endpoints: addressBookEndpoints }
