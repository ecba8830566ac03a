import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { getApprovalPages } from '../contract.ts'
import { approvalPagesFor } from './approval-pages.ts'

/** Which approval pages there are, for the console, which leads people to them. */
export function approvalPageEndpoints(context: ServerContext): HandledEndpoint[] {
  return [handle(getApprovalPages, ({ orgId, personId }) => approvalPagesFor(context, orgId, personId))]
}
