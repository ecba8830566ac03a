import { ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes, toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { scriptOf } from './address.ts'
import { ByteReader, sized, uintBytes } from './byte-reader.ts'

/** What somebody wrote into a witness. Everything in it is a stranger's text: it is shown inert and believed of nothing. */
export type Inscription = {
  contentType: string | undefined
  body: Uint8Array
  /** The place of the satoshi that carries it, counted from the first one of all outputs, where the inscription names another than its input's first. */
  pointer: bigint | undefined
  /**
   * Whether it is written in one of the ways by which ord counts an inscription as cursed, as far as its envelope shows it: an unknown even field, a field
   * twice or without a value, a pointer, a number pushed by its operation, a false start. BRC-20 takes none of those.
   */
  isCursed: boolean
}

const OP_IF = 0x63
const OP_ENDIF = 0x68
const OP_CHECKSIG = 0xac
const OP_PUSHDATA1 = 0x4c
const OP_PUSHDATA2 = 0x4d
const OP_PUSHDATA4 = 0x4e
const OP_1NEGATE = 0x4f
const OP_1 = 0x51
const OP_16 = 0x60
const ANNEX = 0x50
const MARK = new TextEncoder().encode('ord')
const TAG_CONTENT_TYPE = 1
const TAG_POINTER = 2
const PUSH_MAX_BYTES = 520
const LEAF_VERSION = 0xc0

/**
 * The inscriptions in the witness of an input: envelopes `OP_FALSE OP_IF "ord" tag value … OP_0 body … OP_ENDIF` in the script of a taproot leaf. Source: the
 * handbook of ord, "Inscriptions". A witness that holds none, or that is no leaf's, gives an empty list; nothing that a stranger wrote throws.
 */
export function readInscriptions(witness: readonly Uint8Array[]): Inscription[] {
  const items = witness.length > 1 && witness.at(-1)?.[0] === ANNEX ? witness.slice(0, -1) : witness
  const leaf = items.length >= 2 ? items.at(-2) : undefined
  if (!leaf) return []
  const operations = readOperations(leaf)
  const found: Inscription[] = []
  for (let index = 0; index + 2 < operations.length; index++) {
    if (!isEnvelope(operations, index)) continue
    // An envelope holds pushes and its end, and nothing else.
    let end = index + 3
    while (end < operations.length && isPush(at(operations, end))) end++
    if (end === operations.length) break
    if (operations[end] === OP_ENDIF) found.push(inscriptionOf(operations.slice(index + 3, end) as Push[], isFalseStart(operations, index)))
    index = end
  }
  return found
}

function isEnvelope(operations: Operation[], index: number): boolean {
  const [no, iff, mark] = operations.slice(index, index + 3)
  return isEmptyPush(no) && iff === OP_IF && mark !== undefined && isPush(mark) && equalBytes(mark.bytes, MARK)
}

/** Whether what stands before an envelope began one and did not go on. */
function isFalseStart(operations: Operation[], index: number): boolean {
  return isEmptyPush(operations[index - 1]) || (operations[index - 1] === OP_IF && isEmptyPush(operations[index - 2]))
}

const isPush = (operation: Operation): operation is Push => typeof operation !== 'number'
const isEmptyPush = (operation: Operation | undefined): boolean => operation !== undefined && isPush(operation) && operation.bytes.length === 0

function inscriptionOf(pushes: Push[], isFalselyStarted: boolean): Inscription {
  let contentType: string | undefined
  let pointer: bigint | undefined
  let isCursed = isFalselyStarted || pushes.some(({ isNumber }) => isNumber)
  const tags = new Set<string>()
  let index = 0
  for (; index < pushes.length && at(pushes, index).bytes.length > 0; index += 2) {
    const tag = at(pushes, index).bytes
    const value = pushes[index + 1]?.bytes
    const isEven = at(tag, 0) % 2 === 0
    if (isEven || value === undefined || tags.has(toHex(tag))) isCursed = true
    tags.add(toHex(tag))
    if (tag.length !== 1 || value === undefined) continue
    // Of fields that are there twice the first counts.
    if (tag[0] === TAG_CONTENT_TYPE) contentType ??= new TextDecoder().decode(value)
    if (tag[0] === TAG_POINTER && value.length <= 8) pointer ??= value.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  }
  return { contentType, body: concatBytes(...pushes.slice(index + 1).map(({ bytes }) => bytes)), pointer, isCursed }
}

/** Bytes that a script pushes; `isNumber` where it is by the operation for a small number. */
type Push = { bytes: Uint8Array; isNumber: boolean }
/** A push, or the number of any other operation. */
type Operation = Push | number

/** The operations of a script, up to where it ends or makes no sense any more. */
function readOperations(script: Uint8Array): Operation[] {
  const reader = new ByteReader(script)
  const operations: Operation[] = []
  const push = (bytes: Uint8Array, isNumber = false) => operations.push({ bytes, isNumber })
  try {
    while (reader.left > 0) {
      const code = at(reader.take(1), 0)
      if (code < OP_PUSHDATA1) push(reader.take(code))
      else if (code <= OP_PUSHDATA4) push(reader.take(Number(reader.uint(code === OP_PUSHDATA1 ? 1 : code === OP_PUSHDATA2 ? 2 : 4))))
      else if (code >= OP_1 && code <= OP_16) push(Uint8Array.of(code - OP_1 + 1), true)
      else if (code === OP_1NEGATE) push(Uint8Array.of(0x81), true)
      else operations.push(code)
    }
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
  }
  return operations
}

export type InscriptionCommit = {
  /** The output that the first transaction pays: whoever spends it by the leaf shows the inscription. */
  script: Uint8Array
  leaf: Uint8Array
  /** What the witness holds behind the leaf. */
  controlBlock: Uint8Array
}

/**
 * The output that commits to an inscription and the leaf that reveals it, under `key` (x-only, 32 bytes): it signs the revealing transaction, and it can take
 * the coin back by the key path once it is tweaked. The same arguments give the same bytes.
 */
export function commitInscription(key: Uint8Array, contentType: string, body: Uint8Array): InscriptionCommit {
  if (key.length !== 32) throw new ChainError('the key of an inscription is an x-only one of 32 bytes')
  const pieces = Array.from({ length: Math.ceil(body.length / PUSH_MAX_BYTES) }, (_, i) => body.slice(i * PUSH_MAX_BYTES, (i + 1) * PUSH_MAX_BYTES))
  const type = new TextEncoder().encode(contentType)
  const leaf = concatBytes(
    push(key),
    Uint8Array.of(OP_CHECKSIG, 0, OP_IF),
    push(MARK),
    // As `ord` writes it: the tag as one pushed byte and not as the operation for the number.
    Uint8Array.of(1, TAG_CONTENT_TYPE),
    push(type),
    Uint8Array.of(0),
    ...pieces.map(push),
    Uint8Array.of(OP_ENDIF),
  )
  const output = tweaked(key, leaf)
  const parity = output[0] === 3 ? 1 : 0
  return { script: scriptOf('p2tr', output.slice(1)), leaf, controlBlock: concatBytes(Uint8Array.of(LEAF_VERSION | parity), key) }
}

/** The script of the output whose one and only leaf this is, by its control block. Throws ChainError if that names others beside. */
export function leafOutput(controlBlock: Uint8Array, leaf: Uint8Array): Uint8Array {
  if (controlBlock.length !== 33 || (at(controlBlock, 0) & 0xfe) !== LEAF_VERSION)
    throw new ChainError('the script that is shown is one of several, or of another kind')
  return scriptOf('p2tr', tweaked(controlBlock.slice(1), leaf).slice(1))
}

/** BIP341: the point of an output with one leaf, compressed. */
function tweaked(key: Uint8Array, leaf: Uint8Array): Uint8Array {
  const tweak = schnorr.utils.taggedHash('TapTweak', concatBytes(key, leafHash(leaf)))
  try {
    const internal = schnorr.utils.lift_x(BigInt(`0x${toHex(key)}`))
    return internal.add(secp256k1.Point.BASE.multiply(BigInt(`0x${toHex(tweak)}`))).toBytes(true)
  } catch (cause) {
    throw new ChainError('the key of an inscription is no point', { cause })
  }
}

/** BIP341's hash of a leaf, to which the output and every signature by the leaf commit. */
export function leafHash(leaf: Uint8Array): Uint8Array {
  return schnorr.utils.taggedHash('TapLeaf', concatBytes(Uint8Array.of(LEAF_VERSION), sized(leaf)))
}

function push(bytes: Uint8Array): Uint8Array {
  if (bytes.length > PUSH_MAX_BYTES) throw new ChainError(`a script pushes at most ${PUSH_MAX_BYTES} bytes at once`)
  if (bytes.length < OP_PUSHDATA1) return concatBytes(Uint8Array.of(bytes.length), bytes)
  if (bytes.length <= 0xff) return concatBytes(Uint8Array.of(OP_PUSHDATA1, bytes.length), bytes)
  return concatBytes(Uint8Array.of(OP_PUSHDATA2), uintBytes(bytes.length, 2), bytes)
}
