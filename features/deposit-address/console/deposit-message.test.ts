import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { copyNotice } from './deposit-message.ts'

const words = (locale: string) => JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8')).depositAddress

test('a deposit address that was copied says so, with its coin and network (spec 2.37)', () => {
  assert.deepEqual(copyNotice({ symbol: 'USDC', network: 'Local network', enableDeposit: true }), {
    key: 'depositAddress.copied',
    isWarning: false,
    values: { symbol: 'USDC', network: 'Local network' },
  })
  for (const locale of ['en-US', 'zh-CN']) assert.match(words(locale).copied, /\{\{symbol\}\}.*\{\{network\}\}|\{\{network\}\}.*\{\{symbol\}\}/)
})

test('where deposits of the coin are stopped, copying says that, and that nothing must be sent there (spec 2.37)', () => {
  const notice = copyNotice({ symbol: 'USDC', network: 'Local network', enableDeposit: false })
  assert.equal(notice.key, 'depositAddress.stopped')
  assert.equal(notice.isWarning, true)
  assert.match(words('en-US').stopped, /\{\{symbol\}\} have stopped.*do not transfer to this address/i)
  assert.match(words('zh-CN').stopped, /\{\{symbol\}\}.*停止.*请勿.*该地址/)
})
