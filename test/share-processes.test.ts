import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { shareProcesses } from './share-processes.ts'

const root = `${mkdtempSync(join(tmpdir(), 'holdfast-shared-'))}/`
after(() => rmSync(root, { recursive: true }))

/** Runs files that share a process; what the runner printed, and its exit code. */
function runShared(files: Record<string, string>) {
  for (const [name, source] of Object.entries(files)) writeFileSync(`${root}${name}`, source)
  const shared = shareProcesses(Object.keys(files), { root, folder: `${root}shared` })
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  const runs = [...shared.keys()].map((path) => spawnSync('node', ['--test', '--test-reporter=tap', path], { encoding: 'utf8', env }))
  return { shared, output: runs.map(({ stdout }) => stdout).join('\n'), status: Math.max(...runs.map(({ status }) => status ?? 1)) }
}

const HOOKED = (name: string) => `import { before, beforeEach, after, test } from 'node:test'
import { appendFileSync } from 'node:fs'
const say = (what) => appendFileSync(${JSON.stringify(root)} + 'said', '${name}:' + what + ' ')
before(() => say('before'))
beforeEach(() => say('each'))
after(() => say('after'))
test('${name} runs', () => say('test'))
`

test('files that share a process run one after the other, and the hooks of one are not those of another', () => {
  writeFileSync(`${root}said`, '')
  const { status, shared } = runShared({ 'a.test.mjs': HOOKED('a'), 'b.test.mjs': HOOKED('b') })
  assert.equal(status, 0)
  assert.equal(shared.size, 1)
  const order = (name: string) => ['before', 'each', 'test', 'after'].map((what) => `${name}:${what} `).join('')
  assert.equal(readFileSync(`${root}said`, 'utf8'), order('a') + order('b'))
})

test('a file that shares a process and cannot be loaded is a test that fails, and the others still run', () => {
  const { status, output } = runShared({ 'broken.test.mjs': "import './missing.mjs'\n", 'b.test.mjs': HOOKED('b') })
  assert.equal(status, 1)
  assert.match(output, /not ok \d+ - can be loaded/)
  assert.match(output, /^# fail 1$/m)
  assert.match(output, /(?<!not )ok \d+ - b runs/)
})

test('each file is run by one process, and no process runs more than eight', () => {
  const names = Array.from({ length: 20 }, (_, i) => `features/f${i}/server/x.test.ts`)
  const shared = shareProcesses(names, { root, folder: `${root}shared` })
  assert.deepEqual([...shared.values()].flat(), names)
  assert.ok([...shared.values()].every((group) => group.length <= 8))
})
