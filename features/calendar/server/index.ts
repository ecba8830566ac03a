import type { ServerFeature } from '@holdfast/features/server-feature'
import { calendarEndpoints } from './routes.ts'

export const feature: ServerFeature = { endpoints: calendarEndpoints }
