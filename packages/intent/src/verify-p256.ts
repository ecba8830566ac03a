import { p256 } from '@noble/curves/nist.js'

/**
 * Whether a signature is a P-256 key's over the SHA-256 of a message: ECDSA, as passkeys encode it (DER, in its one form) or as browsers do (r and s one
 * after the other). Both values of s that fit are taken: authenticators give either, WebAuthn asks for none, and nothing here is known by its signature.
 * Never throws.
 */
export function verifyP256(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array, format: 'compact' | 'der'): boolean {
  try {
    return p256.verify(signature, message, publicKey, { lowS: false, format })
  } catch {
    return false
  }
}
