import { bytes, encode, struct, text } from '@holdfast/encoding'

/** What the key of a browser signs to register itself or to sign in: the one console, the server's challenge, the key itself. */
const deviceMessageShape = struct('holdfast/device-sign-in/v1', { purpose: text(16), origin: text(300), challenge: bytes(32), public_key: bytes(65) })

/**
 * The bytes to sign with ECDSA P-256 over SHA-256. `challenge` has 32 bytes, `publicKey` is the uncompressed point of 65 bytes;
 * the signature is the plain pair r, s of 64 bytes, as WebCrypto gives it.
 */
export function deviceMessage(purpose: 'register' | 'login', origin: string, challenge: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return encode(deviceMessageShape, { purpose, origin, challenge, public_key: publicKey })
}
