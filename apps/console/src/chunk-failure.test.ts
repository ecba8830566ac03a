import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ChunkLoadError, isChunkFailure, refreshPath } from './chunk-failure.ts'
import { updateWords } from './screens/update-words.ts'

test('a page whose code cannot be loaded is told from other errors, however the browser says it (spec 2.29)', () => {
  for (const message of [
    'Failed to fetch dynamically imported module: https://x/mpc/assets/a.js',
    'error loading dynamically imported module: https://x/a.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /mpc/assets/a.css',
  ])
    assert.equal(isChunkFailure(new TypeError(message)), true, message)
  assert.equal(isChunkFailure(new ChunkLoadError(new Error('gone'))), true)
  assert.equal(isChunkFailure(new Error('cannot read properties of undefined')), false)
  assert.equal(isChunkFailure('Failed to fetch dynamically imported module'), false)
})

test('the notice of an update has exactly the text that was agreed (spec 8.11)', () => {
  assert.equal(updateWords('zh-CN').text, 'MPC 系统有新的更新，请在进行更新之前刷新系统。')
  assert.equal(updateWords('en-US').text, 'A new version is ready. Reload to continue.')
})

test('the page is loaded again with a time stamp, on its own origin whatever its address (spec 2.29)', () => {
  assert.equal(refreshPath({ pathname: '/mpc/wallet', search: '', hash: '' }, 5), '/mpc/wallet?t=5')
  assert.equal(refreshPath({ pathname: '/mpc/center/wallet', search: '?tab=recovery&t=3', hash: '#x' }, 5), '/mpc/center/wallet?tab=recovery&t=5#x')
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (path, search, hash) => {
      // What a browser has in its address is what it made of it: no "#" is left in a path.
      const address = new URL('https://console.example')
      Object.assign(address, { pathname: path, search, hash })
      const target = new URL(refreshPath(address, 7), 'https://console.example/mpc')
      assert.equal(target.origin, 'https://console.example')
      assert.equal(target.searchParams.getAll('t').at(-1), '7')
    }),
  )
})
