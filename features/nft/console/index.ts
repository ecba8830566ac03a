export { type NftTarget, NftTokens } from './nft-tokens.tsx'
