import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDrawerStack } from './drawer-stack.ts'

const open = (stack: ReturnType<typeof createDrawerStack<string>>) =>
  stack
    .pages()
    .filter((page) => page.isOpen)
    .map((page) => page.content)

test('a page is 460 wide, dims what is behind it and closes by a click beside it, unless it says otherwise (spec 2.33, 9.3)', () => {
  const stack = createDrawerStack<string>()
  void stack.push('first')
  void stack.push('second', { width: 900, background: false, maskClosable: false })
  assert.deepEqual(
    stack.pages().map(({ width, background, maskClosable }) => ({ width, background, maskClosable })),
    [
      { width: 460, background: true, maskClosable: true },
      { width: 900, background: false, maskClosable: false },
    ],
  )
})

test('a page is put on the stack, taken off it, or put in place of all others (spec 2.32, 4.1)', async () => {
  const stack = createDrawerStack<string>()
  const first = stack.push<string>('first')
  const second = stack.push<string>('second')
  assert.deepEqual(open(stack), ['first', 'second'])
  stack.pop('result')
  assert.equal(await second, 'result')
  assert.deepEqual(open(stack), ['first'])
  const third = stack.replace('third')
  assert.equal(await first, undefined)
  assert.deepEqual(open(stack), ['third'])
  stack.close()
  assert.equal(await third, undefined)
  assert.deepEqual(open(stack), [])
})

test('closing the drawer answers every promise it still owes (spec 4.2)', async () => {
  const stack = createDrawerStack<string>()
  const all = Promise.all([stack.push('first'), stack.push('second'), stack.push('third')])
  stack.close()
  assert.deepEqual(await all, [undefined, undefined, undefined])
})

test('closing one page closes those above it, which resolve with nothing', async () => {
  const stack = createDrawerStack<string>()
  const all = [stack.push('first'), stack.push('second'), stack.push('third')]
  stack.closePage(2, 'done')
  assert.deepEqual(open(stack), ['first'])
  assert.deepEqual(await Promise.all(all.slice(1)), ['done', undefined])
  stack.closePage(2, 'again')
  stack.pop()
  assert.equal(await all[0], undefined)
})

test('a page stays until it has slid out, and only then can be forgotten', () => {
  const stack = createDrawerStack<string>()
  void stack.push('first')
  stack.forget(1)
  assert.equal(stack.pages().length, 1)
  stack.pop()
  assert.deepEqual(
    stack.pages().map((page) => page.isOpen),
    [false],
  )
  stack.forget(1)
  assert.equal(stack.pages().length, 0)
})

test('closing with the refresh flag tells so', () => {
  const stack = createDrawerStack<string>()
  const seen: boolean[] = []
  const stop = stack.onClosed(({ refresh }) => seen.push(refresh))
  stack.close({ refresh: true })
  stack.close()
  stop()
  stack.close({ refresh: true })
  assert.deepEqual(seen, [true, false])
})

test('a page on which something typed was not sent is known as such until it was sent or the page is closed', async () => {
  const stack = createDrawerStack<string>()
  const first = stack.push('form')
  const [{ id } = { id: 0 }] = stack.pages()
  assert.equal(stack.isUnsaved(id), false)
  stack.markUnsaved(id, true)
  assert.deepEqual([stack.isUnsaved(id), stack.hasUnsaved()], [true, true])
  stack.markUnsaved(id, false)
  assert.equal(stack.isUnsaved(id), false)
  stack.markUnsaved(id, true)
  stack.close()
  await first
  assert.deepEqual([stack.isUnsaved(id), stack.hasUnsaved()], [false, false])
})
