import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { request } from '../../testing/call-fields.ts'
import { freshAddress } from '../../testing/fresh-address.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/personal_book/list': () => ({}),
  'GET /api/mpc/personal_book/check': () => ({ chain: LOCAL_CHAIN, address: freshAddress() }),
  'POST /api/mpc/personal_book/save': ({ contactId, mark }) => ({ id: contactId, name: `Friend ${mark}`, chain: LOCAL_CHAIN, address: freshAddress() }),
  'POST /api/mpc/personal_book/delete': ({ secondContactId }) => ({ ids: secondContactId }),
  'POST /api/mpc/personal_book/import': ({ mark }) => ({
    rows: JSON.stringify([{ name: `Imported ${mark}`, chain: LOCAL_CHAIN, address: freshAddress(), memo: '', note: '' }]),
  }),
  'GET /api/mpc/address_book/list': () => ({}),
  'GET /api/mpc/address_book/info': ({ bookEntryId }) => ({ id: bookEntryId }),
  'GET /api/mpc/address_book/search': () => ({ chain: LOCAL_CHAIN }),
  'GET /api/mpc/address_book/check': () => ({ chain: LOCAL_CHAIN, address: freshAddress() }),
  'POST /api/mpc/address_book/save': ({ mark }) => ({ ...request(), name: `Payee ${mark}`, address: freshAddress(), chains: JSON.stringify([LOCAL_CHAIN]) }),
  'POST /api/mpc/address_book/delete': ({ secondBookEntryId }) => ({ ...request(), ids: secondBookEntryId }),
  'GET /api/mpc/address_book/group/list': () => ({}),
  'POST /api/mpc/address_book/group/save': ({ mark }) => ({ name: `New list ${mark}` }),
  'GET /api/mpc/address_book/whitelist/config': () => ({}),
  'GET /api/mpc/address_book/whitelist/restore': () => ({ version: '1' }),
  'POST /api/mpc/address_book/whitelist/save': ({ bookEntryId }) => ({ ...request(), ids: bookEntryId, whitelist: '1' }),
  'GET /api/mpc/address_book/import/template': () => ({}),
  'POST /api/mpc/address_book/import': ({ mark }) => ({
    ...request(),
    rows: JSON.stringify([{ name: `Payee ${mark}`, chain: LOCAL_CHAIN, address: freshAddress(), memo: '', note: '' }]),
  }),
  'POST /api/mpc/address_book/verify': ({ bookEntryId }) => ({ id: bookEntryId, type: 'review' }),
  'GET /api/mpc/address_book/verify/challenge': ({ bookEntryId }) => ({ id: bookEntryId }),
  'GET /api/mpc/address_book/log/list': () => ({}),
  'GET /api/mpc/address_book/trans/list': ({ bookEntryId }) => ({ id: bookEntryId }),
  'GET /api/mpc/address_book_audit/list': () => ({}),
  'GET /api/mpc/address_book_audit/info': ({ bookOrderId }) => ({ id: bookOrderId }),
  'POST /api/mpc/address_book_audit/audit': ({ bookOrderId }) => ({ id: bookOrderId, result: 'decide' }),
}
