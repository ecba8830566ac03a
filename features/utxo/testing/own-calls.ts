import { LOCAL_BITCOIN } from '../../../apps/launcher/src/local-settings.ts'
import { request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A coin that nobody has. */
const noCoin = { chain: LOCAL_BITCOIN, txid: 'ab'.repeat(32), vout: '0' }

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/utxo/list': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, chain: LOCAL_BITCOIN }),
  'GET /api/mpc/utxo/config': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, chain: LOCAL_BITCOIN }),
  'POST /api/mpc/utxo/lock': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...noCoin, reason: 'kept' }),
  'POST /api/mpc/utxo/unlock': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...noCoin }),
  'POST /api/mpc/utxo/consolidate': ({ subWalletId }) => ({ ...request(), sub_wallet_id: subWalletId, chain: LOCAL_BITCOIN, max_fee: '0.001' }),
  'GET /api/mpc/inscription/brc20': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/inscription/list': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
}
