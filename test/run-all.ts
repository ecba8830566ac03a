import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { debianPostgres } from './debian-postgres.ts'
import { PLAIN_STACK, shareStack } from './processes/testing/joined-stack.ts'

// Everything `npm test` promises, in the order in which a failure is cheapest to hear of. Names of steps may be given to run
// only those: npm test -- types lint

const root = new URL('..', import.meta.url).pathname
const only = process.argv.slice(2)
const files = (pattern: string, but: string[] = []) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', ...but] }).sort()
const suites = files('{packages,features,apps,test/vectors}/**/*.test.ts')
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

const isWanted = (name: string) => only.length === 0 || only.includes(name)

/** Counts what a step kept and broke; one that passes says how much it kept, one that fails says everything it printed. */
function conclude(name: string, startedMs: number, kept: number, broken: number, output: string, counts = ''): void {
  passed += kept
  failed += broken
  if (broken > 0) console.log(output)
  console.log(`${broken > 0 ? '✖' : '✔'} ${name}${counts} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
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

/**
 * The tests of some files, each file in a process of its own, so many at once. Large files begin first: they are about the longest to run,
 * and a long one that began last would run alone. `share` starts what all files use, and answers what ends it.
 */
async function suite(name: string, concurrency: number, paths: string[], share?: () => Promise<() => Promise<void>>): Promise<void> {
  if (!isWanted(name)) return
  const startedMs = performance.now()
  console.log(`\n▶ ${name}`)
  const size = new Map(paths.map((path) => [`${root}${path}`, statSync(`${root}${path}`).size]))
  const files = [...size.keys()].sort((a, b) => size.get(b)! - size.get(a)!)
  let counts = { tests: 0, passed: 0, skipped: 0 }
  let output = ''
  try {
    const end = await share?.()
    const events = run({ files, concurrency, cwd: root })
    events.on('test:fail', ({ name: test, file, skip, todo }) => {
      if (skip === undefined && todo === undefined) brokenNames.push(`${name}: ${file?.replace(root, '') ?? ''}: ${test.replace(root, '')}`)
    })
    events.on('test:summary', (summary) => {
      if (summary.file === undefined) counts = summary.counts
    })
    for await (const part of events.compose(new spec())) output += String(part)
    await end?.()
  } catch (cause) {
    // What all files use did not start, or did not end.
    brokenNames.push(`${name}: what its files share`)
    conclude(name, startedMs, 0, 1, `${output}\n${cause instanceof Error ? cause.stack : String(cause)}`)
    return
  }
  const broken = counts.tests - counts.passed - counts.skipped
  const said = ` (${counts.passed} passed, ${broken} failed, ${counts.skipped} skipped)`
  // A suite without a test has shown nothing.
  conclude(name, startedMs, counts.passed, Math.max(broken, Number(counts.passed === 0)), output, said)
}

// One more than there are cores: each waits for blocks, pages and processes now and then.
const atOnce = Math.max(1, Math.min(4, availableParallelism())) + 1
// Whole products wait more than what they are made of.
const productsAtOnce = atOnce + 1

check('types', 'tsc', ['-p', 'tsconfig.json'])
check('format', 'biome', ['format', '.'])
check('lint', 'oxlint', ['--type-aware', '--deny-warnings', 'apps', 'features', 'packages', 'test', 'bench'])
check('dependencies', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'apps', 'features', 'packages'])
await suite('tidy', 1, ['test/tidy.test.ts', 'test/spec-coverage.test.ts', 'test/bug-bank/planted-faults.test.ts'])
const older = isWanted('postgresql-15') ? debianPostgres() : undefined
await suite('unit', atOnce, older ? suites.filter((path) => path.startsWith('packages/') || !onDatabase.includes(path)) : suites)
if (older) {
  process.env.HOLDFAST_TEST_DATABASE_URL = older.url
  await suite('postgresql-15', atOnce, onDatabase)
  delete process.env.HOLDFAST_TEST_DATABASE_URL
  older.stop()
}
process.env.HOLDFAST_FUZZ ??= '10'
await suite('processes', productsAtOnce, files('test/processes/*.test.ts', ['**/kill.test.ts']), () => shareStack(PLAIN_STACK))
// Long: `npm test -- endurance` kills processes at 100 random points, and tries again with more samples what tries a few otherwise.
if (only.includes('endurance')) {
  process.env.HOLDFAST_THOROUGH = '1'
  const sampled = suites.filter((path) => readFileSync(`${root}${path}`, 'utf8').includes('process.env.HOLDFAST_THOROUGH'))
  await suite('endurance', 1, [...files('test/processes/kill.test.ts'), ...sampled])
  delete process.env.HOLDFAST_THOROUGH
}
await suite('browser', productsAtOnce, files('test/e2e/*.test.ts'), () => shareStack({ hasConsole: true }))

for (const each of brokenNames) console.log(`✖ ${each}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
