import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { type EventData, run } from 'node:test'
import { spec } from 'node:test/reporters'
import { nodePorts } from '@holdfast/ports/node'
import { buildPages } from '../apps/launcher/src/build-pages.ts'
import { chooseTests } from './choose-tests.ts'
import { measureChildren } from './cpu-time.ts'
import { debianPostgres } from './debian-postgres.ts'
import { PLAIN_STACK, shareStack } from './processes/testing/joined-stack.ts'
import { shareProcesses, sharingByText } from './share-processes.ts'

// Everything `npm test` promises, in the order in which a failure is cheapest to hear of. Steps, paths and parts of titles may be given to run
// only those: npm test -- types lint, npm test -- features/transfer, npm test -- 'is paid once'

const root = new URL('..', import.meta.url).pathname
const STEPS = ['types', 'format', 'lint', 'dependencies', 'tidy', 'unit', 'postgresql-15', 'processes', 'endurance', 'browser']
/** Long: it is run if it is named. */
const ON_DEMAND = 'endurance'
const files = (pattern: string, but: string[] = []) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', ...but] }).sort()
const suites = files('{packages,features,apps,test/vectors}/**/*.test.ts')
const given = process.argv.slice(2)
const readText = (path: string): string => readFileSync(`${root}${path}`, 'utf8')
const choice = chooseTests(given, {
  steps: STEPS,
  files: files('{packages,features,apps,test}/**/*.test.ts'),
  read: readText,
})
if (choice.unmatched.length > 0) {
  console.error(`Nothing has this name: ${choice.unmatched.join(', ')}\nGive a step (${STEPS.join(', ')}), a path, or a part of a test's title.`)
  process.exit(2)
}
// What the older PostgreSQL is tried with, where it is installed. Long random histories are tried on the other, and each chain is lived through there. The
// packages are tried on both; of the features, what is tried on the older one need not be tried on the other too, with which every product below runs.
const LONG = 'conservation|nft|bitcoin|ton-chain|tron-chain|real-chain|audit|replaced|sign-order|killed-reader|lift-deposit|scan|pipeline|fake-deposits/[a-z]+'
const onDatabase = suites.filter(
  (path) => !new RegExp(`/(${LONG})\\.test\\.ts$`).test(path) && /^(packages\/(db|ledger|jobs)|features\/(transfer|deposit|withdrawal))\//.test(path),
)

let passed = 0
let failed = 0
/** What was broken, told once more at the very end: a long output may be cut. */
const brokenNames: string[] = []
// What one test file has compiled, the next one reads.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/compiled`

const isWanted = (name: string) => (given.length === 0 ? name !== ON_DEMAND : choice.steps.includes(name))

/** Counts what a step kept and broke; one that passes says how much it kept and what it took, one that fails says everything it printed. */
function conclude(name: string, startedMs: number, kept: number, broken: number, output: string, { counts = '', took = '' } = {}): void {
  passed += kept
  failed += broken
  if (broken > 0) console.log(output)
  console.log(`${broken > 0 ? '✖' : '✔'} ${name}${counts} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s${took}`)
}

/** A check that one program makes of the whole tree: one promise. */
function check(name: string, command: string, args: string[]): void {
  if (!isWanted(name)) return
  const startedMs = performance.now()
  console.log(`\n▶ ${name}`)
  const { status, stdout } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) brokenNames.push(name)
  conclude(name, startedMs, Number(status === 0), Number(status !== 0), stdout ?? '')
}

interface Suite {
  name: string
  /** How many files run side by side. */
  atOnce: number
  paths: string[]
  /** Only tests with these words in their titles, or in those of their groups; all if there is none. */
  titles?: string[]
  /** Whether files run several to a process where they may. */
  sharesProcesses?: boolean
  /** Starts what all files use, and answers what ends it. */
  share?: () => Promise<() => Promise<void>>
}

/** Files that run longer than their size says, the longest of each step first: searches, walks through every page, products that are stopped and asked anew. */
const LONG_RUNS = [
  'signer/src/knowledge',
  'e2e/every-page-in-need',
  'e2e/every-page',
  'processes/tenants',
  'processes/rollback',
  'processes/fuzz',
  'processes/restart',
  'upgrade/upgrade',
  'processes/co-signer-load',
  'processes/kill-moves',
  'processes/kill-sweeps',
  'processes/policy-change',
  'processes/absence',
  'processes/addresses',
  'processes/nft',
  'signer/page/testing/page-in-chromium',
  'signer/src/order-kills',
  'signer/src/key-kills',
  'signer/src/key-life',
  'cli/src/sweep/sweep',
  'page/testing/standing-in-chromium',
  'deposit/server/reading/faulty-sources',
  'server/making/many-addresses',
  'accounting/server/exported-sums',
]

