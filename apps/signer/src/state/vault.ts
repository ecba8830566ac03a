import { bytes, decode, encode, EncodingFault, type Infer, struct, text, toHex, uint } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { VaultError } from './vault-key.ts'

/** What a blob is. All of it is authenticated with the content: a blob put in another's place does not open. */
export type BlobLabel = {
  /** `share`, or `pair-seeds` with the peer they are shared with. */
  kind: 'share' | 'pair-seeds'
  protocol: string
  curve: string
  genesis: Uint8Array
  keyId: Uint8Array
  epoch: bigint
  party: number
  /** 0 for a share. */
  peer: number
}

const BLOB_VERSION = 1n
const labelShape = struct('holdfast/vault-label/v1', {
  version: uint(16),
  kind: text(16),
  protocol: text(64),
  curve: text(64),
  genesis: bytes(32),
  keyId: bytes(32),
  epoch: uint(),
  party: uint(8),
  peer: uint(8),
})
const blobShape = struct('holdfast/vault-blob/v1', { label: labelShape, nonce: bytes(24), sealed: bytes() })

/**
 * Secrets on disk, each in its own file, sealed with XChaCha20-Poly1305 under the vault key. The associated data is the
 * label the reader asks for, so the file's own word for what it is decides nothing but the wording of the error.
 */
export class Vault {
  readonly #ports: Pick<Ports, 'disk' | 'random'>
  readonly folder: string
  readonly #key: Uint8Array

  constructor(ports: Pick<Ports, 'disk' | 'random'>, folder: string, key: Uint8Array) {
    this.#ports = ports
    this.folder = folder
    this.#key = key
  }

  /** Seals a secret; on disk before it resolves. Replaces what was there under the same label. */
  async put(label: BlobLabel, secret: Uint8Array): Promise<void> {
    const nonce = this.#ports.random.bytes(24)
    const full = fullLabel(label)
    const sealed = xchacha20poly1305(this.#key, nonce, encode(labelShape, full)).encrypt(secret)
    await this.#ports.disk.writeAtomic(this.pathOf(label), encode(blobShape, { label: full, nonce, sealed }))
  }

  /** The secret under a label, or undefined if there is none. Throws VaultError for a file that is damaged or is not what its name says. */
  async get(label: BlobLabel): Promise<Uint8Array | undefined> {
    const path = this.pathOf(label)
    const stored = await this.#ports.disk.read(path)
    if (!stored) return undefined
    const blob = readBlob(path, stored)
    const wanted = fullLabel(label)
    const difference = differenceOf(blob.label, wanted)
    if (difference !== undefined) throw new VaultError(path, `is a blob of another ${difference}: put back the right file`)
    try {
      return xchacha20poly1305(this.#key, blob.nonce, encode(labelShape, wanted)).decrypt(blob.sealed)
    } catch (cause) {
      throw new VaultError(path, 'does not open: it was changed, or sealed under another vault key. Put back a copy of it', { cause })
    }
  }

  /** Takes a secret away; nothing happens where there is none. */
  async remove(label: BlobLabel): Promise<void> {
    await this.#ports.disk.remove(this.pathOf(label))
  }

  pathOf({ kind, keyId, epoch, peer }: BlobLabel): string {
    return `${this.folder}/${kind}-${toHex(keyId)}-${epoch}${peer === 0 ? '' : `-${peer}`}.sealed`
  }
}

function fullLabel(label: BlobLabel): Infer<typeof labelShape> {
  return { ...label, version: BLOB_VERSION, party: BigInt(label.party), peer: BigInt(label.peer) }
}

function readBlob(path: string, stored: Uint8Array): Infer<typeof blobShape> {
  try {
    return decode(blobShape, stored)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new VaultError(path, `is damaged (${cause.message}): put back a copy`, { cause })
    throw cause
  }
}

function differenceOf(found: Infer<typeof labelShape>, wanted: Infer<typeof labelShape>): string | undefined {
  const text = (value: unknown) => (value instanceof Uint8Array ? toHex(value) : String(value))
  return (Object.keys(labelShape.fields) as (keyof typeof wanted)[]).find((name) => text(found[name]) !== text(wanted[name]))
}
