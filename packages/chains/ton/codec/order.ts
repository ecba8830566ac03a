import { ChainError } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import type { Address } from './address.ts'
import { Cell } from './cell.ts'
import { CellBuilder } from './cell-builder.ts'
import { CellReader } from './cell-reader.ts'
import { commentBody, commentOf } from './comment.ts'
import { SIGNED_EXTERNAL } from './wallet.ts'

/** A message that a wallet is ordered to send. */
export type OrderedMessage = {
  to: Address
  amount: bigint
  /** A contract that fails gives the coin back. A person's address never does: the coin stays, whatever is there. */
  bounce: boolean
  body: Cell
}

/** What a wallet is ordered to do: to send messages, in this sequence. */
export type Order = {
  walletId: number
  /** Seconds since 1970; from then on the wallet refuses the order. */
  validUntil: bigint
  seqno: bigint
  messages: readonly OrderedMessage[]
}

/** Messages of one order: as many as people read as one payout. The wallet itself takes 255. */
export const MESSAGES_MAX = 100

const OUT_ACTION_SEND = 0x0ec3c86d
// The amount arrives whole, fees come on top (1); a message that cannot be sent is left out, and the others go (2), which the wallet insists on.
const SEND_MODE = 3
const EMPTY = new Cell({ data: new Uint8Array(), length: 0 })

/** What the key signs: the hash of this cell. Source: tonkeeper/wallet-contract-v5, types.tlb; the list of actions is block.tlb's OutList, the last one outermost. */
export function orderCell({ walletId, validUntil, seqno, messages }: Order): Cell {
  const actions = messages.reduce(
    (before, message) => new CellBuilder().uint(OUT_ACTION_SEND, 32).uint(SEND_MODE, 8).ref(before).ref(internalMessage(message)).cell(),
    EMPTY,
  )
  const head = new CellBuilder().uint(SIGNED_EXTERNAL, 32).int(walletId, 32).uint(validUntil, 32).uint(seqno, 32)
  return head.bit(true).ref(actions).bit(false).cell()
}

/** Reads what `orderCell` writes. Throws ChainError for more or other actions and for any other way to write the same. */
export function readOrder(cell: Cell): Order {
  const reader = new CellReader(cell)
  if (reader.number(32) !== SIGNED_EXTERNAL) throw new ChainError('the transaction is no order from outside to a v5 wallet')
  const walletId = Number(reader.int(32))
  const [validUntil, seqno] = [reader.uint(32), reader.uint(32)]
  const actions = reader.maybeRef()
  if (!actions) throw new ChainError('the transaction does nothing')
  if (reader.bit()) throw new ChainError("the transaction changes the wallet's extensions, which is not allowed")
  reader.end()
  const order = { walletId, validUntil, seqno, messages: readActions(actions) }
  // What was read and is written again must be the same bits: flags and empty fields have one value only.
  if (!equalBytes(orderCell(order).hash, cell.hash)) throw new ChainError('the transaction is not written in its one canonical form')
  return order
}

function readActions(actions: Cell): OrderedMessage[] {
  const messages: OrderedMessage[] = []
  let rest = actions
  do {
    if (messages.length === MESSAGES_MAX) throw new ChainError(`the transaction sends more than ${MESSAGES_MAX} messages`)
    const reader = new CellReader(rest)
    if (reader.number(32) !== OUT_ACTION_SEND) throw new ChainError('the transaction does something else than to send a message')
    const mode = reader.number(8)
    if (mode !== SEND_MODE) throw new ChainError(`the transaction sends in mode ${mode} where only ${SEND_MODE} is allowed`)
    rest = reader.ref()
    messages.push(readMessage(new CellReader(reader.ref())))
    reader.end()
  } while (!isEmpty(rest))
  return messages.reverse()
}

function internalMessage({ to, amount, bounce, body }: OrderedMessage): Cell {
  // Instant routing is off; it did not bounce; no sender, which the chain fills in; no other currencies; fees and times are the chain's.
  const message = new CellBuilder().uint(0b01, 2).bit(bounce).uint(0b000, 3).address(to).coins(amount)
  message.bit(false).coins(0n).coins(0n).uint(0, 64).uint(0, 32).bit(false)
  return isEmpty(body) ? message.bit(false).cell() : message.bit(true).ref(body).cell()
}

function readMessage(reader: CellReader): OrderedMessage {
  reader.skip(2)
  const bounce = reader.bit()
  reader.skip(3)
  const to = reader.address()
  if (!to) throw new ChainError('the transaction pays no account')
  const amount = reader.coins()
  if (reader.bit()) throw new ChainError('the transaction pays in an extra currency, which is not allowed')
  reader.coins()
  reader.coins()
  reader.skip(96)
  if (reader.bit()) throw new ChainError('the transaction makes a contract, which is not allowed')
  const body = reader.bit() ? reader.ref() : EMPTY
  reader.end()
  return { to, amount, bounce, body }
}

/** The body of a plain payment: a comment, or nothing. */
export function paymentBody(memo: string | undefined): Cell {
  return memo === undefined ? EMPTY : commentBody(memo)
}

/** The memo of a plain payment. Throws ChainError if its body is anything but one comment in its one form. */
export function memoOf(body: Cell): string | undefined {
  if (isEmpty(body)) return undefined
  const memo = commentOf(body)
  if (memo === undefined || !equalBytes(commentBody(memo).hash, body.hash)) throw new ChainError('the transaction carries something else than a comment')
  return memo
}

function isEmpty(cell: Cell): boolean {
  return cell.bits.length === 0 && cell.refs.length === 0
}
