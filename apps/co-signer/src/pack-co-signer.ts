import { fileURLToPath } from 'node:url'
import { toHex } from '@holdfast/encoding'
import { CONFIGURATION_EXIT_CODE, type Ports } from '@holdfast/ports'
import { sha256 } from '@noble/hashes/sha2.js'
import { build } from 'vite'

/**
 * `pack <file>`: writes the co-signer as one file that runs under Node alone. The same sources give the same bytes, so their SHA-256, which is printed, tells
 * that two people hold the same program.
 */
export async function packCoSigner({ disk, process }: Pick<Ports, 'disk' | 'process'>, path: string | undefined): Promise<number> {
  if (path === undefined || (await disk.stat(path))) {
    process.printError(path === undefined ? 'Name the new file, such as holdfast-co-signer.mjs.' : `${path} exists already: name a new file.`)
    return CONFIGURATION_EXIT_CODE
  }
  const made = await build({
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, target: 'node' },
    build: { ssr: 'apps/co-signer/src/alone.ts', write: false, minify: false, rolldownOptions: { output: { codeSplitting: false } } },
  })
  const files = 'output' in made ? made.output : []
  const [program] = files
  if (files.length !== 1 || program?.type !== 'chunk') throw new Error('the co-signer did not come out as one file')
  const content = new TextEncoder().encode(program.code)
  await disk.writeAtomic(path, content, 0o755)
  process.print(`${path}: ${content.length} bytes, SHA-256 ${toHex(sha256(content))}`)
  return 0
}
