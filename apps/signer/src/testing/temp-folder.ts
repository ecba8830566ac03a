import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that goes away with the test. */
export async function tempFolder(t: { after(callback: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-signer-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
