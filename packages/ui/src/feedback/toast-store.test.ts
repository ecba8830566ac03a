import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToaster } from './toast-store.ts'

function scripted() {
  const waiting = new Map<number, () => void>()
  let id = 0
  const timer = {
    after: (_: number, callback: () => void) => {
      const own = ++id
      waiting.set(own, callback)
      return () => void waiting.delete(own)
    },
  }
  const runAll = () => {
    for (const [own, callback] of [...waiting]) {
      waiting.delete(own)
      callback()
    }
  }
  return { timer, runAll, waiting }
}

test('an error with the key of another takes its place, so that one fault is said once', () => {
  const toaster = createToaster(scripted().timer)
  toaster.error('first', 'httpError')
  toaster.success('copied')
  toaster.error('second', 'httpError')
  assert.deepEqual(
    toaster.list().map(({ text }) => text),
    ['copied', 'second'],
  )
})

test('a message leaves by itself, but not while it is read', () => {
  const { timer, runAll, waiting } = scripted()
  const toaster = createToaster(timer)
  toaster.info('one')
  toaster.hold(true)
  toaster.info('two')
  assert.equal(waiting.size, 0)
  toaster.hold(false)
  assert.equal(waiting.size, 2)
  runAll()
  assert.deepEqual(toaster.list(), [])
})

test('at most four messages stand at once, the newest', () => {
  const toaster = createToaster(scripted().timer)
  for (const text of ['1', '2', '3', '4', '5']) toaster.info(text)
  assert.deepEqual(
    toaster.list().map(({ text }) => text),
    ['2', '3', '4', '5'],
  )
  toaster.dismiss(toaster.list()[0]?.id ?? 0)
  assert.deepEqual(
    toaster.list().map(({ text }) => text),
    ['3', '4', '5'],
  )
})
