/** How a collection keeps its tokens: one piece of each id (ERC-721), or any number of pieces of each id (ERC-1155). */
export type NftStandard = 'erc721' | 'erc1155'

/** One token of a collection. `collection` is the contract's canonical address. */
export type Nft = { standard: NftStandard; collection: string; tokenId: bigint }

/*
 * A token of a collection is an asset of its own, counted in whole pieces. It goes by one text wherever an asset's contract stands:
 * the reference of CAIP-19, `erc721:<address>/<id>`, with the id in hexadecimal so that the longest one fits where a contract does. The text
 * without an id names the collection, which is what networks list and policies pin.
 */
const FORM = /^(erc721|erc1155):([^:/]{1,64})(?:\/0x(0|[1-9a-f][0-9a-f]{0,63}))?$/

/** The text that names a collection among assets. */
export function collectionAsset({ standard, collection }: Pick<Nft, 'standard' | 'collection'>): string {
  return `${standard}:${collection}`
}

/** The text that names one token among assets. */
export function nftAsset(nft: Nft): string {
  return `${collectionAsset(nft)}/0x${nft.tokenId.toString(16)}`
}

/** The token that an asset's contract text names, or undefined if it names a coin or a whole collection. */
export function readNft(contract: string | null): Nft | undefined {
  const [, standard, collection = '', digits] = FORM.exec(contract ?? '') ?? []
  return digits === undefined ? undefined : { standard: standard as NftStandard, collection, tokenId: BigInt(`0x${digits}`) }
}

/** The collection that an asset's contract text names, alone or with a token, or undefined if it names a coin. */
export function readCollection(contract: string | null): Pick<Nft, 'standard' | 'collection'> | undefined {
  const [, standard, collection = ''] = FORM.exec(contract ?? '') ?? []
  return standard === undefined ? undefined : { standard: standard as NftStandard, collection }
}

/** What of an asset networks list and policies pin: the collection of a token, and of everything else the asset itself. */
export function pinnedContract<T extends string | null>(contract: T): T | string {
  const collection = readCollection(contract)
  return collection ? collectionAsset(collection) : contract
}
