import { type Action, type AssetRef, CALL_DATA_MAX_BYTES, ChainError, type ContractCall, type Effects } from '@holdfast/chain-core'
import { addressBytes, checksumAddress } from './address.ts'
import { authorityOf, type SignedAuthorization } from './set-code/authorization.ts'
import { SELECTOR_LENGTH } from './call-data.ts'
import { evmChainId, NONCE_MAX } from './chain-number.ts'
import { decodePayMany, encodePayMany, type PaidMany, type Payments } from './payouts/pay-many.ts'
import { decodeTokenTransfer, encodeTokenTransfer } from './token-call.ts'
import { serializeTransaction, type Transaction } from './transaction.ts'

/** Gas that a plain transfer to an address without code uses, and the least of any transaction. */
export const NATIVE_TRANSFER_GAS = 21_000n
/** EIP-7825: no transaction may ask for more gas than this. */
export const GAS_LIMIT_MAX = 1n << 24n
/** What each authorization costs before anything runs; of an account that exists, half comes back. Source: EIP-7702. */
export const AUTHORIZATION_GAS = 25_000n

/** How one transfer is put on the chain; prices in wei per unit of gas. */
export type TransferTransaction = {
  asset: AssetRef
  /** The paying address; the bytes name it for a token of a collection alone, and there it is needed. */
  from?: string
  to: string
  /** In base units of the asset. */
  amount: bigint
  /** Call data, where `to` is a contract that is called, with `amount` of the chain's own coin sent along. */
  data?: Uint8Array
  /** Where several are paid by one transaction: all of them in their order, `to` the first and `amount` their sum. */
  payments?: Payments
  nonce: bigint
  gasLimit: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Of accounts that delegate in the same transaction (EIP-7702). */
  authorizations?: SignedAuthorization[]
}

/** The unsigned bytes of a transfer of the chain's own coin or of any token, or of a call. Throws ChainError for what `effectsOf` would refuse. */
export function buildTransfer(order: TransferTransaction): Uint8Array {
  const chainId = evmChainId(order.asset.chain)
  if (chainId === undefined) throw new ChainError(`not an EVM chain: ${order.asset.chain}`)
  const { contract: asset } = order.asset
  if (asset !== null && order.data) throw new ChainError("only the chain's own coin is sent along with a call")
  const call = contractCallOf(order)
  const transaction: Transaction = {
    chainId,
    nonce: order.nonce,
    maxPriorityFeePerGas: order.maxPriorityFeePerGas,
    maxFeePerGas: order.maxFeePerGas,
    gasLimit: order.gasLimit,
    to: call ? addressBytes(call.contract) : addressBytes(order.to),
    value: call ? call.value : order.amount,
    data: call?.data ?? order.data ?? new Uint8Array(),
    ...(order.authorizations && { authorizations: order.authorizations }),
  }
  effectsOf(transaction, order.asset.chain, chainId)
  return serializeTransaction(transaction)
}

type Moving = Pick<TransferTransaction, 'asset' | 'to' | 'amount'> & { from?: string | undefined; payments?: Payments | undefined }

/** The call that makes a transfer, where a contract makes it: a token's own, or the one that pays several; undefined for coin that goes by itself. */
export function contractCallOf({ asset, from, to, amount, payments }: Moving): ContractCall | undefined {
  if (payments) return encodePayMany({ contract: asset.contract, payments })
  if (asset.contract === null) return undefined
  const { contract, data } = encodeTokenTransfer({ asset: asset.contract, ...(from !== undefined && { from }), to, amount })
  return { contract: checksumAddress(contract), value: 0n, data }
}

