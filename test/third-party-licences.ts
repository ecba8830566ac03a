import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const ROOT = new URL('../', import.meta.url)
export const DOCUMENT = 'docs/third-party-licences.md'

/** What the lockfile says of a package. */
export type Locked = {
  version?: string
  license?: string
  link?: boolean
  resolved?: string
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
export type Lockfile = Record<string, Locked>
export type Used = { name: string; version: string; license: string; isOptional: boolean; path: string }

/** Licences that ask for no more than to be named. Whatever is not here, copyleft above all, is not taken in. */
const PERMISSIVE = ['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense', 'Zlib', 'Python-2.0', 'PostgreSQL']
/** Fonts that are passed on inside of documents and with the console; their licence is about selling a font alone. */
const FONTS = ['@fontsource-variable/inter', '@fontsource-variable/noto-sans-sc']
/** Packages that keep their licence in a file and not in their manifest. */
const BY_THEIR_FILE: Readonly<Record<string, string>> = { 'png-js': 'MIT' }
/** Programs that only try the product out on one machine. */
const NOT_IN_PRODUCTION = ['apps/devnet', 'apps/launcher']

export function readLockfile(): Lockfile {
  return (JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8')) as { packages: Lockfile }).packages
}

/** Every package of others that a program in production may load: what our own workspaces need, and what that needs, as the lockfile resolves it. */
export function productionPackages(lock: Lockfile): Used[] {
  const found = new Map<string, Used>()
  const visit = (from: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = lock[from] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = locate(lock, from, name)
      if (path === undefined) throw new Error(`${from} needs ${name}, which the lockfile does not have`)
      const { version = '', license = BY_THEIR_FILE[name] ?? 'unknown', link, optional } = lock[path] ?? {}
      if (link || found.has(path)) continue
      found.set(path, { name, version, license, isOptional: optional === true, path })
      visit(path)
    }
  }
  for (const workspace of Object.keys(lock).filter((path) => !path.includes('node_modules') && !NOT_IN_PRODUCTION.includes(path))) visit(workspace)
  // The same version may stand in several folders.
  const once = new Map([...found.values()].map((each) => [`${each.name} ${each.version}`, each]))
  return [...once].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

/** Where a package is found from a folder, as Node looks for it: in the folder's own node_modules, then in those above. */
function locate(lock: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]+$/, '')) {
    const path = `${folder === '' || folder.endsWith('/') ? folder : `${folder}/`}node_modules/${name}`
    if (lock[path]) return path
    if (folder === '') return undefined
  }
}

/** Those whose licence may ask for more than to be named, or that say none. */
export function refusedLicences(packages: readonly Used[]): Used[] {
  return packages.filter(({ name, license }) => !isPermissive(license) && !(license === 'OFL-1.1' && FONTS.includes(name)))
}

/** Of several licences to choose from one is enough; of several that hold together each counts. */
function isPermissive(license: string): boolean {
  const choices = license.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((each) => PERMISSIVE.includes(each)))
}

/** Who wrote a package, in the words of its own licence file; nothing where it says nothing, or is not installed on every machine. */
function copyrightOf({ path, isOptional }: Used): string {
  const folder = new URL(`${path}/`, ROOT)
  if (isOptional || !existsSync(folder)) return ''
  const file = readdirSync(folder).find((each) => /^(licen[sc]e|copying)/i.test(each))
  const lines = file === undefined ? [] : readFileSync(new URL(file, folder), 'utf8').split('\n')
  const at = lines.findIndex((each) => /^\W*copyright\b.*(\d{4}|\(c\)|©)/i.test(each) && !each.includes('[yyyy]'))
  // Some write the year and the name in two lines.
  const line = at < 0 ? '' : /\d{4}\s*$/.test(lines[at] ?? '') ? `${lines[at]} ${lines[at + 1]}` : lines[at]
  return (line ?? '').replaceAll(/[|<>]/g, ' ').replaceAll(/\s+/g, ' ').trim()
}

/** The page that names every package of others, its licence and its authors. */
export function licencesDocument(packages: readonly Used[]): string {
  const counts = [...Map.groupBy(packages, ({ license }) => license)].map(([license, of]) => `${of.length} ${license}`).toSorted()
  return `${[
    '# Third-party licences',
    '',
    'Made by `npm run licences` from the lockfile; never written by hand. A test refuses a licence that asks for more than to be named, and one that is not known.',
    `These ${packages.length} packages may be loaded in production: ${counts.join(', ')}. Each has its licence in full in its folder below \`node_modules\`.`,
    'Not here: what only builds, tests or tries the product out (`apps/devnet`, `apps/launcher`, devDependencies). The embedded PostgreSQL is under the PostgreSQL licence;',
    'the fonts Noto Sans SC and Inter are under the SIL Open Font License 1.1: parts of the one are passed on inside of receipts, the other with the console. The marks of',
    'coins (`features/network/console/marks`) are of `@bitgo-forks/cryptocurrency-icons` 0.101.0, which is CC0 1.0; what they show are trade marks of their owners.',
    '',
    '| package | version | licence | authors |',
    '|---|---|---|---|',
    ...packages.map((each) => `| ${each.name} | ${each.version} | ${each.license} | ${copyrightOf(each)} |`),
  ].join('\n')}\n`
}

if (import.meta.main) writeFileSync(new URL(DOCUMENT, ROOT), licencesDocument(productionPackages(readLockfile())))
