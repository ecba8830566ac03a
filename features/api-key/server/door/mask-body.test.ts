import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maskBody } from './mask-body.ts'

const secretName = fc.constantFrom('google_code', 'password', 'api_secret', 'accessToken', 'private_key', 'sign', 'mnemonic')
const secret = fc.stringMatching(/^[A-Z]{12}$/)

test('a secret is in no log of calls, whether it came in a form, in JSON, or in JSON within a form', () => {
  fc.assert(
    fc.property(secretName, secret, fc.integer({ min: 0, max: 3 }), (name, value, depth) => {
      let json: unknown = { [name]: value, amount: '2' }
      for (let i = 0; i < depth; i++) json = i % 2 === 0 ? [json] : { draft: json }
      const form = new URLSearchParams({ amount: '2', [name]: value }).toString()
      const within = new URLSearchParams({ draft: JSON.stringify(json) }).toString()
      for (const body of [JSON.stringify(json), form, within]) {
        const kept = maskBody(body)
        assert.ok(!kept.includes(value), kept)
        assert.ok(kept.includes('2'), 'what is no secret stays')
      }
    }),
  )
})

test('what is neither a form nor JSON is not kept, and what is kept has an end', () => {
  assert.equal(maskBody(''), '')
  assert.equal(maskBody('\u0000\u0001 TOPSECRET'), '***')
  assert.equal(maskBody('{"password": broken'), '***')
  assert.ok(maskBody(`a=${'x'.repeat(9000)}`).length <= 4000)
})

test('what is kept is text that a database takes, whatever was sent', () => {
  assert.equal(maskBody('a%00b=1%00&c=%ED%A0%80'), 'a\ufffdb=1\ufffd&c=\ufffd\ufffd\ufffd')
  const isText = (kept: string) => kept.isWellFormed() && !kept.includes('\0')
  for (const length of [3996, 3997, 3998]) assert.ok(isText(maskBody(`a=${'x'.repeat(length)}${encodeURIComponent('\u{1f600}')}`)), String(length))
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\0', '\ud83d', '\ude00', 'a', '=', '%', '&', '"'), maxLength: 20 }), (text) => {
      for (const body of [new URLSearchParams({ [`a${text}`]: text }).toString(), JSON.stringify({ text })]) assert.ok(isText(maskBody(body)), body)
    }),
  )
})
