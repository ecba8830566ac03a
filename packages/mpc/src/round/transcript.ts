import { createHash } from 'node:crypto'
import { bytes, decode, digest, encode, EncodingFault, equalBytes, type Infer, list, struct, type StructShape, text, uint } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { ProtocolFault } from './errors.ts'
import { MESSAGE_VERSION, PARTY_COUNT } from './parameters.ts'
import { schemeOf } from '../key/scheme.ts'

/**
 * What every message of a session is bound to. `protocol` names the key's scheme (scheme.ts); `genesis`, `keyId` and `session` have 32 bytes; `epoch` is the
 * key's epoch; `me` and `parties` are party indexes from 1 (1..255). A session id must never be used twice, and no party may choose it alone.
 */
export type ProtocolContext = {
  protocol: string
  genesis: Uint8Array
  keyId: Uint8Array
  epoch: bigint
  session: Uint8Array
  me: number
  parties: number[]
}

/** One protocol message. `round` counts from 1; `to` is a party, or 0 for a broadcast. `body` is what travels. */
export type Message = { round: number; from: number; to: number; body: Uint8Array }

/** A checked context together with the digest of what the protocol is about (its statement). */
export type Session = {
  readonly context: ProtocolContext
  /** Everybody's indexes, ascending. */
  readonly parties: readonly number[]
  readonly peers: readonly number[]
  readonly me: number
  readonly binding: Uint8Array
  /** Digest of all of the above: the sid of the papers. */
  readonly id: Uint8Array
}

/** The other party of a session of two. */
export const onlyPeer = ({ peers }: Session): number => at(peers, 0)

export const bindingShape = struct('holdfast/mpc/binding/v1', { name: text(64), parties: list(uint(8), 2 * PARTY_COUNT), statement: bytes(32) })
const contextFields = { protocol: text(64), version: uint(16), genesis: bytes(32), keyId: bytes(32), epoch: uint(), session: bytes(32), binding: bytes(32) }
export const sessionShape = struct('holdfast/mpc/session/v1', contextFields)
export const headerShape = struct('holdfast/mpc/header/v1', { ...contextFields, round: uint(8), from: uint(8), to: uint(8) })
export const messageShape = struct('holdfast/mpc/message/v1', { header: headerShape, payload: bytes(undefined, 1 << 17) })
export const prefixShape = struct('holdfast/mpc/prefix/v1', { session: bytes(32), use: text(64), from: uint(8), to: uint(8), data: bytes(32) })

type Header = Infer<typeof headerShape>

/**
 * Opens a session of protocol `name` with `partyCount` parties about `statement`, the digest of the protocol's own parameters.
 * Throws ProtocolFault (no peer) where the context is not well formed.
 */
export function openSession(context: ProtocolContext, name: string, partyCount: number, statement: Uint8Array): Session {
  const parties = checkContext(context, partyCount)
  const binding = digest(bindingShape, { name, parties: parties.map(BigInt), statement })
  const { protocol, epoch, me } = context
  const own = {
    protocol,
    epoch,
    genesis: Uint8Array.from(context.genesis),
    keyId: Uint8Array.from(context.keyId),
    session: Uint8Array.from(context.session),
    me,
    parties,
  }
  const id = digest(sessionShape, { protocol, version: MESSAGE_VERSION, genesis: own.genesis, keyId: own.keyId, epoch, session: own.session, binding })
  return { context: own, parties, peers: parties.filter((party) => party !== me), me, binding, id }
}

