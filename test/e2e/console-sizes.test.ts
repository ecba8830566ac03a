import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { nodePorts, projectFolder } from '@holdfast/ports/node'
import { BUDGETS, type ConsoleSizes, isWithin, measureConsole } from '../../bench/console-sizes.ts'
import { buildPages } from '../../apps/launcher/src/build-pages.ts'

let sizes: ConsoleSizes

before(async () => {
  const root = await projectFolder(import.meta.url)
  await buildPages(nodePorts, root, ['console'], () => undefined)
  sizes = measureConsole(`${root}/apps/console/dist`)
})

test('the sign-in page asks for at most 158 kB of JavaScript in five files', () => {
  assert.ok(sizes.signIn.bytes > 50_000 && isWithin(sizes.signIn, BUDGETS.signIn), JSON.stringify(sizes.signIn))
})

test('the wallet page asks for at most 223 kB of JavaScript in seven files', () => {
  assert.ok(sizes.wallet.bytes > sizes.signIn.bytes && isWithin(sizes.wallet, BUDGETS.wallet), JSON.stringify(sizes.wallet))
})

test('what moves money is fetched ahead as one file of at most 100 kB', () => {
  assert.ok(sizes.ahead.files === 1 && isWithin(sizes.ahead, BUDGETS.ahead), JSON.stringify(sizes.ahead))
})

test('no further page or drawer asks for more than 27 kB in 16 files besides', () => {
  assert.ok(Object.keys(sizes.routes).length > 5)
  assert.deepEqual(
    Object.entries(sizes.routes).filter(([name, asked]) => !isWithin(asked, name === 'verify-log' ? BUDGETS.verifier : BUDGETS.route)),
    [],
  )
})

test('no file of the console waits for one that waits for it', () => {
  assert.deepEqual(sizes.circles, [])
})
