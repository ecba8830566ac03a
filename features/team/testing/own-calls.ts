import { randomUUID } from 'node:crypto'
import { request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

const DAY_MS = 86_400_000

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/wallet/member/list': () => ({}),
  'GET /api/mpc/wallet/member/detail': ({ alice }) => ({ user_id: alice.personId }),
  'POST /api/mpc/wallet/member/invite': ({ mark }) => ({
    ...request(),
    nick_name: `Dora ${mark}`,
    account: `dora-${randomUUID()}@example.com`,
    role: 'viewer',
  }),
  'POST /api/mpc/wallet/member/invite/renew': ({ bruno }) => ({ user_id: bruno.personId, approver: 'true' }),
  'POST /api/mpc/wallet/member/role/save': ({ bruno }) => ({ user_id: bruno.personId, role: 'admin' }),
  'POST /api/mpc/wallet/member/status': ({ bruno }) => ({ user_id: bruno.personId, status: 'active', remark: '' }),
  'POST /api/mpc/wallet/member/remove': ({ bruno }) => ({ user_id: bruno.personId, remark: '' }),
  'POST /api/mpc/wallet/member/key/link': () => ({}),
  'POST /api/mpc/wallet/member/key/answer': () => ({ key_id: '00'.repeat(16), is_mine: 'true' }),
  'POST /api/mpc/wallet/member/out_of_office/save': ({ bruno }) => ({
    from: String(Date.now()),
    to: String(Date.now() + DAY_MS),
    delegate: bruno.personId,
    note: '',
  }),
  'GET /api/mpc/wallet/member/availability': () => ({}),
  'GET /api/mpc/wallet/member/delegation/list': () => ({}),
  'POST /api/mpc/wallet/member/out_of_office/end': () => ({}),
}
