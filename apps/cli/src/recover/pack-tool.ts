import { toHex } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { EXIT, type Invocation, readArguments, UsageError } from '../command.ts'

/**
 * `recover pack <file>`: writes the recovery tool as one file that runs under Node alone, for a machine that has no network and nothing installed. The same
 * sources give the same bytes, so their SHA-256, which is printed, tells that two people hold the same tool.
 */
export async function packTool({ ports, args }: Invocation): Promise<number> {
  const { positionals } = readArguments(args, {})
  const [path] = positionals
  if (path === undefined || positionals.length !== 1) throw new UsageError('Name the file the tool is to be written to, such as holdfast-recover.mjs.')
  if (await ports.disk.stat(path)) throw new UsageError(`${path} exists already: name a new file.`)
  const root = fileURLToPath(new URL('../../../..', import.meta.url))
  const made = await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, target: 'node' },
    build: { ssr: 'apps/cli/src/recover/recover-alone.ts', write: false, minify: false, rolldownOptions: { output: { codeSplitting: false } } },
  })
  const files = 'output' in made ? made.output : []
  const [tool] = files
  if (files.length !== 1 || tool?.type !== 'chunk') throw new Error('the tool did not come out as one file')
  const content = new TextEncoder().encode(tool.code)
  await ports.disk.writeAtomic(path, content, 0o755)
  ports.process.print(`${path}: ${content.length} bytes, SHA-256 ${toHex(sha256(content))}`)
  return EXIT.ok
}
