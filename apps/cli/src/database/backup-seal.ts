import { Readable } from 'node:stream'
import { bytes, encode, fromHex, struct, toHex, uint } from '@holdfast/encoding'
import { verifyEd25519 } from '@holdfast/encoding/ed25519'
import { linkPublicKey } from '@holdfast/link'
import { ed25519 } from '@noble/curves/ed25519.js'
import { Decrypter, Encrypter } from 'age-encryption'
import { BackupError } from './backup-error.ts'

/** What a server says of a backup that it wrote: the content's SHA-256, and when. */
const statementShape = struct('holdfast/backup/v1', { sha256: bytes(32), createdAtMs: uint() })

export type Signature = { signedBy: string; signature: string }

/** Signs a backup's content (SHA-256 in hexadecimal) with the server's identity, an Ed25519 secret of 32 bytes. */
export function signBackup(secretKey: Uint8Array, content: { sha256: string; createdAtMs: number }): Signature {
  return { signedBy: toHex(linkPublicKey({ secretKey })), signature: toHex(ed25519.sign(statementOf(content), secretKey)) }
}

/** Whether `signature` (hexadecimal) over the content is by this Ed25519 public key. */
export function isSignedBy(publicKey: Uint8Array, signature: unknown, content: { sha256: string; createdAtMs: number }): boolean {
  try {
    return typeof signature === 'string' && verifyEd25519(fromHex(signature), statementOf(content), publicKey)
  } catch {
    return false
  }
}

function statementOf({ sha256, createdAtMs }: { sha256: string; createdAtMs: number }): Uint8Array {
  return encode(statementShape, { sha256: fromHex(sha256), createdAtMs: BigInt(createdAtMs) })
}

/** Seals a stream with age, so that any one of the recipients opens it. Throws BackupError for a recipient that is none, or none at all. */
export async function sealStream(recipients: readonly string[], plain: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  if (recipients.length === 0) throw new BackupError('nobody is named who may open the backup')
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch (cause) {
      throw new BackupError(`${recipient.slice(0, 40)} is no age recipient: it begins with age1`, { cause })
    }
  }
  return encrypter.encrypt(toWeb(plain))
}

/** Opens what `sealStream` sealed with any of the identities (age secret keys). What is wrong with the stream itself is thrown while it is read. */
export async function openStream(identities: readonly string[], sealed: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return decrypter.decrypt(toWeb(sealed))
}

const toWeb = (pieces: AsyncIterable<Uint8Array>) => Readable.toWeb(Readable.from(pieces)) as ReadableStream<Uint8Array>
