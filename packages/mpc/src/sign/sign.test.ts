import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { recoverPublicKey } from 'viem'
import { bytesToInteger, ORDER, scalarBytes } from '../group/group.ts'
import { type EcdsaSignature, ProtocolFault, startSigning, type Step } from '../index.ts'
import { contextOf, generateKey, hash32, type Pair, refusalOf, runParties, seededRandom, setUpPair, signTogether, startSigner } from '../testing/run-parties.ts'

// HOLDFAST_SIGNATURES=10000 makes as many.
const SIGNATURES = Number(process.env.HOLDFAST_SIGNATURES ?? 60)

const shares = generateKey('sign')
const pairs: Pair[] = [
  [1, 2],
  [1, 3],
  [2, 3],
].map((parties) => ({ parties, shares, seeds: setUpPair(parties, `sign/${parties.join()}`) }))
const root = new HDKey({ publicKey: Uint8Array.from(shares.get(1)!.publicKey), chainCode: Uint8Array.from(shares.get(1)!.chainCode) })

const sha256 = (data: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(data).digest())
const compactOf = ({ r, s }: EcdsaSignature): Uint8Array<ArrayBuffer> => Uint8Array.from([...r, ...s])
const hex = (data: Uint8Array): `0x${string}` => `0x${Buffer.from(data).toString('hex')}`

/** OpenSSL's opinion: it hashes the message itself. */
function openSslVerifies(signature: EcdsaSignature, message: Uint8Array): boolean {
  const { x, y } = secp256k1.Point.fromBytes(signature.publicKey).toAffine()
  const [x64, y64] = [x, y].map((value) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x: x64!, y: y64! }, format: 'jwk' })
  return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, compactOf(signature))
}

test('every pair signs, at the root and at child keys, and two independent libraries verify and a third recovers the key', async () => {
  for (const pair of pairs) {
    for (const path of [[], [0], [0, 7], [1, 2, 3], [0x7fffffff]]) {
      const message = Buffer.from(`${pair.parties}/${path}`)
      const signatures = [...signTogether(pair, { path, digest: sha256(message), session: `honest/${message}` }).values()]
      const [signature, other] = signatures as [EcdsaSignature, EcdsaSignature]
      assert.deepEqual(signature, other, 'both parties must hold the same signature')
      const expected = path.length === 0 ? root.publicKey! : root.derive(['m', ...path].join('/')).publicKey!
      assert.deepEqual(Buffer.from(signature.publicKey), Buffer.from(expected))
      assert.ok(secp256k1.verify(compactOf(signature), sha256(message), signature.publicKey, { prehash: false, lowS: true }))
      assert.ok(openSslVerifies(signature, message))
      const recovered = await recoverPublicKey({
        hash: hex(sha256(message)),
        signature: { r: hex(signature.r), s: hex(signature.s), yParity: signature.recovery },
      })
      assert.equal(recovered, hex(secp256k1.Point.fromBytes(signature.publicKey).toBytes(false)))
    }
  }
})

test(`${SIGNATURES} random messages at random paths give low signatures that two libraries verify, with nonces that never repeat`, () => {
  const random = seededRandom('messages')
  const nonces = new Set<string>()
  for (let run = 0; run < SIGNATURES; run++) {
    const message = random(1 + (run % 64))
    const path = run % 3 === 0 ? [] : [run, Buffer.from(random(3)).readUIntBE(0, 3)]
    const signature = signTogether(pairs[run % 3]!, { path, digest: sha256(message), session: `random/${run}` }).get(pairs[run % 3]!.parties[0]!)!
    assert.ok(openSslVerifies(signature, message))
    assert.ok(secp256k1.verify(compactOf(signature), sha256(message), signature.publicKey, { prehash: false, lowS: true }))
    assert.ok(bytesToInteger(signature.s) <= ORDER >> 1n)
    nonces.add(hex(signature.r))
  }
  assert.equal(nonces.size, SIGNATURES)
})

test('digests at the edge of the order are signed as ECDSA says', () => {
  for (const value of [0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, (1n << 256n) - 1n]) {
    const digest = new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
    const signature = signTogether(pairs[0]!, { path: [5], digest, session: `edge/${value}` }).get(1)!
    assert.ok(secp256k1.verify(compactOf(signature), digest, signature.publicKey, { prehash: false }))
  }
})

test('a stuck random source still gives every session its own nonce', () => {
  const stuck = (length: number) => new Uint8Array(length).fill(9)
  const pair = pairs[0]!
  const nonces = ['one', 'two'].map((session) => {
    const start = (me: number) => {
      const input = { context: contextOf(me, pair.parties, session), share: shares.get(me)!, seeds: pair.seeds.get(me)!, path: [], digest: hash32('same') }
      return startSigning(input, stuck)
    }
    return hex(runParties(new Map(pair.parties.map((me) => [me, start(me)]))).get(1)!.r)
  })
  assert.notEqual(nonces[0], nonces[1])
})

