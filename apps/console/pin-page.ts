import { createHash } from 'node:crypto'

/** How a browser is told what a file must be: `sha256-` and the base64 of its hash. */
const integrityOf = (content: Uint8Array): string => `sha256-${createHash('sha256').update(content).digest('base64')}`

const REFERENCE = /<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+\.(?:js|css))"/g

/**
 * The console's page with the hash of every script and style it may load. Those that the page names carry it themselves; for all others, which the scripts
 * fetch one
 * from the other, the import map names it: browsers ask it for modules that are imported by name, by a call and ahead of time. Paths are as the page writes
 * them,
 * such as `/mpc/assets/index-3fa1.js`. Throws where the page names a file that was not built.
 */
export function pinPage(html: string, files: ReadonlyMap<string, Uint8Array>): string {
  const integrity = Object.fromEntries(
    [...files]
      .filter(([path]) => path.endsWith('.js'))
      .map(([path, content]) => [path, integrityOf(content)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  const pinned = html.replaceAll(REFERENCE, (tag, path: string) => {
    const content = files.get(path)
    if (!content) throw new Error(`the page names ${path}, which was not built`)
    return `${tag} integrity="${integrityOf(content)}"`
  })
  const first = pinned.search(/<(?:script|link rel="modulepreload")\b/)
  if (first === -1) throw new Error('the page has no script')
  // A map that comes after the first module counts for nothing in browsers that take one map only.
  return `${pinned.slice(0, first)}<script type="importmap">${JSON.stringify({ integrity })}</script>\n    ${pinned.slice(first)}`
}
