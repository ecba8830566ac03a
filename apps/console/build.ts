import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { chunkGroups } from './group-chunks.ts'
import { pinPage } from './pin-page.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const COMPRESSIBLE = /\.(js|css|html|svg|json)$/
// The highest level: it takes longer once, and every visitor fetches less.
const BROTLI_QUALITY = 11

/** Builds the console into dist, names every script's hash in its page, and puts a .br and a .gz beside every file that gets smaller by it. */
async function main(): Promise<void> {
  const configFile = join(import.meta.dirname, 'vite.config.ts')
  const groups = await chunkGroups(join(import.meta.dirname, '../..'), configFile)
  await build({ configFile, logLevel: 'warn', build: { rolldownOptions: { output: { codeSplitting: { groups } } } } })
  const folder = join(import.meta.dirname, 'dist')
  const files = (await readdir(folder, { recursive: true })).filter((name) => COMPRESSIBLE.test(name))
  await pin(folder, files)
  await Promise.all(files.map((name) => compress(join(folder, name))))
}

async function pin(folder: string, names: readonly string[]): Promise<void> {
  const contents = await Promise.all(names.map(async (name) => [`/mpc/${name.replaceAll('\\', '/')}`, await readFile(join(folder, name))] as const))
  const page = join(folder, 'index.html')
  await writeFile(page, pinPage(await readFile(page, 'utf8'), new Map(contents)))
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
  const [brotli, gzipped] = await Promise.all([compressBrotli(content, options), compressGzip(content, { level: 9 })])
  if (brotli.length < content.length) await writeFile(`${path}.br`, brotli)
  if (gzipped.length < content.length) await writeFile(`${path}.gz`, gzipped)
}

await main()
