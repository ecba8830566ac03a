import type { ServerFeature } from '@holdfast/features/server-feature'
import { basicEndpoints } from './basic-routes.ts'
import { choiceEndpoints } from './choice-routes.ts'
import { higherEndpoints } from './higher-routes.ts'
import { logEndpoints } from './log-routes.ts'
import { rulesEndpoints } from './rules-routes.ts'
import { workspaceEndpoints } from './workspace/workspace-routes.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => [
    ...rulesEndpoints(context, session),
    ...higherEndpoints(context, session),
    ...basicEndpoints(context, session),
    ...logEndpoints(context),
    ...choiceEndpoints(context),
    ...workspaceEndpoints(context, session),
  ],
}