function checkContext(context: ProtocolContext, partyCount: number): number[] {
  const refuse = (reason: string): never => {
    throw new ProtocolFault(null, `context: ${reason}`)
  }
  schemeOf(context.protocol)
  for (const field of ['genesis', 'keyId', 'session'] as const) {
    const value = context[field]
    if (!(value instanceof Uint8Array) || value.length !== 32) refuse(`${field} must have 32 bytes`)
  }
  if (typeof context.epoch !== 'bigint' || context.epoch < 0n || context.epoch >> 64n !== 0n) refuse('epoch must be an integer of 64 bits')
  if (!Array.isArray(context.parties)) refuse('parties must be a list')
  const parties = [...context.parties].sort((a, b) => a - b)
  if (parties.length !== partyCount) refuse(`${partyCount} parties are needed, ${parties.length} given`)
  if (!parties.every((party) => Number.isInteger(party) && party >= 1 && party <= 255)) refuse('party indexes must be integers from 1 to 255')
  if (new Set(parties).size !== parties.length) refuse('a party is listed twice')
  if (!parties.includes(context.me)) refuse('we are not among the parties')
  return parties
}

function headerOf(session: Session, round: number, from: number, to: number): Header {
  const { protocol, genesis, keyId, epoch, session: sessionId } = session.context
  return {
    protocol,
    version: MESSAGE_VERSION,
    genesis,
    keyId,
    epoch,
    session: sessionId,
    binding: session.binding,
    round: BigInt(round),
    from: BigInt(from),
    to: BigInt(to),
  }
}

/** Our message of a round: `value` under `shape` (whose tag names the step), bound to the session, the round, us and the receiver. */
export function writeMessage<S extends StructShape>(session: Session, round: number, to: number, shape: S, value: Infer<S>): Message {
  const body = encode(messageShape, { header: headerOf(session, round, session.me, to), payload: encode(shape, value) })
  return { round, from: session.me, to, body }
}

/** The value of `message`. Throws ProtocolFault, before any cryptography, where it is malformed or bound to anything else than expected. */
export function readMessage<S extends StructShape>(
  session: Session,
  expected: { round: number; from: number; to: number; shape: S },
  body: Uint8Array,
): Infer<S> {
  const { round, from, to, shape } = expected
  const { header, payload } = decodeOrFault(messageShape, body, from)
  const wanted = headerOf(session, round, from, to)
  for (const field of Object.keys(wanted) as (keyof Header)[]) {
    if (!same(header[field], wanted[field])) throw new ProtocolFault(from, `the message is bound to another ${describe[field]}`)
  }
  return decodeOrFault(shape, payload, from)
}

const describe: Record<keyof Header, string> = {
  protocol: 'protocol',
  version: 'message version',
  genesis: 'genesis',
  keyId: 'key',
  epoch: 'epoch',
  session: 'session',
  binding: 'statement (parties, path, digest or seeds differ)',
  round: 'round',
  from: 'sender',
  to: 'receiver',
}

function same(a: string | bigint | Uint8Array, b: string | bigint | Uint8Array): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array ? equalBytes(a, b) : a === b
}

function decodeOrFault<S extends StructShape>(shape: S, encoded: Uint8Array, peer: number): Infer<S> {
  try {
    return decode(shape, encoded)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new ProtocolFault(peer, `malformed message: ${cause.message}`)
    throw cause
  }
}

/**
 * The 32-byte prefix of a fast hash: digest of the session, a named use, the direction and 32 more bytes of data.
 * `hashWithPrefix` appends input whose length is fixed for that use, so no two different inputs give the hash the same bytes:
 * a different session, use, direction or datum gives a different prefix, and under one prefix all inputs have one length and layout.
 */
export function hashPrefix(session: Session, use: string, from: number, to: number, data: Uint8Array = new Uint8Array(32)): Uint8Array {
  return digest(prefixShape, { session: session.id, use, from: BigInt(from), to: BigInt(to), data })
}

/** `length` bytes of SHAKE256 over the prefix and inputs of fixed length (see `hashPrefix`). */
export function hashWithPrefix(length: number, prefix: Uint8Array, ...fixed: Uint8Array[]): Uint8Array {
  const hash = createHash('shake256', { outputLength: length }).update(prefix)
  for (const part of fixed) hash.update(part)
  return hash.digest()
}
