import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/user/action/items/list': ({ walletId }) => ({ wallet_id: walletId, state: 'mine' }),
  'POST /api/mpc/qrc/generate': ({ changeId }) => ({ type: 'approve', biz_id: changeId }),
  'GET /api/mpc/qrc/status': ({ qrId }) => ({ qr_id: qrId }),
  'POST /api/mpc/withdraw/audit': ({ waitingId }) => ({ withdraw_id: waitingId, result: '1', payload_hash: '0'.repeat(64) }),
  'POST /api/mpc/user/action/items/remind': ({ waitingId }) => ({ item_id: waitingId }),
}
