import { request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/strategy/workspace/list': () => ({}),
  'GET /api/mpc/strategy/workspace/info': () => ({ key: 'members' }),
  'POST /api/mpc/strategy/workspace/check': () => ({ draft: JSON.stringify({ base_version: 1, delay_h: 24, parts: [] }) }),
  'GET /api/mpc/strategy/workspace/restore': () => ({ version: '1' }),
  'POST /api/mpc/strategy/workspace/save': () => ({ ...request(), draft: JSON.stringify({ base_version: 1, delay_h: 24, parts: [] }) }),
  'POST /api/mpc/strategy/workspace/audit': ({ changeId }) => ({ id: changeId, result: 'true', remark: '' }),
}
