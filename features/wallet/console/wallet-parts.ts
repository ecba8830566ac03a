import { type ComponentType, createContext, useContext } from 'react'
import type { SubWallet } from './use-wallets.ts'

/** What features that stand on wallets put into the pages of one: the console composes them, so that wallets know none of them. */
export type WalletParts = {
  AddressList: ComponentType<{ subWallet: SubWallet }>
  DepositDrawer: ComponentType<{ walletId: string; subWallet: SubWallet; chain: string; symbol: string }>
}

export const WalletPartsContext = createContext<WalletParts | null>(null)

/** The parts that the console composed. Throws outside of a console. */
export function useWalletParts(): WalletParts {
  const parts = useContext(WalletPartsContext)
  if (!parts) throw new Error('a wallet page stands outside a console that says what its parts are')
  return parts
}
