import assert from 'node:assert/strict'
import { constants, createHash, generateKeyPairSync, privateEncrypt, publicDecrypt, verify } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { fingerprintOf, pastedBytes } from './fingerprint.ts'
import {
  CALL_FIELDS,
  callbackForm,
  envelopeText,
  fingerprintOfKeys,
  isSignOf,
  isTaken,
  makeSign,
  openedEnvelope,
  openSegments,
  publicKeyText,
  readPrivateKey,
  readPublicKey,
  sealSegments,
  signedText,
  WITHDRAWAL_FIELDS,
} from './index.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const padding = constants.RSA_PKCS1_PADDING

test('what one key put into segments its public half reads, and no other key does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 700 }), (raw) => {
      const text = raw.toWellFormed()
      const data = sealSegments(text, pair.privateKey)
      assert.match(data, /^[A-Za-z0-9_-]+$/)
      assert.equal(openSegments(data, pair.publicKey)?.text, text)
      assert.equal(openSegments(data, other.publicKey), undefined)
    }),
    { numRuns: 60 },
  )
})

test('segments are those of the wire: 234 bytes of text in each, PKCS#1 v1.5 of the first type', () => {
  const text = 'ü'.repeat(200)
  const bytes = Buffer.from(sealSegments(text, pair.privateKey), 'base64url')
  assert.equal(bytes.length, 2 * 256)
  const parts = [bytes.subarray(0, 256), bytes.subarray(256)].map((part) => publicDecrypt({ key: pair.publicKey, padding }, part))
  assert.deepEqual([parts.map(({ length }) => length), Buffer.concat(parts).toString()], [[234, 166], text])
  const made = Buffer.concat([text.slice(0, 100), text.slice(100)].map((part) => privateEncrypt({ key: pair.privateKey, padding }, Buffer.from(part))))
  assert.equal(openSegments(made.toString('base64url'), pair.publicKey)?.text, text, 'also in other lengths')
})

test('whatever is wrong with data, it is nothing, and never an error', () => {
  const good = sealSegments(JSON.stringify({ max_id: 0, text: 'x'.repeat(300) }), pair.privateKey)
  const harmed = fc
    .tuple(fc.nat(good.length - 1), fc.constantFrom('A', '_', '+', '/', ' ', '='))
    .map(([at, letter]) => good.slice(0, at) + letter + good.slice(at + 1))
  const cut = fc.nat(good.length - 1).map((length) => good.slice(0, length))
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 900 }), harmed, cut, fc.base64String({ maxLength: 1000 })), (data) => {
      const opened = openSegments(data, pair.publicKey)
      if (data.replace(/=+$/, '') !== good) assert.equal(opened, undefined)
    }),
    { numRuns: 300 },
  )
  assert.equal(openSegments(privateEncrypt({ key: pair.privateKey, padding }, Buffer.from([0xff, 0xfe])).toString('base64url'), pair.publicKey), undefined)
})

test('a key is RSA of 2048 bits with a sound exponent, in whatever lines it is pasted', () => {
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string
  const line = publicKeyText(pair.publicKey)
  for (const text of [pem, line, `  ${line}\n`, pem.replaceAll('\n', '\r\n'), pem.replaceAll('\n', '')]) {
    const key = readPublicKey(text)
    assert.ok(key && key.equals(pair.publicKey), text)
  }
  const der = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
  assert.ok(readPrivateKey(der)?.equals(pair.privateKey))
  assert.equal(publicKeyText(readPrivateKey(der)!), line)
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const cheap = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).publicKey
  const curve = generateKeyPairSync('ed25519').publicKey
  for (const key of [small, cheap, curve]) assert.equal(readPublicKey(publicKeyText(key)), undefined)
  fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => assert.equal(readPublicKey(text), undefined)))
})

test('the fingerprint of keys tells which is which', () => {
  const all = [
    fingerprintOfKeys(pair.publicKey, pair.publicKey),
    fingerprintOfKeys(pair.publicKey, other.publicKey),
    fingerprintOfKeys(other.publicKey, pair.publicKey),
  ].map((each) => Buffer.from(each).toString('hex'))
  const bytes = pastedBytes(publicKeyText(pair.publicKey))!
  assert.equal(Buffer.from(fingerprintOf(bytes, bytes)).toString('hex'), all[0], 'a page that has no keys but their text says the same')
  assert.equal(new Set(all).size, 3)
  assert.ok(all.every((each) => each.length === 64))
})

