export { type FoundAddress, searchAddresses } from './search-addresses.ts'
export { inspectAddress, type KnownAddress } from './inspect-address.ts'
export { endsIn, IS_SIGNED_FOR, looksOf, mayLookLike, paidAddresses, paidLike, selectPaidWithMemo } from './paid-addresses.ts'
export { imitatedBy, knownAs, labelOf, readKnownAddresses, plantedAddresses } from './known-addresses.ts'
