import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Topic } from '@holdfast/contract'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { refreshAll, refreshStale } from './refresh-stale.ts'

/** Answers that pages show, each with what makes it stale, and how often each was asked for. */
async function showing(answers: Record<string, readonly Topic[]>) {
  const queries = new QueryClient()
  const asked: string[] = []
  for (const [name, staleOn] of Object.entries(answers)) {
    const queryFn = () => asked.push(name)
    new QueryObserver(queries, { queryKey: [name], queryFn, meta: { staleOn }, staleTime: Infinity }).subscribe(() => undefined)
  }
  await new Promise((done) => setImmediate(done))
  asked.length = 0
  return { queries, asked }
}

test('a change asks again for the answers that say they are stale on it, each once, and for no other', async () => {
  const { queries, asked } = await showing({ orders: ['order.changed', 'label.changed'], balances: ['balance.changed'], receipt: [] })
  await refreshStale(queries, ['order.changed', 'label.changed'])
  assert.deepEqual(asked, ['orders'])
  await refreshStale(queries, ['balance.changed', 'unheard.of'])
  assert.deepEqual(asked, ['orders', 'balances'])
  await refreshStale(queries, [])
  assert.deepEqual(asked, ['orders', 'balances'])
  queries.clear()
})

test('a change while something is asked for the first time is not missed: its first answer is shown, and asked for once more', async () => {
  const queries = new QueryClient()
  const answers: ((state: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const shown = new QueryObserver(queries, { queryKey: ['batch'], queryFn, meta: { staleOn: ['batch.changed'] }, staleTime: Infinity })
  shown.subscribe(() => undefined)
  const refreshed = refreshStale(queries, ['batch.changed'])
  await new Promise((done) => setImmediate(done))
  assert.equal(answers.length, 1, 'what has begun is not begun anew')
  answers[0]!('processing')
  await new Promise((done) => setImmediate(done))
  assert.equal(shown.getCurrentResult().data, 'processing')
  assert.equal(answers.length, 2)
  answers[1]!('finished')
  await refreshed
  assert.equal(shown.getCurrentResult().data, 'finished')
  queries.clear()
})

test('what is being asked for the first time is asked again with everything else, and its first answer is not shown', async () => {
  const queries = new QueryClient()
  const answers: ((words: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const shown = new QueryObserver(queries, { queryKey: ['words'], queryFn, staleTime: Infinity })
  shown.subscribe(() => undefined)
  const refreshed = refreshAll(queries)
  await new Promise((done) => setImmediate(done))
  assert.equal(answers.length, 2)
  answers[0]!('of the language before')
  answers[1]!('of this language')
  await refreshed
  assert.equal(shown.getCurrentResult().data, 'of this language')
  queries.clear()
})
