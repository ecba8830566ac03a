import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ColdWalletCheck, loadsDetails, SETUP_ITEMS, setupProgress } from './rules.ts'

const check = (funding_strategy: boolean, multising_address: boolean, warning_notice: boolean) =>
  setupProgress({ funding_strategy, multising_address, warning_notice })

test('the setting-up counts funding strategy, multisig address and warning notice, as a fraction and a percentage (spec 4.5, 4.6, 9.18)', () => {
  assert.equal(SETUP_ITEMS.length, 3)
  const rows: [boolean, boolean, boolean, number, string, string][] = [
    [false, false, false, 0, '0/3', '0%'],
    [true, false, false, 1, '1/3', '33%'],
    [false, true, false, 1, '1/3', '33%'],
    [false, false, true, 1, '1/3', '33%'],
    [true, true, false, 2, '2/3', '67%'],
    [true, false, true, 2, '2/3', '67%'],
    [false, true, true, 2, '2/3', '67%'],
    [true, true, true, 3, '3/3', '100%'],
  ]
  for (const [funding, address, notice, done, fraction, percentage] of rows)
    assert.deepEqual(check(funding, address, notice), { done, total: 3, fraction, percentage })
})

test('what is not plainly done does not count as done', () => {
  assert.equal(setupProgress({ funding_strategy: 'true', multising_address: 1 } as unknown as ColdWalletCheck).done, 0)
})

test('networks and details are loaded only where the check says both flag and collect_status (spec 4.7)', () => {
  for (const flag of [true, false]) {
    for (const collect_status of [true, false]) assert.equal(loadsDetails({ flag, collect_status }), flag && collect_status)
  }
})
