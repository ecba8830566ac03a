import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ChunkLoadError } from './chunk-failure.ts'
import { createConnection } from './connection.ts'

const ENTRY = '/mpc/assets/index-abc.js'
const page = (entry: string) => new Response(`<html><script type="module" src="${entry}"></script></html>`)
const gone = new ChunkLoadError(new Error('gone'))

/** A connection whose server answers one of these each time it is asked, the last for ever; waiting takes no time. */
function connectionTo(...answers: (() => Response)[]) {
  const said: string[] = []
  let asked = 0
  let pauses = 0
  const window = new EventTarget()
  const connection = createConnection({
    fetch: async () => answers[Math.min(asked++, answers.length - 1)]!(),
    timer: { sleep: async () => void pauses++, after: () => () => undefined },
    entry: ENTRY,
    window,
  })
  connection.subscribe(() => said.push(connection.state()))
  return { connection, said, asked: () => asked, pauses: () => pauses, window }
}
const silent = () => {
  throw new TypeError('Failed to fetch')
}

describe('a part of the console that could not be fetched', () => {
  it('is no update while the server does not answer: it waits, says so, and is tried again once there is an answer', async () => {
    const { connection, said, asked } = connectionTo(
      silent,
      () => new Response('', { status: 503 }),
      () => page(ENTRY),
    )
    await connection.mend(gone)
    assert.deepEqual([said, asked()], [['lost', 'incomplete'], 3])
    connection.mended()
    assert.equal(connection.state(), 'good')
  })

  it('is tried at once where the server was away and answers again, and after a pause where it answered all along', async () => {
    const back = connectionTo(silent, () => page(ENTRY))
    await back.connection.mend(gone)
    assert.deepEqual([back.asked(), back.pauses()], [2, 1], 'one pause for the answer that did not come')
    const there = connectionTo(() => page(ENTRY))
    await there.connection.mend(gone)
    assert.deepEqual([there.asked(), there.pauses()], [1, 1])
  })

  it('is one where the server serves another build, and nothing else', async () => {
    const { connection } = connectionTo(silent, () => page('/mpc/assets/index-def.js'))
    await assert.rejects(connection.mend(gone), ChunkLoadError)
    assert.equal(connection.state(), 'good')
  })

  it('is told from a fault, which is thrown as it is', async () => {
    const fault = new TypeError('cannot read properties of undefined')
    await assert.rejects(connectionTo(() => page(ENTRY)).connection.mend(fault), fault)
  })
})

describe('a server that may be away', () => {
  it('is said to be, from when the browser has no network until the server answers', async () => {
    const { connection, said, asked, window } = connectionTo(silent, silent, () => page(ENTRY))
    const isBack = new Promise<void>((resolve) => connection.subscribe(() => connection.state() === 'good' && resolve()))
    window.dispatchEvent(new Event('offline'))
    assert.equal(asked(), 1)
    await isBack
    assert.deepEqual([said, asked()], [['lost', 'good'], 3])
  })

  it('is not said to be where it answers, whatever build it serves', async () => {
    const { connection, said } = connectionTo(() => page('/mpc/assets/index-def.js'))
    await connection.check()
    assert.deepEqual(said, [])
  })
})
