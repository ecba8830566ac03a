import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { fingerprintOf, pastedBytes } from './fingerprint.ts'

/** The bytes of a segment: the wire knows keys of this length only. */
export const SEGMENT_BYTES = 256
/** With a smaller exponent whoever has no key can make segments whose padding is right. */
const EXPONENT_LEAST = 65_537n

/** A key as it is pasted: with or without the lines around it, in any lines. Undefined where it is no RSA key of 2048 bits with a sound exponent. */
export function readPublicKey(text: string): KeyObject | undefined {
  return soundKey(pastedBytes(text), (der) => createPublicKey({ key: der, format: 'der', type: 'spki' }))
}

/** A private key of the platform, as it is kept. Undefined as for `readPublicKey`. */
export function readPrivateKey(der: Uint8Array): KeyObject | undefined {
  return soundKey(der, (key) => createPrivateKey({ key, format: 'der', type: 'pkcs8' }))
}

function soundKey(der: Uint8Array | undefined, read: (der: Buffer) => KeyObject): KeyObject | undefined {
  if (!der) return undefined
  let key: KeyObject
  try {
    key = read(Buffer.from(der))
  } catch {
    return undefined
  }
  const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType !== 'rsa' || modulusLength !== SEGMENT_BYTES * 8) return undefined
  return publicExponent !== undefined && publicExponent >= EXPONENT_LEAST ? key : undefined
}

/** A public key on one line, as SDKs take it: base64 of its SPKI. */
export const publicKeyText = (key: KeyObject): string => publicDer(key).toString('base64')

const publicDer = (key: KeyObject): Buffer => (key.type === 'public' ? key : createPublicKey(key)).export({ format: 'der', type: 'spki' })

/** What stands for the keys of a program, as `fingerprintOf` says it. */
export const fingerprintOfKeys = (request: KeyObject, sign: KeyObject): Uint8Array => fingerprintOf(publicDer(request), publicDer(sign))