/** Rooms whose servers are tried over a world in a database that each file opens for itself: files of theirs have run together and not disturbed each other. */
const SHARING = [
  ...['accounting', 'address-book', 'api-key', 'approval', 'batch-transfer', 'calendar', 'co-signer', 'collection', 'contract-call', 'deposit-address'],
  ...['evidence', 'first-steps', 'inbox', 'key', 'key-recovery', 'machine-link', 'notification', 'open-api', 'policy', 'proposal'],
  ...['push', 'resource', 'rule-analysis', 'search', 'standing-order', 'strategy', 'team', 'transaction', 'tron-tools', 'utxo'],
  ...['transfer', 'valuation', 'wallet', 'withdrawal'],
]
const hasWorld = (path: string): boolean =>
  SHARING.some((feature) => path.startsWith(`features/${feature}/server/`)) && readText(path).includes('/testing/test-world.ts')
const mayShareByText = sharingByText(readText)
/** What runs long has a process of its own. */
const mayShare = (path: string): boolean => placeOf(path) === LONG_RUNS.length && (hasWorld(path) || mayShareByText(path))
/** Those with a world stand together, since they use one PostgreSQL. */
const inGroups = (paths: string[]): string[] => [...paths.filter((path) => !hasWorld(path)), ...paths.filter(hasWorld)]

/** Where a file stands among those that run long, and after them all if it does not. */
function placeOf(path: string): number {
  const known = LONG_RUNS.findIndex((each) => path.endsWith(`/${each}.test.ts`))
  return known < 0 ? LONG_RUNS.length : known
}

/**
 * The tests of some files, each file in a process of its own or with a few others. Those that are known to run long, and large ones, begin first: a long one
 * that began last would run alone.
 */
