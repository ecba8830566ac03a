import { randomUUID } from 'node:crypto'
import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { MAX_FEE, request } from '../../testing/call-fields.ts'
import { freshAddress } from '../../testing/fresh-address.ts'
import type { OwnCalls, OwnThings } from '../../testing/own-things.ts'

/** A deposit at a contract that nobody knows. */
const callOf = (subWalletId: string) => ({
  sub_wallet_id: subWalletId,
  chain: LOCAL_CHAIN,
  interactive_contract: freshAddress(),
  input_data: '0xd0e30db0',
  function: 'deposit()',
})
/** An allowance of a token. */
const ofToken = ({ subWalletId }: OwnThings) => ({ request_id: randomUUID(), sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, symbol: 'USDX' })

/** A call of a member for every endpoint of this feature. */
export const OWN_CALLS: OwnCalls = {
  'POST /api/mpc/tools/batch/auth/create': (own) => ({ ...ofToken(own), amount: '1' }),
  'POST /api/mpc/tools/batch/auth/revoke': ofToken,
  'POST /api/mpc/web3/trans/check': ({ subWalletId }) => callOf(subWalletId),
  'POST /api/mpc/web3/trans/create': ({ subWalletId }) => ({ ...request(), ...callOf(subWalletId), max_fee: MAX_FEE, ack: 'true' }),
  'GET /api/mpc/batch/auth/list': ({ subWalletId }) => ({ sub_wallet_id: subWalletId }),
  'POST /api/mpc/web3/trans/cancel': ({ waitingId }) => ({ trans_id: waitingId }),
  'GET /api/mpc/web3/info': ({ paidId }) => ({ id: paidId }),
}
