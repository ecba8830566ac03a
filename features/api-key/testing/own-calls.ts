import { request } from '../../testing/call-fields.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

const KEY_SETTINGS = { permissions: [], wallets: null, addresses: ['203.0.113.7'], per_minute: 1, is_on: true }

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/api/detail': () => ({}),
  'POST /api/mpc/api/save': () => ({
    ...request(),
    draft: JSON.stringify({
      base_version: 1,
      app_id: 'payouts',
      kind: 'coSigner',
      name: 'Payouts',
      public_key: 'ab'.repeat(32),
      purpose: 'Payouts',
      expire_at: 4_000_000_000_000,
    }),
  }),
  'POST /api/mpc/api/remove': () => ({ ...request(), app_id: 'payouts' }),
  'POST /api/mpc/api/settings/save': () => ({ app_id: 'payouts', base_version: '0', settings: JSON.stringify(KEY_SETTINGS) }),
  'POST /api/mpc/api/settings/decide': () => ({ app_id: 'payouts', version: '1', confirmed: 'true' }),
  'POST /api/mpc/api/save_status': () => ({ app_id: 'payouts', status: 'off' }),
  'POST /api/mpc/api/test': () => ({ app_id: 'payouts', kind: 'co_signer' }),
  'POST /api/mpc/api/test/key_pair': () => ({ app_id: 'payouts', nonce: '00'.repeat(16), signature: `${'A'.repeat(86)}==` }),
  'GET /api/mpc/api/log/list': () => ({}),
  'GET /api/mpc/api/log/export': () => ({}),
  'GET /api/mpc/api/log/config': () => ({}),
}
