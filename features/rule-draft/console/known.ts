/** What rules can name, as the server says it. */
export type Known = {
  people: readonly { id: string; name: string; has_key: boolean }[]
  assets: readonly KnownAsset[]
  networks: readonly { chain: string; name: string }[]
  wallets: readonly Wallet[]
  lists: readonly string[]
  /** The co-signers that the policy names. */
  coSigners: readonly { id: string; name: string }[]
  /** The screeners that the policy names. */
  screeners: readonly { id: string; name: string }[]
}

/** An asset that the policy pins; `asset` is the contract, empty for the network's own coin. */
export type KnownAsset = { chain: string; network: string; asset: string; symbol: string; decimals: number }

/** A wallet or a sub-wallet by the beginning of its addresses' paths, for each of its keys. */
export type Wallet = { name: string; key_id: string; path: readonly number[] }

/** An asset that a rule or a limit names. */
export const assetOf = ({ assets }: Pick<Known, 'assets'>, chain: string, asset: string): KnownAsset | undefined =>
  assets.find((each) => each.chain === chain && each.asset === asset)

export const networkName = ({ networks, assets }: Pick<Known, 'networks' | 'assets'>, chain: string): string =>
  networks.find((each) => each.chain === chain)?.name ?? assets.find((each) => each.chain === chain)?.network ?? chain
