import { LOCAL_TRON } from '../../../apps/launcher/src/local-settings.ts'
import { request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/tron/resource/info': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, chain: LOCAL_TRON }),
  'POST /api/mpc/tron/resource/check': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, chain: LOCAL_TRON, action: 'withdraw' }),
  'POST /api/mpc/tron/resource/create': ({ subWalletId }) => ({
    ...request(),
    sub_wallet_id: subWalletId,
    chain: LOCAL_TRON,
    action: 'withdraw',
    max_fee: '1',
  }),
}
