import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { CheatError, checkKeyShare, type KeyShare, keyShareShape, type Message, ProtocolFault, recoverSecret, startKeyGeneration, type Step } from '../index.ts'
import { commitmentOf, commitShape, openGeneration, revealShape, shareShape } from './key-generation.ts'
import { confirmShape } from '../round/echo.ts'
import { editHeader, editPayload, flipBit } from '../testing/edit-message.ts'
import { ALL, contextOf, generateKey, hash32, messagesFor, refusalOf, seededRandom } from '../testing/run-parties.ts'

const start = (me: number, seed = 'run', session = 'generate') => startKeyGeneration(contextOf(me, ALL, session), seededRandom(`${seed}/${me}`))
const startAll = () => new Map(ALL.map((me) => [me, start(me)]))
const sentBy = (steps: Map<number, Step<KeyShare>>): Message[] => [...steps.values()].flatMap((step) => step.outgoing)
const advance = (steps: Map<number, Step<KeyShare>>, sent = sentBy(steps)) => new Map([...steps].map(([me, step]) => [me, step.receive(messagesFor(me, sent))]))

/** Honest messages of every round, recorded once: the random streams are fixed, so a fresh party 1 takes them all. */
const honest = (() => {
  const rounds: Message[][] = []
  let steps = startAll()
  for (let round = 1; round <= 4; round++) {
    rounds.push(sentBy(steps))
    steps = advance(steps)
  }
  return rounds
})()

/** Party 1 taken through the honest rounds before `round`, then given that round's messages with those of party 2 edited. */
function feed(round: number, edit: (message: Message) => Message): Step<KeyShare> {
  let step = start(1)
  for (let before = 1; before < round; before++) step = step.receive(messagesFor(1, honest[before - 1]!))
  return step.receive(messagesFor(1, honest[round - 1]!).map((message) => (message.from === 2 ? edit(message) : message)))
}

test('three parties make one key, and each gets its own share of it', () => {
  const shares = [...generateKey('key').values()]
  for (const share of shares) {
    checkKeyShare(share)
    assert.deepEqual(decode(keyShareShape, encode(keyShareShape, share)), share)
    for (const field of ['publicKey', 'chainCode', 'commitments', 'verifyingShares', 'parties', 'threshold'] as const) {
      assert.deepEqual(share[field], shares[0]![field])
    }
  }
  assert.equal(new Set(shares.map((share) => Buffer.from(share.secretShare).toString('hex'))).size, 3)
  for (const [a, b] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const) {
    assert.deepEqual(
      secp256k1.getPublicKey(secp256k1.Point.Fn.toBytes(recoverSecret([shares[a]!, shares[b]!]))),
      Uint8Array.from(shares[0]!.publicKey) as Uint8Array<ArrayBuffer>,
    )
  }
})

test('the same random streams give the same key, and any other stream or session another', () => {
  const [first, again, other] = ['a', 'a', 'b'].map((seed) => generateKey(seed).get(1)!)
  assert.deepEqual(first, again)
  assert.notDeepEqual(first!.publicKey, other!.publicKey)
  assert.notDeepEqual(first!.chainCode, other!.chainCode)
})

test('party indexes need not be 1, 2 and 3', () => {
  const parties = [200, 7, 31]
  let steps = new Map(parties.map((me) => [me, startKeyGeneration(contextOf(me, parties, 'odd'), seededRandom(`odd/${me}`))]))
  for (let round = 1; round <= 4; round++) steps = advance(steps)
  const shares = parties.map((party) => steps.get(party)!.result!)
  for (const share of shares) checkKeyShare(share)
  assert.deepEqual(shares[0]!.parties, [7n, 31n, 200n])
  assert.equal(recoverSecret([shares[0]!, shares[2]!]), recoverSecret([shares[1]!, shares[2]!]))
})

const cells = [
  [1, commitShape, 'commitment'],
  [2, revealShape, 'constant'],
  [2, revealShape, 'slope'],
  [2, revealShape, 'proof'],
  [2, revealShape, 'chainCodePart'],
  [2, revealShape, 'salt'],
  [3, shareShape, 'share'],
  [4, confirmShape, 'key'],
] as const

