import { toHex } from '@holdfast/encoding'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { paysOnly } from './view/attention-section.ts'
import { consoleLink } from './console-link.ts'
import { formatTime, localTime } from './format-time.ts'
import { PageError, sentenceOf } from './page-error.ts'
import { readAuthenticatorData } from './keys/passkey.ts'
import { compressedFromSpki, compressPoint } from './keys/public-key.ts'
import { parseRoute } from './route.ts'
import { readOrderReply, readSetup, readStandingReply } from './read/signer-api.ts'
import { splitKeys } from './keys/split-keys.ts'
import { visibleText } from '@holdfast/units'
import { chooseLocale, WORDS } from './words/choose-locale.ts'

describe('the address of the page', () => {
  it('leads to a set-up, to an order, or to the explanation', () => {
    const hash = 'ab'.repeat(32)
    assert.deepEqual(parseRoute(''), { name: 'home' })
    assert.deepEqual(parseRoute('#/setup/aZ_9-x'), { name: 'setup', token: 'aZ_9-x' })
    assert.deepEqual(parseRoute(`#/stop/${hash}`), { name: 'stop', genesis: hash })
    assert.deepEqual(parseRoute(`#/standing/${hash}`), { name: 'standing', genesis: hash })
    assert.deepEqual(parseRoute(`#/key/${hash}`), { name: 'key', token: hash })
    assert.deepEqual(parseRoute(`#/order/${hash}`), { name: 'order', hash })
    assert.deepEqual(parseRoute(`#/review/${hash},${'CD'.repeat(32)},${hash}`), { name: 'review', hashes: [hash, 'cd'.repeat(32)] })
    assert.deepEqual(parseRoute(`#/order/${hash.toUpperCase()}`), { name: 'order', hash })
  })

  it('is called incomplete, never guessed, when it is anything else', () => {
    const many = Array.from({ length: 51 }, (_, i) => i.toString(16).padStart(64, '0'))
    assert.deepEqual(parseRoute(`#/review/${many.join(',')}`), { name: 'bad' })
    for (const fragment of ['#/review/', `#/review/${many[0]},`, `#/review/${many[0]},abc`]) assert.deepEqual(parseRoute(fragment), { name: 'bad' }, fragment)
    for (const fragment of ['#/order/', '#/order/abcd', `#/order/${'ab'.repeat(33)}`, '#/setup/', '#/setup/a/b', '#/setup/<b>', '#/other', '#order']) {
      assert.deepEqual(parseRoute(fragment), { name: 'bad' }, fragment)
    }
  })
})

test('only a payment is said to give nobody a right over tokens', () => {
  assert.deepEqual(
    (['transfer', 'payout', 'contractCall', 'replacement'] as const).filter((kind) => paysOnly({ kind })),
    ['transfer', 'payout'],
  )
})

describe('text that people compare', () => {
  it('stays the same to the character, however it is split', () => {
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 30, maxLength: 70 })
    const piece = fc.oneof(
      hex,
      fc.string({ unit: 'grapheme' }),
      fc.bigInt({ min: 0n, max: 10n ** 30n }).map((n) => `${n}.5 USDC`),
      hex.map((each) => `0x${each}`),
      fc.constant(' '),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const text = pieces.join('')
        const split = splitKeys(text)
        assert.equal(split.map((each) => each.text).join(''), text)
        for (const each of split) assert.equal(each.groups.join(''), each.text)
      }),
      { numRuns: 3000 },
    )
  })

  it('stays the same where a strange line break stands beside a long number', () => {
    const text = `\u2028${'0'.repeat(30)}`
    assert.deepEqual(splitKeys(text), [{ kind: 'words', text, groups: [text] }])
  })

  it('shows addresses and hashes in groups of four and amounts in groups of three', () => {
    assert.deepEqual(
      splitKeys('0x 5290 8400 0985 2788').map((each) => each.groups),
      [['0x', ' 5290', ' 8400', ' 0985', ' 2788']],
    )
    assert.deepEqual(
      splitKeys('Pay 1250000.000001 USDC to ').map((each) => each.groups),
      [['Pay '], ['1', '250', '000.000001'], [' USDC to ']],
    )
    assert.equal(splitKeys(`1 (${'ab'.repeat(32)})`)[1]!.groups.length, 16)
    assert.deepEqual(
      splitKeys('eip155:11155111 x').map((each) => each.kind),
      ['words'],
    )
  })

  it('hides nothing: a character without a shape becomes its number', () => {
    assert.equal(visibleText('pay\u202E evil\u200B\n'), 'pay⟨U+202E⟩ evil⟨U+200B⟩⟨U+000A⟩')
    assert.equal(visibleText('付款 1.5 ETH 至 Müller — “x”'), '付款 1.5 ETH 至 Müller — “x”')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(visibleText(text), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
      }),
      { numRuns: 3000 },
    )
  })

  it('names every time there is, also one that no calendar shows', () => {
    assert.equal(formatTime(0n), '1970-01-01 00:00:00 UTC')
    assert.equal(localTime(0n, 'en-US', 'Europe/Berlin'), 'Jan 1, 1970, 01:00 AM GMT+1')
    assert.match(localTime(0n, 'zh-CN', 'Asia/Shanghai'), /^1970年1月1日.*08:00/)
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (ms) => assert.ok(formatTime(ms).length > 0)))
  })
})

