import { concatBytes, fromHex, toHex } from '@holdfast/encoding'
import { openSsl } from '@holdfast/encoding/open-ssl'
import { RecentMap } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'

type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array, format: 'compact' | 'der') => boolean

/** By the curve library, for the approval page. Throws where it cannot read what it is given. */
export const pureP256: Verify = (signature, message, publicKey, format) => p256.verify(signature, message, publicKey, { lowS: false, format })

/** What stands before a point in its SubjectPublicKeyInfo (RFC 5480), by the first byte of the point. OpenSSL takes one more form, which is none here. */
const COMPRESSED = fromHex('3039301306072a8648ce3d020106082a8648ce3d030107032200')
const SPKI: Readonly<Record<number, Uint8Array>> = {
  2: COMPRESSED,
  3: COMPRESSED,
  4: fromHex('3059301306072a8648ce3d020106082a8648ce3d030107034200'),
}

/** Keys that OpenSSL has read, the newest: the same few people sign again and again. */
const keys = new RecentMap<string, ReturnType<NonNullable<typeof openSsl>['createPublicKey']>>(256)

const nativeP256 =
  ({ createPublicKey, verify }: NonNullable<typeof openSsl>): Verify =>
  (signature, message, publicKey, format) => {
    const prefix = SPKI[publicKey[0] ?? 0]
    if (!prefix) return false
    const name = toHex(publicKey)
    const key = keys.get(name) ?? createPublicKey({ key: Buffer.from(concatBytes(prefix, publicKey)), format: 'der', type: 'spki' })
    keys.set(name, key)
    return verify('sha256', message, { key, dsaEncoding: format === 'der' ? 'der' : 'ieee-p1363' }, signature)
  }

const verifying = openSsl ? nativeP256(openSsl) : pureP256

/**
 * Whether a signature is a P-256 key's over the SHA-256 of a message: ECDSA, as passkeys encode it (DER, in its one form) or as browsers do (r and s one
 * after the other). Both values of s that fit are taken: authenticators give either, WebAuthn asks for none, and nothing here is known by its signature.
 * Never throws.
 */
export const verifyP256: Verify = (...asked) => {
  try {
    return verifying(...asked)
  } catch {
    return false
  }
}
