import { request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'POST /api/mpc/withdraw/resume': ({ paidId }) => ({ id: paidId }),
  'GET /api/mpc/speed_up/info': ({ waitingId }) => ({ trans_id: waitingId }),
  'POST /api/mpc/speed_up': ({ waitingId }) => ({ ...request(), trans_id: waitingId, max_fee: '0.001' }),
  'POST /api/mpc/withdraw/cancel': ({ waitingId }) => ({ withdraw_id: waitingId }),
}
