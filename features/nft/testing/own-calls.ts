import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { COLLECTION } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/nft/asset': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/nft/token_list': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, contract_address: COLLECTION }),
  'GET /api/mpc/nft/info': () => ({ base_symbol: 'ETH', contract_address: COLLECTION, token_id: '1' }),
}
