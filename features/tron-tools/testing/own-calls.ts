import { randomUUID } from 'node:crypto'
import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { ofWallet, request } from '../../testing/call-fields.ts'
import { freshAddress } from '../../testing/fresh-address.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/tools/tron/monitor/list': ofWallet,
  'POST /api/mpc/tools/tron/monitor/save': () => ({ chain: LOCAL_CHAIN, address: freshAddress() }),
  'POST /api/mpc/tools/tron/monitor/delete': () => ({ chain: LOCAL_CHAIN, address: freshAddress() }),
  'GET /api/mpc/tools/tron/fee/usage': () => ({ start_time: '0', end_time: '1' }),
  'GET /api/mpc/tools/tron/notice/receivers': () => ({}),
  'POST /api/mpc/tools/tron/notice/receivers/save': ({ alice }) => ({ person_ids: alice.personId }),
  'POST /api/mpc/tools/tron/notice/receivers/delete': ({ alice }) => ({ person_ids: alice.personId }),
  'GET /api/mpc/tools/tron/proxy/info': () => ({}),
  'POST /api/mpc/tools/tron/proxy/save': ({ subWalletId }) => ({
    ...{ auth_sub_wallet_id: subWalletId, further_lenders: subWalletId, payer_sub_wallet_id: subWalletId },
    ...{ fallback: 'burn', budget_day: '10', max_trx: '100' },
  }),
  'POST /api/mpc/tools/tron/proxy/status': () => ({ enabled: 'false' }),
  'GET /api/mpc/tools/tron/proxy/account/list': () => ({}),
  'POST /api/mpc/tools/tron/proxy/account/operate': () => ({ addresses: JSON.stringify([freshAddress()]), op: 'on' }),
  'GET /api/mpc/tools/tron/delegate/list': () => ({}),
  'GET /api/mpc/tools/tron/delegate/info': () => ({ id: randomUUID() }),
  'GET /api/mpc/tools/tron/delegate/estimate': () => ({ address_from: freshAddress(), address_to: freshAddress(), contract_address: freshAddress() }),
  'POST /api/mpc/tools/tron/delegate/create': () => ({ ...request(), resource_type: 'energy', energy_num: '1', address_from: freshAddress() }),
}
