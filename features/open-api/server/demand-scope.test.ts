import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@holdfast/contract'
import { demandScope } from './demand-scope.ts'

// What names sub-wallets itself is asked of no database.
const isLetIn = (input: unknown, wallets: readonly string[] = ['a', 'b']) =>
  demandScope({} as never, 'org', wallets, 'sub_wallets', input).then(
    () => true,
    (cause: unknown) => {
      assert.ok(cause instanceof AppError && cause.code === '300583', String(cause))
      return false
    },
  )

test('a key that may name some sub-wallets names them in a text or in a list, and none but those', async () => {
  for (const input of [{ sub_wallet_id: 'a' }, { sub_wallet_ids: 'a,b' }, { sub_wallet_ids: ['a', 'b'] }, { sub_wallet_id: 'b', sub_wallet_ids: ['a'] }])
    assert.ok(await isLetIn(input), JSON.stringify(input))
  const others = [
    { sub_wallet_id: 'c' },
    { sub_wallet_id: 'a,b' },
    { sub_wallet_ids: 'a,c' },
    { sub_wallet_ids: ['a', 'c'] },
    { sub_wallet_ids: [] },
    {},
    undefined,
  ]
  for (const input of others) assert.ok(!(await isLetIn(input)), JSON.stringify(input))
})

test('what names sub-wallets in any other form is refused, also beside one that may be named', async () => {
  for (const other of [null, 7, true, {}, ['a', 7], [['a']], new Set(['c'])]) {
    assert.ok(!(await isLetIn({ sub_wallet_id: 'a', sub_wallet_ids: other })), String(other))
    assert.ok(!(await isLetIn({ sub_wallet_id: other, sub_wallet_ids: 'a' })) || Array.isArray(other), String(other))
  }
})