describe('the words', () => {
  it('are complete in both languages, with the same gaps to fill', () => {
    const shapeOf = (value: unknown): unknown => {
      if (typeof value === 'function') return `function of ${value.length}`
      return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)])) : typeof value
    }
    assert.deepEqual(shapeOf(WORDS['zh-CN']), shapeOf(WORDS['en-US']))
  })

  it('are Chinese in Chinese and hold nothing invisible', () => {
    const visit = (english: unknown, chinese: unknown, path: string): void => {
      if (typeof english === 'object' && english !== null) {
        for (const name of Object.keys(english)) {
          visit((english as Record<string, unknown>)[name], (chinese as Record<string, unknown>)[name], `${path}.${name}`)
        }
        return
      }
      const said = (value: unknown) => (typeof value === 'function' ? String(value('A', 'B', 'C')) : String(value))
      if (said(english) === '' || path.endsWith('.comma') || path.endsWith('.count')) return
      assert.match(said(chinese), /\p{Script=Han}/u, path)
      assert.doesNotMatch(said(english), /\p{Script=Han}/u, path)
      for (const text of [said(english), said(chinese)]) assert.equal(visibleText(text), text, path)
    }
    visit(WORDS['en-US'], WORDS['zh-CN'], '$')
  })

  it("begin in the language chosen before, else in the browser's, else in English", () => {
    assert.equal(chooseLocale('zh-CN', ['en-US']), 'zh-CN')
    assert.equal(chooseLocale(null, ['de', 'zh-TW', 'en']), 'zh-CN')
    assert.equal(chooseLocale('<b>', ['en-GB', 'zh']), 'en-US')
    assert.equal(chooseLocale(null, ['fr', 'zhx']), 'en-US')
  })

  it("exist for every error, and never show an unforeseen error's own text", () => {
    for (const words of Object.values(WORDS)) {
      for (const code of Object.keys(words.errors) as PageError['code'][]) assert.notEqual(sentenceOf(new PageError(code, 'x'), words), '')
      assert.equal(sentenceOf(new Error('secret detail'), words), words.errors.unexpected)
    }
  })
})

describe('an answer of the signer', () => {
  const member = { person_id: '01890f3e-7b6c-7cc1-98c4-dc0c0c07398f', name: 'Anna', enrolled: false, accepted: false, mine: true }
  const setup = {
    name: 'Acme',
    demo: false,
    state: 'enrolling',
    members: [member],
    genesis: null,
    fingerprint: null,
    console_url: 'http://localhost:7000',
    invite: null,
  }

  it('is taken only whole: every field there and of its type', () => {
    assert.equal(readSetup({ setup }).name, 'Acme')
    for (const name of Object.keys(setup)) assert.throws(() => readSetup({ setup: { ...setup, [name]: undefined } }), { code: 'badAnswer' }, name)
    for (const name of Object.keys(member)) {
      assert.throws(() => readSetup({ setup: { ...setup, members: [{ ...member, [name]: 7 }] } }), { code: 'badAnswer' }, name)
    }
    assert.throws(() => readSetup({ setup: { ...setup, state: 'done' } }), { code: 'badAnswer' })
    const kept = { intent: '', stopped_by: null }
    assert.deepEqual(readStandingReply({ genesis: '', policy: '', orders: [kept] }).orders, [{ intent: '', stoppedBy: null }])
    for (const name of Object.keys(kept))
      assert.throws(() => readStandingReply({ genesis: '', policy: '', orders: [{ ...kept, [name]: undefined }] }), { code: 'badAnswer' }, name)
    assert.throws(() => readOrderReply({ intent: '', approvals: [1], state: '', policy: '' }), { code: 'badAnswer' })
  })

  it('may be any JSON without the page falling over', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (answer) => {
        for (const read of [readSetup, readOrderReply, readStandingReply]) {
          try {
            read(answer)
          } catch (error) {
            assert.ok(error instanceof PageError)
          }
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('becomes a link to the console only where it is a web address', () => {
    assert.equal(consoleLink({ console_url: 'https://c.example/', invite: 'a b' }), 'https://c.example/login#invite=a%20b')
    assert.equal(consoleLink({ console_url: 'https://c.example', invite: null }), 'https://c.example/')
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '', 'c.example', 'file:///etc/passwd']) {
      assert.equal(consoleLink({ console_url: url, invite: 'x' }), null, url)
    }
  })
})

describe("a passkey's public half", () => {
  it('is compressed to the point it is', async () => {
    for (let i = 0; i < 20; i++) {
      const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
      const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
      const { x, y } = await crypto.subtle.exportKey('jwk', publicKey)
      const compressed = compressedFromSpki(spki)
      assert.equal(toHex(compressed.subarray(1)), Buffer.from(x!, 'base64url').toString('hex'))
      assert.equal(compressed[0], 2 + (Buffer.from(y!, 'base64url')[31]! & 1))
    }
  })

  it('is refused where it is a key of another kind', async () => {
    const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, true, ['sign'])
    assert.throws(() => compressedFromSpki(new Uint8Array(97)), PageError)
    assert.throws(() => compressPoint(new Uint8Array(33)), PageError)
    const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
    assert.throws(() => compressedFromSpki(spki), PageError)
  })

  it('comes with flags that must say the user was there and was verified', async () => {
    const rpId = 'approve.example'
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(rpId)))
    const data = (flags: number) => Uint8Array.of(...hash, flags, 0, 0, 0, 0)
    assert.deepEqual(await readAuthenticatorData(data(0x05), rpId), { backupEligible: false })
    assert.deepEqual(await readAuthenticatorData(data(0x0d), rpId), { backupEligible: true })
    for (const flags of [0x00, 0x01, 0x04, 0x08]) await assert.rejects(readAuthenticatorData(data(flags), rpId), { code: 'passkeyUnusable' })
    await assert.rejects(readAuthenticatorData(data(0x05), 'other.example'), { code: 'passkeyUnusable' })
    await assert.rejects(readAuthenticatorData(data(0x05).subarray(0, 36), rpId), { code: 'passkeyUnusable' })
  })
})
