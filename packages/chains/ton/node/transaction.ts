import { ChainError } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { type Address, rawAddress } from '../codec/address.ts'
import type { Cell } from '../codec/cell.ts'
import { CellReader } from '../codec/cell-reader.ts'
import { normalHash } from '../codec/ton-codec.ts'
import { boc, hash, record } from './answers.ts'

// What a transaction is on the chain. Source: TON's crypto/block/block.tlb, Transaction and Message.

/** A message from account to account. `id` names it where it is sent and where it arrives: no account sends two at one logical time. */
export type Internal = {
  kind: 'internal'
  id: string
  from: Address
  to: Address
  value: bigint
  forwardFee: bigint
  createdLt: bigint
  /** It comes back from a contract that did not take it. */
  isBounced: boolean
  body: Cell
}
/** A message from outside; `hash` is that of its normal form. */
export type External = { kind: 'external'; hash: string; body: Cell }
export type Message = Internal | External

export type Transaction = {
  account: Address
  hash: string
  lt: bigint
  previous: { lt: bigint; hash: string }
  timeS: number
  fees: bigint
  /** The part of the fees that the account pays of its own for its storage, whatever becomes of the message. */
  storageFee: bigint
  /** It changed nothing but to take its fees, or did not run at all where there was nothing to run. */
  isAborted: boolean
  message: Message | undefined
  sent: Internal[]
}

/** The transaction that a node gives, in its own bytes, which must have the hash the node says. */
export function transactionOf(claim: unknown, workchain: number): Transaction {
  const given = record(claim, 'transaction')
  const cell = boc(given.data, 'bytes of a transaction')
  const transaction = parseTransaction(cell, workchain)
  const told = hash(record(given.transaction_id, 'transaction id').hash, 'hash of a transaction')
  if (told !== transaction.hash) throw new ChainError(`the node gave other bytes for transaction ${told}`)
  return transaction
}

function parseTransaction(cell: Cell, workchain: number): Transaction {
  const reader = new CellReader(cell)
  if (reader.number(4) !== 0b0111) throw new ChainError('the node gave something else than a transaction')
  const account = { workchain, hash: reader.bytes(32) }
  const lt = reader.uint(64)
  const previousHash = toHex(reader.bytes(32))
  const previous = { hash: previousHash, lt: reader.uint(64) }
  const timeS = reader.number(32)
  reader.skip(15 + 2 + 2)
  const messages = new CellReader(reader.ref())
  const fees = amount(reader)
  reader.ref()
  const { isAborted, storageFee } = readDescription(new CellReader(reader.ref()))
  const incoming = messages.maybeRef()
  const outgoing = messages.maybeRef()
  const sent = outgoing ? dictionaryRefs(outgoing, 15).flatMap((each) => asInternal(messageOf(each))) : []
  return { account, hash: toHex(cell.hash), lt, previous, timeS, fees, storageFee, isAborted, message: incoming ? messageOf(incoming) : undefined, sent }
}

const asInternal = (message: Message | undefined) => (message?.kind === 'internal' ? [message] : [])

/** A message, or undefined if it goes outside or names an account as none does. */
function messageOf(cell: Cell): Message | undefined {
  const reader = new CellReader(cell)
  if (!reader.bit()) {
    reader.skip(2)
    const isBounced = reader.bit()
    const [from, to] = [reader.address(), reader.address()]
    const value = amount(reader)
    reader.coins()
    const forwardFee = reader.coins()
    const createdLt = reader.uint(64)
    reader.skip(32)
    const body = bodyOf(reader)
    const id = from && to ? `${rawAddress(from)} ${createdLt} ${rawAddress(to)}` : ''
    return from && to ? { kind: 'internal', id, from, to, value, forwardFee, createdLt, isBounced, body } : undefined
  }
  if (reader.bit()) return undefined
  reader.address()
  const to = reader.address()
  // What a stranger writes as the fee of its import counts for nothing, in whatever form: it must not stop the reading.
  reader.skip(reader.number(4) * 8)
  const body = bodyOf(reader)
  return to ? { kind: 'external', hash: toHex(normalHash(to, body)), body } : undefined
}

function bodyOf(reader: CellReader): Cell {
  if (reader.bit()) {
    if (reader.bit()) reader.ref()
    else skipStateInit(reader)
  }
  return reader.bit() ? reader.ref() : reader.rest()
}

function skipStateInit(reader: CellReader): void {
  if (reader.bit()) reader.skip(5)
  if (reader.bit()) reader.skip(2)
  for (let i = 0; i < 3; i++) reader.maybeRef()
}

/** An amount of coin; other currencies beside it are passed over. */
function amount(reader: CellReader): bigint {
  const coins = reader.coins()
  reader.maybeRef()
  return coins
}

/** What the description of a transaction says of it. Those that no message began are none of a payment. */
function readDescription(reader: CellReader): Pick<Transaction, 'isAborted' | 'storageFee'> {
  let storageFee = 0n
  if (reader.number(4) !== 0) return { isAborted: false, storageFee }
  reader.bit()
  if (reader.bit()) {
    storageFee = reader.coins()
    if (reader.bit()) reader.coins()
    if (reader.bit()) reader.bit()
  }
  if (reader.bit()) {
    if (reader.bit()) reader.coins()
    amount(reader)
  }
  const ran = reader.bit()
  if (ran) {
    reader.skip(3)
    reader.coins()
    reader.ref()
  } else if (reader.number(2) === 0b11) reader.bit()
  reader.maybeRef()
  return { isAborted: reader.bit(), storageFee }
}

/** The references that a dictionary (`HashmapE`) holds, in the order of their keys. */
function dictionaryRefs(cell: Cell, keyBits: number): Cell[] {
  const reader = new CellReader(cell)
  const left = keyBits - skipLabel(reader, keyBits)
  if (left < 0) throw new ChainError('a dictionary has a longer key than belongs there')
  if (left === 0) return [reader.ref()]
  return [...dictionaryRefs(reader.ref(), left - 1), ...dictionaryRefs(reader.ref(), left - 1)]
}

/** Reads what the keys below a node of a dictionary have in common; answers with its length. */
function skipLabel(reader: CellReader, bitsMax: number): number {
  const lengthBits = Math.ceil(Math.log2(bitsMax + 1))
  if (!reader.bit()) {
    let length = 0
    while (reader.bit()) length++
    reader.skip(length)
    return length
  }
  const isSame = reader.bit()
  if (isSame) reader.bit()
  const length = reader.number(lengthBits)
  if (!isSame) reader.skip(length)
  return length
}
