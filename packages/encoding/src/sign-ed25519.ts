import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes, fromHex } from './bytes.ts'
import { openSsl } from './open-ssl.ts'

/** What stands before the 32 bytes of a secret key in PKCS #8 (RFC 8410, section 7). */
const PKCS8 = fromHex('302e020100300506032b657004220420')

/** The signature of RFC 8032 over a message: 64 bytes, the same for the same message. `secretKey` is the seed of 32 bytes. */
export const signEd25519: (message: Uint8Array, secretKey: Uint8Array) => Uint8Array = openSsl ? byOpenSsl(openSsl) : ed25519.sign

function byOpenSsl({ createPrivateKey, sign }: NonNullable<typeof openSsl>): typeof signEd25519 {
  return (message, secretKey) => {
    if (secretKey.length !== 32) throw new Error('a secret key of Ed25519 has 32 bytes')
    const key = Buffer.from(concatBytes(PKCS8, secretKey))
    try {
      return new Uint8Array(sign(null, message, createPrivateKey({ key, format: 'der', type: 'pkcs8' })))
    } finally {
      key.fill(0)
    }
  }
}
