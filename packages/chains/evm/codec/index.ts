export { codecFor, evmCodec } from './evm-codec.ts'
export { evmChainId } from './chain-number.ts'
export { buildTransfer, AUTHORIZATION_GAS, GAS_LIMIT_MAX, NATIVE_TRANSFER_GAS, type TransferTransaction } from './transfer.ts'
export { PAYOUTS } from './payouts/pay-many.ts'
export { takesUnsignedFee } from './op-stack.ts'
export { parseSignature, typeText, SIGNATURE_MAX, type AbiFunction, type AbiType } from './abi-type.ts'
export { decodeFunctionCall, encodeFunctionCall, type AbiValue } from './abi-value.ts'
export { ANY_SUPPLY, isUnlimited, readCall, understoodSignatureOf, UNLIMITED_FROM, valueText, type CallReading, type Grant } from './read-call.ts'
export { findDeeds, knownSignatureOf, UNREADABLE, type Find } from './scan-call.ts'
export { KNOWN_FUNCTIONS } from './known-functions.ts'
export type { Deed, KnownFunction } from './known-function.ts'
export {
  authorityOf,
  type Authorization,
  authorizationDigest,
  decodeAuthorization,
  encodeAuthorization,
  readSignedAuthorization,
  signAuthorization,
  type SignedAuthorization,
} from './set-code/authorization.ts'
export type { Trade } from './trade/trade.ts'
export { isTradeForm, readTrade, TRADE_FORMS, type TradeForm } from './trade/read-trade.ts'
export { canonicalAddress } from './address.ts'
