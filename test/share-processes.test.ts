import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { shareProcesses, sharingByText } from './share-processes.ts'

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

test('a test that fails beside others fails its process, and is told under the path of its file', () => {
  const failing = "import { test } from 'node:test'\ntest('pays once', () => { throw new Error('paid twice') })\n"
  const { status, output } = runShared({ 'a.test.mjs': HOOKED('a'), 'pays.test.mjs': failing, 'b.test.mjs': HOOKED('b') })
  assert.equal(status, 1)
  assert.match(output, /# Subtest: pays\.test\.mjs\n\s+# Subtest: pays once\n\s+not ok 1 - pays once/)
  assert.match(output, /^not ok 2 - pays\.test\.mjs$/m)
  assert.match(output, /^ok 3 - b\.test\.mjs$/m)
})

test('a file shares a process only if its text leaves nothing behind, starts nothing and is loaded without waiting', () => {
  const plain =
    "import { test } from 'node:test'\ntest('adds', async () => assert.equal(await sum(1, 2), 3))\nconst n = process.env.HOLDFAST_THOROUGH === '1' ? 9 : 1\n"
  const texts: Record<string, string> = {
    'a/plain.test.ts': plain,
    'a/over-plain.test.ts': `${plain}import { x } from './x.ts'\n`,
    'a/mocked.test.ts': `${plain}t.mock.timers.enable()\n`,
    'a/global.test.ts': `${plain}globalThis.fetch = answer\n`,
    'a/variable.test.ts': `${plain}process.env.TZ = 'UTC'\n`,
    'a/unset.test.ts': `${plain}delete process.env.TZ\n`,
    'a/ending.test.ts': `${plain}process.exit(0)\n`,
    'a/starting.test.ts': `${plain}import { spawn } from 'node:child_process'\n`,
    'a/chain.test.ts': `${plain}import { anvil } from '../testing/anvil.ts'\n`,
    'a/stored.test.ts': `${plain}const db = await openTestDatabase()\n`,
    'a/waiting.test.ts': `${plain}const key = await generateKey()\n`,
    'a/beginning.test.ts': `${plain}await texts.init()\n`,
    'a/over-waiting.test.ts': `${plain}import { y } from '../b/y.ts'\n`,
    'a/over-program.test.ts': `${plain}import { main } from '../b/program.mjs'\n`,
    'b/program.mjs': 'if (process.argv[1] === path) {\n  await main()\n}\n',
    'a/x.ts': 'export const x = async () => await 1\n',
    'b/y.ts': "import { z } from './z.ts'\n",
    'b/z.ts': 'if (import.meta.main) await run()\n',
  }
  const shares = sharingByText((path) => texts[path]!)
  assert.deepEqual(
    Object.keys(texts).filter((path) => path.endsWith('.test.ts') && shares(path)),
    ['a/plain.test.ts', 'a/over-plain.test.ts'],
  )
})

test('each file is run by one process, and no process runs more than eight', () => {
  const names = Array.from({ length: 20 }, (_, i) => `features/f${i}/server/x.test.ts`)
  const shared = shareProcesses(names, { root, folder: `${root}shared` })
  assert.deepEqual([...shared.values()].flat(), names)
  assert.ok([...shared.values()].every((group) => group.length <= 8))
})
