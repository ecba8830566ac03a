import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { kindOf, readRunning, type Running, sumBelow } from './cpu-time.ts'

const ROOT = 10
const of = (pid: number, parent: number, seconds: number, command: string, startedAt = '1'): Running => ({ pid, parent, seconds, command, startedAt })

test('what a step starts is counted by kind, however deep, and nothing else of the machine is', () => {
  const sum = sumBelow(ROOT)
  sum.look([
    of(ROOT, 1, 5, 'node test/run-all.ts'),
    of(14, 13, 4, '/usr/bin/chromium-headless-shell --type=renderer'),
    of(13, 12, 3, '/usr/bin/chromium-headless-shell'),
    of(12, ROOT, 2, 'node --import=apps/launcher/src/quick-imports.ts apps/signer/src/process.test.ts'),
    of(15, 12, 1, 'node apps/signer/src/main.ts run'),
    of(20, 1, 100, 'node apps/server/src/main.ts'),
  ])
  assert.deepEqual(sum.sums(), { browser: 7, tests: 2, programs: 1 })
})

test('a process counts as it was last seen, also after its parent or itself has ended', () => {
  const sum = sumBelow(ROOT)
  sum.look([of(11, ROOT, 1, 'x.test.ts'), of(12, 11, 1, 'postgres')])
  sum.look([of(12, 1, 3, 'postgres')])
  // It has ended, and the system knows its name no more.
  sum.look([of(12, 1, 4, '')])
  sum.look([])
  assert.deepEqual(sum.sums(), { tests: 1, database: 4 })
})

test('a number that another process has been given since counts for neither of them twice', () => {
  const sum = sumBelow(ROOT)
  sum.look([of(11, ROOT, 1, 'x.test.ts')])
  sum.look([of(11, 1, 50, 'postgres', '2')])
  assert.deepEqual(sum.sums(), { tests: 1 })
  sum.look([of(11, ROOT, 2, 'postgres', '3')])
  assert.deepEqual(sum.sums(), { tests: 1, database: 2 })
})

test('a test in a folder of the programs is a test, and what nothing is known of is other', () => {
  assert.equal(kindOf('node --import=quick.ts /x/apps/signer/src/knowledge.test.ts '), 'tests')
  assert.equal(kindOf('node --import=/x/apps/launcher/src/quick-imports.ts /x/node_modules/.cache/shared/unit/3-policy.test.mjs '), 'tests')
  assert.equal(kindOf('node /x/apps/signer/src/main.ts run '), 'programs')
  assert.equal(kindOf('cp -r a b'), 'other')
})

test('what a child of this process takes is read from the system', { skip: process.platform === 'linux' ? false : 'only Linux says so' }, async () => {
  const child = spawn(process.execPath, ['-e', 'for (let i = 0; ; i++);'])
  try {
    const sum = sumBelow(process.pid)
    while (Object.values(sum.sums()).every((seconds) => seconds === 0)) {
      sum.look(readRunning())
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual(Object.keys(sum.sums()), ['other'])
  } finally {
    child.kill('SIGKILL')
  }
})
