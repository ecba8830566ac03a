import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** The bytes of a segment: the wire knows keys of this length only. */
export const SEGMENT_BYTES = 256
/** With a smaller exponent whoever has no key can make segments whose padding is right. */
const EXPONENT_LEAST = 65_537n

/** A key as it is pasted: with or without the lines around it, in any lines. Undefined where it is no RSA key of 2048 bits with a sound exponent. */
export function readPublicKey(text: string): KeyObject | undefined {
  return soundKey(text, (der) => createPublicKey({ key: der, format: 'der', type: 'spki' }))
}

/** A private key of the platform, as it is kept. Undefined as for `readPublicKey`. */
export function readPrivateKey(der: Uint8Array): KeyObject | undefined {
  return soundKey(Buffer.from(der).toString('base64'), (key) => createPrivateKey({ key, format: 'der', type: 'pkcs8' }))
}

function soundKey(text: string, read: (der: Buffer) => KeyObject): KeyObject | undefined {
  const bare = text.replaceAll(/-----[A-Z ]{1,40}-----/g, '').replaceAll(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]{64,4096}={0,2}$/.test(bare)) return undefined
  let key: KeyObject
  try {
    key = read(Buffer.from(bare, 'base64'))
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

/** What stands for the keys of a program in 32 bytes: that of its requests, and that of its orders, which may be the same. */
export function fingerprintOfKeys(request: KeyObject, sign: KeyObject): Uint8Array {
  const hash = createHash('sha256').update('holdfast/open-wire-keys/v1\0')
  // Each is the hash of one key, so that no two pairs are the same bytes.
  for (const key of [request, sign]) hash.update(createHash('sha256').update(publicDer(key)).digest())
  return Uint8Array.from(hash.digest())
}
