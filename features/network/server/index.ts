import type { ServerFeature } from '@holdfast/features/server-feature'
import { networkEndpoints } from './routes.ts'

export { acceptedSurplus, lowerAccepted } from './acknowledge-alarm.ts'
export { closedCoins, selectClosed } from './closed-coins.ts'
export { networksOfKeys, networksOfKind, networksOfWallet, protocolFor, protocolsFor } from './networks-of-wallet.ts'
export { appliedTokens, loadAddedTokens, noteReader, openTokens } from './added-tokens.ts'
export { assetByContract, assetsOf, contractFields, hasAsset, nameOfAsset, openNetworks, ownCoin } from './networks.ts'
export { agreedAnswer, type FinalView, finalView, haltsAll, SourcesDisagreeError, SourcesSilentError, throwFirst } from './final-view.ts'
export { fromNode } from './from-node.ts'
export {
  type Alarm,
  findLedgerAlarm,
  findControlAlarm,
  findPaymentHalt,
  haltChain,
  listAlarms,
  paymentBars,
  type PaymentHalt,
  resumeChain,
  setAlarms,
} from './halts.ts'
export { networkEndpoints } from './routes.ts'
export { hasTokenWallets, readWalletPins } from './read-wallet-pins.ts'
export { signsOfToken } from './token-signs.ts'
export { troubleIn } from './trouble-in.ts'
export { selectMarked, unevenTokens } from './uneven-tokens.ts'
export type { Network, NetworkAsset, Networks } from './types.ts'

export const feature: ServerFeature = { endpoints: (context, { signersOf }) => networkEndpoints(context, signersOf) }
