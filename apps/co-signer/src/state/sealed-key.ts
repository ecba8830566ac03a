import { bytes, decode, encode, EncodingFault, struct, uint } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { scrypt } from '@noble/hashes/scrypt.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** The key file cannot be used. The message names it and says why. */
export class KeyError extends Error {
  override name = 'KeyError'
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path}: ${reason}`, options)
  }
}

/** `secretKey` signs decisions and opens the link; `journalKey` seals the journal. */
export type CoSignerKey = { secretKey: Uint8Array; publicKey: Uint8Array; journalKey: Uint8Array }

export const PASSWORD_LENGTH_MIN = 16

// RFC 7914; 128 MiB and about a second, once a start.
const SCRYPT_COST = 2 ** 17
const SCRYPT_COST_MAX = 2 ** 20

const fileShape = struct('holdfast/co-signer/key-file/v1', {
  publicKey: bytes(32),
  salt: bytes(32),
  cost: uint(32),
  nonce: bytes(24),
  sealed: bytes(undefined, 256),
})
const boundShape = struct('holdfast/co-signer/key-bound/v1', { publicKey: bytes(32), salt: bytes(32), cost: uint(32) })
const useShape = struct('holdfast/co-signer/key-use/v1', { publicKey: bytes(32) })

type Sealing = { publicKey: Uint8Array; salt: Uint8Array; cost: bigint }

function cipherOf(password: string, nonce: Uint8Array, sealing: Sealing) {
  const key = scrypt(password.normalize('NFC'), sealing.salt, { N: Number(sealing.cost), r: 8, p: 1, dkLen: 32, maxmem: 2 ** 31 })
  return xchacha20poly1305(key, nonce, encode(boundShape, sealing))
}

function keyOf(secretKey: Uint8Array): CoSignerKey {
  const publicKey = ed25519.getPublicKey(secretKey)
  return { secretKey, publicKey, journalKey: hkdf(sha256, secretKey, undefined, encode(useShape, { publicKey }), 32) }
}

/** Makes a key and seals it with a password. Throws KeyError where there is one already. */
export async function createKey(ports: Pick<Ports, 'disk' | 'random'>, path: string, password: string, cost = SCRYPT_COST): Promise<CoSignerKey> {
  if (await ports.disk.stat(path)) throw new KeyError(path, 'there is a key already: another one would be another co-signer. Name another folder')
  const key = keyOf(ports.random.bytes(32))
  await writeKey(ports, path, { key, password, cost })
  return key
}

/** Seals a key anew with another password. */
export async function writeKey(
  { disk, random }: Pick<Ports, 'disk' | 'random'>,
  path: string,
  { key, password, cost = SCRYPT_COST }: { key: CoSignerKey; password: string; cost?: number },
): Promise<void> {
  const sealing = { publicKey: key.publicKey, salt: random.bytes(32), cost: BigInt(cost) }
  const nonce = random.bytes(24)
  await disk.writeAtomic(path, encode(fileShape, { ...sealing, nonce, sealed: cipherOf(password, nonce, sealing).encrypt(key.secretKey) }), 0o600)
}

/** Opens the key. Throws KeyError where it is missing, damaged, readable by others or sealed with another password. */
export async function openKey({ disk }: Pick<Ports, 'disk'>, path: string, password: string): Promise<CoSignerKey> {
  const stored = await disk.read(path)
  if (!stored) throw new KeyError(path, 'there is no key: run `init` first, or put back the file')
  const facts = await disk.stat(path)
  if (facts && (facts.mode & 0o077) !== 0) throw new KeyError(path, 'other users may read it: chmod it to 600')
  const file = readFile(path, stored)
  try {
    const key = keyOf(cipherOf(password, file.nonce, { publicKey: file.publicKey, salt: file.salt, cost: file.cost }).decrypt(file.sealed))
    return key
  } catch (cause) {
    throw new KeyError(path, 'the password is wrong, or the file was changed: try the password again, or put back a copy of the file', { cause })
  }
}

/** The public key that a key file says, which needs no password. Throws KeyError. */
export async function readPublicKey({ disk }: Pick<Ports, 'disk'>, path: string): Promise<Uint8Array> {
  const stored = await disk.read(path)
  if (!stored) throw new KeyError(path, 'there is no key: run `init` first, or put back the file')
  return readFile(path, stored).publicKey
}

function readFile(path: string, stored: Uint8Array) {
  try {
    const file = decode(fileShape, stored)
    if (file.cost > BigInt(SCRYPT_COST_MAX)) throw new EncodingFault('$.cost: more than this machine should be asked for')
    return file
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new KeyError(path, `is damaged (${cause.message}): put back a copy`, { cause })
    throw cause
  }
}
