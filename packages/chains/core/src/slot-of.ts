import { digest, struct, text, toHex } from '@holdfast/encoding'

const slotShape = struct('holdfast/slot/v1', { name: text(128) })

/** The number of a slot that the chain names by a text, such as a coin `<txid>:<index>` or a transaction's id: the digest of the name. */
export function slotOf(name: string): bigint {
  return BigInt(`0x${toHex(digest(slotShape, { name }))}`)
}
