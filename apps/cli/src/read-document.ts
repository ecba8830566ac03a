import type { Disk } from '@holdfast/ports'
import { KIT_FILE_BYTES_MAX } from '@holdfast/protocol'
import { UsageError } from './command.ts'

/** The largest document the tools read: a file of kits, which may be text (base64) and then has a third more. */
const SIZE_LIMIT_BYTES = Math.ceil(KIT_FILE_BYTES_MAX / 3) * 4 + (1 << 20)

/**
 * The bytes of a canonical document in a file. The console also hands documents out as base64 text; both are read. Bytes
 * of a document begin with the type of a record, which no base64 text begins with, so the two cannot be confused.
 */
export async function readDocument(disk: Pick<Disk, 'read' | 'stat'>, path: string): Promise<Uint8Array> {
  const facts = await disk.stat(path)
  if (facts && facts.kind !== 'file' && facts.kind !== 'link') throw new UsageError(`${path} is not a file`)
  if (facts && facts.sizeBytes > SIZE_LIMIT_BYTES) throw new UsageError(`${path} is larger than any document of ours`)
  const content = await disk.read(path)
  if (!content) throw new UsageError(`there is no file ${path}`)
  return fromText(content) ?? content
}

function fromText(content: Uint8Array): Uint8Array | undefined {
  if (content.some((byte) => byte > 0x7a)) return undefined
  const text = new TextDecoder().decode(content).replace(/\s+/g, '')
  if (text === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  return new Uint8Array(Buffer.from(text, 'base64'))
}
