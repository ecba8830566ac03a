import type { ServerFeature } from '@holdfast/features/server-feature'
import { basicEndpoints } from './basic-routes.ts'
import { choiceEndpoints } from './choice-routes.ts'
import { higherEndpoints } from './higher-routes.ts'
import { logEndpoints } from './log-routes.ts'
import { rulesEndpoints } from './rules-routes.ts'

export { refuseAudit } from './audit.ts'
export { readOpenChange } from './rules-in-force.ts'
export { answerOf, checkedChange, LOCALE, proposeDraft, silentNow } from './rules-routes.ts'
export { shortageWarnings } from './shortage-warnings.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => [
    ...rulesEndpoints(context, session),
    ...higherEndpoints(context, session),
    ...basicEndpoints(context, session),
    ...logEndpoints(context),
    ...choiceEndpoints(context),
  ],
}
