import { decode, encode, type StructShape } from '@holdfast/encoding'
import { headerShape, messageShape } from '../round/transcript.ts'
import type { Message } from '../index.ts'

/** For tests: the message with its decoded payload changed by `edit`, everything else as it was. */
export function editPayload<S extends StructShape>(message: Message, shape: S, edit: (payload: any) => void): Message {
  const whole = decode(messageShape, message.body)
  const payload = decode(shape, whole.payload)
  edit(payload)
  return { ...message, body: encode(messageShape, { ...whole, payload: encode(shape, payload) }) }
}

/** For tests: the message with its header changed. */
export function editHeader(message: Message, change: Partial<ReturnType<typeof decodeHeader>>): Message {
  const whole = decode(messageShape, message.body)
  return { ...message, body: encode(messageShape, { ...whole, header: { ...whole.header, ...change } }) }
}

const decodeHeader = (encoded: Uint8Array) => decode(headerShape, encoded)

/** For tests: the bytes with bit `bit` of byte `at` flipped. */
export function flipBit(value: Uint8Array, at: number, bit: number): Uint8Array {
  const flipped = Uint8Array.from(value)
  flipped[at] = flipped[at]! ^ (1 << bit)
  return flipped
}
