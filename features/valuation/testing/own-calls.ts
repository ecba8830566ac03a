import { request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/strategy/valuation/list': () => ({}),
  'POST /api/mpc/strategy/valuation/check': () => ({ draft: JSON.stringify({ base_version: 1, entries: [] }) }),
  'POST /api/mpc/strategy/valuation/save': () => ({ ...request(), draft: JSON.stringify({ base_version: 1, entries: [] }) }),
}
