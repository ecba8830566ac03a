import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What each page asks for, by the names that the console's build gives its files (apps/console/group-chunks.ts). */
const ENTRY_TEXTS = ['en-us-entry', 'zh-cn-entry'] as const
const PAGE_TEXTS = ['en-us-pages', 'zh-cn-pages'] as const

/** JavaScript that is asked for: bytes after brotli, and in how many files. */
export type Asked = { bytes: number; files: number }

/**
 * How much JavaScript a page may ask for. `ahead` is what the wallets' page fetches once it stands. `verifier` is no page: all that checks a log and reads every
 * kind of order, fetched when somebody asks for that.
 */
export const BUDGETS = {
  signIn: { bytes: 158_000, files: 5 },
  wallet: { bytes: 223_000, files: 7 },
  ahead: { bytes: 100_000, files: 1 },
  route: { bytes: 27_000, files: 16 },
  verifier: { bytes: 60_000, files: 16 },
} as const satisfies Record<string, Asked>

export type ConsoleSizes = {
  signIn: Asked
  /** The page behind sign-in that everybody lands on, with all that it cannot be shown without. */
  wallet: Asked
  ahead: Asked
  /** What each further page or drawer brings, by its name, the largest first. */
  routes: Record<string, Asked>
  /** Files that ask for one another in a circle, of which one would run before what it needs is there. */
  circles: string[]
}

/** Whether something asks for no more than it may. */
export const isWithin = ({ bytes, files }: Asked, budget: Asked): boolean => bytes <= budget.bytes && files <= budget.files

/** Measures the built console in a folder. Of two languages the one with more bytes counts. Throws if a file has another name than this knows. */
export function measureConsole(folder: string): ConsoleSizes {
  const assets = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  const bytesOf = (name: string) =>
    readFileSync(existsSync(join(folder, 'assets', `${name}.br`)) ? join(folder, 'assets', `${name}.br`) : join(folder, 'assets', name)).length
  const asked = (names: Iterable<string>): Asked => ({ bytes: [...names].reduce((sum, name) => sum + bytesOf(name), 0), files: [...names].length })
  const builtFrom = (source: string): string => {
    const found = assets.filter((file) => file.startsWith(`${source}-`) && /^.{8}\.js$/.test(file.slice(source.length + 1)))
    if (found.length !== 1) throw new Error(`the build has ${found.length} files named ${source}: name them anew in bench/console-sizes.ts`)
    return found[0]!
  }
  const codes = new Map(assets.map((name) => [name, readFileSync(join(folder, 'assets', name), 'utf8')]))
  const namedIn = (name: string, pattern: RegExp) => [...codes.get(name)!.matchAll(pattern)].map(([, other]) => other!)
  const imports = new Map(assets.map((name) => [name, namedIn(name, /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)]))
  const together = (...names: string[]): Set<string> => {
    const known = new Set(names)
    for (const name of known) for (const other of imports.get(name)!) known.add(other)
    return known
  }
  const larger = (sources: readonly string[]) => sources.map(builtFrom).toSorted((one, other) => bytesOf(other) - bytesOf(one))[0]!
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const first = [...html.matchAll(/(?:src|href)="\/mpc\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!)

  const signIn = together(...first, larger(ENTRY_TEXTS))
  const wallet = together(...signIn, larger(PAGE_TEXTS), builtFrom('wallets'))
  const ahead = together(...wallet, builtFrom('payments'))
  const there = new Set([...ahead, ...[...ENTRY_TEXTS, ...PAGE_TEXTS].map(builtFrom)])
  // Whatever is fetched by its own name later: each file that another asks for at run time.
  const later = new Set(assets.flatMap((name) => namedIn(name, /import\(\s*["'`]\.\/([^"'`]+\.js)["'`]\s*\)/g)))
  const routes = [...later]
    .map((name): [string, Asked] => [name.replace(/-.{8}\.js$/, ''), asked([...together(name)].filter((each) => !there.has(each)))])
    .filter(([, { bytes }]) => bytes > 0)
    .toSorted(([, one], [, other]) => other.bytes - one.bytes)
    // Of pages that have one name, the largest counts.
    .filter(([name], at, all) => all.findIndex(([other]) => other === name) === at)
  return {
    signIn: asked(signIn),
    wallet: asked(wallet),
    ahead: asked([...ahead].filter((each) => !wallet.has(each))),
    routes: Object.fromEntries(routes),
    circles: assets.filter((name) => imports.get(name)!.some((other) => together(other).has(name))),
  }
}