for (const [round, shape, field] of cells) {
  test(`a bit flipped in ${field} of round ${round} is refused and the sender named`, () => {
    for (let trial = 0; trial < 4; trial++) {
      const refusal = refusalOf(() => {
        const step = feed(round, (message) =>
          editPayload(message, shape, (payload) => {
            payload[field] = flipBit(payload[field], (trial * 7) % payload[field].length, trial & 7)
          }),
        )
        // A wrong commitment shows when it is opened.
        return round === 1 ? step.receive(messagesFor(1, honest[1]!)) : step
      })
      assert.equal(refusal.peer, 2)
      if (['commitment', 'chainCodePart', 'salt', 'share', 'key'].includes(field)) assert.ok(refusal instanceof CheatError, `${field}: ${refusal.message}`)
    }
  })
}

test('zero and out-of-range shares and infinite points are refused before any check', () => {
  for (const share of [new Uint8Array(32), new Uint8Array(32).fill(0xff)]) {
    const refusal = refusalOf(() =>
      feed(3, (message) =>
        editPayload(message, shareShape, (payload) => {
          payload.share = share
        }),
      ),
    )
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 2)
  }
  for (const field of ['constant', 'slope']) {
    const refusal = refusalOf(() =>
      feed(2, (message) =>
        editPayload(message, revealShape, (payload) => {
          payload[field] = new Uint8Array(33)
        }),
      ),
    )
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 2)
  }
})

function decodeReveal(message: Message): any {
  const value: any = {}
  editPayload(message, revealShape, (payload) => Object.assign(value, payload))
  return value
}

/** Party 2 cheats consistently: `edit` changes its package before it commits to it. */
function feedCheatingPackage(edit: (payload: any) => void): Step<KeyShare> {
  const forged = start(2, 'forged')
  const reveal = editPayload(forged.receive(messagesFor(2, honest[0]!)).outgoing[0]!, revealShape, edit)
  const session = openGeneration(contextOf(2, ALL, 'generate'))
  const commitment = commitmentOf(session, 2, decodeReveal(reveal))
  const commit = editPayload(forged.outgoing[0]!, commitShape, (payload) => {
    payload.commitment = commitment
  })
  const one = start(1).receive([commit, honest[0]!.find(({ from }) => from === 3)!])
  return one.receive([reveal, honest[1]!.find(({ from }) => from === 3)!])
}

test('a proof of knowledge for another key part is caught and its sender named', () => {
  const other = decodeReveal(start(2, 'other').receive(messagesFor(2, honest[0]!)).outgoing[0]!)
  const refusal = refusalOf(() =>
    feedCheatingPackage((payload) => {
      payload.proof = other.proof
    }),
  )
  assert.ok(refusal instanceof CheatError && refusal.peer === 2 && refusal.check.includes('proof of knowledge'), refusal.message)
})

test("another party's key part with its proof cannot be passed off as one's own", () => {
  const stolen = decodeReveal(honest[1]!.find(({ from }) => from === 3)!)
  const refusal = refusalOf(() =>
    feedCheatingPackage((payload) => Object.assign(payload, { constant: stolen.constant, slope: stolen.slope, proof: stolen.proof })),
  )
  assert.ok(refusal instanceof CheatError && refusal.peer === 2, refusal.message)
})

test('a party that tells two parties different things gets no key from either', () => {
  // Party 1 runs twice and shows one face to party 2, the other to party 3.
  const faces = [start(1, 'left'), start(1, 'right')]
  let two = start(2)
  let three = start(3)
  for (let round = 1; round <= 3; round++) {
    const [toTwo, toThree] = faces.map((face) => face.outgoing)
    const sent = [...two.outgoing, ...three.outgoing]
    faces[0] = faces[0]!.receive(messagesFor(1, sent))
    faces[1] = faces[1]!.receive(messagesFor(1, sent))
    two = two.receive(messagesFor(2, [...toTwo!, ...sent]))
    three = three.receive(messagesFor(3, [...toThree!, ...sent]))
  }
  const sent = [...two.outgoing, ...three.outgoing]
  const refusals = [
    refusalOf(() => two.receive(messagesFor(2, [...faces[0]!.outgoing, ...sent]))),
    refusalOf(() => three.receive(messagesFor(3, [...faces[1]!.outgoing, ...sent]))),
  ]
  for (const refusal of refusals) assert.ok(refusal instanceof CheatError && refusal.check.includes('echo') && refusal.suspects.includes(1), refusal.message)
})

