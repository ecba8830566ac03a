import type { ServerFeature } from '@holdfast/features/server-feature'
import { agentEndpoints } from './agent/routes.ts'
import { startAgent } from './agent/run-agent.ts'
import { tronToolEndpoints } from './routes.ts'
import { startSampling } from './sample.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => [...tronToolEndpoints(context), ...agentEndpoints(context, session)],
  work: (context, { report }) => [startSampling(context, report), startAgent(context, report)],
}
