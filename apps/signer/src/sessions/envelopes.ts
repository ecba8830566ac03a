import { bytes, encode, EncodingFault, equalBytes, struct, uint } from '@holdfast/encoding'
import { agreeOn, openBytes, sealBytes } from '@holdfast/link'
import type { Message } from '@holdfast/mpc'
import { envelopeShape, openSigned, type Signed, signMessage } from '@holdfast/protocol'
import { known } from '@holdfast/units'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** Why a message of a session is none: it is malformed, not its sender's, or meant for another place. Nothing secret was used on it. */
export class EnvelopeFault extends Error {
  override name = 'EnvelopeFault'
}

export type Peer = { signKey: Uint8Array; sharedSecret: Uint8Array }
/** One session's messages as they travel: who speaks with whom, and with what keys. */
export type Channel = { genesis: Uint8Array; session: Uint8Array; me: number; signSecret: Uint8Array; peers: ReadonlyMap<number, Peer> }

type Place = { genesis: Uint8Array; session: Uint8Array; round: bigint; from: bigint; to: bigint }
export const placeShape = struct('holdfast/envelope-place/v1', { genesis: bytes(32), session: bytes(32), round: uint(16), from: uint(8), to: uint(8) })

/**
 * A protocol message for the relay to carry: signed, and where it is for one party, sealed for it. The key is HKDF-SHA256 of
 * the pair's shared secret, salted with the session id and bound to the place of the message, so every key seals one message
 * only and the nonce can be zero.
 */
export function sealEnvelope(channel: Channel, message: Message): Signed {
  const { genesis, session, me } = channel
  const place: Place = { genesis, session, round: BigInt(message.round), from: BigInt(me), to: BigInt(message.to) }
  const body =
    message.to === 0 ? message.body : sealFor(channel, known(channel.peers.get(message.to), `party ${message.to} of this session`), place, message.body)
  return signMessage(envelopeShape, { ...place, body }, BigInt(me), channel.signSecret)
}

/** The message in an envelope that is for us. Throws EnvelopeFault. */
export function openEnvelope(channel: Channel, signed: Signed): Message {
  const from = Number(signed.party)
  const peer = channel.peers.get(from)
  if (!peer) throw new EnvelopeFault(`a message of party ${from}, which is not in the session`)
  const envelope = readEnvelope(signed, peer)
  const { body, ...place } = envelope
  if (place.from !== signed.party || !equalBytes(place.genesis, channel.genesis)) {
    throw new EnvelopeFault(`a message that party ${from} did not make for this place`)
  }
  if (!equalBytes(place.session, channel.session)) throw new EnvelopeFault(`a message of party ${from} from another session`)
  const to = Number(place.to)
  if (to !== 0 && to !== channel.me) throw new EnvelopeFault(`a message of party ${from} for another receiver`)
  return { round: Number(place.round), from, to, body: to === 0 ? body : unseal(channel, peer, place, body) }
}

function readEnvelope(signed: Signed, peer: Peer) {
  try {
    const envelope = openSigned(envelopeShape, signed, peer.signKey)
    if (envelope) return envelope
  } catch (cause) {
    if (!(cause instanceof EncodingFault)) throw cause
    throw new EnvelopeFault(`a malformed message of party ${signed.party}: ${cause.message}`, { cause })
  }
  throw new EnvelopeFault(`a message that party ${signed.party} did not sign`)
}

function unseal(channel: Channel, peer: Peer, place: Place, body: Uint8Array): Uint8Array {
  try {
    const { key, nonce, bound } = keyFor(channel, peer, place)
    return openBytes(key, nonce, body, bound)
  } catch (cause) {
    throw new EnvelopeFault(`a message of party ${place.from} that does not open`, { cause })
  }
}

function sealFor(channel: Channel, peer: Peer, place: Place, body: Uint8Array): Uint8Array {
  const { key, nonce, bound } = keyFor(channel, peer, place)
  return sealBytes(key, nonce, body, bound)
}

function keyFor(channel: Channel, peer: Peer, place: Place) {
  const bound = encode(placeShape, place)
  return { key: hkdf(sha256, peer.sharedSecret, channel.session, bound, 32), nonce: new Uint8Array(12), bound }
}

/** X25519 between the ephemeral keys of two joins; both end with the session. Throws EnvelopeFault. */
export function agreeOnSecret(ephemeralSecret: Uint8Array, ephemeralKey: Uint8Array): Uint8Array {
  try {
    return agreeOn(ephemeralSecret, ephemeralKey)
  } catch (cause) {
    // RFC 7748 section 6.1: an all-zero result means a key of small order.
    throw new EnvelopeFault('a peer gave a session key that is not usable', { cause })
  }
}
