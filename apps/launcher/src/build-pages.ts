import { createHash } from 'node:crypto'
import type { Ports } from '@holdfast/ports'
import { runToEnd } from './run-to-end.ts'

/** What each page is made from; a page is built again only when one of these changed. */
const PAGES = [
  {
    name: 'console' as const,
    build: 'apps/console/build.ts',
    output: 'apps/console/dist',
    sources: ['apps/console', 'features', 'packages', 'package-lock.json'],
  },
  {
    name: 'approval page' as const,
    build: 'apps/signer/page/build.ts',
    output: 'apps/signer/page/dist',
    sources: ['apps/signer/page', 'packages', 'package-lock.json'],
  },
]
const SKIPPED = /^(node_modules|dist|var|test|server|artifacts|migrations)$|\.test\.tsx?$/

export type PageName = (typeof PAGES)[number]['name']

/** Builds those of the pages that are wanted and whose sources changed since they were built. */
export async function buildPages(ports: Ports, root: string, wantedPages: readonly PageName[], say: (line: string) => void): Promise<void> {
  for (const page of PAGES.filter(({ name }) => wantedPages.includes(name))) {
    const wanted = await sourceHash(ports, root, page.sources)
    const stamp = `${root}/${page.output}/.built-from`
    const built = await ports.disk.read(stamp)
    if (built && new TextDecoder().decode(built) === wanted) continue
    say(`Building the ${page.name}`)
    await runToEnd(ports, [`${root}/${page.build}`], { cwd: root, logPath: `${root}/${page.output}.log`, what: `building the ${page.name}` })
    await ports.disk.writeAtomic(stamp, new TextEncoder().encode(wanted), 0o644)
  }
}

async function sourceHash(ports: Ports, root: string, sources: string[]): Promise<string> {
  const hash = createHash('sha256')
  const add = async (path: string): Promise<void> => {
    const facts = await ports.disk.stat(`${root}/${path}`)
    if (facts?.kind === 'folder') {
      for (const name of await ports.disk.list(`${root}/${path}`)) if (!SKIPPED.test(name)) await add(`${path}/${name}`)
    } else if (facts?.kind === 'file' && !path.endsWith('.log')) {
      hash.update(`${path}\0${facts.sizeBytes}\0`).update((await ports.disk.read(`${root}/${path}`)) ?? '')
    }
  }
  for (const source of sources) await add(source)
  return hash.digest('hex')
}
