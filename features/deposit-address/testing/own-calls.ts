import { LOCAL_CHAIN, LOCAL_TON } from '../../../apps/launcher/src/local-settings.ts'
import { coin, request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'POST /api/mpc/user/deposit/comment': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, chain: LOCAL_TON }),
  'POST /api/mpc/user/deposit/address/create': ({ subWalletId }) => ({ ...request(), sub_wallet_id: subWalletId, chain: LOCAL_CHAIN }),
  'GET /api/mpc/user/deposit/address/requests': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/user/deposit/address/export': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/user/deposit/address': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/sub_wallet/multi/address/list': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin }),
  'POST /api/mpc/sub_wallet/update/address_label': ({ subWalletId, address, mark }) => ({
    sub_wallet_id: subWalletId,
    chain: LOCAL_CHAIN,
    address,
    label: `Label ${mark}`,
  }),
  'GET /api/mpc/sub_wallet/deposit/address': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin }),
  'GET /api/mpc/sub_wallet/deposit/arrivals': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin }),
  'POST /api/mpc/sub_wallet/deposit/test_coins': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin, amount: '0.01' }),
}
