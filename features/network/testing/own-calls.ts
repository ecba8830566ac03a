import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/wallet/open/coin': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/network/status': () => ({}),
  'POST /api/mpc/network/alarm/acknowledge': () => ({ chain: LOCAL_CHAIN, cause: 'surplus', address: 'of-nobody' }),
  'POST /api/mpc/network/read/again': () => ({ chain: LOCAL_CHAIN, from_height: '0', to_height: '0' }),
  'GET /api/mpc/network/token/mark': () => ({ chain: LOCAL_CHAIN, contract: 'of-nobody' }),
  'POST /api/mpc/network/token/mark': () => ({ chain: LOCAL_CHAIN, contract: 'of-nobody', uneven: 'true' }),
}
