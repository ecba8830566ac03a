import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { encode, struct, text } from '@holdfast/encoding'
import type { Random } from '@holdfast/ports'

/** Where a sealed value stands. It opens nowhere else, so values cannot be swapped between rows or organisations. */
export type Place = { org: string; table: string; column: string; row: string }

export type Sealer = {
  /** AES-256-GCM with a random nonce: version byte, 4 bytes that name the key, 12 bytes of nonce, ciphertext, 16 bytes of tag, as base64url. */
  seal(place: Place, secret: Uint8Array): string
  /** Throws where the value was sealed for another place, with a key that is not here, or was changed. */
  open(place: Place, sealed: string): Uint8Array
  /** The same secret sealed with the newest key, or undefined if it is already. Throws as `open` does. */
  renew(place: Place, sealed: string): string | undefined
}

/** Values from before keys had names: any of the keys may have sealed them. */
const UNNAMED = 1
const VERSION = 2
const KEY_NAME_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const placeShape = struct('holdfast/sealed-column/v1', { org: text(64), table: text(64), column: text(64), row: text(64) })

type NamedKey = { name: Buffer; key: Uint8Array }

/** A key's name tells nothing of it: four bytes of a hash under a use of its own. */
const nameOf = (key: Uint8Array): Buffer => createHash('sha256').update('holdfast/sealing-key-name/v1').update(key).digest().subarray(0, KEY_NAME_BYTES)

/**
 * Seals single values of the database with keys that the database does not hold, of 32 bytes each. The first seals; the others open what
 * was sealed before they were replaced.
 */
export function createSealer(keys: readonly Uint8Array[], random: Random): Sealer {
  const wrong = keys.find((key) => key.length !== 32)
  if (wrong) throw new Error(`the key that seals secrets must have 32 bytes, not ${wrong.length}`)
  const named = keys.map((key) => ({ name: nameOf(key), key }))
  const newest = named[0]
  if (!newest) throw new Error('there is no key to seal secrets with')
  const open = (place: Place, sealed: string): { secret: Uint8Array; isNewest: boolean } => {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes[0] === UNNAMED) return { secret: openUnnamed(named, place, bytes), isNewest: false }
    const found = named.find(({ name }) => name.equals(bytes.subarray(1, 1 + KEY_NAME_BYTES)))
    if (bytes[0] !== VERSION) throw damaged(place)
    if (!found) throw new Error(`the sealed value of ${place.table}.${place.column} was sealed with a key that is not in the secret file`)
    return { secret: decipher(found.key, place, bytes, 1 + KEY_NAME_BYTES), isNewest: found === newest }
  }
  const seal = (place: Place, secret: Uint8Array): string => {
    const nonce = random.bytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', newest.key, nonce)
    cipher.setAAD(encode(placeShape, place))
    return Buffer.concat([Buffer.of(VERSION), newest.name, nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }
  return {
    seal,
    open: (place, sealed) => open(place, sealed).secret,
    renew: (place, sealed) => {
      const { secret, isNewest } = open(place, sealed)
      return isNewest ? undefined : seal(place, secret)
    },
  }
}

const damaged = (place: Place): Error => new Error(`the sealed value of ${place.table}.${place.column} is damaged`)

function openUnnamed(keys: readonly NamedKey[], place: Place, bytes: Buffer): Uint8Array {
  let last: unknown
  for (const { key } of keys) {
    try {
      return decipher(key, place, bytes, 1)
    } catch (cause) {
      last = cause
    }
  }
  throw last
}

/** `start` is where the nonce begins. */
function decipher(key: Uint8Array, place: Place, bytes: Buffer, start: number): Uint8Array {
  const end = bytes.length - TAG_BYTES
  if (end < start + NONCE_BYTES) throw damaged(place)
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(start, start + NONCE_BYTES), { authTagLength: TAG_BYTES })
  cipher.setAAD(encode(placeShape, place))
  cipher.setAuthTag(bytes.subarray(end))
  return new Uint8Array(Buffer.concat([cipher.update(bytes.subarray(start + NONCE_BYTES, end)), cipher.final()]))
}
