import { randomUUID } from 'node:crypto'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'POST /api/mpc/deposit/claim': ({ depositId }) => ({ id: depositId, reason: 'By its receipt' }),
  'POST /api/mpc/deposit/claim/decide': () => ({ claim_id: randomUUID(), result: 'refuse' }),
  'POST /api/mpc/deposit/claim/withdraw': () => ({ claim_id: randomUUID() }),
  'POST /api/mpc/deposit/keep': ({ depositId }) => ({ id: depositId, reason: 'By its receipt' }),
  'POST /api/mpc/pull/acknowledge': () => ({ id: randomUUID() }),
}
