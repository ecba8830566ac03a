import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PlantedFault, plantedFaults } from './planted-faults.ts'

// `npm run bug-bank`: plants each fault in a copy of packages/mpc, and wants the test that claims it to fail. The copy as it is must pass first.

const root = new URL('../..', import.meta.url).pathname
const copy = mkdtempSync(join(tmpdir(), 'bug-bank-'))
const source = (file: string) => join(copy, 'packages/mpc/src', file)

function passes(files: string[]): boolean {
  const result = spawnSync('node', ['--test', '--test-reporter=dot', ...files.map(source)], { cwd: copy, stdio: 'ignore' })
  if (result.error) throw result.error
  return result.status === 0
}

function isCaught({ file, original, replacement, claimedBy }: PlantedFault): boolean {
  const before = readFileSync(source(file), 'utf8')
  if (before.split(original).length !== 2) throw new Error(`${file} does not have exactly once: ${original}`)
  writeFileSync(
    source(file),
    before.replace(original, () => replacement),
  )
  try {
    return !passes([claimedBy])
  } finally {
    writeFileSync(source(file), before)
  }
}

function run(): number {
  cpSync(join(root, 'packages/mpc'), join(copy, 'packages/mpc'), { recursive: true, filter: (path) => !path.endsWith('/node_modules') })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const claimants = [...new Set(plantedFaults.map(({ claimedBy }) => claimedBy))].sort()
  if (!passes(claimants)) {
    console.error(`Without any fault planted these do not pass: ${claimants.join(', ')}`)
    return 2
  }
  let missed = 0
  plantedFaults.forEach((fault, i) => {
    const caught = isCaught(fault)
    missed += Number(!caught)
    console.log(`${caught ? 'caught' : 'MISSED'}  ${String(i + 1).padStart(2)}  ${fault.file.padEnd(18)} ${fault.claimedBy.padEnd(24)} ${fault.why}`)
  })
  console.log(`\n${plantedFaults.length - missed} of ${plantedFaults.length} planted faults caught`)
  return missed === 0 ? 0 : 1
}

try {
  process.exitCode = run()
} finally {
  rmSync(copy, { recursive: true, force: true })
}
