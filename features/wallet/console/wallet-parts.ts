import type { Family } from '@holdfast/chain-registry/families'
import type { CoinPlace, WalletPlace, Word } from '@holdfast/features/console-feature'
import { type ComponentType, createContext, useContext } from 'react'

type Tab = { key: string; label: Word; families: readonly Family[] | undefined } & (
  | { isOfWallet: false; Part: ComponentType<WalletPlace> }
  | { isOfWallet: true; Part: ComponentType<Pick<WalletPlace, 'walletId'>> }
)

/** The parts of a wallet's pages, from any features: the console composes them, so that wallets depend on none of those. */
export type WalletParts = {
  /** Above all wallets. */
  HomeParts: ComponentType
  /** Beside the flows of money, of all wallets or of one sub-wallet. */
  MoneyParts: ComponentType<{ subWalletId?: string }>
  /** In the order in which they stand; the first is open at first. */
  tabs: readonly Tab[]
  CoinActions: ComponentType<CoinPlace>
  CoinMenu: ComponentType<CoinPlace>
}

/** The tabs that apply to a wallet with addresses on networks of these families; all where the families are not known. */
export function tabsFor<Of extends Pick<Tab, 'families'>>(tabs: readonly Of[], families: ReadonlySet<Family> | undefined): readonly Of[] {
  return families === undefined ? tabs : tabs.filter((tab) => tab.families === undefined || tab.families.some((each) => families.has(each)))
}

export const WalletPartsContext = createContext<WalletParts | null>(null)

/** The parts that the console composed. Throws outside of a console. */
export function useWalletParts(): WalletParts {
  const parts = useContext(WalletPartsContext)
  if (!parts) throw new Error('a wallet page stands outside a console that says what its parts are')
  return parts
}
