import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
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
