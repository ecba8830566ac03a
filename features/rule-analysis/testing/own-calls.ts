import { NO_RULES } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'POST /api/mpc/strategy/check': () => ({ draft: NO_RULES }),
  'POST /api/mpc/strategy/replay': () => ({ draft: NO_RULES, days: '30' }),
}
