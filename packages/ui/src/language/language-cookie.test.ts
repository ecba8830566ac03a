import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookieDomain, languageCookie, readLanguage, writeLanguage } from './language-cookie.ts'
import { loginPath, toCookieLanguage, toLocale } from './locale.ts'

const NOW = Date.UTC(2025, 0, 1)

test('the cookie is of the parent domain, or of the host itself on this machine and on an address (spec 9.17)', () => {
  const rows: [string, string][] = [
    ['console.example.com', 'example.com'],
    ['a.b.example.com', 'b.example.com'],
    ['localhost', 'localhost'],
    ['console.localhost', 'console.localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['10.1.2.3', '10.1.2.3'],
    ['[::1]', '[::1]'],
    ['example.com', 'example.com'],
  ]
  for (const [host, domain] of rows) assert.equal(cookieDomain(host), domain, host)
})

test('the cookie lives 36500 days, at every path (spec 9.16)', () => {
  assert.equal(
    languageCookie('zh_CN', 'console.example.com', NOW),
    `lan=zh_CN; expires=${new Date(NOW + 36_500 * 86_400_000).toUTCString()}; path=/; domain=example.com; samesite=lax`,
  )
})

test('the language is en-US, and the cookie written, where it holds neither en_US nor zh_CN (spec 9.15, 7.5)', () => {
  const missing = { cookie: 'other=1; plan=zh_CN' }
  assert.equal(readLanguage(missing, 'localhost', NOW), 'en-US')
  assert.match(missing.cookie, /^lan=en_US; /)
  const chinese = { cookie: 'other=1; lan=zh_CN' }
  assert.equal(readLanguage(chinese, 'localhost', NOW), 'zh-CN')
  assert.equal(chinese.cookie, 'other=1; lan=zh_CN')
  const strange = { cookie: 'lan=fr_FR' }
  assert.equal(readLanguage(strange, 'localhost', NOW), 'en-US')
  assert.match(strange.cookie, /^lan=en_US; /)
  writeLanguage(missing, 'zh-CN', 'localhost', NOW)
  assert.match(missing.cookie, /^lan=zh_CN; /)
  assert.equal(toLocale(toCookieLanguage('zh-CN')), 'zh-CN')
})

test('where a browser refuses the parent domain, the cookie is kept for the host (spec 9.17)', () => {
  const written: string[] = []
  const page = {
    get cookie() {
      return written.at(-1)?.includes('domain=co.uk') ? 'other=1' : (written.at(-1) ?? '')
    },
    set cookie(text: string) {
      written.push(text)
    },
  }
  writeLanguage(page, 'zh-CN', 'example.co.uk', NOW)
  assert.equal(written.length, 2)
  assert.match(written[0] ?? '', /domain=co\.uk/)
  assert.match(written[1] ?? '', /^lan=zh_CN; expires=[^;]+; path=\/; samesite=lax$/)
  writeLanguage(page, 'zh-CN', 'console.example.com', NOW)
  assert.equal(written.length, 3)
})

test('signing in stands at /login, behind a prefix in Chinese only (spec 2.26)', () => {
  assert.equal(loginPath('en-US'), '/login')
  assert.equal(loginPath('zh-CN'), '/zh-CN/login')
})
