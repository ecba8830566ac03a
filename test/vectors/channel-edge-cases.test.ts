import assert from 'node:assert/strict'
import { createCipheriv, createPrivateKey, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto'
import { test } from 'node:test'
import { decode, encode, fromHex, toHex } from '@holdfast/encoding'
import { envelopeShape, signMessage } from '@holdfast/protocol'
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { agreeOnSecret, EnvelopeFault, openEnvelope, placeShape, sealEnvelope } from '../../apps/signer/src/sessions/envelopes.ts'
import { readVectors } from './wycheproof.ts'

// What carries messages between signers, at the edges of its formats, compared with OpenSSL's.

const PRIME = 2n ** 255n - 19n
const little = (value: bigint) => new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse())
const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** X25519 by OpenSSL, or null where it refuses. */
function byOpenSsl(secret: Uint8Array, peer: Uint8Array): string | null {
  const jwk = (value: Uint8Array) => Buffer.from(value).toString('base64url')
  const privateKey = createPrivateKey({ key: Buffer.concat([fromHex('302e020100300506032b656e04220420'), secret]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: jwk(peer) }, format: 'jwk' })
  try {
    return diffieHellman({ privateKey, publicKey }).toString('hex')
  } catch {
    return null
  }
}

/** The u of points of order 1, 2, 4 and 8 on curve25519 and its twist (RFC 7748, section 6.1), and their second forms. */
const lowOrder = [
  0n,
  1n,
  PRIME - 1n,
  PRIME,
  PRIME + 1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
]

test('session keys agree as RFC 7748 says', () => {
  const [secret, u] = ['a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4', 'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c']
  assert.equal(toHex(agreeOnSecret(fromHex(secret!), fromHex(u!))), 'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552')
  let [k, point]: Uint8Array[] = [little(9n), little(9n)]
  for (let i = 1; i <= 1000; i++) {
    ;[k, point] = [agreeOnSecret(k!, point!), k]
    if (i === 1) assert.equal(toHex(k!), '422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079')
  }
  assert.equal(toHex(k!), '684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51')
})

test('a session key of small order is refused, whatever form it has', () => {
  fc.assert(
    fc.property(bytesOf(32), fc.constantFrom(...lowOrder), fc.boolean(), (secret, u, top) => {
      const key = little(u)
      if (top) key[31]! |= 0x80
      assert.equal(byOpenSsl(secret, key), null)
      assert.throws(() => agreeOnSecret(secret, key), EnvelopeFault)
    }),
    { numRuns: 100 },
  )
})

test('session keys on the curve, on its twist, and in a second form agree as they do for OpenSSL', () => {
  const edges = fc.oneof(
    fc.bigInt({ min: 2n, max: 40n }),
    fc.bigInt({ min: PRIME - 40n, max: 2n ** 255n - 1n }),
    fc.nat(254).map((bit) => 1n << BigInt(bit)),
    fc.nat(254).map((bit) => (1n << BigInt(bit)) - 1n),
  )
  const keys = fc.oneof(edges.map(little), bytesOf(32))
  fc.assert(
    fc.property(bytesOf(32), keys, fc.boolean(), (secret, given, top) => {
      const key = Uint8Array.from(given)
      if (top) key[31]! |= 0x80
      const expected = byOpenSsl(secret, key)
      if (expected === null) assert.throws(() => agreeOnSecret(secret, key), EnvelopeFault)
      else assert.equal(toHex(agreeOnSecret(secret, key)), expected)
    }),
    { numRuns: 300 },
  )
})

test('session keys agree on the secrets that Project Wycheproof gives, and on no secret that everybody knows', () => {
  const cases = readVectors<{ tcId: number; flags: string[]; public: string; private: string; shared: string }[]>('x25519')
  assert.equal(new Set(cases.map(({ tcId }) => tcId)).size, 16)
  for (const { tcId, flags, public: theirs, private: secret, shared } of cases) {
    const isKnown = flags.includes('ZeroSharedSecret')
    assert.equal(byOpenSsl(fromHex(secret), fromHex(theirs)), isKnown ? null : shared, `${tcId}`)
    if (isKnown) assert.throws(() => agreeOnSecret(fromHex(secret), fromHex(theirs)), EnvelopeFault)
    else assert.equal(toHex(agreeOnSecret(fromHex(secret), fromHex(theirs))), shared, `${tcId}`)
  }
})

