import { LOCAL_BITCOIN, LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { coin, MAX_FEE, request } from '../../testing/call-fields.ts'
import { freshAddress } from '../../testing/fresh-address.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/withdraw/sign_protect': ({ walletId, paidId }) => ({ wallet_id: walletId, withdraw_id: paidId }),
  'GET /api/mpc/withdraw/closed_by_policy': () => ({}),
  'POST /api/mpc/withdraw/ask_again': () => ({}),
  'POST /api/mpc/withdraw/brc20': ({ subWalletId }) => ({
    ...request(),
    sub_wallet_id: subWalletId,
    chain: LOCAL_BITCOIN,
    symbol: 'DEVB',
    inscription_ids: `${'ab'.repeat(32)}i0`,
    address_to: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    max_fee: '0.001',
    ack: 'first_seen',
  }),
  'GET /api/mpc/address/info': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, address: freshAddress() }),
  'GET /api/mpc/sub_wallet/withdraw/limit_check': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin, amount: '0.1' }),
  'GET /api/mpc/gas_estimate': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin, to: freshAddress(), amount: '0.1' }),
  'POST /api/mpc/sub_wallet/withdraw': ({ subWalletId }) => ({
    ...request(),
    sub_wallet_id: subWalletId,
    ...coin,
    address_to: freshAddress(),
    amount: '0.1',
    max_fee: MAX_FEE,
    ack: 'first_seen',
  }),
}
