import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { debianPostgres } from './debian-postgres.ts'

// Everything `npm test` promises, in the order in which a failure is cheapest to hear of. Names of steps may be given to run
// only those: npm test -- types lint

const root = new URL('..', import.meta.url).pathname
const only = process.argv.slice(2)
const files = (pattern: string, but: string[] = []) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', ...but] }).sort()
const suites = files('{packages,features,apps}/**/*.test.ts')
// Long random histories are tried on the one, and each chain is lived through there; what they are made of is tried on both.
const onDatabase = suites.filter(
  (path) =>
    !/\/(conservation|nft|bitcoin|ton-chain|tron-chain|real-chain|audit|replaced|sign-order|killed-reader|fake-deposits\/[a-z]+)\.test\.ts$/.test(path) &&
    /^(packages\/(db|ledger|jobs)|features\/(transfer|deposit|withdrawal))\//.test(path),
)

let passed = 0
let failed = 0

function run(name: string, command: string, args: string[], env: Record<string, string> = {}): void {
  if (only.length > 0 && !only.includes(name)) return
  const startedMs = performance.now()
  console.log(`\n▶ ${name}`)
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // What one test file has compiled, the next one reads.
    env: { NODE_COMPILE_CACHE: `${root}node_modules/.cache/compiled`, ...process.env, ...env },
  })
  const output = result.stdout ?? ''
  const count = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  const isSuite = args.includes('--test')
  const ok = result.status === 0 && (!isSuite || count('pass') > 0)
  passed += isSuite ? count('pass') : Number(ok)
  failed += isSuite ? Math.max(count('fail') + count('cancelled'), Number(!ok)) : Number(!ok)
  // A suite that passes says how many promises it kept; one that fails says everything.
  if (!ok) console.log(output)
  console.log(
    `${ok ? '✔' : '✖'} ${name}${isSuite ? ` (${count('pass')} passed, ${count('fail')} failed, ${count('skipped')} skipped)` : ''} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`,
  )
}

const suite = (concurrency: number, paths: string[]) => ['--test', `--test-concurrency=${concurrency}`, '--test-reporter=spec', ...paths]
// One more than there are cores: each waits for blocks, pages and processes now and then.
const atOnce = Math.max(1, Math.min(4, availableParallelism())) + 1
// Whole products wait more than what they are made of.
const productsAtOnce = atOnce + 1

run('types', 'tsc', ['-p', 'tsconfig.json'])
run('format', 'biome', ['format', '.'])
run('lint', 'oxlint', ['--type-aware', '--deny-warnings', 'apps', 'features', 'packages', 'test', 'bench'])
run('dependencies', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'apps', 'features', 'packages'])
run('tidy', 'node', suite(1, ['test/tidy.test.ts', 'test/spec-coverage.test.ts', 'test/bug-bank/planted-faults.test.ts']))
run('unit', 'node', suite(atOnce, suites))
const older = debianPostgres()
if (older) {
  run('postgresql-15', 'node', suite(atOnce, onDatabase), { HOLDFAST_TEST_DATABASE_URL: older.url })
  older.stop()
}
run(
  'processes',
  'node',
  ['--test-global-setup=test/processes/shared-stack.ts', ...suite(productsAtOnce, files('test/processes/*.test.ts', ['**/kill.test.ts']))],
  {
    HOLDFAST_FUZZ: process.env.HOLDFAST_FUZZ ?? '10',
  },
)
// Long: `npm test -- endurance` kills processes at 100 random points, and tries again with more samples what tries a few otherwise.
if (only.includes('endurance')) {
  const sampled = suites.filter((path) => readFileSync(`${root}${path}`, 'utf8').includes('process.env.HOLDFAST_THOROUGH'))
  run('endurance', 'node', suite(1, [...files('test/processes/kill.test.ts'), ...sampled]), { HOLDFAST_THOROUGH: '1' })
}
run('browser', 'node', ['--test-global-setup=test/e2e/shared-stack.ts', ...suite(productsAtOnce, files('test/e2e/*.test.ts'))])

console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
