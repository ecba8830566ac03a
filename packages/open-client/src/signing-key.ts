import type { SigningAlgorithm } from '@holdfast/http-signatures'
import { oneSpelling } from '@holdfast/intent'

/**
 * A private key that somewhere else keeps and uses, such as a key service of a cloud, an HSM or a TPM. `sign` gets the message itself and answers 64 bytes: of
 * ECDSA r and s (`rawSignature` makes them of DER), over the SHA-256 of the message.
 */
export type RemoteKey = { algorithm: SigningAlgorithm; sign(message: Uint8Array): Promise<Uint8Array> }

/** A key as the client signs with it: 64 bytes, in the one spelling that signers take. Throws TypeError where a key of WebCrypto is of neither algorithm. */
export function signingKey(key: CryptoKey | RemoteKey): RemoteKey {
  const { algorithm, sign } = 'sign' in key ? { algorithm: key.algorithm, sign: (message: Uint8Array) => key.sign(message) } : ofWebCrypto(key)
  return algorithm === 'ed25519' ? { algorithm, sign } : { algorithm, sign: async (message) => oneSpelling(await sign(message)) }
}

function ofWebCrypto(key: CryptoKey): RemoteKey {
  const { name, namedCurve } = key.algorithm as { name: string; namedCurve?: string }
  const isP256 = name === 'ECDSA' && namedCurve === 'P-256'
  if (!isP256 && name !== 'Ed25519') throw new TypeError('the key must be of Ed25519 or of ECDSA P-256')
  const how = isP256 ? { name: 'ECDSA', hash: 'SHA-256' } : 'Ed25519'
  const sign = async (message: Uint8Array) => new Uint8Array(await crypto.subtle.sign(how, key, Uint8Array.from(message)))
  return { algorithm: isP256 ? 'ecdsa-p256-sha256' : 'ed25519', sign }
}
