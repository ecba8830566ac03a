import { bytes, decode, encode, EncodingFault, struct, text, uint } from '@holdfast/encoding'
import type { Disk, Ports } from '@holdfast/ports'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { scrypt } from '@noble/hashes/scrypt.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { StorageConfig } from '../config.ts'

/** Something kept under the vault key that cannot be used. The message names the file and the reason. */
export class VaultError extends Error {
  override name = 'VaultError'
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path}: ${reason}`, options)
  }
}

/** One key for each use, so that nothing sealed for one opens for another. */
export type VaultKeys = { shares: Uint8Array; identity: Uint8Array; journal: Uint8Array }

/** How the vault key came to be, and a sealed known text that tells a wrong key from a broken blob. */
const parametersShape = struct('holdfast/vault-parameters/v1', {
  source: text(16),
  salt: bytes(32),
  cost: uint(32),
  nonce: bytes(24),
  check: bytes(undefined, 256),
})
const useShape = struct('holdfast/vault-key-use/v1', { use: text(16) })
const checkShape = struct('holdfast/vault-check/v1', { salt: bytes(32) })

// RFC 7914; 128 MiB and about a second, once a start.
const SCRYPT_COST = 2 ** 17

/** Opens the vault key. With `create`, makes the key file and the parameters where there are none yet. Throws VaultError. */
export async function openVaultKeys(ports: Pick<Ports, 'disk' | 'random'>, config: StorageConfig, options: { create: boolean }): Promise<VaultKeys> {
  const { disk, random } = ports
  const path = `${config.dataFolder}/vault-parameters`
  const stored = await disk.read(path)
  // Other parameters would be other keys, and the identity would never open again.
  if (!stored && (await disk.stat(config.identityPath)))
    throw new VaultError(path, `is missing, and ${config.identityPath} was sealed with it: put back a copy`)
  if (!stored && !options.create) throw new VaultError(path, 'is missing: run `init` first, or put back the folder')
  if (!stored) {
    if (config.vaultKey.kind === 'file' && !(await disk.stat(config.vaultKey.path))) await disk.writeAtomic(config.vaultKey.path, random.bytes(32))
    const salt = random.bytes(32)
    const keys = await deriveKeys(disk, config.vaultKey, salt, SCRYPT_COST)
    const nonce = random.bytes(24)
    const check = xchacha20poly1305(keys.identity, nonce, encode(checkShape, { salt })).encrypt(new Uint8Array(0))
    await disk.writeAtomic(path, encode(parametersShape, { source: config.vaultKey.kind, salt, cost: BigInt(SCRYPT_COST), nonce, check }))
    return keys
  }
  const { source, salt, cost, nonce, check } = readParameters(path, stored)
  if (source !== config.vaultKey.kind) throw new VaultError(path, `was made with a ${source}; the configuration gives a ${config.vaultKey.kind}`)
  const keys = await deriveKeys(disk, config.vaultKey, salt, Number(cost))
  try {
    xchacha20poly1305(keys.identity, nonce, encode(checkShape, { salt })).decrypt(check)
  } catch (cause) {
    throw new VaultError(
      path,
      config.vaultKey.kind === 'file'
        ? `${config.vaultKey.path} is not the key this vault was made with, or this file was changed: put back a copy of both`
        : 'the passphrase is wrong, or this file was changed: try the passphrase again, or put back a copy of the file',
      { cause },
    )
  }
  return keys
}

async function deriveKeys(disk: Disk, source: StorageConfig['vaultKey'], salt: Uint8Array, cost: number): Promise<VaultKeys> {
  const stretch = (passphrase: string) => scrypt(passphrase.normalize('NFC'), salt, { N: cost, r: 8, p: 1, dkLen: 32, maxmem: 2 ** 30 })
  const secret = source.kind === 'file' ? await readKeyFile(disk, source.path) : stretch(source.passphrase)
  const keyFor = (use: keyof VaultKeys) => hkdf(sha256, secret, salt, encode(useShape, { use }), 32)
  return { shares: keyFor('shares'), identity: keyFor('identity'), journal: keyFor('journal') }
}

async function readKeyFile(disk: Disk, path: string): Promise<Uint8Array> {
  const facts = await disk.stat(path)
  if (!facts) throw new VaultError(path, 'the vault key file is missing: put it back, or run `init` for a new signer')
  if ((facts.mode & 0o077) !== 0) throw new VaultError(path, 'other users may read the vault key file: chmod it to 600')
  const key = await disk.read(path)
  if (key?.length !== 32) throw new VaultError(path, `has ${key?.length ?? 0} bytes where a vault key has 32: put back a copy of it`)
  return key
}

function readParameters(path: string, stored: Uint8Array) {
  try {
    const parameters = decode(parametersShape, stored)
    if (parameters.cost > BigInt(2 ** 20)) throw new EncodingFault('$.cost: more than this machine should be asked for')
    return parameters
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new VaultError(path, `is damaged (${cause.message}): put back a copy`, { cause })
    throw cause
  }
}
