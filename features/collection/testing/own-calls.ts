import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { ofWallet } from '../../testing/call-fields.ts'
import { freshAddress } from '../../testing/fresh-address.ts'
import type { OwnCalls, OwnThings } from '../../testing/own-things.ts'

const ofCollector = ({ collectorId }: OwnThings) => ({ id: collectorId })
/** A token that no network lists, as a collector would take it. */
const SWEPT = { contract_address: freshAddress(), threshold: '1', most: '2', allowance: 'exact', max_fee_pct: null, schedule: '', enabled: true }

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/collect/config/list': ofWallet,
  'GET /api/mpc/collect/config/info': ofCollector,
  'POST /api/mpc/collect/config/save': ({ walletId, subWalletId, collectorId }) => ({
    ...{ id: collectorId, wallet_id: walletId, name: 'Sweep', chain: LOCAL_CHAIN, fee_max: '0.01' },
    ...{ target_sub_wallet_id: subWalletId, payer_sub_wallet_id: subWalletId },
  }),
  'POST /api/mpc/collect/config/publish': ofCollector,
  'POST /api/mpc/collect/config/status': ({ collectorId }) => ({ id: collectorId, status: 'pause' }),
  'GET /api/mpc/collect/chains': ofWallet,
  'GET /api/mpc/collect/symbols': ofCollector,
  'POST /api/mpc/collect/symbols/save': ({ collectorId }) => ({ id: collectorId, symbols: JSON.stringify([SWEPT]) }),
  'POST /api/mpc/collect/symbols/delete': ({ collectorId }) => ({ id: collectorId, symbols: JSON.stringify([SWEPT.contract_address]) }),
  'GET /api/mpc/collect/auth/sub_wallet/list': ofCollector,
  'GET /api/mpc/collect/history/list': ({ walletId, collectorId }) => ({ wallet_id: walletId, id: collectorId }),
  'GET /api/mpc/collect/history/info': ({ paidId }) => ({ id: paidId }),
  'GET /api/mpc/collect/history/stat': ofWallet,
  'POST /api/mpc/collect/trans/cancel': ({ paidId }) => ({ id: paidId, remark: '' }),
  'POST /api/mpc/collect/config/delete': ofCollector,
}
