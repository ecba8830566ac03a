import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  CheatError,
  checkKeyShare,
  FROST_ED25519,
  FROST_TAPROOT,
  type KeyShare,
  type Message,
  PROTOCOL,
  ProtocolFault,
  recoverSecret,
  RecoveryError,
  type ResharingInput,
  startFrostSigning,
  startResharing,
  startShareCheck,
  type Step,
} from '../index.ts'
import { commitShape, revealShape, shareShape } from './reshare.ts'
import { proofShape } from './share-check.ts'
import { confirmShape } from '../round/echo.ts'
import { editHeader, editPayload, flipBit } from '../testing/edit-message.ts'
import {
  ALL,
  contextOf,
  generateKey,
  hash32,
  messagesFor,
  refusalOf,
  reshare,
  runParties,
  seededRandom,
  setUpPair,
  signTogether,
} from '../testing/run-parties.ts'

const PROTOCOLS = [PROTOCOL, FROST_ED25519, FROST_TAPROOT]
const keys = new Map(PROTOCOLS.map((protocol) => [protocol, generateKey(`reshare/${protocol}`, protocol)]))
const secretOf = (shares: Map<number, KeyShare>, parties: number[]) => recoverSecret(parties.map((party) => shares.get(party)!))

/** Every pair of the new holders has the old secret between them, and nobody else's share is in it. */
function assertSameKey(before: Map<number, KeyShare>, after: Map<number, KeyShare>, receivers: number[]): void {
  const [one, two, three] = receivers as [number, number, number]
  const secret = secretOf(before, [...before.keys()].slice(0, 2))
  for (const pair of [
    [one, two],
    [one, three],
    [three, two],
  ]) {
    assert.equal(secretOf(after, pair), secret)
  }
  for (const share of after.values()) {
    checkKeyShare(share)
    const old = before.get([...before.keys()][0]!)!
    assert.equal(share.epoch, old.epoch + 1n)
    assert.deepEqual([share.publicKey, share.chainCode, share.keyId], [old.publicKey, old.chainCode, old.keyId])
  }
}

for (const protocol of PROTOCOLS) {
  const shares = keys.get(protocol)!

  test(`${protocol}: three signers refresh their shares: the key stays, every share changes, old and new do not fit together`, () => {
    const after = reshare(shares, ALL, ALL, `refresh/${protocol}`)
    assertSameKey(shares, after, ALL)
    for (const party of ALL) assert.notDeepEqual(after.get(party)!.secretShare, shares.get(party)!.secretShare)
    assert.throws(() => recoverSecret([shares.get(1)!, after.get(2)!]), RecoveryError)
    // Even with the epoch forged, shares of two epochs give another secret, which is refused.
    assert.throws(() => recoverSecret([{ ...shares.get(1)!, epoch: 1n }, after.get(2)!]), RecoveryError)
    assertSameKey(after, reshare(after, ALL, ALL, `refresh again/${protocol}`), ALL)
  })

  test(`${protocol}: two signers give a third, that lost everything, a share again`, () => {
    for (const lost of ALL) {
      const dealers = ALL.filter((party) => party !== lost)
      assertSameKey(shares, reshare(shares, dealers, ALL, `repair/${protocol}/${lost}`), ALL)
    }
  })

  test(`${protocol}: a key is handed over to other signers, and those who dealt hold nothing of it any more`, () => {
    for (const [dealers, receivers] of [
      [
        [1, 3],
        [4, 5, 6],
      ],
      [ALL, [3, 7, 9]],
    ] as const) {
      const after = reshare(shares, [...dealers], [...receivers], `hand over/${protocol}/${receivers}`)
      assert.deepEqual(after.get(receivers[0])!.parties, receivers.map(BigInt))
      assertSameKey(shares, after, [...receivers])
    }
  })

  test(`${protocol}: signers prove that their shares still fit, and a share that does not is named`, () => {
    const check = (given: Map<number, KeyShare>) =>
      new Map(
        ALL.map((me) => [me, startShareCheck({ context: contextOf(me, ALL, 'check', { protocol }), share: given.get(me)! }, seededRandom(`check/${me}`))]),
      )
    const proven = [...runParties(check(shares)).values()]
    assert.deepEqual(proven[0], proven[2])
    const sent = [...check(shares).values()].flatMap(({ outgoing }) => outgoing)
    const bad = refusalOf(() =>
      check(shares)
        .get(1)!
        .receive(
          messagesFor(1, sent).map((message) =>
            message.from === 3 ? editPayload(message, proofShape, (proof) => void (proof.response = flipBit(proof.response, 15, 0))) : message,
          ),
        ),
    )
    assert.ok(bad instanceof CheatError)
    assert.equal(bad.peer, 3)
    assert.throws(
      () =>
        startShareCheck(
          { context: contextOf(1, ALL, 'check', { protocol }), share: { ...shares.get(1)!, secretShare: shares.get(2)!.secretShare } },
          seededRandom('x'),
        ),
      ProtocolFault,
    )
  })
}

