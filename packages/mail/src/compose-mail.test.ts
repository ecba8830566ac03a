import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { composeMail } from './compose-mail.ts'
import { inertText, isMailAddress } from './index.ts'

const MAIL = { id: '01890000-0000-7000-8000-000000000001', to: 'ann@company.example', subject: 'Hello', text: 'Hello.', writtenAtMs: 1_750_000_000_000 }
const FROM = 'holdfast@company.example'
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '\0',
        '\u2028',
        '\u0085',
        '\u202e',
        'Bcc: eve@evil.example',
        'http://evil.example/',
        'www.evil.example',
        '.',
        ':',
        '@',
        ' ',
        'a',
        '中',
        '=?utf-8?q?',
      ),
    )
    .map((parts) => parts.join('')),
)

/** The header fields of a message, by name, and how many lines follow. */
function headersOf(message: string): { names: string[]; body: string } {
  const end = message.indexOf('\r\n\r\n')
  const unfolded = message.slice(0, end).replace(/\r\n[ \t]/g, ' ')
  return { names: unfolded.split('\r\n').map((line) => line.split(':')[0]!), body: message.slice(end + 4) }
}

test('whatever stands in its subject and text, an e-mail has the headers it was made with, goes to one address, and no bare line end', async () => {
  const names = headersOf((await composeMail(FROM, MAIL)).toString('latin1')).names
  assert.deepEqual(
    names.toSorted(),
    ['Auto-Submitted', 'Content-Transfer-Encoding', 'Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID', 'Subject', 'To'].toSorted(),
  )
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (subject, text) => {
      const message = (await composeMail(FROM, { ...MAIL, subject, text })).toString('latin1')
      const head = headersOf(message).names
      assert.ok(head.every((name) => names.includes(name)) && new Set(head).size === head.length, head.join())
      assert.ok(!/(^|[^\r])\n|\r([^\n]|$)/.test(message.slice(0, message.indexOf('\r\n\r\n') + 4)))
      assert.ok(/^To: ann@company\.example$/m.test(message.replaceAll('\r', '')))
    }),
  )
})

test('an e-mail goes to nothing but an address', async () => {
  for (const to of [
    'ann',
    'ann@acme-1a2b3c',
    'ann@acme.inc-1a2b3c',
    'a@b.example\r\nBcc: eve@evil.example',
    'a@b.example, eve@evil.example',
    '<ann@b.example>',
    '"a b"@b.example',
    '',
  ])
    await assert.rejects(composeMail(FROM, { ...MAIL, to }), to)
  for (const to of ['ann@company.example', "o'hara+x@mail.company.example", 'a@b.xn--p1ai']) assert.ok(isMailAddress(to), to)
  fc.assert(fc.property(hostile, hostile, (local, host) => !isMailAddress(`${local}@${host}`) || /^[!-~]+$/.test(local + host)))
})

test("a stranger's text is one line that ends nothing, turns nothing and is no link", () => {
  assert.equal(inertText('Acme Inc.'), 'Acme Inc.')
  assert.equal(inertText('金库（一）'), '金库（一）')
  assert.equal(inertText('http://evil.example:80/x'), 'http[:]//evil[.]example[:]80/x')
  assert.equal(inertText('a\r\n\r\nSent by  the bank'), 'a Sent by the bank')
  fc.assert(
    fc.property(hostile, (text) => {
      const line = inertText(text)
      assert.ok(!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(line) && line === line.trim())
      assert.ok(!/\S[.@:．。｡․：＠]\w/.test(line), line)
      assert.equal(inertText(text.repeat(100)).replaceAll(/\[(.)\]/gu, '$1').length <= 2 * 81, true)
    }),
  )
})
