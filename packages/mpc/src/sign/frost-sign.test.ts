import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { schnorr } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { nonceShape, signatureShareShape } from './frost-sign.ts'
import {
  CheatError,
  childSecret,
  derivePublicKey,
  FROST_ED25519,
  FROST_TAPROOT,
  type KeyShare,
  type Message,
  PROTOCOL,
  ProtocolFault,
  recoverSecret,
  type SchnorrSignature,
  startFrostSigning,
  type Step,
} from '../index.ts'
import { schemeOf } from '../key/scheme.ts'
import { editHeader, editPayload, flipBit } from '../testing/edit-message.ts'
import { contextOf, generateKey, hash32, messagesFor, refusalOf, runParties, seededRandom } from '../testing/run-parties.ts'

const PAIRS = [
  [1, 2],
  [1, 3],
  [2, 3],
]
const keys = new Map([FROST_ED25519, FROST_TAPROOT].map((protocol) => [protocol, generateKey(`frost/${protocol}`, protocol)]))
type Request = { protocol: string; path: number[]; message: Uint8Array; session: string }

const start = (me: number, parties: number[], { protocol, path, message, session }: Request): Step<SchnorrSignature> =>
  startFrostSigning(
    { context: contextOf(me, parties, session, { protocol }), share: keys.get(protocol)!.get(me)!, path, message },
    seededRandom(`${session}/${me}`),
  )
const sign = (parties: number[], request: Request) => runParties(new Map(parties.map((me) => [me, start(me, parties, request)])))

/** Verified by OpenSSL for ed25519, and by the library's plain BIP340 for taproot, which shares no code with its threshold signing. */
function isSignature(protocol: string, { signature, publicKey }: SchnorrSignature, message: Uint8Array): boolean {
  if (protocol === FROST_TAPROOT) return schnorr.verify(signature, message, publicKey)
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }, format: 'jwk' })
  return verify(null, message, key, signature)
}

for (const protocol of keys.keys()) {
  test(`${protocol}: every pair signs for every child, and independent verifiers take the signature`, () => {
    const paths = fc.array(fc.nat({ max: 0x7fffffff }), { maxLength: 4 })
    const messages = protocol === FROST_TAPROOT ? fc.uint8Array({ minLength: 32, maxLength: 32 }) : fc.uint8Array({ maxLength: 300 })
    let session = 0
    fc.assert(
      fc.property(fc.constantFrom(...PAIRS), paths, messages, (parties, path, message) => {
        const signed = [...sign(parties, { protocol, path, message, session: `${protocol}/${session++}` }).values()]
        assert.deepEqual(signed[0], signed[1])
        assert.ok(isSignature(protocol, signed[0]!, message))
        const { publicKey, chainCode } = keys.get(protocol)!.get(1)!
        assert.deepEqual(signed[0]!.publicKey, derivePublicKey(protocol, publicKey, chainCode, path))
      }),
      { numRuns: 24 },
    )
  })

  test(`${protocol}: the rebuilt secret is the secret of every child address`, () => {
    const shares = keys.get(protocol)!
    const secret = recoverSecret([shares.get(1)!, shares.get(3)!])
    const { publicKey, chainCode } = shares.get(1)!
    for (const path of [[], [0], [0, 5], [86, 1, 2, 3]]) {
      const { group } = schemeOf(protocol)
      const point = group.multiplyBase(childSecret(protocol, secret, chainCode, path))
      assert.deepEqual(Buffer.from(derivePublicKey(protocol, publicKey, chainCode, path)), Buffer.from(point.slice(point.length - 32)))
    }
  })

  test(`${protocol}: a changed nonce or share is laid on who sent it, and no signature is given`, () => {
    const request = { protocol, path: [0, 1], message: hash32('message'), session: `${protocol}/faults` }
    const first = new Map([1, 2].map((me) => [me, start(me, [1, 2], request)]))
    const sent = [...first.values()].flatMap(({ outgoing }) => outgoing)
    const second = new Map([...first].map(([me, step]) => [me, step.receive(messagesFor(me, sent))]))
    const shares = [...second.values()].flatMap(({ outgoing }) => outgoing)
    const fresh = () => start(1, [1, 2], request)
    const toFirst = (messages: Message[], edit: (message: Message) => Message) => messagesFor(1, messages).map(edit)

    const atNonce = (edit: (message: Message) => Message) => refusalOf(() => fresh().receive(toFirst(sent, edit)))
    assert.ok(
      atNonce((message) => editPayload(message, nonceShape, (nonce) => void (nonce.hiding = new Uint8Array(nonce.hiding.length)))) instanceof ProtocolFault,
    )
    assert.ok(atNonce((message) => editHeader(message, { session: hash32('another') })) instanceof ProtocolFault)
    const atShare = (edit: (message: Message) => Message) => refusalOf(() => fresh().receive(messagesFor(1, sent)).receive(toFirst(shares, edit)))
    const wrong = atShare((message) => editPayload(message, signatureShareShape, (payload) => void (payload.share = flipBit(payload.share, 15, 3))))
    assert.ok(wrong instanceof CheatError)
    assert.equal(wrong.peer, 2)
    assert.match(wrong.check, /section 5\.4/)
    assert.ok(atShare((message) => editPayload(message, signatureShareShape, (payload) => void (payload.share = new Uint8Array(32)))) instanceof ProtocolFault)
  })

  test(`${protocol}: parties that were asked for different messages or paths do not sign`, () => {
    const request = { protocol, path: [0], message: hash32('one'), session: `${protocol}/differs` }
    for (const other of [
      { ...request, message: hash32('two') },
      { ...request, path: [1] },
    ]) {
      const mine = start(1, [1, 2], request)
      const refusal = refusalOf(() => mine.receive(messagesFor(1, start(2, [1, 2], other).outgoing)))
      assert.ok(refusal instanceof ProtocolFault)
      assert.match(refusal.message, /bound to another statement/)
    }
  })
}

