import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { getFirstSteps } from '../contract.ts'
import { readFirstSteps } from './read-first-steps.ts'

/** What a new organisation does first. */
export function firstStepsEndpoints(context: ServerContext): HandledEndpoint[] {
  return [handle(getFirstSteps, ({ orgId }) => context.db.asOrganisation(orgId, (tx) => readFirstSteps(tx, context)))]
}
