import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/setup/state': () => ({}),
  'POST /api/mpc/setup/create': () => ({ name: 'Refused', members: '["one","two"]', threshold: '19', demo: 'true' }),
  'POST /api/mpc/setup/info': () => ({ setup_token: '0'.repeat(64) }),
  'GET /api/mpc/organization/info': () => ({}),
}