test('a share of one protocol is not used with another', () => {
  const share = keys.get(FROST_TAPROOT)!.get(1)!
  const message = hash32('message')
  const asEcdsa: KeyShare = { ...share, protocol: PROTOCOL }
  for (const [protocol, given] of [
    [FROST_ED25519, share],
    [PROTOCOL, asEcdsa],
    ['frost-other/v1', share],
  ] as const) {
    const context = contextOf(1, [1, 2], 'mixed', { protocol })
    assert.ok(refusalOf(() => startFrostSigning({ context, share: given, path: [], message }, seededRandom('x'))) instanceof ProtocolFault)
  }
})

test('the signatures of RFC 9591 appendix E.1 come out of what signs here', () => {
  const ed25519Frost = schemeOf(FROST_ED25519).frost!
  // FROST(Ed25519, SHA-512): participants 1 and 3 of 3, the key, shares and nonces as printed there.
  const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
  const [one, three] = [1, 3].map((party) => ed25519Frost.Identifier.fromNumber(party)) as [string, string]
  const secrets = {
    [one]: '929dcc590407aae7d388761cddb0c0db6f5627aea8e217f4a033f2ec83d93509',
    [three]: 'd3cb090a075eb154e82fdb4b3cb507f110040905468bb9c46da8bdea643a9a02',
  }
  const nonces = {
    [one]: ['812d6104142944d5a55924de6d49940956206909f2acaeedecda2b726e630407', 'b1110165fc2334149750b28dd813a39244f315cff14d4e89e6142f262ed83301'],
    [three]: ['c256de65476204095ebdc01bd11dc10e57b36bc96284595b8215222374f99c0e', '243d71944d929063bc51205714ae3c2218bd3451d0214dfb5aeec2a90c35180d'],
  }
  const message = hex('74657374')
  const groupKey = hex('15d21ccd7ee42959562fc8aa63224c8851fb3ec85a3faf66040d380fb9738673')
  const sum = schemeOf(FROST_ED25519).group
  const verifying = Object.fromEntries([one, three].map((id) => [id, Uint8Array.from(sum.multiplyBase(sum.parseScalar(hex(secrets[id]!), null, 'share')))]))
  // The second commitment follows from the group key and a share: f(1) = key + slope.
  const slope = sum.sum([
    { point: verifying[one]!, by: 1n },
    { point: groupKey, by: -1n },
  ])!
  const key = { signers: { min: 2, max: 3 }, commitments: [groupKey, Uint8Array.from(slope)], verifyingShares: verifying }
  const list = [one, three].map((identifier) => {
    const [hiding, binding] = nonces[identifier]!.map((each) => Uint8Array.from(sum.multiplyBase(sum.parseScalar(hex(each), null, 'nonce'))))
    return { identifier, hiding: hiding!, binding: binding! }
  })
  const shares = Object.fromEntries(
    [one, three].map((identifier) => {
      const [hiding, binding] = nonces[identifier]!.map(hex)
      const secret = { identifier, signingShare: hex(secrets[identifier]!) }
      return [identifier, ed25519Frost.signShare(secret, key, { hiding: hiding!, binding: binding! }, list, message)]
    }),
  )
  const signature = ed25519Frost.aggregate(key, list, message, shares)
  assert.equal(
    Buffer.from(signature).toString('hex'),
    '36282629c383bb820a88b71cae937d41f2f2adfcc3d02e55507e2fb9e2dd3cbebd9d2b0844e49ae0f3fa935161e1419aab7b47d21a37ebeae1f17d4987b3160b',
  )
})

test('signatures of the BIP340 vectors are taken or refused as they say by what judges taproot signatures', () => {
  // BIP340, test vectors 0, 1, 4 (true), 5 (public key not on the curve) and 6 (R with an odd y).
  const two = 'dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659'
  const message = '243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89'
  const vectors: [string, string, string, boolean][] = [
    [
      'f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9',
      '00'.repeat(32),
      'e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca821525f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0',
      true,
    ],
    [two, message, '6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de33418906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a', true],
    [
      'd69c3509bb99e412e68b0fe8544e72837dfa30746d8be2aa65975f29d22dc7b9',
      '4df3c3f68fcc83b27e9d42c90431a72499f17875c81a599b566c9889b9696703',
      '00000000000000000000003b78ce563f89a0ed9414f5aa28ad0d96d6795f9c6376afb1548af603b3eb45c9f8207dee1060cb71c04e80f593060b07d28308d7f4',
      true,
    ],
    [
      'eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34',
      message,
      '6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e17776969e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b',
      false,
    ],
    [two, message, 'fff97bd5755eeea420453a14355235d382f6472f8568a18b2f057a14602975563cc27944640ac607cd107ae10923d9ef7a73c643e166be5ebeafa34b1ac553e2', false],
  ]
  for (const [publicKey, signed, signature, expected] of vectors) {
    const [key, text, sig] = [publicKey, signed, signature].map((hex) => Uint8Array.from(Buffer.from(hex, 'hex'))) as [Uint8Array, Uint8Array, Uint8Array]
    assert.equal(schemeOf(FROST_TAPROOT).verify(sig, text, key), expected)
  }
})
