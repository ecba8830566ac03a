import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { coin, ofWallet } from '../../testing/call-fields.ts'
import { freshAddress } from '../../testing/fresh-address.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** What is collected of a coin. */
const COLLECTED = { ...coin, collect_min: '1', max_fee: '0.01' }

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/auto_collect/info': ofWallet,
  'GET /api/mpc/auto_collect/sub_wallets': ofWallet,
  'POST /api/mpc/auto_collect/sub_wallets/save': ({ walletId, subWalletId }) => ({ wallet_id: walletId, collect_sub_wallet_id: subWalletId }),
  'POST /api/mpc/auto_collect/status': ({ walletId }) => ({ wallet_id: walletId, status: 'pause', remark: '' }),
  'GET /api/mpc/auto_collect/check': ofWallet,
  'GET /api/mpc/auto_collect/chains': ofWallet,
  'GET /api/mpc/auto_collect/symbol/list': ofWallet,
  'GET /api/mpc/auto_collect/symbol/info': ({ walletId }) => ({ wallet_id: walletId, ...coin }),
  'POST /api/mpc/auto_collect/symbol/set': ({ walletId }) => ({ wallet_id: walletId, ...COLLECTED }),
  'POST /api/mpc/auto_collect/symbol/batch_set': ({ walletId }) => ({ wallet_id: walletId, rules: JSON.stringify([COLLECTED]) }),
  'POST /api/mpc/auto_collect/symbol/operate': ({ walletId }) => ({ wallet_id: walletId, symbols: JSON.stringify([coin]), op: 'off' }),
  'POST /api/mpc/auto_collect/symbol/delete': ({ walletId }) => ({ wallet_id: walletId, symbols: JSON.stringify([coin]) }),
  'GET /api/mpc/auto_collect/scope/info': ofWallet,
  'POST /api/mpc/auto_collect/scope/save': ({ walletId, subWalletId }) => ({ wallet_id: walletId, mode: 'except', sub_wallet_ids: subWalletId }),
  'GET /api/mpc/auto_collect/scope/sub_wallet/list': ofWallet,
  'POST /api/mpc/auto_collect/scope/sub_wallet/operate': ({ walletId, subWalletId }) => ({ wallet_id: walletId, sub_wallet_ids: subWalletId, op: 'include' }),
  'GET /api/mpc/auto_collect/config/template/download': () => ({}),
  'GET /api/mpc/auto_collect/config/export': ofWallet,
  'POST /api/mpc/auto_collect/config/import': ({ walletId }) => ({ wallet_id: walletId, file: 'chain,symbol' }),
  'GET /api/mpc/auto_collect/config/import/status': ({ importId }) => ({ import_id: importId }),
  'POST /api/mpc/auto_collect/config/import/confirm': ({ importId }) => ({ import_id: importId }),
  'GET /api/mpc/auto_collect/black_address/list': ofWallet,
  'POST /api/mpc/auto_collect/black_address/save': ({ walletId, mark }) => ({ wallet_id: walletId, chain: LOCAL_CHAIN, address: freshAddress(), reason: mark }),
  'POST /api/mpc/auto_collect/black_address/delete': ({ walletId }) => ({ wallet_id: walletId, ids: JSON.stringify(['nothing']) }),
  'GET /api/mpc/auto_collect/log/list': ofWallet,
  'GET /api/mpc/auto_collect/funds/list': ({ walletId, subWalletId }) => ({ wallet_id: walletId, sub_wallet_id: subWalletId }),
  'GET /api/mpc/auto_collect/funds/info': ({ walletId, address }) => ({ wallet_id: walletId, ...coin, address }),
  'POST /api/mpc/auto_collect/funds/collect_now': ({ walletId }) => ({ wallet_id: walletId, ids: JSON.stringify(['nothing']) }),
  'POST /api/mpc/auto_collect/full_scan': ofWallet,
  'GET /api/mpc/auto_collect/full_scan/status': ({ walletId }) => ({ wallet_id: walletId, task_id: String(Date.now()) }),
  'GET /api/mpc/auto_collect/deposit/list': ofWallet,
  'POST /api/mpc/auto_collect/deposit/modify': ({ walletId, depositId }) => ({ wallet_id: walletId, id: depositId, credit_status: 'rule', remark: '' }),
  'POST /api/mpc/auto_collect/deposit/merge': ({ walletId, depositId }) => ({ wallet_id: walletId, ids: depositId, remark: '' }),
  'GET /api/mpc/auto_collect/record/list': ofWallet,
  'GET /api/mpc/auto_collect/notice/receivers': ofWallet,
  'POST /api/mpc/auto_collect/notice/receivers/save': ({ walletId, bruno }) => ({
    wallet_id: walletId,
    user_id: bruno.personId,
    events: JSON.stringify(['failed']),
  }),
  'POST /api/mpc/auto_collect/notice/receivers/delete': ({ walletId, alice }) => ({ wallet_id: walletId, ids: alice.personId }),
  'GET /api/mpc/auto_collect/notice/config': ofWallet,
  'POST /api/mpc/auto_collect/notice/config/save': ({ walletId }) => ({ wallet_id: walletId, fuel_days: '7', failed_times: '3', stuck_minutes: '60' }),
  'GET /api/mpc/auto_collect/record/info': ({ walletId, paidId }) => ({ wallet_id: walletId, id: paidId }),
  'POST /api/mpc/auto_collect/record/cancel': ({ walletId, paidId }) => ({ wallet_id: walletId, id: paidId, remark: '' }),
  'POST /api/mpc/auto_collect/record/speed_up': ({ walletId, paidId }) => ({ wallet_id: walletId, id: paidId, remark: '' }),
  'GET /api/mpc/auto_collect/record/stat': ofWallet,
}
