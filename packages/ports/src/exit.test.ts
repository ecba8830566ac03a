import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { test } from 'node:test'

const LINES = 20_000
const program = new URL('./exit.fixture.ts', import.meta.url).pathname

test('a program ends after its reader has taken all that it printed, however much that is', async () => {
  const { code, out, err } = await new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [program, String(LINES)], { maxBuffer: 1 << 24 }, (error, out, err) => resolve({ code: error?.code, out, err }))
  })
  assert.equal(code, 3)
  assert.deepEqual(
    [out, err].map((text) => text.split('\n').at(-2)),
    [`line ${LINES}`, `error ${LINES}`],
  )
})

for (const [gone, kept, last] of [
  ['stdout', 'stderr', `error ${LINES}`],
  ['stderr', 'stdout', `line ${LINES}`],
] as const) {
  test(`a program ends as it would have if nobody reads its ${gone} any more`, async () => {
    const child = spawn(process.execPath, [program, String(LINES)], { stdio: ['ignore', 'pipe', 'pipe'] })
    child[gone].destroy()
    let read = ''
    child[kept].setEncoding('utf8').on('data', (piece: string) => {
      read += piece
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    assert.equal(code, 3, read.slice(-1000))
    assert.equal(read.split('\n').at(-2), last)
  })
}

test('a program that is stopped ends after its reader has taken all that it printed', async () => {
  const child = spawn(process.execPath, [program, String(LINES), 'when stopped'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      if (printed.stdout === '') child.kill('SIGTERM')
      printed[name] += piece
    })
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.deepEqual([code, printed.stdout.split('\n').at(-2), printed.stderr.split('\n').at(-2)], [0, `line ${LINES}`, `error ${LINES}`])
})

test('a program that has ended leaves a pipe to others as it was', () => {
  // The shell gives both the same pipe, whose reader takes its time; a pipe holds far less than the second one writes.
  const { stdout, stderr } = spawnSync('sh', ['-c', `{ ${process.execPath} ${program} 1 2>/dev/null; head -c 1048576 /dev/zero; } | { sleep 1; wc -c; }`], {
    encoding: 'utf8',
  })
  assert.deepEqual([stdout.trim(), stderr], [String('line 1\n'.length + (1 << 20)), ''])
})

/** How many of them would all have to be lucky. */
const ENDING = 6
/** One that has not ended by then does not end. */
const GIVE_UP_MS = 60_000

test('a program ends although a thread waits for a collection of the main thread', async () => {
  const busy = new URL('./exit-busy.fixture.ts', import.meta.url).pathname
  const ended = await Promise.all(
    Array.from({ length: ENDING }, () => {
      const child = spawn(process.execPath, ['--stress-concurrent-allocation', busy], { stdio: 'ignore', timeout: GIVE_UP_MS, killSignal: 'SIGKILL' })
      return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
    }),
  )
  assert.deepEqual(
    ended,
    ended.map(() => 3),
  )
})
