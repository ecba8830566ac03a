import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { at } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import * as z from 'zod'
import { type Cbor, readCbor, readFirstCbor } from './read-cbor.ts'

// WebAuthn Level 3, section 5.8.4: authenticators may name ways that are not known yet.
const transportsShape = z.array(z.string().regex(/^[a-z-]{1,32}$/)).max(8)
const KEY_BYTES_MAX = 1024
const RSA_BITS_MIN = 2048
const base64url = (bytesMax: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(Math.ceil((bytesMax * 4) / 3))

/** The answer of an authenticator to a registration, as far as it is looked at; members beside these are not kept. */
const registrationShape = z.object({
  clientDataJSON: base64url(4096),
  attestationObject: base64url(16_384),
  transports: transportsShape.default([]),
})

/** What is kept of a passkey. */
export const passkeyData = z.object({
  public_key: base64url(KEY_BYTES_MAX),
  counter: z.int().min(0),
  transports: transportsShape,
  device_type: z.string(),
  backed_up: z.boolean(),
})

/**
 * Whether the answer to a registration is one attestation with one key to the last byte, and how the authenticator can be reached; undefined if it
 * is not. The
 * library that verifies it reads what is cut short, and what stands behind.
 */
export function wholeRegistration(response: unknown): { transports: string[] } | undefined {
  const parsed = registrationShape.safeParse(response)
  if (!parsed.success) return undefined
  const { attestationObject, transports } = parsed.data
  return isWholeAttestation(new Uint8Array(Buffer.from(attestationObject, 'base64url'))) ? { transports } : undefined
}

/** Where the length of the credential's id stands in authenticator data: behind the relying party, flags, counter and the model's number. */
const ID_LENGTH_AT = 53
const EXTENSIONS = 0x80

function isWholeAttestation(encoded: Uint8Array): boolean {
  try {
    const attestation = readCbor(encoded)
    const data = attestation instanceof Map ? attestation.get('authData') : undefined
    if (!(data instanceof Uint8Array) || data.length < ID_LENGTH_AT + 2) return false
    const keyAt = ID_LENGTH_AT + 2 + new DataView(data.buffer, data.byteOffset + ID_LENGTH_AT, 2).getUint16(0)
    const { value, rest } = readFirstCbor(data.subarray(keyAt))
    const hasExtensions = (at(data, 32) & EXTENSIONS) !== 0
    if (hasExtensions) readCbor(rest)
    return isKey(value) && data.length - rest.length - keyAt <= KEY_BYTES_MAX && (hasExtensions || rest.length === 0)
  } catch {
    // Whatever stops the reading: it is not one whole attestation.
    return false
  }
}

/** Whether a person can sign in with what is kept of a passkey: it has the agreed form, and its key is one. */
export function isSoundPasskey(stored: unknown): boolean {
  const parsed = passkeyData.safeParse(stored)
  return parsed.success && isSoundKey(new Uint8Array(Buffer.from(parsed.data.public_key, 'base64url')))
}

/** Whether these are the bytes of a public key, in COSE, that a signature can be verified with. */
export function isSoundKey(encoded: Uint8Array): boolean {
  try {
    return isKey(readCbor(encoded))
  } catch {
    return false
  }
}

/** Whether a COSE key (RFC 9053) is one: it is brought in, so that a point beside its curve is found out here and not at the first sign-in. */
function isKey(cose: Cbor): boolean {
  const jwk = jwkOf(cose)
  if (!jwk) return false
  const { asymmetricKeyDetails, asymmetricKeyType } = createPublicKey({ key: jwk, format: 'jwk' })
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN && (asymmetricKeyDetails?.publicExponent ?? 0n) > 2n
  // A point of small order verifies signatures that nobody made.
  return asymmetricKeyType !== 'ed25519' || !ed25519.Point.fromBytes(new Uint8Array(Buffer.from(jwk.x ?? '', 'base64url'))).isSmallOrder()
}

/** Key type and algorithm by their COSE numbers: ES256, EdDSA, RS256. */
function jwkOf(cose: Cbor): JsonWebKey | undefined {
  if (!(cose instanceof Map)) return undefined
  const text = (label: number): string | undefined => {
    const value = cose.get(label)
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : undefined
  }
  const kind = `${String(cose.get(1))} ${String(cose.get(3))}`
  const [first, second, third] = [text(-1), text(-2), text(-3)]
  if (kind === '2 -7' && cose.get(-1) === 1 && second && third) return { kty: 'EC', crv: 'P-256', x: second, y: third }
  if (kind === '1 -8' && cose.get(-1) === 6 && second) return { kty: 'OKP', crv: 'Ed25519', x: second }
  if (kind === '3 -257' && first && second) return { kty: 'RSA', n: first, e: second }
  return undefined
}
