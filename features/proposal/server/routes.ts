import type { ServerContext } from '@holdfast/features/context'
import { listProposals } from './list-proposals.ts'
import type { Proposals } from './proposal-kind.ts'
import { remindApprovers } from './remind-approvers.ts'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { listTodo, remindApprovers as remind } from '../contract.ts'

/** The to-do list of one person, and reminding those who have not decided. */
export function proposalEndpoints(context: ServerContext, proposals: Proposals): HandledEndpoint[] {
  const { db, ports } = context
  return [
    handle(listTodo, ({ orgId, personId, language }, { fiat, ...filter }) =>
      db.asOrganisation(orgId, (tx) => listProposals({ tx, context, language, personId, nowMs: ports.clock.nowMs(), fiat }, proposals, filter)),
    ),
    handle(remind, ({ orgId, personId }, { item_id }) => db.asOrganisation(orgId, (tx) => remindApprovers(tx, context, { orderId: item_id, personId }))),
  ]
}
