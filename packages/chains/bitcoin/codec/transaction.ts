import { ChainError } from '@holdfast/chain-core'
import { concatBytes, fromHex, toHex } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'
import { ByteReader, compactSize, sized, uintBytes } from './byte-reader.ts'

/** An input as a transaction's id commits to it; `script` is empty in all segwit inputs. */
export type TransactionInput = { txid: string; index: number; script: Uint8Array; sequence: number }
export type TransactionOutput = { amount: bigint; script: Uint8Array }
export type Transaction = { version: number; inputs: TransactionInput[]; outputs: TransactionOutput[]; lockTime: number }

/** All the coin there can ever be, in satoshi: no amount is higher. */
export const MONEY_MAX = 21_000_000n * 100_000_000n

export function sha256d(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes))
}

/** Ids of transactions and blocks are hashes written backwards. */
export function idOf(hash: Uint8Array): string {
  return toHex(hash.toReversed())
}

export function txidOf(transaction: Transaction): string {
  return idOf(sha256d(serializeTransaction(transaction)))
}

/** The bytes of a transaction: without witnesses as its id commits to them, or with them (BIP144) as nodes pass it on. */
export function serializeTransaction(transaction: Transaction, witnesses?: Uint8Array[][]): Uint8Array {
  const { version, inputs, outputs, lockTime } = transaction
  return concatBytes(
    uintBytes(version, 4),
    witnesses ? Uint8Array.of(0, 1) : new Uint8Array(),
    compactSize(inputs.length),
    ...inputs.map((input) => concatBytes(outpointBytes(input), sized(input.script), uintBytes(input.sequence, 4))),
    compactSize(outputs.length),
    ...outputs.map(outputBytes),
    ...(witnesses ?? []).map(witnessBytes),
    uintBytes(lockTime, 4),
  )
}

/** The bytes that a transaction's id commits to, of one as nodes pass it on. Throws ChainError if it is no transaction. */
export function withoutWitnesses(bytes: Uint8Array): Uint8Array {
  return serializeTransaction(parseWithWitnesses(bytes).transaction)
}

/** Parses a transaction as nodes pass it on, with the witness of each input. Throws ChainError if it is no transaction. */
export function parseWithWitnesses(bytes: Uint8Array): { transaction: Transaction; witnesses: Uint8Array[][] } {
  // BIP144: a marker where the count of inputs would stand, which is never zero, and a flag.
  const isSegwit = bytes[4] === 0 && bytes[5] === 1
  if (!isSegwit) {
    const transaction = parseTransaction(bytes)
    return { transaction, witnesses: transaction.inputs.map(() => []) }
  }
  const reader = new ByteReader(bytes)
  const version = reader.uint32()
  reader.take(2)
  const { inputs, outputs } = readInsAndOuts(reader)
  const witnesses = inputs.map(() => readWitnessFrom(reader))
  const lockTime = reader.uint32()
  reader.end()
  return { transaction: { version, inputs, outputs, lockTime }, witnesses }
}

/** Parses a transaction without witnesses. Throws ChainError for what is not one whole transaction in its one form. */
export function parseTransaction(bytes: Uint8Array): Transaction {
  const reader = new ByteReader(bytes)
  const version = reader.uint32()
  const { inputs, outputs } = readInsAndOuts(reader)
  const lockTime = reader.uint32()
  reader.end()
  return { version, inputs, outputs, lockTime }
}

function readInsAndOuts(reader: ByteReader): Pick<Transaction, 'inputs' | 'outputs'> {
  const inputs = readList(reader, () => {
    const txid = idOf(reader.take(32))
    return { txid, index: reader.uint32(), script: reader.sized(), sequence: reader.uint32() }
  })
  const outputs = readList(reader, () => ({ amount: reader.uint(8), script: reader.sized() }))
  for (const { amount } of outputs) assertAmount(amount)
  return { inputs, outputs }
}

export function assertAmount(amount: bigint): void {
  if (amount < 0n || amount > MONEY_MAX) throw new ChainError(`an amount of ${amount} satoshi is more than there is`)
}

export function outpointBytes({ txid, index }: { txid: string; index: number }): Uint8Array {
  return concatBytes(fromHex(txid).toReversed(), uintBytes(index, 4))
}

export function outputBytes({ amount, script }: TransactionOutput): Uint8Array {
  return concatBytes(uintBytes(amount, 8), sized(script))
}

export function witnessBytes(items: Uint8Array[]): Uint8Array {
  return concatBytes(compactSize(items.length), ...items.map(sized))
}

export function readWitness(bytes: Uint8Array): Uint8Array[] {
  const reader = new ByteReader(bytes)
  const items = readWitnessFrom(reader)
  reader.end()
  return items
}

/** The next witness, where others may follow. */
export function readWitnessFrom(reader: ByteReader): Uint8Array[] {
  return readList(reader, () => reader.sized())
}

function readList<T>(reader: ByteReader, read: () => T): T[] {
  const count = reader.compactSize()
  // Every element takes a byte at least, so that a count can never make us build more than we were given.
  if (count > reader.left) throw new ChainError('the transaction ends too early')
  return Array.from({ length: count }, read)
}
