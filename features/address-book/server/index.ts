import type { ServerFeature } from '@holdfast/features/server-feature'
import { addressBookEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: addressBookEndpoints }
