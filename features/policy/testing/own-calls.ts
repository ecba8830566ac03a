import { coin, request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/strategy/asset/list': () => ({}),
  'GET /api/mpc/strategy/check': ({ subWalletId, address }) => ({ sub_wallet_id: subWalletId, ...coin, amount: '0.1', address_to: address }),
  'GET /api/mpc/user/strategy/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/strategy/policy/info': () => ({}),
  'POST /api/mpc/strategy/policy/check': ({ draft }) => ({ draft }),
  'POST /api/mpc/strategy/policy/propose': ({ draft, changeRequestId }) => ({ request_id: changeRequestId, draft }),
  'GET /api/mpc/strategy/policy/change/list': () => ({}),
  'GET /api/mpc/strategy/policy/change/info': ({ changeId }) => ({ id: changeId }),
  'POST /api/mpc/strategy/policy/change/withdraw': ({ changeId }) => ({ id: changeId, remark: '' }),
  'GET /api/mpc/strategy/signing/freezes': () => ({}),
  'GET /api/mpc/strategy/signing/info': () => ({}),
  'POST /api/mpc/strategy/signing/absence/propose': ({ absenceRequest }) => absenceRequest,
  // A freeze is named by its hash; nothing is stopped here.
  'POST /api/mpc/strategy/signing/lift/propose': () => ({ ...request(), reason: '', freezes: JSON.stringify(['00'.repeat(32)]) }),
  'POST /api/mpc/strategy/signing/order/withdraw': ({ absenceId }) => ({ id: absenceId, remark: '' }),
}
