import type { ServerFeature } from '@holdfast/features/server-feature'
import { startWalletSums } from '@holdfast/ledger'
import { walletEndpoints } from './routes.ts'

export { walletEndpoints } from './routes.ts'
export { assetOf, holdingsByWallet, tokensOfWallet } from './read-holdings.ts'
export { requireSubWallet } from './list-sub-wallets.ts'
export { type NamedSubWallet, namedSubWallets, namedSubWalletsOf, readNamedSubWallets } from './named-sub-wallets.ts'
export { readPrices, type Valued, valueOf, worthOf } from './worth.ts'
export { subWalletPath } from '../sub-wallet-path.ts'
export { createWallet } from './create-wallet.ts'
export { asFound, searchWallets } from './search-wallets.ts'
export { HELD_DEPOSITS, HELD_FOR_COMMENT, isNotHeld } from './held-deposits.ts'

export const feature: ServerFeature = { endpoints: walletEndpoints, work: (context, { report }) => [startWalletSums(context, report)] }
