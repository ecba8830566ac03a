import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PlantedFault, plantedFaults } from './planted-faults.ts'

// `npm run bug-bank`: plants each fault in a copy of the sources, and wants the test that claims it to fail. The copy as it is must pass first.
// With a part of a path, `npm run bug-bank -- packages/mpc`, only the faults of those files and of those that claim them.

const root = new URL('../..', import.meta.url).pathname
/** Packages of the project stand in a copy as links to the copy's own sources. */
const OWN_SCOPE = '@holdfast'
/** What tests read besides the sources. */
const COPIED = ['apps', 'features', 'packages', 'docs', 'test/glossary.test.ts', 'test/vectors', 'package.json', 'tsconfig.json', 'README.md']

function copySources(copy: string): void {
  const isSource = (path: string) => !path.endsWith('/node_modules')
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true, filter: isSource })
  const modules = join(copy, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(root, 'node_modules'))) if (name !== OWN_SCOPE) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  cpSync(join(root, 'node_modules', OWN_SCOPE), join(modules, OWN_SCOPE), { recursive: true, verbatimSymlinks: true })
}

/** Whether the tests of a file pass. Those that have not ended after `limitMs` do not: a fault may make a search endless. */
function passes(copy: string, file: string, { test, limitMs }: { test?: string | undefined; limitMs?: number } = {}): Promise<boolean> {
  const only = test === undefined ? [] : ['--test-name-pattern', test.replaceAll(/[^\w\s]/g, '.')]
  // A group of its own, so that what the test started ends with it.
  // A planted fault may need more searches than each run of all tests makes.
  const env = { ...process.env, HOLDFAST_KNOWLEDGE_SEARCHES: '10000' }
  const child = spawn('node', ['--test', '--test-reporter=dot', ...only, file], { cwd: copy, stdio: 'ignore', detached: true, env })
  const limit = limitMs === undefined ? undefined : setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limitMs)
  return new Promise((end, fail) => {
    child.on('error', fail)
    child.on('exit', (code) => {
      clearTimeout(limit)
      end(code === 0)
    })
  })
}

async function isCaught(copy: string, { file, original, replacement, claimedBy, test }: PlantedFault, limitMs: number): Promise<boolean> {
  const path = join(copy, file)
  const before = readFileSync(path, 'utf8')
  if (before.split(original).length !== 2) throw new Error(`${file} does not have exactly once: ${original}`)
  writeFileSync(
    path,
    before.replace(original, () => replacement),
  )
  try {
    return !(await passes(copy, claimedBy, { test, limitMs }))
  } finally {
    writeFileSync(path, before)
  }
}

/** Does each piece of work once, in as many copies side by side as there are. */
async function shareOut<T>(copies: readonly string[], pieces: readonly T[], work: (copy: string, piece: T) => Promise<void>): Promise<void> {
  const left = [...pieces]
  await Promise.all(
    copies.map(async (copy) => {
      for (let piece = left.shift(); piece !== undefined; piece = left.shift()) await work(copy, piece)
    }),
  )
}

async function run(copies: readonly string[], faults: readonly PlantedFault[]): Promise<number> {
  for (const copy of copies) copySources(copy)
  const unsound: string[] = []
  const soundMs = new Map<string, number>()
  await shareOut(copies, [...new Set(faults.map(({ claimedBy }) => claimedBy))].sort(), async (copy, file) => {
    const startedMs = performance.now()
    if (!(await passes(copy, file))) unsound.push(file)
    soundMs.set(file, performance.now() - startedMs)
  })
  for (const file of unsound) console.log(`UNSOUND     ${file} does not pass without a fault either`)
  let caught = 0
  let done = 0
  await shareOut(
    copies,
    faults.filter(({ claimedBy }) => !unsound.includes(claimedBy)),
    async (copy, fault) => {
      const isKept = await isCaught(copy, fault, 60_000 + 10 * (soundMs.get(fault.claimedBy) ?? 0))
      caught += Number(isKept)
      console.log(`${isKept ? 'caught' : 'MISSED'}  ${String(++done).padStart(3)}  ${fault.file.padEnd(40)} ${fault.claimedBy.padEnd(46)} ${fault.why}`)
    },
  )
  console.log(`\n${caught} of ${faults.length} planted faults caught`)
  return caught === faults.length ? 0 : 1
}

const wanted = process.argv.slice(2)
const chosen = plantedFaults.filter(({ file, claimedBy }) => wanted.every((part) => file.includes(part) || claimedBy.includes(part)))
if (chosen.length === 0) {
  console.error(`No planted fault is of ${wanted.join(' ')}`)
  process.exit(2)
}
const copies = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, () => mkdtempSync(join(tmpdir(), 'bug-bank-')))
try {
  process.exitCode = await run(copies, chosen)
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
}
