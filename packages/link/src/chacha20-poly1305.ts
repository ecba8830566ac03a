import { createCipheriv, createDecipheriv } from 'node:crypto'

const CIPHER = 'chacha20-poly1305'
const TAG_BYTES = 16

/** ChaCha20-Poly1305 (RFC 8439): what is sealed, and after it the tag of 16 bytes. `bound` is authenticated with it and does not travel. */
export function sealBytes(key: Uint8Array, nonce: Uint8Array, content: Uint8Array, bound: Uint8Array = NOTHING): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(bound, { plaintextLength: content.length })
  const sealed = new Uint8Array(content.length + TAG_BYTES)
  sealed.set(cipher.update(content))
  cipher.final()
  sealed.set(cipher.getAuthTag(), content.length)
  return sealed
}

/** The content of what `sealBytes` made. Throws where key, nonce, tag, or what it is bound to are others, and says nothing of the content then. */
export function openBytes(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, bound: Uint8Array = NOTHING): Uint8Array {
  const length = sealed.length - TAG_BYTES
  if (length < 0) throw new RangeError('sealed bytes end with a tag of 16 bytes')
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(bound, { plaintextLength: length })
  decipher.setAuthTag(sealed.subarray(length))
  const content = new Uint8Array(decipher.update(sealed.subarray(0, length)))
  decipher.final()
  return content
}

const NOTHING = new Uint8Array(0)
