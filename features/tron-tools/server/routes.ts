import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../contract.ts'
import { feeUsage } from './fee-usage.ts'
import { monitored, unwatch, watch } from './monitor.ts'
import { readReceivers, setReceivers } from './receivers.ts'

/** What is watched of own addresses on TRON, who is told, and what fees were burned there. */
export function tronToolEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db } = context
  return [
    handle(contract.listMonitored, ({ orgId }, { wallet_id }) => db.asOrganisation(orgId, (tx) => monitored(tx, context, wallet_id))),
    handle(contract.saveMonitored, async ({ orgId }, input) => {
      await db.asOrganisation(orgId, (tx) => watch(tx, context, input))
      return null
    }),
    handle(contract.removeMonitored, async ({ orgId }, target) => {
      await db.asOrganisation(orgId, (tx) => unwatch(tx, context, target))
      return null
    }),
    handle(contract.readFeeUsage, ({ orgId }, asked) => db.asOrganisation(orgId, (tx) => feeUsage(tx, context, asked))),
    handle(contract.listNoticeReceivers, ({ orgId }) => db.asOrganisation(orgId, readReceivers)),
    handle(contract.saveNoticeReceivers, async ({ orgId }, { person_ids }) => {
      await db.asOrganisation(orgId, (tx) => setReceivers(tx, context, person_ids, true))
      return null
    }),
    handle(contract.removeNoticeReceivers, async ({ orgId }, { person_ids }) => {
      await db.asOrganisation(orgId, (tx) => setReceivers(tx, context, person_ids, false))
      return null
    }),
  ]
}
