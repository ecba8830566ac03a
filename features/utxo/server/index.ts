import type { ServerFeature } from '@holdfast/features/server-feature'
import { utxoEndpoints } from './routes.ts'

export { followBlock, forgetInscriptions } from './follow-block.ts'
export { brc20Decimals } from './index-brc20.ts'
export { planSweep, readCoinParts, type Staying, type Sweepable } from './plan-sweep.ts'
export { keptAmount } from './read-coins.ts'
export { recordedCoins } from './recorded-coins.ts'
export { readSendable, type Sendable } from './read-sendable.ts'
export { tokenSeenBy } from './prove-token.ts'

export const feature: ServerFeature = { endpoints: utxoEndpoints }