test('after a refresh the signers sign with the new epoch', () => {
  const ecdsa = reshare(keys.get(PROTOCOL)!, ALL, ALL, 'sign after')
  const pair = { parties: [1, 3], shares: ecdsa, seeds: setUpPair([1, 3], 'after', 1n) }
  const digest = hash32('after')
  const signature = signTogether(pair, { path: [0, 4], digest, session: 'after' }).get(1)!
  assert.ok(secp256k1.verify(new Uint8Array([...signature.r, ...signature.s]), digest, signature.publicKey, { prehash: false }))
  const frost = reshare(keys.get(FROST_ED25519)!, [2, 3], ALL, 'sign after')
  const signed = runParties(
    new Map(
      [1, 2].map((me) => [
        me,
        startFrostSigning(
          { context: contextOf(me, [1, 2], 'after', { protocol: FROST_ED25519, epoch: 1n }), share: frost.get(me)!, path: [], message: digest },
          seededRandom(`after/${me}`),
        ),
      ]),
    ),
  )
  assert.equal(signed.get(1)!.signature.length, 64)
})

test('a share of the old epoch neither signs in the new one nor deals twice', () => {
  const shares = keys.get(FROST_ED25519)!
  const context = contextOf(1, [1, 2], 'old', { protocol: FROST_ED25519, epoch: 1n })
  assert.match(
    refusalOf(() => startFrostSigning({ context, share: shares.get(1)!, path: [], message: hash32('m') }, seededRandom('x'))).message,
    /another key or epoch/,
  )
  const input = inputOf(1, { context: contextOf(1, ALL, 'skip', { epoch: 2n }) })
  assert.match(refusalOf(() => startResharing(input, seededRandom('x'))).message, /another key or epoch/)
})

function inputOf(me: number, changes: Partial<ResharingInput> = {}): ResharingInput {
  const share = keys.get(PROTOCOL)!.get(me)!
  return { context: contextOf(me, ALL, 'fault', { epoch: 1n }), key: share, dealers: ALL, receivers: ALL, share, ...changes }
}

test('what does not describe one resharing is refused before it begins', () => {
  const cases: [string, Partial<ResharingInput>][] = [
    ['one dealer', { dealers: [1] }],
    ['a dealer twice', { dealers: [1, 1, 2] }],
    ['a dealer without a share', { dealers: [1, 9] }],
    ['two receivers', { receivers: [1, 2] }],
    ['a receiver twice', { receivers: [1, 2, 2] }],
    ['no share for a dealer', { share: null }],
    ["another party's share", { share: keys.get(PROTOCOL)!.get(2)! }],
    ['a share of another protocol', { share: keys.get(FROST_TAPROOT)!.get(1)! }],
    ['the first epoch', { context: contextOf(1, ALL, 'fault', { epoch: 0n }) }],
    ['another key', { context: contextOf(1, ALL, 'fault', { epoch: 1n, keyId: hash32('other') }) }],
    ['another protocol', { context: contextOf(1, ALL, 'fault', { epoch: 1n, protocol: FROST_ED25519 }) }],
    ['parties that are neither', { context: contextOf(1, [1, 2, 3, 4], 'fault', { epoch: 1n }) }],
    [
      'verifying shares that do not fit',
      { key: { ...keys.get(PROTOCOL)!.get(1)!, verifyingShares: [...keys.get(PROTOCOL)!.get(1)!.verifyingShares].reverse() } },
    ],
  ]
  for (const [what, changes] of cases) {
    assert.ok(refusalOf(() => startResharing(inputOf(1, changes), seededRandom('x'))) instanceof ProtocolFault, what)
  }
})

