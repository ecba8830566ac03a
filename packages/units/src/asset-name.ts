/** How an asset is called where its amount stands: by its symbol, and a token of a collection with its number as well. */
export function assetName(symbol: string, tokenId: string | null | undefined): string {
  return tokenId === null || tokenId === undefined ? symbol : `${symbol} #${tokenId}`
}
