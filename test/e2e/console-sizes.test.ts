import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { nodePorts, projectFolder } from '@holdfast/ports/node'
import { BUDGETS, type ConsoleSizes, measureConsole } from '../../bench/console-sizes.ts'
import { buildPages } from '../../apps/launcher/src/build-pages.ts'

let sizes: ConsoleSizes

before(async () => {
  const root = await projectFolder(import.meta.url)
  await buildPages(nodePorts, root, ['console'], () => undefined)
  sizes = measureConsole(`${root}/apps/console/dist`)
})

test('the sign-in page asks for at most 168 kB of JavaScript', () => {
  assert.ok(sizes.signIn > 50_000 && sizes.signIn <= BUDGETS.signIn, `${sizes.signIn} bytes`)
})

test('the wallet page asks for at most 266 kB of JavaScript in all', () => {
  assert.ok(sizes.wallet > sizes.signIn && sizes.wallet <= BUDGETS.wallet, `${sizes.wallet} bytes`)
})

test('no further page or drawer asks for more than 41 kB besides', () => {
  assert.ok(Object.keys(sizes.routes).length > 5)
  assert.deepEqual(
    Object.entries(sizes.routes).filter(([name, bytes]) => bytes > (name === 'verify-log' ? BUDGETS.verifier : BUDGETS.route)),
    [],
  )
})
