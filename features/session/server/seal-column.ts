import { createCipheriv, createDecipheriv } from 'node:crypto'
import { encode, struct, text } from '@holdfast/encoding'
import type { Random } from '@holdfast/ports'

/** Where a sealed value stands. It opens nowhere else, so values cannot be swapped between rows or organisations. */
export type Place = { org: string; table: string; column: string; row: string }

export type Sealer = {
  /** AES-256-GCM with a random nonce: version byte, 12 bytes of nonce, ciphertext, 16 bytes of tag, as base64url. */
  seal(place: Place, secret: Uint8Array): string
  /** Throws where the value was sealed for another place, with another key, or was changed. */
  open(place: Place, sealed: string): Uint8Array
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const placeShape = struct('holdfast/sealed-column/v1', { org: text(64), table: text(64), column: text(64), row: text(64) })

/** Seals single values of the database with a key that the database does not hold. */
export function createSealer(key: Uint8Array, random: Random): Sealer {
  if (key.length !== 32) throw new Error(`the key that seals secrets must have 32 bytes, not ${key.length}`)
  return {
    seal: (place, secret) => {
      const nonce = random.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(encode(placeShape, place))
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    },
    open: (place, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes[0] !== VERSION || bytes.length < 1 + NONCE_BYTES + TAG_BYTES) throw new Error(`the sealed value of ${place.table}.${place.column} is damaged`)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(encode(placeShape, place))
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
      return new Uint8Array(Buffer.concat([decipher.update(bytes.subarray(1 + NONCE_BYTES, bytes.length - TAG_BYTES)), decipher.final()]))
    },
  }
}
