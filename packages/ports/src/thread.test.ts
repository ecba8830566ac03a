import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openThread } from './thread.ts'

const module = new URL('./thread.fixture.ts', import.meta.url)
const limits = { heapMegabytes: 64, longestMs: 60_000, idleMs: 60_000 }

test('questions are answered one after another, in a thread that is not ours', async () => {
  const thread = openThread(module, limits)
  assert.deepEqual(await Promise.all([1, 2, 3].map((number) => thread.ask({ do: 'double', number }))), [2, 4, 6])
  const [here, again] = [await thread.ask({ do: 'where' }), await thread.ask({ do: 'where' })]
  assert.ok(Number(here) > 0)
  assert.equal(again, here)
})

test('what the module throws is thrown, and the thread goes on', async () => {
  const thread = openThread(module, limits)
  const here = await thread.ask({ do: 'where' })
  await assert.rejects(thread.ask({ do: 'throw' }), { name: 'TypeError', message: 'not this one' })
  assert.equal(await thread.ask({ do: 'where' }), here)
})

test('a thread that ends, or gives no answer, is lost with its question alone', async () => {
  const ending = openThread(module, limits)
  const answers = await Promise.allSettled([ending.ask({ do: 'end' }), ending.ask({ do: 'double', number: 4 })])
  assert.deepEqual(
    answers.map((each) => each.status),
    ['rejected', 'fulfilled'],
  )
  const hanging = openThread(module, { ...limits, longestMs: 200 })
  await assert.rejects(hanging.ask({ do: 'hang' }), /no answer/)
})

test('a thread that nobody asks ends, and the next question has a new one', async () => {
  const thread = openThread(module, { ...limits, idleMs: 0 })
  const first = await thread.ask({ do: 'where' })
  await new Promise((done) => setTimeout(done, 50))
  assert.notEqual(await thread.ask({ do: 'where' }), first)
})
