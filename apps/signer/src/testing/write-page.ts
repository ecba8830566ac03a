import { nodePorts } from '@holdfast/ports/node'
import { integrityOf, PAGE_FILES } from '../../page/page-headers.ts'

/** A page as it is built: its HTML names the other files by their hashes. */
export async function writePage(folder: string): Promise<void> {
  const files = PAGE_FILES.filter((name) => name !== 'index.html').map((name) => [name, new TextEncoder().encode(`void '${name}'`)] as const)
  const named = files.map(([name, bytes]) => `${name} ${integrityOf(bytes)}`).join(', ')
  const html = new TextEncoder().encode(`<!doctype html><meta name="files" content="${named}"><style>p{}</style><script src="./page.js"></script>`)
  for (const [name, bytes] of [['index.html', html] as const, ...files]) await nodePorts.disk.writeAtomic(`${folder}/${name}`, bytes)
}
