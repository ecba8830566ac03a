import { coin, ofWallet } from '../../testing/call-fields.ts'
import { freshAddress } from '../../testing/fresh-address.ts'
import type { OwnCalls, OwnThings } from '../../testing/own-things.ts'

const ofBatch = ({ batchId }: OwnThings) => ({ batch_id: batchId })

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'GET /api/mpc/tools/batch/template': () => ({ symbol: 'ETH' }),
  'POST /api/mpc/tools/batch/upload': ({ subWalletId }) => ({ sub_wallet_id: subWalletId, ...coin, file: `address,amount\n${freshAddress()},0.01` }),
  'GET /api/mpc/tools/batch/info': ofBatch,
  'GET /api/mpc/tools/batch/rows': ofBatch,
  'POST /api/mpc/tools/batch/submit': ({ secondBatchId }) => ({ batch_id: secondBatchId, execution: 'strict', fee_tier: 'normal' }),
  'POST /api/mpc/tools/batch/cancel': ofBatch,
  // Its lines ended unpaid where the call before took it back.
  'POST /api/mpc/tools/batch/retry': ({ batchId }) => ({ batch_id: batchId, lines: '[1]' }),
  'GET /api/mpc/tools/batch/record/list': ofWallet,
}
