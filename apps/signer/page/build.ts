import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '@holdfast/encoding'
import { nodePorts, projectFolder } from '@holdfast/ports/node'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { integrityOf, type PageFile } from './page-headers.ts'

/*
 * Builds the approval page: dist/index.html and the files that it names. The same sources give the same bytes. The scripts are not
 * minified, so that whoever wants to know what their key signs can read what the signer serves.
 */

const { disk, process } = nodePorts
const folder = fileURLToPath(new URL('.', import.meta.url))

/**
 * The page's files, by their names. `page.js` is named in the HTML with its hash, which browsers demand, and so are the others, which the signer demands: the
 * HTML's own hash speaks for all of them.
 */
export async function buildPage(): Promise<Map<PageFile, Uint8Array>> {
  const script = await bundle('src/main.ts')
  const others: [PageFile, Uint8Array][] = [
    ['sw.js', await bundle('src/worker.ts')],
    ['manifest.webmanifest', await read('src/manifest.webmanifest')],
    ['icon-192.png', await read('src/icon-192.png')],
    ['icon-512.png', await read('src/icon-512.png')],
  ]
  const css = await readText('src/page.css')
  const html = (await readText('src/index.html'))
    .replace('/* page.css */', () => `\n${css}`)
    .replace('integrity=""', `integrity="${integrityOf(script)}"`)
    .replace('name="files" content=""', `name="files" content="${others.map(([name, bytes]) => `${name} ${integrityOf(bytes)}`).join(', ')}"`)
  return new Map([['index.html', new TextEncoder().encode(html)], ['page.js', script], ...others])
}

async function bundle(entry: string): Promise<Uint8Array> {
  const output = await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      // The bundle names each module's file from here; from the working folder it would depend on who builds.
      rolldownOptions: { cwd: await projectFolder(import.meta.url), output: { strict: true } },
      lib: { entry: folder + entry, formats: ['iife'], name: 'holdfast', fileName: () => 'page.js' },
    },
  })
  const outputs = (Array.isArray(output) ? output : [output]).flatMap((each) => ('output' in each ? each.output : []))
  const chunk = outputs[0]
  if (outputs.length !== 1 || chunk?.type !== 'chunk') throw new Error(`${entry} must be one script`)
  return new TextEncoder().encode(chunk.code)
}

async function read(name: string): Promise<Uint8Array> {
  const content = await disk.read(folder + name)
  if (!content) throw new Error(`${name} is missing`)
  return content
}

async function readText(name: string): Promise<string> {
  return new TextDecoder().decode(await read(name))
}

if (import.meta.main) {
  await disk.makeFolder(`${folder}dist`)
  for (const [name, bytes] of await buildPage()) {
    await disk.writeAtomic(`${folder}dist/${name}`, bytes, 0o644)
    process.print(`${name} ${bytes.length} bytes, SHA-256 ${toHex(sha256(bytes))}`)
  }
}
