import type { ServerContext } from '@holdfast/features/context'
import { auditOrder } from './audit-order.ts'
import { listProposals } from './list-proposals.ts'
import type { Proposals } from './proposal-kind.ts'
import { makeQrCode, readQrCode } from './qr-code.ts'
import { remindApprovers } from './remind-approvers.ts'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { auditOrder as audit, generateQr, getQrStatus, listTodo, remindApprovers as remind } from '../contract.ts'

/** The to-do list of one person, the ways from it to where decisions are made, and reminding those who have not decided. */
export function proposalEndpoints(context: ServerContext, proposals: Proposals): HandledEndpoint[] {
  const { db, ports } = context
  return [
    handle(listTodo, ({ orgId, personId, language }, { fiat, ...filter }) =>
      db.asOrganisation(orgId, (tx) => listProposals({ tx, context, language, personId, nowMs: ports.clock.nowMs(), fiat }, proposals, filter)),
    ),
    handle(generateQr, ({ orgId, personId }, { biz_id }) => db.asOrganisation(orgId, (tx) => makeQrCode(tx, context, { personId, subjectId: biz_id }))),
    handle(getQrStatus, ({ orgId, personId }, { qr_id }) => db.asOrganisation(orgId, (tx) => readQrCode(tx, { ports, proposals }, { id: qr_id, personId }))),
    handle(audit, (caller, input) => auditOrder(context, proposals, caller, input)),
    handle(remind, ({ orgId, personId }, { item_id }) => db.asOrganisation(orgId, (tx) => remindApprovers(tx, context, { orderId: item_id, personId }))),
  ]
}
