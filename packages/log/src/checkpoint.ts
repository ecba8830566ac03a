import { concatBytes, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { signEd25519, verifyEd25519 } from '@holdfast/encoding/ed25519'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'

/*
 * Checkpoints in the form of C2SP tlog-checkpoint and signed-note: three lines of text (origin, size, root), an empty
 * line, and one line a signature. Cosignatures are plain Ed25519 over the three lines, with the note's key hash before them.
 */

export type Checkpoint = { genesis: Uint8Array; size: number; root: Uint8Array }
export type SignedCheckpoint = { checkpoint: Checkpoint; signatures: { name: string; keyHash: Uint8Array; signature: Uint8Array }[] }

/** Why a text is no checkpoint. */
export class CheckpointRefused extends Error {
  override name = 'CheckpointRefused'
}

/** The three signed lines. */
export function checkpointBody({ genesis, size, root }: Checkpoint): string {
  return `holdfast/log/${toHex(genesis)}\n${size}\n${base64(root)}\n`
}

/** One signer's signature line for a checkpoint, newline included. `name` is the signer's, such as `signer-1`. */
export function cosign(checkpoint: Checkpoint, name: string, secretKey: Uint8Array): string {
  const publicKey = ed25519.getPublicKey(secretKey)
  const signature = signEd25519(new TextEncoder().encode(checkpointBody(checkpoint)), secretKey)
  return `— ${name} ${base64(concatBytes(keyHash(name, publicKey), signature))}\n`
}

/** The whole note: body, empty line, signature lines. */
export function formatCheckpoint(checkpoint: Checkpoint, signatureLines: readonly string[]): string {
  return `${checkpointBody(checkpoint)}\n${signatureLines.join('')}`
}

/** Reads a note. Throws CheckpointRefused unless formatting the result gives the same text. */
export function parseCheckpoint(note: string): SignedCheckpoint {
  const match = /^holdfast\/log\/([0-9a-f]{64})\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n((?:— [a-z0-9-]{1,64} [A-Za-z0-9+/=]{80,120}\n)*)$/.exec(note)
  if (!match) throw new CheckpointRefused('not a checkpoint note')
  const [, genesis, size, root, lines] = match as unknown as [string, string, string, string, string]
  const signatures = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, name, encoded] = line.split(' ') as [string, string, string]
      const decoded = unbase64(encoded)
      if (decoded.length !== 68 || base64(decoded) !== encoded) throw new CheckpointRefused('a signature line of the wrong length')
      return { name, keyHash: decoded.slice(0, 4), signature: decoded.slice(4) }
    })
  const checkpoint = { genesis: fromHex(genesis), size: Number(size), root: unbase64(root) }
  if (base64(checkpoint.root) !== root) throw new CheckpointRefused('a root that is not canonical base64')
  return { checkpoint, signatures }
}

/** Whether the note has this signer's valid signature. */
export function verifyCosignature(note: SignedCheckpoint, name: string, publicKey: Uint8Array): boolean {
  const body = new TextEncoder().encode(checkpointBody(note.checkpoint))
  const expected = keyHash(name, publicKey)
  return note.signatures.some((each) => each.name === name && equalBytes(each.keyHash, expected) && verifyEd25519(each.signature, body, publicKey))
}

// C2SP signed-note: SHA-256(name || 0x0A || 0x01 || public key), first four bytes; 0x01 names Ed25519.
function keyHash(name: string, publicKey: Uint8Array): Uint8Array {
  return sha256(concatBytes(new TextEncoder().encode(name), Uint8Array.of(0x0a, 0x01), publicKey)).slice(0, 4)
}

function base64(value: Uint8Array): string {
  return btoa(String.fromCharCode(...value))
}

function unbase64(value: string): Uint8Array {
  try {
    return Uint8Array.from(atob(value), (character) => character.charCodeAt(0))
  } catch (cause) {
    throw new CheckpointRefused('not base64', { cause })
  }
}
