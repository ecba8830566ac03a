import { randomUUID } from 'node:crypto'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/transaction/list': ({ walletId, subWalletId }) => ({ wallet_id: walletId, sub_wallet_id: subWalletId }),
  'GET /api/mpc/transaction/pending': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'GET /api/mpc/transaction/export': ({ walletId, subWalletId }) => ({ wallet_id: walletId, sub_wallet_id: subWalletId, tz: 'UTC' }),
  'GET /api/mpc/transaction/export/status': ({ walletId, subWalletId }) => ({ wallet_id: walletId, sub_wallet_id: subWalletId }),
  'POST /api/mpc/transaction/mark': ({ paidId, mark }) => ({
    ids: paidId,
    type: 'withdraw',
    category: `Category ${mark}`,
    tags: '["monthly"]',
    note: `Note ${mark}`,
  }),
  'GET /api/mpc/transaction/marks': () => ({}),
  'GET /api/mpc/transaction/views': () => ({}),
  'POST /api/mpc/transaction/view/save': ({ mark }) => ({ name: `View ${mark}`, query: 'status=open' }),
  'GET /api/mpc/withdraw/info': ({ paidId }) => ({ id: paidId }),
  'GET /api/mpc/withdraw/multi/info': ({ paidId }) => ({ id: paidId }),
  'GET /api/mpc/deposit/info': ({ depositId }) => ({ id: depositId }),
  'GET /api/mpc/pull/info': () => ({ id: randomUUID() }),
  'GET /api/mpc/transaction/receipt': ({ waitingId }) => ({ id: waitingId, type: 'withdraw', tz: 'UTC' }),
}
