import { randomUUID } from 'node:crypto'
import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { coin, COLLECTION, request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/wallets/asset': () => ({ need_stat: '1' }),
  'POST /api/mpc/wallet/create': () => ({ ...request(), wallet_name: '' }),
  'POST /api/mpc/wallet/key/add': ({ walletId }) => ({ wallet_id: walletId, key_kind: 'ecdsa' }),
  'GET /api/mpc/wallet/create/progress': ({ walletId }) => ({ wallet_id: walletId }),
  'POST /api/mpc/wallet/update/alias': ({ walletId, mark }) => ({ wallet_id: walletId, alias: `New alias ${mark}` }),
  'POST /api/mpc/wallet/update/archive': ({ walletId }) => ({ wallet_id: walletId, archived: 'true' }),
  'POST /api/mpc/wallet/update/top': ({ walletId }) => ({ wallet_id: walletId, top: 'true' }),
  'POST /api/mpc/sub_wallet/update/show_status': ({ walletId, secondSubWalletId }) => ({
    wallet_id: walletId,
    sub_wallet_ids: secondSubWalletId,
    app_show_status: '2',
  }),
  'GET /api/mpc/wallets/balance_history': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/wallets/flows': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/sub_wallets_balance': ({ walletId, subWalletId }) => ({ wallet_id: walletId, sub_wallet_ids: subWalletId }),
  'GET /api/mpc/sub_wallet/coins/unverified': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/sub_wallet/symbol/balance': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin }),
  'GET /api/mpc/sub_wallet/focus/coin': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/sub_wallet/focus/symbol': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin, focus: '1' }),
  'GET /api/mpc/sub_wallet/focus/limit_check': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/sub_wallet/coin/search': ({ walletId }) => ({ wallet_id: walletId, keyword: 'e' }),
  'GET /api/mpc/coin/audit/check': () => ({ chain: LOCAL_CHAIN, contract_address: COLLECTION }),
  'POST /api/mpc/coin/audit/operate/add': () => ({ chain: LOCAL_CHAIN, contract_address: COLLECTION }),
  'POST /api/mpc/coin/audit/operate/refuse': () => ({ id: randomUUID(), reason: 'Not needed' }),
  'GET /api/mpc/coin/audit/list': () => ({}),
  'POST /api/mpc/wallet/open/coin': ({ walletId }) => ({ wallet_id: walletId, ...coin, open: 'true' }),
  'GET /api/mpc/sub_wallets': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/sub_wallets/all': ({ walletId }) => ({ wallet_id: walletId }),
  'POST /api/mpc/sub_wallet/create': ({ walletId, mark }) => ({ ...request(), wallet_id: walletId, sub_wallet_name: `Third ${mark}` }),
  'GET /api/mpc/sub_wallet/coins/asset': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
}
