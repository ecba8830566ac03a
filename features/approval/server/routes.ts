import type { ServerContext } from '@holdfast/features/context'
import { listProposals, type Proposals, remindApprovers } from '@holdfast/features/proposal/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { listTodo, remindApprovers as remind } from '../contract.ts'

/** The desk of one person: what waits for them, and reminding those whose word is missing. */
export function approvalEndpoints(context: ServerContext, proposals: Proposals): HandledEndpoint[] {
  const { db, ports } = context
  return [
    handle(listTodo, ({ orgId, personId, language }, { fiat, ...filter }) =>
      db.asOrganisation(orgId, (tx) => listProposals({ tx, context, language, personId, nowMs: ports.clock.nowMs(), fiat }, proposals, filter)),
    ),
    handle(remind, ({ orgId, personId }, { item_id }) => db.asOrganisation(orgId, (tx) => remindApprovers(tx, context, { orderId: item_id, personId }))),
  ]
}
