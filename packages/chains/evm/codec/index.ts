export { codecFor, evmCodec } from './evm-codec.ts'
export { buildTransfer, evmChainId, GAS_LIMIT_MAX, NATIVE_TRANSFER_GAS, type TransferTransaction } from './transfer.ts'
