import { createHash } from 'node:crypto'
import type { Disk } from '@holdfast/ports'

export type StaticFile = { type: string; body: Uint8Array; br?: Uint8Array; gzip?: Uint8Array; etag: string; cacheControl: string }

/** The files of a built console by their path under the folder, such as `assets/index-3fa1.js`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
}
const HASHED = /^assets\/.*[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+$/

async function readTree(disk: Disk, folder: string, prefix = ''): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  for (const name of await disk.list(folder)) {
    try {
      const content = await disk.read(`${folder}/${name}`)
      if (content) found.set(`${prefix}${name}`, content)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EISDIR') throw cause
      for (const [path, content] of await readTree(disk, `${folder}/${name}`, `${prefix}${name}/`)) found.set(path, content)
    }
  }
  return found
}

/**
 * Reads a built console into memory, with the `.br` and `.gz` beside its files. Requests are served from this map and never from
 * the disk, so a request can name no other file. Leaves out files of unknown types. Empty if the folder is missing.
 */
export async function loadStaticFiles(disk: Disk, folder: string): Promise<StaticFiles> {
  const contents = await readTree(disk, folder)
  const files = new Map<string, StaticFile>()
  for (const [path, body] of contents) {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)]
    if (type === undefined) continue
    const br = contents.get(`${path}.br`)
    const gzip = contents.get(`${path}.gz`)
    files.set(path, {
      type,
      body,
      ...(br ? { br } : {}),
      ...(gzip ? { gzip } : {}),
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      // The content of a hashed name never changes; browsers ask for everything else each time.
      cacheControl: HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  }
  return files
}

/** The best representation of a file for an `Accept-Encoding` header. */
export function encodedFor(file: StaticFile, acceptEncoding: string | undefined): { body: Uint8Array; encoding?: 'br' | 'gzip' } {
  const offered = (acceptEncoding ?? '').split(',').filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
  const accepted = new Set(offered.map((each) => each.split(';')[0]?.trim().toLowerCase()))
  if (file.br && accepted.has('br')) return { body: file.br, encoding: 'br' }
  if (file.gzip && accepted.has('gzip')) return { body: file.gzip, encoding: 'gzip' }
  return { body: file.body }
}
