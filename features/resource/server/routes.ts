import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../contract.ts'
import { readResources, resourcesView, stakeNetwork } from './read-resources.ts'

/** What accounts have of bandwidth and energy, and the stake they come of. */
export function resourceEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db } = context
  return [
    handle(contract.getResources, async ({ orgId }, { sub_wallet_id, chain }) => {
      const place = stakeNetwork(context, chain)
      const found = await readResources(context, orgId, { network: place.network, subWalletId: sub_wallet_id })
      return db.asOrganisation(orgId, (tx) => resourcesView(tx, place, found))
    }),
  ]
}
