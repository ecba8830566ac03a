import { randomUUID } from 'node:crypto'
import type { OwnCalls } from '../../testing/own-things.ts'

const token = 'A'.repeat(43)
const passkey = JSON.stringify({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {}, clientExtensionResults: {} })
const key = { public_key: 'B'.repeat(87), signature: 'C'.repeat(86) }
const challenge = () => ({ challenge_id: randomUUID() })

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/session/state': () => ({}),
  'POST /api/mpc/session/invite/info': () => ({ invite: token }),
  'POST /api/mpc/session/passkey/options': () => ({}),
  'POST /api/mpc/session/passkey/verify': () => ({ ...challenge(), response: passkey }),
  'POST /api/mpc/session/passkey/register/options': () => ({ invite: token }),
  'POST /api/mpc/session/passkey/register/verify': () => ({ ...challenge(), response: passkey, label: 'Key' }),
  'POST /api/mpc/session/password/login': () => ({ account: 'nobody@example', password: 'not the password', google_code: '123456' }),
  'POST /api/mpc/session/password/register/options': () => ({ invite: token }),
  'POST /api/mpc/session/password/register/verify': () => ({ ...challenge(), password: 'not the password', google_code: '123456' }),
  'POST /api/mpc/session/device/options': () => ({}),
  'POST /api/mpc/session/device/verify': () => ({ ...challenge(), ...key }),
  'POST /api/mpc/session/device/register/options': () => ({ invite: token }),
  'POST /api/mpc/session/device/register/verify': () => ({ ...challenge(), ...key, label: 'Key' }),
  'POST /api/mpc/session/logout': () => ({ everywhere: 'perhaps' }),
  'GET /api/mpc/session/list': () => ({}),
  'POST /api/mpc/session/end': ({ sessionId }) => ({ session_id: sessionId }),
  'GET /api/mpc/session/methods': () => ({}),
  'POST /api/mpc/session/method/remove': ({ methodId }) => ({ method_id: methodId }),
  'GET /api/openPlatform/wallet/userInfo': () => ({}),
  'GET /api/fund/user/getWallet': () => ({}),
  'GET /api/mpc/tools/login/history': ({ alice }) => ({ user_id: alice.personId }),
  'GET /api/mpc/tools/login/history/export': ({ alice }) => ({ user_id: alice.personId }),
  'POST /api/mpc/tools/login/trust': ({ signInId }) => ({ id: signInId, trusted: 'true' }),
  'POST /api/mpc/session/end_others': () => ({ unknown: 'refused' }),
  'GET /api/initLogin/aws_config': () => ({}),
}
