import { ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes } from '@holdfast/encoding'
import { ADDRESS_LENGTH } from './address.ts'
import { type SignedAuthorization, signedAuthorizationItem, signedAuthorizationOf } from './set-code/authorization.ts'
import { encodeRlp, type RlpItem } from './rlp.ts'
import { bytesField, decodeList, type Fields, SIGNATURE_FIELDS, signatureAt, type TransactionSignature, uintField } from './rlp-fields.ts'
import { uintToBytes } from './uint.ts'

/** A transaction of EIP-1559, or of EIP-7702 where it carries authorizations, without access list. Amounts and prices in wei. */
export type Transaction = {
  chainId: bigint
  nonce: bigint
  maxPriorityFeePerGas: bigint
  maxFeePerGas: bigint
  gasLimit: bigint
  to: Uint8Array
  value: bigint
  data: Uint8Array
  authorizations?: SignedAuthorization[]
}

const FEE_MARKET = 2
const SET_CODE = 4
const OTHER_TYPES: Record<number, string> = { 1: 'an access-list transaction', 3: 'a blob transaction' }
const FIELDS = ['chain id', 'nonce', 'priority fee', 'fee', 'gas limit', 'recipient', 'value', 'call data', 'access list']
const AUTHORIZATIONS = FIELDS.length

/** The bytes of a transaction, unsigned or signed. Sources: EIP-2718, EIP-1559, EIP-7702. */
export function serializeTransaction(transaction: Transaction, signature?: TransactionSignature): Uint8Array {
  const fields: RlpItem[] = [
    uintToBytes(transaction.chainId),
    uintToBytes(transaction.nonce),
    uintToBytes(transaction.maxPriorityFeePerGas),
    uintToBytes(transaction.maxFeePerGas),
    uintToBytes(transaction.gasLimit),
    transaction.to,
    uintToBytes(transaction.value),
    transaction.data,
    [],
  ]
  const { authorizations } = transaction
  if (authorizations) fields.push(authorizations.map(signedAuthorizationItem))
  if (signature) fields.push(uintToBytes(signature.yParity), uintToBytes(signature.r), uintToBytes(signature.s))
  return concatBytes(Uint8Array.of(authorizations ? SET_CODE : FEE_MARKET), encodeRlp(fields))
}

/** Parses an unsigned transaction. Throws ChainError for anything but its one canonical form. */
export function parseUnsigned(bytes: Uint8Array): Transaction {
  const transaction = transactionOf(fieldsOf(bytes, []))
  assertCanonical(bytes, serializeTransaction(transaction))
  return transaction
}

/** Parses a signed transaction. Throws ChainError for anything but its one canonical form; does not check the signature. */
export function parseSigned(bytes: Uint8Array): { transaction: Transaction; signature: TransactionSignature } {
  const fields = fieldsOf(bytes, SIGNATURE_FIELDS)
  const transaction = transactionOf(fields)
  const signature = signatureAt(fields, fields.items.length - SIGNATURE_FIELDS.length)
  assertCanonical(bytes, serializeTransaction(transaction, signature))
  return { transaction, signature }
}

function fieldsOf(bytes: Uint8Array, behind: readonly string[]): Fields {
  const type = bytes[0]
  if (type === undefined) throw new ChainError('the transaction is empty')
  if (type !== FEE_MARKET && type !== SET_CODE) {
    const name = type >= 0xc0 ? 'a legacy transaction' : (OTHER_TYPES[type] ?? `of the unknown type ${type}`)
    throw new ChainError(`the transaction is ${name}; only the types 2 (EIP-1559) and 4 (EIP-7702) are understood`)
  }
  return decodeList(bytes.subarray(1), 'the transaction', [...FIELDS, ...(type === SET_CODE ? ['authorizations'] : []), ...behind])
}

function transactionOf(fields: Fields): Transaction {
  const to = bytesField(fields, 5)
  if (to.length === 0) throw new ChainError('the transaction creates a contract, which is not allowed')
  if (to.length !== ADDRESS_LENGTH) throw new ChainError(`the recipient has ${to.length} bytes; an address has ${ADDRESS_LENGTH}`)
  const accessList = fields.items[8]
  if (!Array.isArray(accessList)) throw new ChainError('the access list is no list')
  if (accessList.length !== 0) throw new ChainError('the transaction carries an access list, which is not allowed')
  return {
    chainId: uintField(fields, 0),
    nonce: uintField(fields, 1),
    maxPriorityFeePerGas: uintField(fields, 2),
    maxFeePerGas: uintField(fields, 3),
    gasLimit: uintField(fields, 4),
    to,
    value: uintField(fields, 6),
    data: bytesField(fields, 7),
    ...(fields.names[AUTHORIZATIONS] === 'authorizations' && { authorizations: authorizationsOf(fields.items[AUTHORIZATIONS]) }),
  }
}

function authorizationsOf(item: RlpItem | undefined): SignedAuthorization[] {
  if (!Array.isArray(item)) throw new ChainError('the authorizations are no list')
  if (item.length === 0) throw new ChainError('a transaction of type 4 carries at least one authorization')
  return item.map(signedAuthorizationOf)
}

function assertCanonical(bytes: Uint8Array, again: Uint8Array): void {
  // The parser refuses every loose spelling it knows of; this comparison also refuses those that nobody thought of.
  if (!equalBytes(bytes, again)) throw new ChainError('the transaction is not in its canonical form')
}