test('the cipher of envelopes and links seals as Project Wycheproof says, and opens with no bit of the tag changed', () => {
  type Sealed = { tcId: number; key: string; iv: string; aad: string; msg: string; ct: string; tag: string }
  const cases = readVectors<Sealed[]>('chacha20-poly1305')
  assert.equal(new Set(cases.map(({ tcId }) => tcId)).size, 14)
  for (const { tcId, key, iv, aad, msg, ct, tag } of cases) {
    const [nonce, beside, plain] = [fromHex(iv), fromHex(aad), fromHex(msg)]
    const openSsl = createCipheriv('chacha20-poly1305', fromHex(key), nonce, { authTagLength: 16 })
    openSsl.setAAD(beside, { plaintextLength: plain.length })
    const bySsl = Buffer.concat([openSsl.update(plain), openSsl.final(), openSsl.getAuthTag()]).toString('hex')
    assert.deepEqual([bySsl, toHex(chacha20poly1305(fromHex(key), nonce, beside).encrypt(plain))], [ct + tag, ct + tag], `${tcId}`)
    assert.equal(toHex(chacha20poly1305(fromHex(key), nonce, beside).decrypt(fromHex(ct + tag))), msg)
    for (let bit = 0; bit < 128; bit++) {
      const changed = fromHex(ct + tag)
      changed[plain.length + (bit >> 3)]! ^= 1 << (bit & 7)
      assert.throws(() => chacha20poly1305(fromHex(key), nonce, beside).decrypt(changed), `${tcId} ${bit}`)
    }
  }
})

const [genesis, session, sharedSecret] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array]
const secrets = [1, 2].map((party) => new Uint8Array(32).fill(party * 16)) as [Uint8Array, Uint8Array]
const channelOf = (me: number) => ({
  genesis,
  session,
  me,
  signSecret: secrets[me - 1]!,
  peers: new Map([[3 - me, { signKey: ed25519.getPublicKey(secrets[2 - me]!), sharedSecret }]]),
})

test('a sealed message is what OpenSSL makes of it, and opens for its receiver', () => {
  const edges = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.nat(130).map((length) => new Uint8Array(length).fill(0xff)),
  )
  fc.assert(
    fc.property(edges, fc.integer({ min: 1, max: 65535 }), (body, round) => {
      const sealed = sealEnvelope(channelOf(1), { round, from: 1, to: 2, body })
      const place = encode(placeShape, { genesis, session, round: BigInt(round), from: 1n, to: 2n })
      const key = new Uint8Array(hkdfSync('sha256', sharedSecret, session, place, 32))
      const cipher = createCipheriv('chacha20-poly1305', key, new Uint8Array(12), { authTagLength: 16 })
      cipher.setAAD(place, { plaintextLength: body.length })
      const expected = Buffer.concat([cipher.update(body), cipher.final(), cipher.getAuthTag()])
      assert.equal(toHex(decode(envelopeShape, sealed.message).body), expected.toString('hex'))
      assert.equal(toHex(openEnvelope(channelOf(2), sealed).body), toHex(body))
    }),
    { numRuns: 100 },
  )
})

test('a sealed message with any byte changed, cut short, longer, or moved to another place does not open, though its sender signs it', () => {
  const { message } = sealEnvelope(channelOf(1), { round: 1, from: 1, to: 2, body: new Uint8Array(40).fill(7) })
  const envelope = decode(envelopeShape, message)
  const opens = (change: Partial<typeof envelope>) => openEnvelope(channelOf(2), signMessage(envelopeShape, { ...envelope, ...change }, 1n, secrets[0]))
  assert.equal(opens({}).body.length, 40)
  for (let length = 0; length < envelope.body.length; length++) assert.throws(() => opens({ body: envelope.body.slice(0, length) }), EnvelopeFault)
  assert.throws(() => opens({ body: Uint8Array.of(...envelope.body, 0) }), EnvelopeFault)
  for (const change of [{ round: 2n }, { from: 2n }, { session: genesis }, { genesis: session }]) assert.throws(() => opens(change), EnvelopeFault)
  fc.assert(
    fc.property(fc.nat(envelope.body.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const body = Uint8Array.from(envelope.body)
      body[at]! ^= by
      assert.throws(() => opens({ body }), EnvelopeFault)
    }),
    { numRuns: 200 },
  )
})