async function suite({ name, atOnce, paths, titles = [], sharesProcesses = false, share }: Suite): Promise<void> {
  const startedMs = performance.now()
  console.log(`\n▶ ${name}`)
  const measured = measureChildren()
  const shared = new Set(sharesProcesses ? paths.filter(mayShare) : [])
  const alone = paths.filter((path) => !shared.has(path)).map((path): [string, string[]] => [`${root}${path}`, [path]])
  const together = sharesProcesses
    ? shareProcesses(inGroups([...shared]), { root, folder: `${root}node_modules/.cache/shared/${name}` })
    : new Map<string, string[]>()
  const processes = new Map([...alone, ...together])
  const size = new Map([...processes].map(([file, of]) => [file, of.reduce((sum, path) => sum + statSync(`${root}${path}`).size, 0)]))
  const files = [...size.keys()].sort((a, b) => placeOf(a) - placeOf(b) || size.get(b)! - size.get(a)!)
  let counts = { tests: 0, passed: 0, skipped: 0 }
  let output = ''
  const took: { path: string; seconds: number }[] = []
  try {
    const end = await share?.()
    const testNamePatterns = titles.map((part) => new RegExp(part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    const execArgv = [`--import=${root}apps/launcher/src/quick-imports.ts`]
    const events = run({ files, concurrency: atOnce, cwd: root, execArgv, ...(titles.length > 0 ? { testNamePatterns } : {}) })
    const groups: string[] = []
    events.on('test:start', ({ name: test, nesting }) => groups.splice(nesting, groups.length, test))
    // `entryFile` is the test file, `file` where the test is written: a step of a story is written elsewhere.
    events.on('test:fail', ({ details, file, skip, todo, ...more }: EventData.TestFail & { entryFile?: string }) => {
      // A group fails with what is in it.
      const isEcho = (details.error as { failureType?: string }).failureType === 'subtestsFailed'
      if (skip !== undefined || todo !== undefined || isEcho) return
      // Where files share a process, the outermost group has the path of the one that broke.
      const entry = more.entryFile ?? file ?? ''
      const where = together.has(entry) && groups.length > 1 ? [] : [entry.replace(root, '')]
      brokenNames.push(`${name}: ${[...where, ...groups.filter((each) => !each.startsWith(root))].join(': ')}`)
      // What a search has found is found again by its seed.
      const { cause } = details.error as { cause?: unknown }
      const seed = /\{ seed: .*/.exec(cause instanceof Error ? cause.message : '')
      if (seed) brokenNames.push(`  ${seed[0]}`)
    })
    events.on('test:summary', (summary) => {
      if (summary.file === undefined) counts = summary.counts
      else took.push({ path: summary.file.replace(root, ''), seconds: summary.duration_ms / 1000 })
    })
    for await (const part of events.compose(new spec())) output += String(part)
    await end?.()
  } catch (cause) {
    // What all files use did not start, or did not end.
    brokenNames.push(`${name}: what its files share`)
    conclude(name, startedMs, 0, 1, `${output}\n${cause instanceof Error ? cause.stack : String(cause)}`, { took: measured.end() })
    return
  }
  const broken = counts.tests - counts.passed - counts.skipped
  const counted = ` (${counts.passed} passed, ${broken} failed, ${counts.skipped} skipped)`
  // A suite without a test has shown nothing.
  conclude(name, startedMs, counts.passed, Math.max(broken, Number(counts.passed === 0)), output, { counts: counted, took: measured.end() })
  if (took.length > LONGEST) console.log(`  longest: ${longest(took)}`)
}

/** How many of the files of a step are named that took longest. */
const LONGEST = 8
const longest = (took: readonly { path: string; seconds: number }[]): string =>
  took
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, LONGEST)
    .map(({ path, seconds }) => `${path} ${seconds.toFixed(0)} s`)
    .join(', ')

/** The pages as the tree has them, for products that find them built. */
async function buildFirst(): Promise<() => Promise<void>> {
  await buildPages(nodePorts, root.replace(/\/$/, ''), ['console', 'approval page'], () => undefined)
  return async () => undefined
}

// Two more than there are cores: each waits for blocks, pages, the disk and other processes now and then.
const atOnce = Math.max(1, Math.min(4, availableParallelism())) + 2
// Products that are killed, stopped and started anew wait for each other most of the time.
const killedAtOnce = atOnce + 1

check('types', 'tsc', ['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'])
check('format', 'biome', ['format', '.'])
check('lint', 'oxlint', ['--type-aware', '--deny-warnings', 'apps', 'features', 'packages', 'test', 'bench'])
check('dependencies', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'apps', 'features', 'packages'])
if (isWanted('tidy')) await suite({ name: 'tidy', atOnce: 1, paths: [...files('test/*.test.ts'), 'test/bug-bank/planted-faults.test.ts'] })
const older = isWanted('postgresql-15') ? debianPostgres() : undefined
if (isWanted('unit')) {
  const elsewhere = new Set(older ? onDatabase.filter((path) => !path.startsWith('packages/')) : [])
  await suite({ name: 'unit', atOnce, paths: suites.filter((path) => !elsewhere.has(path)), sharesProcesses: true })
}
if (older) {
  process.env.HOLDFAST_TEST_DATABASE_URL = older.url
  await suite({ name: 'postgresql-15', atOnce, paths: onDatabase, sharesProcesses: true })
  delete process.env.HOLDFAST_TEST_DATABASE_URL
  older.stop()
}
process.env.HOLDFAST_FUZZ ??= '10'
if (isWanted('processes')) {
  const paths = files('test/{processes,upgrade}/*.test.ts', ['**/kill.test.ts'])
  await suite({ name: 'processes', atOnce: killedAtOnce, paths, share: () => shareStack(PLAIN_STACK) })
}
// Kills processes at 100 random points of payments and at 200 of what moves by itself, has machines ask and approve for ten minutes, and tries again with more
// samples what tries a few otherwise.
if (isWanted('endurance')) {
  process.env.HOLDFAST_THOROUGH = '1'
  const sampled = suites.filter((path) => readText(path).includes('process.env.HOLDFAST_THOROUGH'))
  await suite({ name: 'endurance', atOnce: 1, paths: [...files('test/processes/{kill,kill-moves,kill-sweeps,co-signer-load}.test.ts'), ...sampled] })
  delete process.env.HOLDFAST_THOROUGH
}
if (isWanted('browser')) await suite({ name: 'browser', atOnce, paths: files('test/e2e/**/*.test.ts'), share: () => shareStack({ hasConsole: true }) })

// Files by path and tests by title; the same titles are wanted of all files that are run together.
for (const [key, chosen] of Map.groupBy(choice.files, ({ titles }) => JSON.stringify(titles))) {
  const titles = JSON.parse(key) as string[]
  const paths = chosen.map(({ path }) => path)
  const name = titles.length > 0 ? titles.join(' | ') : paths.length === 1 ? paths.join() : `${paths.length} files`
  // Products that start side by side would each build the pages into one folder, and serve what another one has half written.
  const startProducts = paths.filter((path) => /^test\/(processes|upgrade|e2e)\//.test(path)).length > 1
  await suite({ name, atOnce, paths, titles, ...(startProducts ? { share: buildFirst } : {}) })
}

for (const each of brokenNames) console.log(`✖ ${each}`)
console.log(`\n${passed} passed, ${failed} failed`)
await nodePorts.process.exit(failed === 0 ? 0 : 1)
