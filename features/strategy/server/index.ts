import type { ServerFeature } from '@holdfast/features/server-feature'

export const feature: ServerFeature = {}
