import { ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes } from '@holdfast/encoding'
import { ADDRESS_LENGTH } from './address.ts'
import { decodeRlp, encodeRlp, type RlpItem } from './rlp.ts'
import { bytesToUint, uintToBytes } from './uint.ts'

/** An EIP-1559 transaction without access list. Amounts and prices in wei. */
export type Transaction = {
  chainId: bigint
  nonce: bigint
  maxPriorityFeePerGas: bigint
  maxFeePerGas: bigint
  gasLimit: bigint
  to: Uint8Array
  value: bigint
  data: Uint8Array
}

/** A secp256k1 signature in the numbers that a transaction carries. */
export type TransactionSignature = { yParity: bigint; r: bigint; s: bigint }

const TYPE = 2
const OTHER_TYPES: Record<number, string> = { 1: 'an access-list transaction', 3: 'a blob transaction', 4: 'a set-code transaction' }
const FIELDS = ['chain id', 'nonce', 'priority fee', 'fee', 'gas limit', 'recipient', 'value', 'call data', 'access list', 'y parity', 'r', 's'] as const
const UNSIGNED_FIELDS = 9

/** The bytes of a transaction, unsigned or signed. Source: EIP-2718 and EIP-1559. */
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
  if (signature) fields.push(uintToBytes(signature.yParity), uintToBytes(signature.r), uintToBytes(signature.s))
  return concatBytes(Uint8Array.of(TYPE), encodeRlp(fields))
}

/** Parses an unsigned transaction. Throws ChainError for anything but its one canonical form. */
export function parseUnsigned(bytes: Uint8Array): Transaction {
  const transaction = transactionOf(fieldsOf(bytes, UNSIGNED_FIELDS))
  assertCanonical(bytes, serializeTransaction(transaction))
  return transaction
}

/** Parses a signed transaction. Throws ChainError for anything but its one canonical form; does not check the signature. */
export function parseSigned(bytes: Uint8Array): { transaction: Transaction; signature: TransactionSignature } {
  const fields = fieldsOf(bytes, FIELDS.length)
  const transaction = transactionOf(fields)
  const signature = { yParity: uintField(fields, 9), r: uintField(fields, 10), s: uintField(fields, 11) }
  assertCanonical(bytes, serializeTransaction(transaction, signature))
  return { transaction, signature }
}

function fieldsOf(bytes: Uint8Array, count: number): RlpItem[] {
  const type = bytes[0]
  if (type === undefined) throw new ChainError('the transaction is empty')
  if (type !== TYPE) {
    const name = type >= 0xc0 ? 'a legacy transaction' : (OTHER_TYPES[type] ?? `of the unknown type ${type}`)
    throw new ChainError(`the transaction is ${name}; only type 2 (EIP-1559) is understood`)
  }
  const fields = decodeRlp(bytes.subarray(1))
  if (fields instanceof Uint8Array) throw new ChainError('the transaction is no list of fields')
  if (fields.length !== count) throw new ChainError(`the transaction has ${fields.length} fields where ${count} belong`)
  return fields
}

function transactionOf(fields: RlpItem[]): Transaction {
  const to = bytesField(fields, 5)
  if (to.length === 0) throw new ChainError('the transaction creates a contract, which is not allowed')
  if (to.length !== ADDRESS_LENGTH) throw new ChainError(`the recipient has ${to.length} bytes; an address has ${ADDRESS_LENGTH}`)
  const accessList = fields[8]
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
  }
}

function bytesField(fields: RlpItem[], index: number): Uint8Array {
  const field = fields[index]
  if (!(field instanceof Uint8Array)) throw new ChainError(`the field ${FIELDS[index]} is a list where bytes belong`)
  return field
}

function uintField(fields: RlpItem[], index: number): bigint {
  const field = bytesField(fields, index)
  if (field.length > 32) throw new ChainError(`the field ${FIELDS[index]} has ${field.length} bytes; a number has at most 32`)
  if (field[0] === 0) throw new ChainError(`the field ${FIELDS[index]} starts with a zero byte`)
  return bytesToUint(field)
}

function assertCanonical(bytes: Uint8Array, again: Uint8Array): void {
  // The parser refuses every loose spelling it knows of; this comparison also refuses those that nobody thought of.
  if (!equalBytes(bytes, again)) throw new ChainError('the transaction is not in its canonical form')
}
