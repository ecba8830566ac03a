import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, resolve } from 'node:path'

/** What a file takes from another one of ours: its names there by their names here, `*` for all of them. Names of types alone are left out. */
type Import = { path: string; names: ReadonlyMap<string, string> }
export type Source = { path: string; text: string; imports: readonly Import[] }

const IMPORTED = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?([^'"`;]*?)\s*from\s+'([^']+)'|\bimport\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g

/** Whether a file is a test, or stands in for something in tests. */
export const isOfTests = (path: string): boolean => /\.test\.tsx?$|\.suite\.ts$|\/testing\/|^test\//.test(path)

/** Every source of the project that is in the repository or is about to be, by its path. */
export function readSources(): ReadonlyMap<string, Source> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], { encoding: 'utf8' })
  const paths = [...new Set(listed.split('\n'))].filter((path) => path !== '' && existsSync(path)).toSorted()
  return new Map(paths.map((path) => [path, readSource(path, readFileSync(path, 'utf8'))]))
}

export function readSource(path: string, text: string): Source {
  const imports = [...text.matchAll(IMPORTED)].flatMap(([, type, clause = '', from, lazy, bare]) => {
    const found = pathOf(path, from ?? lazy ?? bare ?? '')
    return found === undefined ? [] : [{ path: found, names: type === undefined ? namesIn(clause) : new Map<string, string>() }]
  })
  return { path, text, imports }
}

/** `a, type B, c as d` and `* as e`, by the names here. */
function namesIn(clause: string): ReadonlyMap<string, string> {
  const all = /^\*\s+as\s+(\w+)$/.exec(clause)
  if (all) return new Map([[all[1] ?? '', '*']])
  const each = /\{([\s\S]*)\}/.exec(clause)?.[1]?.split(',') ?? []
  const named = each.flatMap((one) => {
    const [, name = '', here = name] = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(one) ?? []
    return name === '' ? [] : [[here, name] as const]
  })
  return new Map(named)
}

const resolved = new Map<string, string>()

function pathOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return relative('.', resolve(dirname(from), specifier))
  if (!specifier.startsWith('@holdfast/')) return undefined
  const known = resolved.get(specifier)
  if (known !== undefined) return known
  try {
    const found = relative('.', realpathSync(createRequire(resolve(from)).resolve(specifier)))
    resolved.set(specifier, found)
    return found
  } catch {
    // A test may write of a package that nobody has.
    return undefined
  }
}

/** The sources that a program of `apps` consists of: what nothing of it imports, nobody who works with the product meets. */
export function reachedByPrograms(sources: ReadonlyMap<string, Source>): ReadonlySet<string> {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path) || isOfTests(path)) return
    reached.add(path)
    for (const each of sources.get(path)?.imports ?? []) visit(each.path)
  }
  for (const path of sources.keys()) if (path.startsWith('apps/')) visit(path)
  return reached
}
