import { createHash } from 'node:crypto'
import { bytes, encode, struct, uint } from '@holdfast/encoding'
import { ProtocolFault } from './errors.ts'

/** Gives `length` fresh bytes from a cryptographic generator. The package has no other source of randomness. */
export type Random = (length: number) => Uint8Array

/** The same source, refused where it gives the wrong length or only zeros, which no working generator does. */
export function checkedRandom(random: Random): Random {
  return (length) => {
    const drawn = random(length)
    if (!(drawn instanceof Uint8Array) || drawn.length !== length) throw new ProtocolFault(null, `the random source did not give ${length} bytes`)
    if (length >= 16 && drawn.every((byte) => byte === 0)) throw new ProtocolFault(null, 'the random source gives only zeros')
    return Uint8Array.from(drawn)
  }
}

export const seedShape = struct('holdfast/mpc/hedged-random/v1', { secret: bytes(32), session: bytes(32), fresh: bytes(64) })

/**
 * A stream keyed by fresh randomness, a long-lived secret and the session. With a good `random` it is as good; with a stuck one, two
 * sessions still get different nonces (the reason for hedged nonces in RFC 6979 section 3.6), because a session id is never used twice.
 */
export function hedgedRandom(random: Random, secret: Uint8Array, session: Uint8Array): Random {
  const key = createHash('sha512')
    .update(encode(seedShape, { secret, session, fresh: checkedRandom(random)(64) }))
    .digest()
  let counter = 0n
  return (length) => {
    const block = encode(blockShape, { key, counter, length: BigInt(length) })
    counter += 1n
    return new Uint8Array(createHash('shake256', { outputLength: length }).update(block).digest())
  }
}

export const blockShape = struct('holdfast/mpc/hedged-random-block/v1', { key: bytes(64), counter: uint(), length: uint(32) })
