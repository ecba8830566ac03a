import { type Infer, optional, struct, text, uint } from '@holdfast/encoding'

/**
 * An asset as the policy pins it. `contract` is absent for the chain's own coin, and names a token of a collection by `nftAsset`: then the policy pins the
 * collection.
 */
export const assetShape = struct('holdfast/asset/v1', {
  chain: text(64),
  contract: optional(text(128)),
  symbol: text(32),
  decimals: uint(8),
})

export type Asset = Infer<typeof assetShape>
