import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'

const LINES = 20_000

test('a program ends after its reader has taken all that it printed, however much that is', async () => {
  const program = new URL('./exit.fixture.ts', import.meta.url).pathname
  const { code, out, err } = await new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [program, String(LINES)], { maxBuffer: 1 << 24 }, (error, out, err) => resolve({ code: error?.code, out, err }))
  })
  assert.equal(code, 3)
  assert.deepEqual(
    [out, err].map((text) => text.split('\n').at(-2)),
    [`line ${LINES}`, `error ${LINES}`],
  )
})