/** What a parsed transaction does on `chain`: transfers by one of the known templates, or a call of a contract. Throws ChainError for everything else. */
export function effectsOf(transaction: Transaction, chain: string, chainId: bigint): Effects {
  if (transaction.chainId !== chainId) throw new ChainError(`the transaction is for chain eip155:${transaction.chainId}, not for ${chain}`)
  if (transaction.nonce > NONCE_MAX) throw new ChainError('the nonce is higher than any account can reach')
  const { authorizations } = transaction
  const leastGas = NATIVE_TRANSFER_GAS + AUTHORIZATION_GAS * BigInt(authorizations?.length ?? 0)
  if (transaction.gasLimit < leastGas) throw new ChainError(`the gas limit ${transaction.gasLimit} is less than any such transaction needs`)
  if (transaction.gasLimit > GAS_LIMIT_MAX) throw new ChainError(`the gas limit ${transaction.gasLimit} is more than a block takes from one transaction`)
  if (transaction.maxFeePerGas === 0n) throw new ChainError('the fee is zero; no block takes such a transaction')
  if (transaction.maxPriorityFeePerGas > transaction.maxFeePerGas) throw new ChainError('the priority fee is higher than the whole fee')
  const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = transaction
  return {
    chain,
    ...movementOf(transaction, chain),
    ...(authorizations && { actions: delegationsOf(authorizations, chain) }),
    feeMax: gasLimit * maxFeePerGas,
    feeParameters: { gasLimit, maxFeePerGas, maxPriorityFeePerGas },
    slot: transaction.nonce,
  }
}

function movementOf(transaction: Transaction, chain: string): Pick<Effects, 'from' | 'transfers' | 'through' | 'call'> {
  if (transaction.data.length === 0) {
    // What only begins or ends delegations moves nothing, and yet calls somebody.
    if (transaction.value === 0n && transaction.authorizations)
      return { transfers: [], call: { contract: checksumAddress(transaction.to), value: 0n, data: transaction.data } }
    if (transaction.value === 0n) throw new ChainError('the transaction moves nothing: the value is zero and there is no call data')
    return { transfers: [{ asset: { chain, contract: null }, to: checksumAddress(transaction.to), amount: transaction.value }] }
  }
  const called = { contract: checksumAddress(transaction.to), value: transaction.value, data: transaction.data }
  const many = decodePayMany(called)
  if (many) return { transfers: transfersOf(many, chain), through: called.contract }
  const transfer = decodeTokenTransfer(transaction.to, transaction.data)
  if (!transfer) return { transfers: [], call: callOf(transaction) }
  const { asset: contract, from, to, amount } = transfer
  if (transaction.value !== 0n) throw new ChainError('the transaction sends coin along with a call, which is not allowed')
  if (amount === 0n) throw new ChainError('the transaction moves nothing: the amount of the token transfer is zero')
  return { ...(from === undefined ? {} : { from }), transfers: [{ asset: { chain, contract }, to, amount }] }
}

const transfersOf = ({ contract, payments }: PaidMany, chain: string) => payments.map(({ to, amount }) => ({ asset: { chain, contract }, to, amount }))

/** Whose accounts let which code run in their name from now on, one action for each; `delegate` is empty where it is none any more. */
function delegationsOf(authorizations: SignedAuthorization[], chain: string): Action[] {
  const actions = authorizations.map((each): Action => {
    if (each.chain !== chain) throw new ChainError(`an authorization is for ${each.chain}, the transaction for ${chain}`)
    return { kind: 'delegation', facts: { authority: authorityOf(each), delegate: each.delegate ?? '', nonce: each.nonce } }
  })
  const authorities = actions.map(({ facts }) => facts.authority)
  if (new Set(authorities).size < actions.length) throw new ChainError('the transaction carries two authorizations of one account')
  return actions
}

function callOf({ to, value, data }: Transaction): ContractCall {
  if (data.length < SELECTOR_LENGTH) throw new ChainError(`the call data has ${data.length} bytes and names no function`)
  if (data.length > CALL_DATA_MAX_BYTES) throw new ChainError(`the call data has ${data.length} bytes; at most ${CALL_DATA_MAX_BYTES} are read`)
  return { contract: checksumAddress(to), value, data }
}
