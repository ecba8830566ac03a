import type { Family } from '@holdfast/chain-registry/families'
import type { Drawers } from '@holdfast/ui'
import type { ComponentType, SVGProps } from 'react'

/** Fetches a part of the console when it is wanted, so that the sign-in page carries none of it. */
export type Load<Props extends object = object> = () => Promise<ComponentType<Props>>

/** A word of the feature: its key, and its namespace where that is not the default one. */
export type Word = { key: string; namespace?: string }

/** What composes several features' parts sorts them by this, the least first. */
type Ordered = { order: number }

/** The way to a page, in the navigation and in the command palette. */
export type NavigationEntry = Ordered & {
  /** Of the page, under /mpc. */
  path: string
  label: Word
  Icon: ComponentType<SVGProps<SVGSVGElement>>
  /** Such as `g w`. */
  shortcut: string
  /** How much waits on the page. */
  badge?: Load
  /** The right without which there is nothing to see there. */
  permission?: string
  /** Stands under the entry of this path. */
  under?: string
}

/** The way to a page, or to a part of one, that stands in no navigation and that the command palette finds; `path` may have a query. */
export type Place = Pick<NavigationEntry, 'path' | 'label' | 'Icon'>

/** A sub-wallet of a wallet, by the name that people gave it. */
export type WalletPlace = { walletId: string; subWallet: { id: string; name: string } }

/**
 * A part of a wallet's page; `key` is how an address names it. Some are about the whole wallet, whichever sub-wallet is chosen; some only make sense
 * for a wallet that has addresses on networks of certain families.
 */
export type WalletTab = Ordered & { key: string; label: Word; families?: readonly Family[] } & (
    | { isOfWallet?: false; load: Load<WalletPlace> }
    | { isOfWallet: true; load: Load<Pick<WalletPlace, 'walletId'>> }
  )

/** A coin that a sub-wallet has, as its row shows it. */
export type CoinPlace = WalletPlace & { coin: { chain: string; network: string; symbol: string; contract: string | null; isPayable: boolean } }

/** What people do with a coin: a button in its row, or an item of the row's menu; nothing if it cannot be done. */
export type CoinAction = Ordered & { load: Load<CoinPlace>; isInMenu?: boolean }

/** A part of the page of settings; `key` is how an address names it. */
export type SettingsPart = Ordered & { key: string; label: Word; load: Load }

type SubWallet = WalletPlace['subWallet']

/** One token of a collection, by its name. */
export type TokenName = { chain: string; network: string; base_symbol: string; symbol: string; contract_address: string; token_id: string }

/** The same with how many pieces of it there are to send; `isSingle` where there is one piece of it at all. */
export type OwnedToken = {
  chain: string
  network: string
  symbol: string
  contract_address: string | null
  token_id?: string
  isSingle?: boolean
  decimals: number
  normal_balance: string
}

/** A payment in a coin; `token` is one token of a collection where that is sent and no coin, `again` what an earlier order asked for. */
export type PaymentForm = {
  subWallet: SubWallet
  coin: { chain: string; symbol: string }
  token?: TokenName | OwnedToken
  again?: { to: string; amount: string; memo: string; remark: string; category: string; tags: string }
}

type Inscribed = { id: string; amount: string; value: string }

/** An inscription that is sent, and others of the same token, which can be sent along. */
export type InscriptionForm = {
  subWallet: SubWallet
  inscription: Inscribed & { chain: string; network: string; symbol: string; coin: string }
  others: readonly Inscribed[]
}

/** Opens a form in a drawer. */
export type OpenForm<Form> = (drawers: Drawers, form: Form & { title: string }) => void

export type FormsByName = { pay: PaymentForm; sendInscription: InscriptionForm }

/** The forms that ask for money to be moved, which features open that stand below the one that brings them. */
export type PaymentForms = { [Name in keyof FormsByName]: () => Promise<OpenForm<FormsByName[Name]>> }

/** A part of the page of all wallets, above them; it shows nothing where it has nothing to say. */
export type HomePart = Ordered & { load: Load }

/** A part that stands beside the flows of money: of all wallets, or of one sub-wallet where it is named. */
export type MoneyPart = Ordered & { load: Load<{ subWalletId?: string }> }

/** A payment, deposit or allowance spend, by what decides which parts of it other features show. */
export type RecordPlace = { id: string; isCall: boolean; notify: 'failed' | 'retrying' | 'stopped' | 'success' | null }

/** A part of the page of one record; it is fetched for the records that it is about. */
export type RecordPart = Ordered & { isAbout(record: RecordPlace): boolean; load: Load<RecordPlace> }

/** What people do with a record: items of the menu of its row; nothing if it cannot be done. */
export type RecordAction = Ordered & { load: Load<RecordPlace> }

/** What a feature's console half brings; `apps/console/src/features.ts` lists the features that the console has. */
export type ConsoleFeature = {
  /** Its pages for members, by their path under /mpc. */
  pages?: Readonly<Record<string, Load>>
  /** Whether its pages say words of `locales/pages`, which come with the first of them; those of `locales` come with whatever page is opened first. */
  hasLateWords?: boolean
  navigation?: readonly NavigationEntry[]
  homeParts?: readonly HomePart[]
  moneyParts?: readonly MoneyPart[]
  places?: readonly Place[]
  settings?: readonly SettingsPart[]
  walletTabs?: readonly WalletTab[]
  coinActions?: readonly CoinAction[]
  recordParts?: readonly RecordPart[]
  recordActions?: readonly RecordAction[]
  paymentForms?: PaymentForms
  /** Shows nothing, and adds what the feature knows to the command palette. */
  palette?: Load
  /** Drawers that are fetched before they are opened: they move money, and a connection that is lost in between is to take no payment apart. */
  ahead?: readonly (() => Promise<unknown>)[]
}
