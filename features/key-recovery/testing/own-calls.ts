import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/sub_wallet/export/info': ({ walletId }) => ({ wallet_id: walletId }),
  'POST /api/mpc/sub_wallet/export/drill/demo': ({ walletId }) => ({ wallet_id: walletId }),
  'POST /api/mpc/sub_wallet/export/drill': ({ walletId, drill }) => ({ wallet_id: walletId, drill }),
  'POST /api/mpc/sub_wallet/export/apply': ({ exportRequest }) => exportRequest,
  'GET /api/mpc/apply/view/pri/detail': ({ exportId }) => ({ item_id: exportId }),
  'POST /api/mpc/user/accept/same_rights_pri/item': ({ exportId }) => ({ item_id: exportId, result: '1' }),
  'GET /api/mpc/desktop/tool/download/url': () => ({}),
  'GET /api/mpc/key/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/key/share/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/key/reminders': () => ({}),
  'POST /api/mpc/key/retire': ({ retireRequest }) => retireRequest,
  'POST /api/mpc/key/check': ({ walletId }) => ({ wallet_id: walletId }),
  'POST /api/mpc/key/share/verify': ({ walletId }) => ({ wallet_id: walletId }),
  'POST /api/mpc/key_change/propose': ({ walletId, keyChangeRequestId }) => ({ request_id: keyChangeRequestId, wallet_id: walletId, action: 'refresh' }),
  'GET /api/mpc/key_change/list': () => ({}),
  'GET /api/mpc/key_change/info': ({ keyChangeId }) => ({ id: keyChangeId }),
  'POST /api/mpc/key_change/withdraw': ({ keyChangeId }) => ({ id: keyChangeId, remark: '' }),
}
