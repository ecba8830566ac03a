import { bytes, decode, encode, EncodingFault, struct } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { VaultError } from './vault-key.ts'

/** This signer's Ed25519 key: what genesis documents name it by, and what it proves on the link. */
export type Identity = { secretKey: Uint8Array; publicKey: Uint8Array }

const fileShape = struct('holdfast/signer-identity-file/v1', { publicKey: bytes(32), nonce: bytes(24), sealed: bytes(undefined, 256) })
const boundShape = struct('holdfast/signer-identity-bound/v1', { publicKey: bytes(32) })

/** Makes the identity, or opens the one there is. */
export async function createIdentity(ports: Pick<Ports, 'disk' | 'random'>, path: string, key: Uint8Array): Promise<Identity> {
  if (await ports.disk.stat(path)) return openIdentity(ports, path, key)
  const secretKey = ports.random.bytes(32)
  const publicKey = ed25519.getPublicKey(secretKey)
  const nonce = ports.random.bytes(24)
  const sealed = xchacha20poly1305(key, nonce, encode(boundShape, { publicKey })).encrypt(secretKey)
  await ports.disk.writeAtomic(path, encode(fileShape, { publicKey, nonce, sealed }))
  return { secretKey, publicKey }
}

/** Opens the identity. Throws VaultError naming the file where it is missing, damaged or sealed under another key. */
export async function openIdentity(ports: Pick<Ports, 'disk'>, path: string, key: Uint8Array): Promise<Identity> {
  const stored = await ports.disk.read(path)
  if (!stored) throw new VaultError(path, 'the identity is missing: run `init` first, or put back the file')
  try {
    const { publicKey, nonce, sealed } = decode(fileShape, stored)
    const secretKey = xchacha20poly1305(key, nonce, encode(boundShape, { publicKey })).decrypt(sealed)
    return { secretKey, publicKey: ed25519.getPublicKey(secretKey) }
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new VaultError(path, `is damaged (${cause.message}): put back a copy`, { cause })
    throw new VaultError(path, 'does not open: it was changed, or sealed under another vault key. Put back a copy of it', { cause })
  }
}
