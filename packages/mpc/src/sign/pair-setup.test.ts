import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode, toHex } from '@holdfast/encoding'
import { bitOf } from '../transfer/base-ot.ts'
import { randomPoint } from '../transfer/base-ot-group.ts'
import { CheatError, type Message, type PairSeeds, pairSeedsShape, ProtocolFault, startPairSetup, type Step } from '../index.ts'
import { answerShape, chooseShape, confirmShape } from './pair-setup.ts'
import { OT_KEY_BYTES, POINT_BYTES } from '../round/parameters.ts'
import { gadgetVector } from '../transfer/rvole.ts'
import { editHeader, editPayload, flipBit } from '../testing/edit-message.ts'
import { contextOf, hash32, refusalOf, runParties, seededRandom } from '../testing/run-parties.ts'
import { messageShape } from '../round/transcript.ts'

const PARTIES = [1, 3]
const start = (me: number, session = 'pair') => startPairSetup(contextOf(me, PARTIES, session), seededRandom(`pair/${me}`))

const honest = (() => {
  const rounds: { one: Message; three: Message }[] = []
  let one = start(1)
  let three = start(3)
  while (one.awaiting) {
    const sent = { one: one.outgoing[0]!, three: three.outgoing[0]! }
    rounds.push(sent)
    one = one.receive([sent.three])
    three = three.receive([sent.one])
  }
  return { rounds, one: one.result!, three: three.result! }
})()

/** Party 1 before it receives `round`, with the honest rounds behind it. */
function before(round: number): Step<PairSeeds> {
  let step = start(1)
  for (let done = 1; done < round; done++) step = step.receive([honest.rounds[done - 1]!.three])
  return step
}

test('both parties hold matching seeds, in both directions', () => {
  const { one, three } = honest
  assert.deepEqual(one.setupId, three.setupId)
  assert.deepEqual(one.jointSeed, three.jointSeed)
  for (const [sender, receiver] of [
    [one, three],
    [three, one],
  ] as const) {
    for (let i = 0; i < 128; i++) {
      const at = (2 * i + bitOf(receiver.delta, i)) * OT_KEY_BYTES
      assert.deepEqual(receiver.chosenKeys.slice(i * OT_KEY_BYTES, (i + 1) * OT_KEY_BYTES), sender.bothKeys.slice(at, at + OT_KEY_BYTES))
    }
  }
  assert.notDeepEqual(one.delta, three.delta)
  assert.deepEqual([one.party, one.peer, three.party, three.peer], [1n, 3n, 3n, 1n])
})

test('seeds survive being stored', () => {
  assert.deepEqual(decode(pairSeedsShape, encode(pairSeedsShape, honest.one)), honest.one)
})

test('a changed joint seed or transcript is caught, and the sender named', () => {
  const cells = [
    [2, answerShape, 'seed', CheatError],
    [3, confirmShape, 'setupId', CheatError],
  ] as const
  for (const [round, shape, field, kind] of cells) {
    const message = editPayload(honest.rounds[round - 1]!.three, shape, (payload) => {
      payload[field] = flipBit(payload[field], 13, 3)
    })
    const refusal = refusalOf(() => before(round).receive([message]))
    assert.ok(refusal instanceof kind && refusal.peer === 3, `${field}: ${refusal.message}`)
  }
})

test('a changed commitment shows when it is opened, and a changed base OT point at the latest in the confirmation', () => {
  const commitment = editPayload(honest.rounds[0]!.three, chooseShape, (payload) => {
    payload.commitment = flipBit(payload.commitment, 0, 0)
  })
  const opened = refusalOf(() => start(1).receive([commitment]).receive([honest.rounds[1]!.three]))
  assert.ok(opened instanceof CheatError && opened.peer === 3)
  // The other sign of a point is again a point.
  const mirrored = editPayload(honest.rounds[0]!.three, chooseShape, (payload) => {
    payload.points = flipBit(payload.points, POINT_BYTES * 5, 0)
  })
  const confirmed = refusalOf(() => start(1).receive([mirrored]).receive([honest.rounds[1]!.three]).receive([honest.rounds[2]!.three]))
  assert.ok(confirmed instanceof CheatError && confirmed.peer === 3)
})

test('whoever speaks last in the set-up chooses nothing of the gadget vector: only the seeds that both committed to before count', () => {
  // Party 3 has seen our seed and tries other answers to our base OTs, for a vector that it likes.
  const vectors = [0, 1, 2].map((trial) => {
    let one = start(1)
    let three = start(3)
    ;[one, three] = [one.receive([three.outgoing[0]!]), three.receive([one.outgoing[0]!])]
    const otherAnswer = editPayload(three.outgoing[0]!, answerShape, (payload) => {
      if (trial > 0) payload.answer = randomPoint(seededRandom(`answer/${trial}`)).toBytes(true)
    })
    one = one.receive([otherAnswer])
    const { setupId } = decode(confirmShape, decode(messageShape, one.outgoing[0]!.body).payload)
    const confirmed = editPayload(one.outgoing[0]!, confirmShape, () => {})
    const seeds = one.receive([editHeader(confirmed, { from: 3n, to: 1n })].map((message) => ({ ...message, from: 3, to: 1 }))).result!
    assert.deepEqual(seeds.setupId, setupId)
    return { setupId: toHex(setupId), first: gadgetVector(seeds.jointSeed)[0] }
  })
  assert.equal(new Set(vectors.map(({ setupId }) => setupId)).size, 3)
  assert.equal(new Set(vectors.map(({ first }) => first)).size, 1)
})

test('the joint seed belongs to the session: the same seeds of both give another one in another session', () => {
  assert.notDeepEqual(jointSeedOf('pair'), jointSeedOf('another'))
})

/** Of a set-up in which both draw the same bytes, whatever the session is. */
function jointSeedOf(session: string): Uint8Array {
  return runParties(new Map(PARTIES.map((me) => [me, start(me, session)]))).get(1)!.jointSeed
}

test('points off the curve and infinity are faults', () => {
  const points = editPayload(honest.rounds[0]!.three, chooseShape, (payload) => payload.points.fill(0xff, 0, POINT_BYTES))
  const first = refusalOf(() => before(1).receive([points]))
  assert.ok(first instanceof ProtocolFault && first.peer === 3)
  const answer = editPayload(honest.rounds[1]!.three, answerShape, (payload) => {
    payload.answer = new Uint8Array(POINT_BYTES)
  })
  const second = refusalOf(() => before(2).receive([answer]))
  assert.ok(second instanceof ProtocolFault && second.peer === 3)
})

test('messages bound to anything else, doubled or cut short are faults before any cryptography', () => {
  const message = honest.rounds[0]!.three
  const step = () => before(1)
  const bad: Message[][] = [
    [message, message],
    [{ ...message, body: message.body.subarray(1) }],
    [editHeader(message, { session: hash32('x') })],
    [editHeader(message, { epoch: 1n })],
  ]
  for (const incoming of bad) assert.ok(refusalOf(() => step().receive(incoming)) instanceof ProtocolFault)
})

test('a step is used once', () => {
  const step = before(1)
  refusalOf(() => step.receive([]))
  assert.ok(refusalOf(() => step.receive([honest.rounds[0]!.three])) instanceof ProtocolFault)
})
