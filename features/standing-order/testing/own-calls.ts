import { coin, request } from '../../testing/call-fields.ts'
import { freshAddress } from '../../testing/fresh-address.ts'
import type { OwnCalls } from '../../testing/own-things.ts'

/** A standing order that collects what a wallet has in one of its sub-wallets. */
const standingDraft = (walletId: string, subWalletId: string) =>
  JSON.stringify({
    id: null,
    kind: 'sweep',
    name: 'Collect',
    sources: [{ wallet_id: walletId, sub_wallet_id: null }],
    targets: [{ kind: 'own', wallet_id: walletId, sub_wallet_id: subWalletId }],
    assets: [{ ...coin, at_least: '1', at_most: '2' }],
    fees: [{ chain: coin.chain, max: '0.01', max_share: 10 }],
    transfers: 10,
    never: [],
    days: 1,
  })

/** A payment in a month. */
const scheduleOf = (subWalletId: string) =>
  JSON.stringify({
    ...{ id: null, name: 'Rent', sub_wallet_id: subWalletId, ...coin, amount: '1', address: freshAddress(), memo: '' },
    ...{ fee_max: '0.01', dates: [new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)], time: '09:00', late_days: 3 },
  })

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/standing/list': () => ({}),
  'GET /api/mpc/standing/funds/list': ({ changeId }) => ({ id: changeId, page_no: '1', page_size: '20' }),
  'GET /api/mpc/standing/draft': ({ changeId }) => ({ id: changeId }),
  'POST /api/mpc/standing/propose': ({ walletId, subWalletId }) => ({ ...request(), draft: standingDraft(walletId, subWalletId), remark: '' }),
  'GET /api/mpc/standing/schedule/draft': ({ changeId }) => ({ id: changeId }),
  'GET /api/mpc/standing/schedule/payments': ({ changeId }) => ({ id: changeId }),
  'POST /api/mpc/standing/schedule/propose': ({ subWalletId }) => ({ ...request(), schedule: scheduleOf(subWalletId), remark: '' }),
}
