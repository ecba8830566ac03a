import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { componentsOf, type Message, readSignature, SignatureFault, signatureBase, signatureParams } from './index.ts'

/** RFC 9421, appendix B.2: the request, and the signature by the key test-key-ed25519 (B.1.4, B.2.6). */
const REQUEST: Message = {
  method: 'POST',
  authority: 'example.com',
  path: '/foo',
  query: 'param=Value&Pet=dog',
  headers: { date: 'Tue, 20 Apr 2021 02:07:55 GMT', 'content-type': 'application/json', 'content-length': '18' },
}
const RFC_KEY = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' } })

test('the base of the example of the RFC is what its signature is over', () => {
  const components = ['date', '@method', '@path', '@authority', 'content-type', 'content-length']
  const params = `(${components.map((each) => `"${each}"`).join(' ')});created=1618884473;keyid="test-key-ed25519"`
  const base = signatureBase(REQUEST, components, params)!
  const signature = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
  assert.ok(verify(null, Buffer.from(base), RFC_KEY, Buffer.from(signature, 'base64')))
})

const { privateKey } = generateKeyPairSync('ed25519')
const NONCE = 'abcdefghijklmnop'

function signed(
  message: Message,
  hasBody: boolean,
  params = signatureParams(componentsOf(hasBody), { created: 1, nonce: NONCE, keyId: 'k', algorithm: 'ed25519' }),
): Message {
  const listed = /^\(([^)]*)\)/.exec(params)?.[1] ?? ''
  const components = listed === '' ? [] : listed.split(' ').map((each) => each.slice(1, -1))
  const base = signatureBase(message, components, params) ?? ''
  const signature = sign(null, Buffer.from(base), privateKey).toString('base64')
  return { ...message, headers: { ...message.headers, 'signature-input': `sig1=${params}`, signature: `sig1=:${signature}:` } }
}

const word = fc.stringMatching(/^[a-z0-9_=&%.-]{0,20}$/)
const message = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  authority: fc.constantFrom('a.example', 'b.example:8443'),
  path: word.map((each) => `/open/v1/${each}`),
  query: word,
  headers: fc.record({ 'content-type': fc.constant('application/x-www-form-urlencoded'), 'content-digest': word.map((each) => `sha-256=:${each}:`) }),
})

test('what was signed is read as it was signed, and any other call has another base', () => {
  fc.assert(
    fc.property(message, message, (one, other) => {
      const read = readSignature(signed(one, true), true)
      assert.deepEqual([read.keyId, read.created, read.nonce, read.signature.length], ['k', 1, NONCE, 64])
      const { headers } = signed(one, true)
      const moved = readSignature({ ...other, headers: { ...headers, ...other.headers } }, true)
      assert.equal(JSON.stringify(one) === JSON.stringify(other), moved.base === read.base)
    }),
  )
})

test('a signature that leaves something out, says something twice or in another way is refused', () => {
  const one: Message = { ...REQUEST, headers: { 'content-type': 'a/b', 'content-digest': 'sha-256=:x:' } }
  const all = componentsOf(true)
  const ending = `created=1;nonce="${NONCE}";keyid="k"`
  const listed = (components: readonly string[]) => `(${components.map((each) => `"${each}"`).join(' ')})`
  for (const left of all)
    assert.throws(() => readSignature(signed(one, true, `${listed(all.filter((each) => each !== left))};${ending}`), true), SignatureFault, left)
  const faults = [
    `${listed([...all, '@method'])};${ending}`,
    `${listed([...all, '@status'])};${ending}`,
    `${listed([...all, 'x-gone'])};${ending}`,
    `${listed(all)};created=1;keyid="k"`,
    `${listed(all)};nonce="${NONCE}";keyid="k"`,
    `${listed(all)};created=1;nonce="${NONCE}"`,
    `${listed(all)};created="1";nonce="${NONCE}";keyid="k"`,
    `${listed(all)};created=1;nonce="short";keyid="k"`,
    `${listed(all)};${ending};keyid="other"`,
    `${listed(all)};${ending};alg="rsa-pss-sha512"`,
    `${listed(all)};${ending};tag="x"`,
    `${listed(all).replace('"@path"', '"@path";req')};${ending}`,
    `${listed(all)}; ${ending}`,
    `${listed(all)};${ending}, sig2=${listed(all)};${ending}`,
  ]
  for (const params of faults) assert.throws(() => readSignature(signed(one, true, params), true), SignatureFault, params)
  assert.throws(() => readSignature(one, true), SignatureFault)
  assert.ok(readSignature(signed(one, true, `${listed(all)};${ending}`), true))
})

test('a call says which algorithm its key is of, or nothing of it, and no third', () => {
  const [all, ending] = [
    `(${componentsOf(false)
      .map((each) => `"${each}"`)
      .join(' ')})`,
    `created=1;nonce="${NONCE}";keyid="k"`,
  ]
  const read = (alg: string) => readSignature(signed(REQUEST, false, `${all};${ending}${alg}`), false).algorithm
  assert.deepEqual([read(''), read(';alg="ed25519"'), read(';alg="ecdsa-p256-sha256"')], [null, 'ed25519', 'ecdsa-p256-sha256'])
  for (const other of ['ECDSA-P256-SHA256', 'ecdsa-p384-sha384', 'hmac-sha256', 'none', '']) assert.throws(() => read(`;alg="${other}"`), SignatureFault, other)
})

test('no header at all makes the reader fail in another way', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 120 }), (input, signature) => {
      try {
        readSignature({ ...REQUEST, headers: { 'signature-input': input, signature } }, false)
      } catch (cause) {
        assert.ok(cause instanceof SignatureFault)
      }
    }),
  )
})