test('sign is over the sorted, lower-cased fields that are not empty', () => {
  const fields = {
    symbol: 'USDTERC20',
    request_id: 'Pay-1',
    sub_wallet_id: 12,
    address_to: '0xAB',
    amount: '1.0500',
    memo: '',
    remark: 'not signed',
    outputs: null,
  }
  const text = 'address_to=0xab&amount=1.05&request_id=pay-1&sub_wallet_id=12&symbol=usdterc20'
  assert.equal(signedText(fields, WITHDRAWAL_FIELDS), text)
  const sign = makeSign(fields, WITHDRAWAL_FIELDS, pair.privateKey)!
  const md5 = createHash('md5').update(text).digest('hex')
  assert.ok(verify('sha256', Buffer.from(md5), pair.publicKey, Buffer.from(sign, 'base64')))
  assert.ok(isSignOf(sign, fields, WITHDRAWAL_FIELDS, pair.publicKey))
  assert.ok(!isSignOf(sign, fields, WITHDRAWAL_FIELDS, other.publicKey))
  assert.ok(isSignOf(sign, { ...fields, sub_wallet_id: '12', amount: '1.05' }, WITHDRAWAL_FIELDS, pair.publicKey), 'numbers are their text')
  for (const amount of ['1', '1.0', '1.000', '1.']) assert.equal(signedText({ amount }, ['amount']), 'amount=1')
  for (const amount of ['100', '0', '10']) assert.equal(signedText({ amount }, ['amount']), `amount=${amount}`)
})

test('one sign stands for one order: whatever else is said of it, it is not over that', () => {
  const value = fc.stringMatching(/^[a-z0-9.=]{0,12}$/)
  const order = fc.record(Object.fromEntries(CALL_FIELDS.map((name) => [name, value])) as Record<(typeof CALL_FIELDS)[number], typeof value>)
  const meant = (fields: Record<string, string>) =>
    JSON.stringify(CALL_FIELDS.map((name) => (name === 'amount' ? signedText(fields, ['amount']) : fields[name])))
  fc.assert(
    fc.property(order, order, (one, two) => {
      assert.equal(signedText(one, CALL_FIELDS) === signedText(two, CALL_FIELDS), meant(one) === meant(two))
    }),
  )
  assert.equal(signedText({ amount: '1', memo: '2&outputs=[]' }, WITHDRAWAL_FIELDS), undefined)
  assert.equal(makeSign({ memo: '&' }, WITHDRAWAL_FIELDS, pair.privateKey), undefined)
  fc.assert(
    fc.property(fc.anything(), (sign) => {
      assert.equal(isSignOf(sign, { amount: '1' }, WITHDRAWAL_FIELDS, pair.publicKey), false)
    }),
  )
})

test('envelopes are read back, and a callback is a form with the platform’s segments', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,6}$/), fc.string(), fc.jsonValue(), (code, msg, data) => {
      assert.deepEqual(openedEnvelope(envelopeText({ code, msg, data })), { code, msg, data: JSON.parse(JSON.stringify(data)) as unknown })
    }),
  )
  for (const text of ['', 'null', '[]', '{"code":0,"msg":""}', '{"code":"0"}']) assert.equal(openedEnvelope(text), undefined)
  const form = new URLSearchParams(callbackForm('org.key', { side: 'deposit', id: 7 }, pair.privateKey))
  assert.equal(form.get('app_id'), 'org.key')
  const { text } = openSegments(form.get('data')!, pair.publicKey)!
  const head = '{"side":"deposit","id":7'
  const digest = createHash('sha256').update(head).digest('hex')
  assert.equal(text, `${head},"digest":"${digest}"}`, 'what binds its segments stands at its end')
  assert.deepEqual(['SUCCESS', ' SUCCESS\n', 'FAILURE', 'success', ''].map(isTaken), [true, true, false, false, false])
})
