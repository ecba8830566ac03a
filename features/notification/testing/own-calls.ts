import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/transaction/notify_list': ({ endpointId }) => ({ endpoint_id: endpointId }),
  'GET /api/mpc/transaction/notify_detail': ({ notifyId }) => ({ notify_id: notifyId }),
  'GET /api/mpc/transaction/re_notify': ({ endpointId }) => ({ endpoint_id: endpointId, start_time: '0', end_time: '1', failed: '1' }),
  'POST /api/mpc/transaction/re_notify': ({ notifyId }) => ({ notify_id: notifyId }),
  'POST /api/mpc/transaction/notify_skip': ({ secondNotifyId }) => ({ notify_id: secondNotifyId }),
  'GET /api/mpc/transaction/notify_config': () => ({}),
  'POST /api/mpc/transaction/notify_config/save': ({ endpointId }) => ({ endpoint_id: endpointId, url: 'http://127.0.0.1:9/', sides: '["fuel"]' }),
  'POST /api/mpc/transaction/notify_config/pause': ({ endpointId }) => ({ endpoint_id: endpointId, paused: 'true' }),
  'POST /api/mpc/transaction/notify_config/test': ({ endpointId }) => ({ endpoint_id: endpointId }),
  'POST /api/mpc/transaction/notify_config/remove': ({ secondEndpointId }) => ({ endpoint_id: secondEndpointId }),
  'POST /api/mpc/transaction/notify_config/rotate_key': () => ({ google_code: 'refused' }),
}