test('a party that lies in the echo is refused: about us or itself it is named alone, about the third both are suspects', () => {
  for (const [about, peer, suspects] of [
    [1, 2, [2]],
    [2, 2, [2]],
    [3, 3, [3, 2]],
  ] as const) {
    const refusal = refusalOf(() =>
      feed(4, (message) =>
        editPayload(message, confirmShape, (payload) => {
          payload.seen[about - 1].transcript = hash32('lie')
        }),
      ),
    )
    assert.ok(refusal instanceof CheatError && refusal.peer === peer, refusal.message)
    assert.deepEqual(refusal.suspects, suspects)
  }
  for (const edit of [(seen: any[]) => seen.pop(), (seen: any[]) => seen.reverse(), (seen: any[]) => seen.splice(0), (seen: any[]) => seen.fill(seen[0])]) {
    const refusal = refusalOf(() =>
      feed(4, (message) =>
        editPayload(message, confirmShape, (payload) => {
          edit(payload.seen)
        }),
      ),
    )
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 2)
  }
})

test('messages of another session, key, epoch, genesis, round, sender or receiver are faults, not cheating', () => {
  const changes = {
    genesis: hash32('x'),
    keyId: hash32('x'),
    epoch: 1n,
    session: hash32('x'),
    binding: hash32('x'),
    protocol: 'dkls23/v2',
    version: 2n,
    round: 2n,
    from: 3n,
    to: 1n,
  }
  for (const [field, value] of Object.entries(changes)) {
    const refusal = refusalOf(() => feed(1, (message) => editHeader(message, { [field]: value })))
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 2, field)
  }
  const replayed = start(2, 'run', 'yesterday').outgoing[0]!
  const refusal = refusalOf(() => feed(1, () => replayed))
  assert.ok(refusal instanceof ProtocolFault && refusal.reason.includes('session'))
})

test('a missing, doubled, foreign or misaddressed message is a fault', () => {
  const [two, three] = messagesFor(1, honest[0]!) as [Message, Message]
  const lists: Message[][] = [
    [],
    [two],
    [two, two],
    [two, two, three],
    [two, three, three],
    [two, { ...three, from: 4 }],
    [two, { ...three, from: 1 }],
    [two, { ...three, round: 2 }],
    [two, { ...three, to: 1 }],
    [two, { ...three, from: 2 }],
    [two, honest[2]!.find(({ from }) => from === 3)!],
    [
      { ...two, body: three.body },
      { ...three, body: two.body },
    ],
    [two, { ...three, body: new Uint8Array(0) }],
    [two, { ...three, body: undefined as never }],
    [two, { ...three, body: three.body.subarray(0, 100) }],
    [two, { ...three, body: new Uint8Array([...three.body, 0]) }],
  ]
  for (const incoming of lists) assert.ok(refusalOf(() => start(1).receive(incoming)) instanceof ProtocolFault)
  assert.ok(refusalOf(() => start(1).receive(undefined as never)) instanceof ProtocolFault)
})

test('a step is used once, also after it has failed', () => {
  const incoming = messagesFor(1, honest[0]!)
  const step = start(1)
  step.receive(incoming)
  assert.ok(refusalOf(() => step.receive(incoming)) instanceof ProtocolFault)
  const failed = start(1)
  refusalOf(() => failed.receive([]))
  assert.ok(refusalOf(() => failed.receive(incoming)) instanceof ProtocolFault)
  let last: Step<KeyShare> = start(1)
  for (const round of honest) last = last.receive(messagesFor(1, round))
  assert.ok(last.result && last.awaiting === null)
  assert.ok(refusalOf(() => last.receive([])) instanceof ProtocolFault)
})

test('a context that is not well formed is refused at the start', () => {
  const good = contextOf(1, ALL, 's')
  const bad = [
    { protocol: 'other' },
    { genesis: new Uint8Array(31) },
    { keyId: new Uint8Array(33) },
    { session: new Uint8Array(0) },
    { epoch: -1n },
    { epoch: 1n << 64n },
    { me: 4 },
    { parties: [1, 2] },
    { parties: [1, 2, 2] },
    { parties: [0, 1, 2] },
    { parties: [1, 2, 256] },
    { parties: [1, 2, 1.5] },
    { parties: [1, 2, 3, 4] },
  ]
  for (const change of bad) assert.ok(refusalOf(() => startKeyGeneration({ ...good, ...change } as never, seededRandom('x'))) instanceof ProtocolFault)
})
