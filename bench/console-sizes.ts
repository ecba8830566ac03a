import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What each page asks for, by the sources the console's build makes files of. */
const ENTRY_TEXTS = ['en-us-entry', 'zh-cn-entry'] as const
const PAGE_TEXTS = ['en-us-pages', 'zh-cn-pages'] as const
/** The page behind sign-in that everybody lands on. */
const WALLET_PAGE = ['shell', 'wallet-page']

/** Brotli bytes of JavaScript a page may ask for. `verifier` is no page: all that checks a log and reads every kind of order, fetched when somebody asks for that. */
export const BUDGETS = { signIn: 168_000, wallet: 266_000, route: 41_000, verifier: 91_000 } as const

export type ConsoleSizes = {
  signIn: number
  /** The page behind sign-in that everybody lands on, with all that is fetched for it. */
  wallet: number
  /** What each further page or drawer brings, by its name. */
  routes: Record<string, number>
}

/** Measures the built console in a folder. Of two languages the one with more bytes counts. */
export function measureConsole(folder: string): ConsoleSizes {
  const assets = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  const bytesOf = (name: string) =>
    readFileSync(existsSync(join(folder, 'assets', `${name}.br`)) ? join(folder, 'assets', `${name}.br`) : join(folder, 'assets', name)).length
  const sumOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + bytesOf(name), 0)
  const builtFrom = (source: string): string => {
    const found = assets.filter((file) => file.startsWith(`${source}-`) && /^.{8}\.js$/.test(file.slice(source.length + 1)))
    if (found.length !== 1) throw new Error(`the build has ${found.length} files made of ${source}: name the page's sources in bench/console-sizes.ts anew`)
    return found[0]!
  }
  const codeOf = (name: string) => readFileSync(join(folder, 'assets', name), 'utf8')
  const withImports = (name: string, known = new Set<string>()): Set<string> => {
    if (known.has(name)) return known
    known.add(name)
    for (const [, other] of codeOf(name).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) withImports(other!, known)
    return known
  }
  const together = (...names: string[]) => new Set(names.flatMap((name) => [...withImports(name)]))
  const larger = (sources: readonly string[]) => sources.map(builtFrom).toSorted((one, other) => bytesOf(other) - bytesOf(one))[0]!
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const first = [...html.matchAll(/(?:src|href)="\/mpc\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!)

  const signIn = together(...first, larger(ENTRY_TEXTS), builtFrom('login-page'))
  const wallet = together(...first, larger(ENTRY_TEXTS), larger(PAGE_TEXTS), ...WALLET_PAGE.map(builtFrom))
  // Whatever is fetched by its own name later: each file that another asks for at run time.
  const later = new Set(assets.flatMap((name) => [...codeOf(name).matchAll(/import\(\s*["'`]\.\/([^"'`]+\.js)["'`]\s*\)/g)].map(([, other]) => other!)))
  const routes = [...later]
    .map((name): [string, number] => [name.replace(/-.{8}\.js$/, ''), sumOf([...withImports(name)].filter((each) => !wallet.has(each)))])
    .filter(([, bytes]) => bytes > 0)
    .toSorted(([, one], [, other]) => other - one)
    // Of pages that have one name, the largest counts.
    .filter(([name], at, all) => all.findIndex(([other]) => other === name) === at)
  return { signIn: sumOf(signIn), wallet: sumOf(wallet), routes: Object.fromEntries(routes) }
}
