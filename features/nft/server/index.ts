import type { ServerFeature } from '@holdfast/features/server-feature'
import { nftEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: nftEndpoints }
