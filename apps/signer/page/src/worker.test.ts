import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import { buildPage } from '../build.ts'

type Listener = (event: object) => void

/** Runs the worker as it is served, in a realm that has nothing but what a worker needs here; answers what it listens to and what it does. */
async function startWorker({ language, windows = [] }: { language: string; windows?: { focus(): Promise<void> }[] }) {
  const script = new TextDecoder().decode((await buildPage()).get('sw.js'))
  const heard = new Map<string, Listener>()
  const done: unknown[] = []
  const self = {
    addEventListener: (kind: string, act: Listener) => heard.set(kind, act),
    registration: { showNotification: async (...shown: unknown[]) => void done.push(shown) },
    clients: { matchAll: async () => windows, openWindow: async (path: string) => void done.push(path) },
  }
  runInNewContext(script, { self, navigator: { language } })
  const tell = async (kind: string, event: object = {}) => {
    const work: Promise<unknown>[] = []
    heard.get(kind)!({ ...event, waitUntil: (promise: Promise<unknown>) => work.push(promise) })
    await Promise.all(work)
    assert.equal(work.length, 1, 'the browser waits for it')
  }
  return { heard: [...heard.keys()], done, tell }
}

describe('the worker of the approval page', () => {
  it('shows one sentence when a push comes, in the language of the browser, whatever the push says', async () => {
    for (const [language, title, lang] of [
      ['en-GB', 'Something waits for your decision', 'en-US'],
      ['zh-Hans-CN', '有事项待您处理', 'zh-CN'],
    ] as const) {
      const { done, tell } = await startWorker({ language })
      await tell('push', { data: { text: () => 'Pay 5 USDC' } })
      const [[shown, { body, ...rest }]] = done as [[string, { body: string }]]
      assert.deepEqual([shown, { ...rest }], [title, { icon: '/icon-192.png', tag: 'waiting', lang }])
      assert.doesNotMatch(body, /USDC/)
    }
  })

  it('brings the page to the front when the notification is chosen, or opens it', async () => {
    let closed = 0
    let focused = 0
    const notification = { close: () => closed++ }
    const without = await startWorker({ language: 'en-US' })
    await without.tell('notificationclick', { notification })
    assert.deepEqual(without.done, ['/'])
    const among = await startWorker({ language: 'en-US', windows: [{ focus: async () => void focused++ }] })
    await among.tell('notificationclick', { notification })
    assert.deepEqual([among.done, closed, focused], [[], 2, 1])
  })

  it('answers no request of the page and keeps nothing: it listens to pushes and to their notifications alone', async () => {
    assert.deepEqual((await startWorker({ language: 'en-US' })).heard, ['push', 'notificationclick'])
  })
})
