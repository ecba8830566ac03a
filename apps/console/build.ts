import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const COMPRESSIBLE = /\.(js|css|html|svg|json)$/
// The highest level takes several times as long for a percent or two.
const BROTLI_QUALITY = 10

/** Builds the console into dist, and puts a .br and a .gz beside every file that gets smaller by it. */
async function main(): Promise<void> {
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  const folder = join(import.meta.dirname, 'dist')
  const files = (await readdir(folder, { recursive: true })).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(files.map((name) => compress(join(folder, name))))
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
  const [brotli, gzipped] = await Promise.all([compressBrotli(content, options), compressGzip(content, { level: 9 })])
  if (brotli.length < content.length) await writeFile(`${path}.br`, brotli)
  if (gzipped.length < content.length) await writeFile(`${path}.gz`, gzipped)
}

await main()