test('a party sends at most 64 kB for a signature', () => {
  let one: Step<EcdsaSignature> = startSigner(pairs[0]!, 1, { path: [0, 1], digest: hash32('size'), session: 'size' })
  let two: Step<EcdsaSignature> = startSigner(pairs[0]!, 2, { path: [0, 1], digest: hash32('size'), session: 'size' })
  let bytes = 0
  while (one.awaiting) {
    const [toTwo, toOne] = [one.outgoing, two.outgoing]
    bytes += toTwo.reduce((sum, { body }) => sum + body.length, 0)
    one = one.receive(toOne)
    two = two.receive(toTwo)
  }
  assert.ok(bytes <= 64_000, `${bytes} bytes`)
})

test('shares, seeds and contexts that do not belong together are refused at the start', () => {
  const pair = pairs[0]!
  const context = contextOf(1, pair.parties, 'start')
  const good = { context, share: shares.get(1)!, seeds: pair.seeds.get(1)!, path: [0], digest: hash32('d') }
  startSigning(good, seededRandom('x'))
  const bad = [
    { share: shares.get(2)! },
    { seeds: pair.seeds.get(2)! },
    { seeds: pairs[1]!.seeds.get(1)! },
    { digest: new Uint8Array(31) },
    { digest: new Uint8Array(33) },
    { digest: 'd' },
    { path: [0x80000000] },
    { path: [-1] },
    { path: Array<number>(9).fill(0) },
    { context: { ...context, parties: [1, 3] } },
    { context: { ...context, parties: [1, 4] } },
    { context: { ...context, me: 2 } },
    { context: { ...context, epoch: 1n } },
    { context: { ...context, keyId: hash32('other') } },
    { context: { ...context, genesis: hash32('other') } },
    { share: { ...good.share, epoch: 1n } },
    { share: { ...good.share, protocol: 'other' } },
    { share: { ...good.share, curve: 'ed25519' } },
    { share: { ...good.share, threshold: 1n } },
    { share: { ...good.share, parties: [1n, 2n] } },
    { share: { ...good.share, parties: [1n, 2n, 2n] } },
    { share: { ...good.share, publicKey: good.share.verifyingShares[0]! } },
    { seeds: { ...good.seeds, epoch: 1n } },
    { seeds: { ...good.seeds, keyId: hash32('other') } },
    { seeds: { ...good.seeds, protocol: 'other' } },
  ]
  for (const change of bad) {
    const refusal = refusalOf(() => startSigning({ ...good, ...change } as never, seededRandom('x')))
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === null, JSON.stringify(Object.keys(change)))
  }
})

test('parties that disagree on path, digest, seeds or key find out as a fault and not as cheating', () => {
  const pair = pairs[0]!
  const request = { path: [0, 1], digest: hash32('digest'), session: 'disagree' }
  const other = new Map([[2, { ...pair.seeds.get(2)!, setupId: hash32('another run of the set-up') }]])
  const changed = { ...shares.get(2)!, chainCode: hash32('other chain code') }
  const peers = [
    startSigner(pair, 2, { ...request, path: [0, 2] }),
    startSigner(pair, 2, { ...request, path: [0] }),
    startSigner(pair, 2, { ...request, digest: hash32('other') }),
    startSigner(pair, 2, { ...request, session: 'other' }),
    startSigner({ ...pair, seeds: other }, 2, request),
    startSigner({ ...pair, shares: new Map([[2, changed]]) }, 2, request),
  ]
  for (const peer of peers) {
    const refusal = refusalOf(() => startSigner(pair, 1, request).receive(peer.outgoing))
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 2, refusal.message)
  }
})

test('a wrong share makes no signature', () => {
  const pair = pairs[0]!
  const wrong = { ...shares.get(2)!, secretShare: scalarBytes(bytesToInteger(shares.get(2)!.secretShare) ^ 1n) }
  const request = { path: [], digest: hash32('wrong share'), session: 'wrong share' }
  const one = startSigner(pair, 1, request)
  const two = startSigner({ ...pair, shares: new Map([[2, wrong]]) }, 2, request)
  const [nextOne, nextTwo] = [one.receive(two.outgoing), two.receive(one.outgoing)]
  const refusal = refusalOf(() => nextOne.receive(nextTwo.outgoing))
  assert.equal(refusal.peer, 2)
  assert.match(refusal.message, /sum of the key points/)
})
