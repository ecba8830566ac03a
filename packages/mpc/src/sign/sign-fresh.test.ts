import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { CheatError, type EcdsaSignature, type Message, ProtocolFault, startFreshSigning, type Step } from '../index.ts'
import { answerShape } from './pair-setup.ts'
import { thirdShape } from './sign.ts'
import { editPayload, flipBit } from '../testing/edit-message.ts'
import { contextOf, generateKey, hash32, messagesFor, refusalOf, runParties, seededRandom } from '../testing/run-parties.ts'

const shares = generateKey('fresh')
const digests = ['one', 'two'].map((name) => hash32(`fresh/${name}`))
const start = (me: number, session = 'fresh'): Step<EcdsaSignature[]> =>
  startFreshSigning({ context: contextOf(me, [1, 2], session), share: shares.get(me)!, path: [0, 3], digests }, seededRandom(`${session}/${me}`))

/** The messages of each of the nine rounds. */
const rounds = (() => {
  const all: Message[][] = []
  let steps = new Map([1, 2].map((me) => [me, start(me)]))
  while (steps.get(1)!.awaiting) {
    const sent = [...steps.values()].flatMap(({ outgoing }) => outgoing)
    all.push(sent)
    steps = new Map([...steps].map(([me, step]) => [me, step.receive(messagesFor(me, sent))]))
  }
  return all
})()

test('two parties make all signatures of one order with base OTs that serve this order alone', () => {
  const signed = [...runParties(new Map([1, 2].map((me) => [me, start(me)]))).values()]
  assert.deepEqual(signed[0], signed[1])
  assert.equal(signed[0]!.length, digests.length)
  signed[0]!.forEach(({ r, s, publicKey }, i) =>
    assert.ok(secp256k1.verify(new Uint8Array([...r, ...s]), digests[i]!, publicKey, { prehash: false, lowS: true })),
  )
})

test('one set-up of three rounds serves all signatures, and the next order has another', () => {
  assert.deepEqual(
    rounds.map((messages) => messages.map(({ round }) => round)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((round) => [round, round]),
  )
  const yesterday = start(2, 'another').outgoing
  assert.ok(refusalOf(() => start(1).receive(yesterday)) instanceof ProtocolFault, 'messages of the set-up of another order are none of this one')
})

test('a cheat in any part is found, and a message of one part is not taken for the other', () => {
  const feed = (round: number, edit: (message: Message) => Message) =>
    refusalOf(() => {
      let step = start(1)
      for (let at = 1; at <= round; at++) step = step.receive(messagesFor(1, rounds[at - 1]!).map((message) => (at === round ? edit(message) : message)))
    })
  assert.ok(feed(2, (message) => editPayload(message, answerShape, (payload) => void (payload.salt = flipBit(payload.salt, 0, 0)))) instanceof CheatError)
  assert.ok(feed(6, (message) => editPayload(message, thirdShape, (payload) => void (payload.w = flipBit(payload.w, 31, 0)))) instanceof CheatError)
  assert.ok(feed(9, (message) => editPayload(message, thirdShape, (payload) => void (payload.w = flipBit(payload.w, 31, 0)))) instanceof CheatError)
  for (const [at, from] of [
    [4, 1],
    [7, 4],
    [9, 6],
  ] as const) {
    assert.ok(feed(at, () => ({ ...messagesFor(1, rounds[from - 1]!)[0]!, round: at })) instanceof ProtocolFault)
  }
})
