import type { Disk } from '@holdfast/ports'
import { generateHybridIdentity, identityToRecipient } from 'age-encryption'
import { UsageError } from '../command.ts'
import { readDocument } from '../read-document.ts'

/** A recovery identity of an officer: an age secret key, and the recipient that signers seal to. */
export type Identity = { secret: string; recipient: string; path: string }

/**
 * Makes a post-quantum hybrid age identity (ML-KEM-768 with X25519) and writes it to a new file that only its owner may
 * read. Returns the recipient. Throws UsageError if the file exists already.
 */
export async function makeIdentity(disk: Pick<Disk, 'stat' | 'writeAtomic'>, path: string, nowMs: number): Promise<string> {
  if (await disk.stat(path)) {
    throw new UsageError(`${path} exists already. Choose another name: an identity that is overwritten is lost, and every share sealed to it.`)
  }
  const secret = await generateHybridIdentity()
  const recipient = await identityToRecipient(secret)
  const lines = [`# created: ${new Date(nowMs).toISOString()}`, `# public key: ${recipient}`, secret, '']
  await disk.writeAtomic(path, new TextEncoder().encode(lines.join('\n')), 0o600)
  return recipient
}

/** The identities in a file, in the form age tools write: one a line, `#` before remarks. Throws UsageError. */
export async function readIdentities(disk: Pick<Disk, 'read' | 'stat'>, path: string): Promise<Identity[]> {
  const lines = new TextDecoder()
    .decode(await readDocument(disk, path))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length === 0) throw new UsageError(`${path} has no identity in it`)
  return Promise.all(
    lines.map(async (secret) => {
      try {
        return { secret, recipient: await identityToRecipient(secret), path }
      } catch (cause) {
        // The line itself is a secret, or close to one: it is never shown.
        throw new UsageError(`${path} has a line that is no age identity: it must begin with AGE-SECRET-KEY-PQ-1`, { cause })
      }
    }),
  )
}
