import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '@holdfast/encoding'
import { nodePorts, projectFolder } from '@holdfast/ports/node'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/*
 * Builds the approval page: dist/index.html and dist/page.js. The same sources give the same bytes. The script is not
 * minified, so that whoever wants to know what their key signs can read what the signer serves.
 */

const { disk, process } = nodePorts
const folder = fileURLToPath(new URL('.', import.meta.url))

/** The page's two files. `page.js` is named in the HTML with its hash, so that the HTML's own hash speaks for both. */
export async function buildPage(): Promise<{ html: Uint8Array; script: Uint8Array }> {
  const script = new TextEncoder().encode(await bundle())
  const css = await readText('src/page.css')
  const integrity = `sha256-${base64(sha256(script))}`
  const html = (await readText('src/index.html')).replace('/* page.css */', () => `\n${css}`).replace('integrity=""', `integrity="${integrity}"`)
  return { html: new TextEncoder().encode(html), script }
}

async function bundle(): Promise<string> {
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
      lib: { entry: `${folder}src/main.ts`, formats: ['iife'], name: 'holdfast', fileName: () => 'page.js' },
    },
  })
  const outputs = (Array.isArray(output) ? output : [output]).flatMap((each) => ('output' in each ? each.output : []))
  const chunk = outputs[0]
  if (outputs.length !== 1 || chunk?.type !== 'chunk') throw new Error('the page must be one script')
  return chunk.code
}

async function readText(name: string): Promise<string> {
  const content = await disk.read(folder + name)
  if (!content) throw new Error(`${name} is missing`)
  return new TextDecoder().decode(content)
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

if (import.meta.main) {
  const { html, script } = await buildPage()
  await disk.makeFolder(`${folder}dist`)
  await disk.writeAtomic(`${folder}dist/index.html`, html, 0o644)
  await disk.writeAtomic(`${folder}dist/page.js`, script, 0o644)
  process.print(`index.html ${html.length} bytes, SHA-256 ${toHex(sha256(html))}`)
  process.print(`page.js ${script.length} bytes, SHA-256 ${toHex(sha256(script))}`)
}
