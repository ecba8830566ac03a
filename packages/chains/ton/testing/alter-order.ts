import { decode, encode } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import type { Address } from '../codec/address.ts'
import { parseBoc, serializeBoc } from '../codec/boc.ts'
import { Cell } from '../codec/cell.ts'
import { CellBuilder } from '../codec/cell-builder.ts'
import { orderCell } from '../codec/order.ts'
import { unsignedShape } from '../codec/transfer.ts'

const OUT_ACTION_SEND = 0x0ec3c86d
const [USUAL, WHOLE_BALANCE] = [3, 128 + 2]

/** What the bytes of an order do otherwise than the codec would have them. */
export const ALTERATIONS = ['a message more', 'the message twice', 'the whole balance', 'bounces', 'an extension'] as const
export type Alteration = (typeof ALTERATIONS)[number]

/** The bytes of an order as somebody writes them who does not keep to the codec; `stranger` is who gets what is sent beside. */
export function alterOrder(unsigned: Uint8Array, alteration: Alteration, stranger: Address): Uint8Array {
  const { order, ...rest } = decode(unsignedShape, unsigned)
  const cell = parseBoc(order)
  const actions = at(cell.refs, 0)
  const [before, message] = [at(actions.refs, 0), at(actions.refs, 1)]
  const send = (mode: number, first: Cell, sent: Cell) => new CellBuilder().uint(OUT_ACTION_SEND, 32).uint(mode, 8).ref(first).ref(sent).cell()
  const altered = {
    'a message more': () => send(USUAL, actions, messageTo(stranger)),
    'the message twice': () => send(USUAL, actions, message),
    'the whole balance': () => send(WHOLE_BALANCE, before, message),
    bounces: () => send(USUAL, before, flipped(message, 2)),
    'an extension': () => actions,
  }[alteration]()
  // The last bit of an order says whether the wallet's extensions change.
  const head = new Cell(cell.bits, [altered])
  const whole = alteration === 'an extension' ? flipped(head, cell.bits.length - 1) : head
  return encode(unsignedShape, { ...rest, order: serializeBoc(whole) })
}

/** A message of coin to somebody. */
function messageTo(to: Address): Cell {
  const body = new Cell({ data: new Uint8Array(), length: 0 })
  const order = orderCell({ walletId: 0, validUntil: 0n, seqno: 0n, messages: [{ to, amount: 1n, bounce: false, body }] })
  return at(at(order.refs, 0).refs, 1)
}

function flipped({ bits, refs }: Cell, bit: number): Cell {
  const data = bits.data.slice()
  data[bit >> 3] = at(data, bit >> 3) ^ (0x80 >> (bit & 7))
  return new Cell({ data, length: bits.length }, refs)
}
