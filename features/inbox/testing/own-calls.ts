import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/inbox/list': () => ({}),
  'POST /api/mpc/inbox/read': () => ({ until: String(Date.now()) }),
}
