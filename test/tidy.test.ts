import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { parseSync } from '@swc/core'

// The house rules of STYLE.md that a machine can keep. Each failure says the file, the line and the rule.

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 1 << 26 })
const files = listed.split('\n').filter((path) => path !== '' && existsSync(path))
const code = files.filter((path) => /\.(ts|tsx|mjs|cjs)$/.test(path))
const isTest = (path: string) =>
  /(\.test\.tsx?$|\.suite\.ts$|\/testing\/|^test\/|^bench\/|\.fixture\.ts$|\/test-[a-z]+\.ts$|^apps\/signer\/page\/testing)/.test(path)
const isBuildStep = (path: string) => /(^run\.mjs$|\/build\.ts$|^apps\/console\/(serve-)?dev\.ts$|vite\.config\.ts$|\/compile\.ts$|^\.)/.test(path)
/** Programs to copy, which run without anything of ours. */
const isExample = (path: string) => /^apps\/[^/]+\/examples\//.test(path)
const product = code.filter((path) => !isTest(path) && !isBuildStep(path) && !isExample(path))
const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n')

function offences(paths: string[], find: (line: string, path: string) => boolean): string[] {
  return paths.flatMap((path) => linesOf(path).flatMap((line, i) => (find(line, path) ? [`${path}:${i + 1}: ${line.trim().slice(0, 120)}`] : [])))
}

const withoutStrings = (line: string) => line.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, "''").replace(/\/\/.*$|^\s*\*.*$|\/\*.*$/, '')

