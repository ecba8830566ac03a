import { bytes, decode, digest, encode, equalBytes, type Infer, type StructShape, struct, text } from '@holdfast/encoding'
import { signEd25519, verifyEd25519 } from '@holdfast/encoding/ed25519'
import type { Connection, Random } from '@holdfast/ports'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type FrameReader, LinkError, writeFrame } from './frame-reader.ts'
import { agreementKeyOf, agreeOn } from './x25519.ts'

/*
 * The handshake: a signed Diffie-Hellman exchange, in the manner of the Station-to-Station protocol with identities under
 * the signature (Diffie, van Oorschot, Wiener 1992; ISO/IEC 9798-3) and of the CertificateVerify of TLS 1.3 (RFC 8446, 4.4.3).
 *
 *   dialer   -> listener   hello  { A, a }                A, B: static Ed25519 keys, known to the other side beforehand
 *   listener -> dialer     answer { B, b, sign(B, listener, H) }   a, b: X25519 keys made for this connection
 *   dialer   -> listener   proof  { sign(A, dialer, H) }
 *   listener -> dialer     an empty frame under the new key, which tells the dialer that it was let in
 *
 * H = digest of { A, B, a, b }, so each side signs both identities, both ephemeral keys and its own role: a signature serves
 * for no other peer, connection or direction. Keys: HKDF-SHA256 of X25519(a, b), salted with H, one for each direction.
 * Static keys travel in the clear: who talks to whom is no secret here. Anything unexpected ends the connection.
 */

export type LinkIdentity = { secretKey: Uint8Array }
export type LinkKeys = { peer: Uint8Array; sendKey: Uint8Array; receiveKey: Uint8Array }
type Role = 'dialer' | 'listener'
type Wire = { connection: Connection; reader: FrameReader; random: Random; me: LinkIdentity }

const HANDSHAKE_FRAME_BYTES = 512

const helloShape = struct('holdfast/link/hello/v1', { staticKey: bytes(32), ephemeralKey: bytes(32) })
const answerShape = struct('holdfast/link/answer/v1', { staticKey: bytes(32), ephemeralKey: bytes(32), signature: bytes(64) })
const proofShape = struct('holdfast/link/proof/v1', { signature: bytes(64) })
const transcriptShape = struct('holdfast/link/transcript/v1', {
  dialer: bytes(32),
  listener: bytes(32),
  dialerEphemeral: bytes(32),
  listenerEphemeral: bytes(32),
})
const roleShape = struct('holdfast/link/role/v1', { role: text(8), transcript: bytes(32) })
const keyShape = struct('holdfast/link/key/v1', { sender: text(8), transcript: bytes(32) })

/** The Ed25519 public key other sides pin for this identity. */
export function linkPublicKey(me: LinkIdentity): Uint8Array {
  return ed25519.getPublicKey(me.secretKey)
}

/** The dialer's half. Throws LinkError unless the listener proves that it holds `peer`'s secret key. */
export async function shakeAsDialer(wire: Wire, peer: Uint8Array): Promise<LinkKeys> {
  const own = linkPublicKey(wire.me)
  const ephemeral = makeEphemeral(wire.random)
  await send(wire, helloShape, { staticKey: own, ephemeralKey: ephemeral.publicKey })
  const answer = await receive(wire, answerShape)
  if (!equalBytes(answer.staticKey, peer)) throw new LinkError('the listener is another one than the one pinned')
  const transcript = digest(transcriptShape, { dialer: own, listener: peer, dialerEphemeral: ephemeral.publicKey, listenerEphemeral: answer.ephemeralKey })
  checkProof(answer.signature, 'listener', transcript, peer)
  await send(wire, proofShape, { signature: prove('dialer', transcript, wire.me) })
  return keysOf('dialer', peer, sharedSecret(ephemeral.secretKey, answer.ephemeralKey), transcript)
}

/** The listener's half. Throws LinkError unless the dialer is one of `allowed` and proves it. */
export async function shakeAsListener(wire: Wire, allowed: readonly Uint8Array[]): Promise<LinkKeys> {
  const hello = await receive(wire, helloShape)
  const peer = hello.staticKey
  if (!allowed.some((key) => equalBytes(key, peer))) throw new LinkError('the dialer is not one of those allowed')
  const own = linkPublicKey(wire.me)
  const ephemeral = makeEphemeral(wire.random)
  const transcript = digest(transcriptShape, { dialer: peer, listener: own, dialerEphemeral: hello.ephemeralKey, listenerEphemeral: ephemeral.publicKey })
  await send(wire, answerShape, { staticKey: own, ephemeralKey: ephemeral.publicKey, signature: prove('listener', transcript, wire.me) })
  const proof = await receive(wire, proofShape)
  checkProof(proof.signature, 'dialer', transcript, peer)
  return keysOf('listener', peer, sharedSecret(ephemeral.secretKey, hello.ephemeralKey), transcript)
}

async function send<S extends StructShape>(wire: Wire, shape: S, value: Infer<S>): Promise<void> {
  await wire.connection.write(writeFrame(encode(shape, value)))
}

async function receive<S extends StructShape>(wire: Wire, shape: S): Promise<Infer<S>> {
  const frame = await wire.reader.next(HANDSHAKE_FRAME_BYTES)
  if (!frame) throw new LinkError('the peer closed during the handshake: it may not know our key')
  return decode(shape, frame)
}

function makeEphemeral(random: Random): { secretKey: Uint8Array; publicKey: Uint8Array } {
  const secretKey = random.bytes(32)
  return { secretKey, publicKey: agreementKeyOf(secretKey) }
}

function sharedSecret(secretKey: Uint8Array, peerKey: Uint8Array): Uint8Array {
  try {
    return agreeOn(secretKey, peerKey)
  } catch (cause) {
    // RFC 7748 section 6.1: an all-zero result means a peer key of small order.
    throw new LinkError('the peer sent a key that is not usable', { cause })
  }
}

function prove(role: Role, transcript: Uint8Array, me: LinkIdentity): Uint8Array {
  return signEd25519(encode(roleShape, { role, transcript }), me.secretKey)
}

function checkProof(signature: Uint8Array, role: Role, transcript: Uint8Array, publicKey: Uint8Array): void {
  if (!verifyEd25519(signature, encode(roleShape, { role, transcript }), publicKey)) throw new LinkError('the peer does not hold the key it names')
}

function keysOf(role: Role, peer: Uint8Array, secret: Uint8Array, transcript: Uint8Array): LinkKeys {
  const keyOf = (sender: Role) => hkdf(sha256, secret, transcript, encode(keyShape, { sender, transcript }), 32)
  const other: Role = role === 'dialer' ? 'listener' : 'dialer'
  return { peer, sendKey: keyOf(role), receiveKey: keyOf(other) }
}
