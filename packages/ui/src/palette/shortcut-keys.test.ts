import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShortcutReader, isLetters, keyCaps, type KeyPress } from './shortcut-keys.ts'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })

test('Ctrl and Cmd are one key to a shortcut, and other modifiers must be those it names', () => {
  const read = createShortcutReader()
  assert.equal(read(press('k', { ctrlKey: true }), 0, ['mod+k']), 'mod+k')
  assert.equal(read(press('K', { metaKey: true }), 0, ['mod+k']), 'mod+k')
  assert.equal(read(press('k'), 0, ['mod+k']), undefined)
  assert.equal(read(press('k', { ctrlKey: true, altKey: true }), 0, ['mod+k']), undefined)
  assert.equal(read(press('K', { ctrlKey: true, shiftKey: true }), 0, ['mod+k', 'mod+shift+k']), 'mod+shift+k')
  assert.equal(read(press('?', { shiftKey: true }), 0, ['?']), '?')
})

test('keys one after the other are a shortcut while they follow soon enough', () => {
  const read = createShortcutReader()
  const both = ['g w', 'g t']
  assert.equal(read(press('g'), 0, both), undefined)
  assert.equal(read(press('t'), 300, both), 'g t')
  assert.equal(read(press('w'), 400, both), undefined)
  assert.equal(read(press('g'), 1000, both), undefined)
  assert.equal(read(press('w'), 3000, both), undefined)
  assert.equal(read(press('g'), 4000, both), undefined)
  assert.equal(read(press('g'), 4100, both), undefined)
  assert.equal(read(press('w'), 4200, both), 'g w')
})

test('a key that is held down as a modifier does not break a shortcut, another key does', () => {
  const read = createShortcutReader()
  read(press('g'), 0, ['g w'])
  assert.equal(read(press('Shift', { shiftKey: true }), 50, ['g w']), undefined)
  assert.equal(read(press('w'), 100, ['g w']), 'g w')
  read(press('g'), 0, ['g w'])
  read(press('x'), 50, ['g w'])
  assert.equal(read(press('w'), 100, ['g w']), undefined)
})

test('menus show the keys as they are printed on the keyboard in use', () => {
  assert.deepEqual(keyCaps('mod+shift+k', true), [['⌘', '⇧', 'K']])
  assert.deepEqual(keyCaps('mod+k', false), [['Ctrl', 'K']])
  assert.deepEqual(keyCaps('g w', false), [['G'], ['W']])
  assert.equal(isLetters('g w'), true)
  assert.equal(isLetters('mod+k'), false)
})
