import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { statusOf } from '@holdfast/features/transfer/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../contract.ts'
import { checkStakeOrder, createStakeOrder } from './create-stake-order.ts'
import { readResources, resourcesView, stakeNetwork } from './read-resources.ts'

/** What accounts have of bandwidth and energy, the stake they come of, and orders about it. */
export function resourceEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db } = context
  return [
    handle(contract.getResources, async ({ orgId }, { sub_wallet_id, chain }) => {
      const place = stakeNetwork(context, chain)
      const found = await readResources(context, orgId, { network: place.network, subWalletId: sub_wallet_id })
      return db.asOrganisation(orgId, (tx) => resourcesView(tx, place, found))
    }),
    handle(contract.checkStakeOrder, (caller, input) => checkStakeOrder(context, caller, input)),
    handle(contract.createStakeOrder, async (caller, input) => {
      const { order, fresh } = await createStakeOrder(context, caller, input)
      return {
        withdraw_id: order.row.id,
        status: statusOf(order.state),
        sub_status: order.row.sub_status ?? '',
        intent_hash: toHex(order.row.intent_hash),
        approval_url: approvalUrl(context, order.row.intent_hash),
        idempotent: !fresh,
      }
    }),
  ]
}
