import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { test } from 'node:test'
import { encode, struct, text } from '@holdfast/encoding'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import { createPasswordHasher } from './password/hash-password.ts'
import { createSealer } from './seal-column.ts'
import { describeTotp, newTotpSecret, totpStep } from './password/totp.ts'

const key = new Uint8Array(32).fill(1)
const place = { org: 'org-1', table: 'login_credential', column: 'data.totp', row: 'row-1' }

test('a sealed value opens in its own place with its own key, and nowhere else', () => {
  const sealer = createSealer([key], nodePorts.random)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom('org', 'table', 'column', 'row'), fc.nat(), (secret, part, position) => {
      const sealed = sealer.seal(place, secret)
      assert.deepEqual(sealer.open(place, sealed), secret)
      assert.notEqual(sealer.seal(place, secret), sealed)
      assert.throws(() => sealer.open({ ...place, [part]: 'other' }, sealed))
      assert.throws(() => createSealer([new Uint8Array(32).fill(2)], nodePorts.random).open(place, sealed))
      const damaged = Buffer.from(sealed, 'base64url')
      const at = position % damaged.length
      damaged[at] = (damaged[at] ?? 0) ^ 1
      assert.throws(() => sealer.open(place, damaged.toString('base64url')))
      assert.throws(() => sealer.open(place, damaged.subarray(0, at).toString('base64url')))
    }),
    { numRuns: 300 },
  )
  assert.throws(() => createSealer([new Uint8Array(16)], nodePorts.random), /32 bytes/)
})

test('a value that an older key sealed opens while that key is there, and is sealed anew with the newest', () => {
  const [old, young] = [key, new Uint8Array(32).fill(2)]
  const secret = new TextEncoder().encode('twenty secret bytes.')
  const before = createSealer([old], nodePorts.random).seal(place, secret)
  const both = createSealer([young, old], nodePorts.random)
  assert.deepEqual(both.open(place, before), secret)
  const after = both.renew(place, before)!
  assert.deepEqual(createSealer([young], nodePorts.random).open(place, after), secret)
  assert.equal(both.renew(place, after), undefined)
  assert.throws(() => createSealer([young], nodePorts.random).open(place, before), /sealed with a key that is not in the secret file/)
  assert.throws(() => both.renew({ ...place, row: 'row-2' }, before))
  assert.throws(() => createSealer([], nodePorts.random), /no key/)
})

test('a value that was sealed before keys had names opens with whichever key sealed it, and gets a name', () => {
  const nonce = nodePorts.random.bytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(encode(struct('holdfast/sealed-column/v1', { org: text(64), table: text(64), column: text(64), row: text(64) }), place))
  const unnamed = Buffer.concat([Buffer.of(1), nonce, cipher.update('old'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  const sealer = createSealer([new Uint8Array(32).fill(2), key], nodePorts.random)
  assert.equal(Buffer.from(sealer.open(place, unnamed)).toString(), 'old')
  assert.throws(() => createSealer([new Uint8Array(32).fill(2)], nodePorts.random).open(place, unnamed))
  const named = createSealer([key], nodePorts.random).renew(place, unnamed)!
  assert.equal(createSealer([key], nodePorts.random).renew(place, named), undefined)
})

test('six digits are those of RFC 6238 and hold for one step around now', () => {
  // Appendix B, SHA-1: the last six of its eight digits.
  const secret = new TextEncoder().encode('12345678901234567890')
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
  ] as const) {
    const step = Math.floor(seconds / 30)
    for (const [away, expected] of [
      [0, step],
      [30, step],
      [-30, step],
      [90, undefined],
      [-90, undefined],
    ] as const) {
      assert.equal(totpStep(secret, code, (seconds + away) * 1000), expected, `${code} ${away}`)
    }
  }
  assert.equal(newTotpSecret(nodePorts.random).length, 20)
  assert.match(describeTotp(secret, 'ada', 'Harbour').uri, /secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ/)
})

test('passwords are kept as salted argon2id and many at once are all answered', async () => {
  const hasher = createPasswordHasher(nodePorts.random)
  const [first, second] = await Promise.all([hasher.hash('lantern gravel'), hasher.hash('lantern gravel')])
  assert.match(first, /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
  assert.notEqual(first, second)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => hasher.verify(at % 3 === 2 ? undefined : first, at % 3 === 0 ? 'lantern gravel' : 'lantern grave')),
  )
  assert.deepEqual(
    answers,
    Array.from({ length: 12 }, (_, at) => at % 3 === 0),
  )
})
