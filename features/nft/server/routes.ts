import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../contract.ts'
import { listNftAssets, listNftTokens, nftInfo } from './list-nfts.ts'

/** What is held of collections. Sending a token is a withdrawal. */
export function nftEndpoints({ db, networks }: ServerContext): HandledEndpoint[] {
  return [
    handle(contract.listNftAssets, ({ orgId }, { sub_wallet_id, chain }) =>
      db.asOrganisation(orgId, (tx) => listNftAssets(tx, networks, { subWalletId: sub_wallet_id, chain })),
    ),
    handle(contract.listNftTokens, ({ orgId }, input) => db.asOrganisation(orgId, (tx) => listNftTokens(tx, networks, input))),
    handle(contract.getNft, ({ orgId }, input) => db.asOrganisation(orgId, (tx) => nftInfo(tx, networks, input))),
  ]
}
