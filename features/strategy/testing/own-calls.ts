import { NO_RULES, request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A rule that lets nobody do more. */
const REFUSING_RULE = JSON.stringify({ name: 'None', level: 'higher', covers: { kind: 'payments' }, conditions: [], limits: [], action: { kind: 'refuse' } })

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/strategy/rules/info': () => ({}),
  'POST /api/mpc/strategy/rules/check': () => ({ draft: NO_RULES }),
  'POST /api/mpc/strategy/rules/propose': () => ({ ...request(), draft: NO_RULES }),
  'GET /api/mpc/strategy/rules/restore': () => ({ version: '1' }),
  'GET /api/mpc/strategy/templates': () => ({}),
  'GET /api/mpc/strategy/higher/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/strategy/higher/info': () => ({ id: 'nothing' }),
  'POST /api/mpc/strategy/higher/save': () => ({ ...request(), rule: REFUSING_RULE }),
  'POST /api/mpc/strategy/higher/delete': () => ({ ...request(), id: 'nothing', remark: '' }),
  'POST /api/mpc/strategy/higher/sort': () => ({ ...request(), ids: '["nothing"]' }),
  'POST /api/mpc/strategy/higher/audit': ({ changeId }) => ({ id: changeId, result: 'true', remark: '' }),
  'POST /api/mpc/strategy/higher/status': () => ({ ...request(), id: 'nothing', status: 'off' }),
  'GET /api/mpc/strategy/basic/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/strategy/basic/info': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'POST /api/mpc/strategy/basic/save': ({ subWalletId, alice }) => ({
    ...request(),
    sub_wallet_id: subWalletId,
    nodes: JSON.stringify([{ need: 1, who: [{ kind: 'person', id: alice.personId }] }]),
  }),
  'POST /api/mpc/strategy/basic/audit': ({ changeId }) => ({ id: changeId, result: 'true', remark: '' }),
  'GET /api/mpc/strategy/basic/log/list': ({ alice }) => ({ user: alice.personId }),
  'GET /api/mpc/strategy/operate_log/list': ({ alice }) => ({ user: alice.personId }),
  'GET /api/mpc/strategy/business/sub_wallet/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/strategy/business/member/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/strategy/business/coin/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/strategy/business/contract/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/strategy/business/address_list/list': ({ walletId }) => ({ wallet_id: walletId }),
  'GET /api/mpc/strategy/business/group/list': ({ walletId }) => ({ wallet_id: walletId }),
}
