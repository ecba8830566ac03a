import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { CheatDetected, type EcdsaSignature, type Message, ProtocolFault, startFreshSigning, type Step } from './index.ts'
import { answerShape } from './pair-setup.ts'
import { thirdShape } from './sign.ts'
import { editPayload, flipBit } from './testing/edit-message.ts'
import { contextOf, generateKey, hash32, messagesFor, refusalOf, runParties, seededRandom } from './testing/run-parties.ts'

const shares = generateKey('fresh')
const digest = hash32('fresh')
const start = (me: number, path: number[] = [0, 3]): Step<EcdsaSignature> =>
  startFreshSigning({ context: contextOf(me, [1, 2], 'fresh'), share: shares.get(me)!, path, digest }, seededRandom(`fresh/${me}`))

/** The messages of each of the six rounds. */
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

test('two parties sign with base OTs that serve this signature alone, in six rounds', () => {
  const signed = [...runParties(new Map([1, 2].map((me) => [me, start(me)]))).values()]
  assert.deepEqual(signed[0], signed[1])
  const { r, s, publicKey } = signed[0]!
  assert.ok(secp256k1.verify(new Uint8Array([...r, ...s]), digest, publicKey, { prehash: false, lowS: true }))
  assert.deepEqual(
    rounds.map((messages) => messages.map(({ round }) => round)),
    [1, 2, 3, 4, 5, 6].map((round) => [round, round]),
  )
})

test('a cheat in either part is found, and a message of one part is not taken for the other', () => {
  const feed = (round: number, edit: (message: Message) => Message) =>
    refusalOf(() => {
      let step = start(1)
      for (let at = 1; at <= round; at++) step = step.receive(messagesFor(1, rounds[at - 1]!).map((message) => (at === round ? edit(message) : message)))
    })
  assert.ok(feed(2, (message) => editPayload(message, answerShape, (payload) => void (payload.salt = flipBit(payload.salt, 0, 0)))) instanceof CheatDetected)
  assert.ok(feed(6, (message) => editPayload(message, thirdShape, (payload) => void (payload.w = flipBit(payload.w, 31, 0)))) instanceof CheatDetected)
  assert.ok(feed(4, () => ({ ...messagesFor(1, rounds[0]!)[0]!, round: 4 })) instanceof ProtocolFault)
})