const EFFECTS = [
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bMath\.random\b/,
  /(?<![.\w])randomBytes\(/,
  /\bgetRandomValues\b/,
  /\brandomUUID\b/,
  /(?<![.\w])(setTimeout|setInterval|setImmediate)\(/,
  /(?<![.\w])fetch\(/,
  /(?<![.\w])process\.(env|exit|argv|cwd|stdout|stderr|on)\b/,
  /\bperformance\.now\b/,
]
const EFFECT_MODULES = /from 'node:(fs|fs\/promises|net|tls|http|https|child_process|timers|timers\/promises|dns|os|worker_threads)'/

test('every effect goes through the ports', () => {
  // The client and the examples run in programs of others, which have no ports.
  const guarded = product.filter((path) => !/^packages\/(ports|open-client)\/|^docs\/examples\/|^features\/api-key\/console\/examples\.ts$/.test(path))
  assert.deepEqual(
    offences(guarded, (line) => EFFECTS.some((each) => each.test(withoutStrings(line)))),
    [],
  )
  assert.deepEqual(
    offences(guarded, (line) => EFFECT_MODULES.test(line)),
    [],
  )
})

test('Ed25519 is verified by one function: others take signatures that some verifiers refuse', () => {
  const only = 'packages/encoding/src/verify-ed25519.ts'
  assert.deepEqual(
    offences(
      product.filter((path) => path !== only),
      (line) => /\bed25519(ph|ctx)?\.verify\(|\bzip215\b/.test(withoutStrings(line)),
    ),
    [],
  )
})

test('money never becomes a float', () => {
  const money = product.filter((path) => /^(packages\/(ledger|units|chains)|features\/(deposit|transfer|withdrawal)\/server)\//.test(path))
  assert.deepEqual(
    offences(money, (line) => /\bparseFloat\b|\bNumber\.parseFloat\b|\btoFixed\(/.test(withoutStrings(line))),
    [],
  )
})

test('files are short reads and lines fit a screen', () => {
  assert.deepEqual(
    code.filter((path) => linesOf(path).length > 440).map((path) => `${path}: ${linesOf(path).length} lines`),
    [],
  )
  assert.deepEqual(
    offences(code, (line) => line.length > 160 && !/[`'"]/.test(line)),
    [],
  )
})

/** Lines that are neither empty nor a comment alone. */
const codeIn = (path: string) => linesOf(path).filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length

test('a room can be walked through: no folder holds more than 30 files, and no feature more than 5,000 lines of code', (t) => {
  const folders = Map.groupBy(code, (path) => dirname(path))
  const full = [...folders].map(([folder, inside]) => ({ folder, count: inside.length })).sort((a, b) => b.count - a.count)
  const features = Map.groupBy(
    product.filter((path) => /^features\/[^/]+\//.test(path)),
    (path) => path.split('/')[1] ?? '',
  )
  const large = [...features].map(([name, inside]) => ({ name, lines: inside.reduce((sum, path) => sum + codeIn(path), 0) })).sort((a, b) => b.lines - a.lines)
  t.diagnostic(
    `the fullest folder is ${full[0]?.folder} with ${full[0]?.count} files, the largest feature ${large[0]?.name} with ${large[0]?.lines} lines of code`,
  )
  assert.deepEqual(
    full.filter(({ count }) => count > 30),
    [],
  )
  assert.deepEqual(
    large.filter(({ lines }) => lines >= 5000),
    [],
  )
})

test('names say what a thing is', () => {
  assert.deepEqual(
    files.filter((path) => /(^|[/-])(utils?|helpers?|common|misc|manager|v2)(\.|\/|-|$)/i.test(path)),
    [],
  )
  assert.deepEqual(
    code.filter((path) => /[A-Z_ ]/.test(path.replace(/^.*\//, '')) && !/^(ARCHITECTURE|STYLE|README)/.test(path)),
    [],
  )
})

/**
 * The most assertions `!` that each folder may hold that holds any: `known`, `at` and `last` of packages/units say what is missing, and `!` does not. The numbers
 * only fall. They shall stay in codecs and in the loops of packages/mpc whose speed counts.
 */
const ASSERTIONS: Record<string, number> = {
  'packages/mpc': 38,
}

/** How many assertions `!` a syntax tree holds. */
function assertionsIn(tree: unknown): number {
  if (tree === null || typeof tree !== 'object') return 0
  const below = Object.values(tree).reduce((sum: number, each) => sum + assertionsIn(each), 0)
  return below + ('type' in tree && tree.type === 'TsNonNullExpression' ? 1 : 0)
}

test('what may be missing is asserted by name: no folder gets another bare `!`', (t) => {
  const counts: Record<string, number> = {}
  for (const path of product.filter((each) => /\.tsx?$/.test(each))) {
    const [top = '', room = ''] = path.split('/')
    // Features move among each other, and are counted as one.
    const folder = top === 'features' ? top : `${top}/${room}`
    const found = assertionsIn(parseSync(readFileSync(path, 'utf8'), { syntax: 'typescript', tsx: path.endsWith('x') }).body)
    if (found > 0) counts[folder] = (counts[folder] ?? 0) + found
  }
  t.diagnostic(`${Object.values(counts).reduce((sum, each) => sum + each, 0)} assertions are left: ${JSON.stringify(counts)}`)
  assert.deepEqual(
    Object.entries(counts).filter(([folder, count]) => count > (ASSERTIONS[folder] ?? 0)),
    [],
    'take known, at or last of packages/units, or a better type',
  )
})

test('a class of errors says by its last word what happened: Refused, Fault or Error, or by its first one that it cannot be', () => {
  const named = product.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bclass (\w+) extends (\w+)/g)].map(([, name = '', base = '']) => ({ path, name, base })),
  )
  const errors = named.filter(({ base }) => /(Error|Refused|Refusal|Fault)$/.test(base))
  assert.ok(errors.length > 40, `only ${errors.length} were found`)
  assert.deepEqual(
    errors.filter(({ name }) => !/(Refused|Fault|Error)$|^Impossible/.test(name)),
    [],
  )
})

test('nothing is left for later in the code', () => {
  assert.deepEqual(
    offences(product, (line) => /\b(TODO|FIXME|XXX|HACK)\b/.test(line)),
    [],
  )
  assert.deepEqual(
    offences(
      code.filter((path) => !path.startsWith('test/')),
      (line) => /\.only\(|\bdebugger\b/.test(line),
    ),
    [],
  )
})

test('dependencies are exact', () => {
  for (const path of files.filter((each) => /(^|\/)package\.json$/.test(each))) {
    const manifest = JSON.parse(readFileSync(path, 'utf8'))
    for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, version] of Object.entries(manifest[group] ?? {})) assert.match(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${path}: ${name}`)
    }
  }
})

test('the signer keeps its budget: six run-time packages, 8,000 lines of its own', () => {
  const manifest = JSON.parse(readFileSync('apps/signer/package.json', 'utf8'))
  const direct = Object.keys(manifest.dependencies).filter((name) => !name.startsWith('@holdfast/'))
  assert.ok(new Set(direct).size <= 6, direct.join(', '))
  const own = product.filter((path) => path.startsWith('apps/signer/src/'))
  const lines = own.reduce((sum, path) => sum + linesOf(path).length, 0)
  assert.ok(own.length > 0 && lines <= 8000, `${lines} lines`)
})

/** What the signer runs that is not ours, and the most lines of ours that it runs. Both only ever go down without a reason. */
const SIGNER_PACKAGES = [
  '@noble/ciphers',
  '@noble/curves',
  '@noble/hashes',
  '@noble/post-quantum',
  '@scure/base',
  '@scure/btc-signer',
  'age-encryption',
  'micro-packed',
]
const SIGNER_LINES = 32_911

/** Every module that a program loads, at once or when it needs it, in our own code by its path and outside it by its package. */
function closureOf(entry: string): { own: Set<string>; outside: Set<string> } {
  const own = new Set<string>()
  const outside = new Set<string>()
  const visit = (path: string): void => {
    if (own.has(path)) return
    own.add(path)
    for (const { specifier, isTypeOnly } of importsOf(path)) if (!isTypeOnly) follow(path, specifier)
  }
  const follow = (from: string, specifier: string): void => {
    if (specifier.startsWith('node:')) return
    const found = relative('.', realpathSync(findPackageOrFile(specifier, from)))
    if (!found.startsWith('node_modules')) return visit(found)
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(found)?.[1] ?? found
    if (outside.has(name)) return undefined
    outside.add(name)
    const manifest = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'))
    return Object.keys(manifest.dependencies ?? {}).forEach((each) => outside.add(each))
  }
  visit(entry)
  return { own, outside }
}

function findPackageOrFile(specifier: string, from: string): string {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier)
  // Some packages are modules only, which `require.resolve` finds under Node's own conditions.
  return createRequire(resolve(from)).resolve(specifier)
}

function importsOf(path: string): { specifier: string; isTypeOnly: boolean }[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'|^import '([^']+)'|\bawait import\('([^']+)'\)/gm)].map((match) => ({
    specifier: match[2] ?? match[3] ?? match[4] ?? '',
    isTypeOnly: match[1] !== undefined,
  }))
}

test('what a signer loads does not grow unseen: its outside packages are these, and its own lines no more than this', () => {
  const { own, outside } = closureOf('apps/signer/src/main.ts')
  assert.deepEqual([...outside].sort(), SIGNER_PACKAGES)
  const lines = [...own].reduce((sum, path) => sum + linesOf(path).length, 0)
  assert.ok(own.size > 100 && lines <= SIGNER_LINES, `${lines} lines in ${own.size} files: raise SIGNER_LINES only for what a signer must know`)
})

test('each feature has a readme, and both languages say the same things', () => {
  for (const feature of readdirSync('features', { withFileTypes: true })) {
    if (!feature.isDirectory() || feature.name === 'node_modules') continue
    assert.ok(existsSync(`features/${feature.name}/README.md`), `features/${feature.name}/README.md`)
    for (const folder of ['locales', 'locales/pages']) {
      const locale = (language: string) => `features/${feature.name}/${folder}/${language}.json`
      if (!existsSync(locale('en-US'))) continue
      // Languages count differently: a text that knows one and many in English has one form in Chinese.
      const keys = (language: string) => [...new Set(keysOf(JSON.parse(readFileSync(locale(language), 'utf8'))).map((key) => key.replace(/_(one|other)$/, '')))]
      assert.deepEqual(keys('zh-CN'), keys('en-US'), feature.name)
    }
  }
})

test('each package has a readme', () => {
  const packages = files.filter((path) => /^packages\/.*\/package\.json$/.test(path)).map(dirname)
  assert.ok(packages.length > 10)
  assert.deepEqual(
    packages.filter((path) => !existsSync(`${path}/README.md`)),
    [],
  )
})

function keysOf(value: unknown, prefix = ''): string[] {
  if (value === null || typeof value !== 'object') return [prefix]
  return Object.entries(value)
    .flatMap(([key, inner]) => keysOf(inner, `${prefix}.${key}`))
    .sort()
}

test('the project speaks of itself alone', () => {
  const texts = files.filter((path) => /\.(ts|tsx|mjs|cjs|md|json|sql|html|css|py)$/.test(path) && path !== 'package-lock.json' && path !== 'test/tidy.test.ts')
  assert.deepEqual(
    offences(texts, (line) => /\/work\/|\bregistry\.npmjs|\bsubagent|\bAI assistant\b/i.test(line)),
    [],
  )
  const lock = readFileSync('package-lock.json', 'utf8')
  assert.equal(/"resolved": "(?!https:\/\/registry\.npmjs\.org\/)http/.test(lock), false, 'the lockfile names another host')
})
