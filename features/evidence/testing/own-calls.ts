import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/withdraw/evidence': ({ paidId }) => ({ id: paidId }),
  'GET /api/mpc/log/export': () => ({}),
  'GET /api/mpc/log/list': ({ alice }) => ({ person_id: alice.personId }),
}
