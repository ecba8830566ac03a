import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PlantedFault, plantedFaults } from './planted-faults.ts'

// `npm run bug-bank`: plants each fault in a copy of the sources, and wants the test that claims it to fail. The copy as it is must pass first.

const root = new URL('../..', import.meta.url).pathname
const copy = mkdtempSync(join(tmpdir(), 'bug-bank-'))
/** Packages of the project stand in it as links to their sources, which are those of the copy. */
const OWN_SCOPE = '@holdfast'

function passes(files: string[], test?: string): boolean {
  const only = test === undefined ? [] : ['--test-name-pattern', test.replaceAll(/[^\w\s]/g, '.')]
  const result = spawnSync('node', ['--test', '--test-reporter=dot', ...only, ...files], { cwd: copy, stdio: 'ignore' })
  if (result.error) throw result.error
  return result.status === 0
}

function isCaught({ file, original, replacement, claimedBy, test }: PlantedFault): boolean {
  const path = join(copy, file)
  const before = readFileSync(path, 'utf8')
  if (before.split(original).length !== 2) throw new Error(`${file} does not have exactly once: ${original}`)
  writeFileSync(
    path,
    before.replace(original, () => replacement),
  )
  try {
    return !passes([claimedBy], test)
  } finally {
    writeFileSync(path, before)
  }
}

function copySources(): void {
  const isSource = (path: string) => !/\/(node_modules|dist)$/.test(path)
  for (const name of ['apps', 'features', 'packages', 'test/vectors']) cpSync(join(root, name), join(copy, name), { recursive: true, filter: isSource })
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  const modules = join(copy, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(root, 'node_modules'))) if (name !== OWN_SCOPE) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  cpSync(join(root, 'node_modules', OWN_SCOPE), join(modules, OWN_SCOPE), { recursive: true, verbatimSymlinks: true })
}

function run(): number {
  copySources()
  const claimants = [...new Set(plantedFaults.map(({ claimedBy }) => claimedBy))].sort()
  if (!passes(claimants)) {
    console.error(`Without any fault planted these do not pass: ${claimants.join(', ')}`)
    return 2
  }
  let missed = 0
  plantedFaults.forEach((fault, i) => {
    const caught = isCaught(fault)
    missed += Number(!caught)
    console.log(`${caught ? 'caught' : 'MISSED'}  ${String(i + 1).padStart(2)}  ${fault.file.padEnd(40)} ${fault.claimedBy.padEnd(46)} ${fault.why}`)
  })
  console.log(`\n${plantedFaults.length - missed} of ${plantedFaults.length} planted faults caught`)
  return missed === 0 ? 0 : 1
}

try {
  process.exitCode = run()
} finally {
  rmSync(copy, { recursive: true, force: true })
}