test('every changed message of a resharing is laid on the dealer that sent it, and no new share is given', () => {
  const start = (me: number) => startResharing(inputOf(me), seededRandom(`fault/${me}`))
  const rounds: Message[][] = []
  let steps = new Map<number, Step<KeyShare | null>>(ALL.map((me) => [me, start(me)]))
  for (let round = 1; round <= 4; round++) {
    const sent = [...steps.values()].flatMap(({ outgoing }) => outgoing)
    rounds.push(sent)
    steps = new Map([...steps].map(([me, step]) => [me, step.receive(messagesFor(me, sent))]))
  }
  const feed = (round: number, edit: (message: Message) => Message) => {
    let step = start(1)
    for (let before = 1; before < round; before++) step = step.receive(messagesFor(1, rounds[before - 1]!))
    return refusalOf(() => {
      let last = step.receive(messagesFor(1, rounds[round - 1]!).map((message) => (message.from === 2 ? edit(message) : message)))
      for (let later = round + 1; later <= 4; later++) last = last.receive(messagesFor(1, rounds[later - 1]!))
    })
  }
  const flip = (field: string) => (payload: Record<string, Uint8Array>) => void (payload[field] = flipBit(payload[field]!, 9, 1))
  const cheats = [
    feed(1, (message) => editPayload(message, commitShape, flip('commitment'))),
    feed(2, (message) => editPayload(message, revealShape, flip('salt'))),
    feed(2, (message) => editPayload(message, revealShape, (payload) => void (payload.slope = secp256k1.Point.BASE.toBytes(true)))),
    feed(3, (message) => editPayload(message, shareShape, flip('share'))),
    feed(4, (message) => editPayload(message, confirmShape, flip('key'))),
    feed(4, (message) => editPayload(message, confirmShape, (payload) => void (payload.seen[0].transcript = hash32('other')))),
  ]
  for (const cheat of cheats) {
    assert.ok(cheat instanceof CheatError, cheat.message)
    assert.equal(cheat.peer, 2)
  }
  const faults = [
    feed(2, (message) => editPayload(message, revealShape, (payload) => void (payload.slope = new Uint8Array(33)))),
    feed(3, (message) => editPayload(message, shareShape, (payload) => void (payload.share = new Uint8Array(32)))),
    feed(4, (message) => editPayload(message, confirmShape, (payload) => void payload.seen.pop())),
    feed(3, (message) => editHeader(message, { epoch: 2n })),
  ]
  for (const fault of faults) assert.ok(fault instanceof ProtocolFault, fault.message)
})

test('a repaired signer and its helpers each take only the messages that are due from whom they are due', () => {
  const parties = ALL
  const shares = keys.get(PROTOCOL)!
  const context = (me: number) => contextOf(me, parties, 'due', { epoch: 1n })
  const input = (me: number) => ({ context: context(me), key: shares.get(1)!, dealers: [1, 2], receivers: ALL, share: me === 3 ? null : shares.get(me)! })
  const lost = startResharing(input(3), seededRandom('due/3'))
  assert.deepEqual(lost.outgoing, [])
  assert.deepEqual(lost.awaiting, { round: 1, from: [1, 2] })
  const helper = startResharing(input(1), seededRandom('due/1'))
  assert.deepEqual(helper.awaiting, { round: 1, from: [2] })
  const forged = { ...startResharing(input(2), seededRandom('due/2')).outgoing[0]!, from: 3 }
  assert.ok(refusalOf(() => helper.receive([forged])) instanceof ProtocolFault)
})
