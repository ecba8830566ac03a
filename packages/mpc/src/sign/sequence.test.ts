import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import {
  CheatError,
  FROST_TAPROOT,
  type Message,
  PROTOCOL,
  type ProtocolContext,
  ProtocolFault,
  startFrostSigning,
  startInSequence,
  startSigning,
  type Step,
} from '../index.ts'
import { thirdShape } from './sign.ts'
import { editPayload, flipBit } from '../testing/edit-message.ts'
import { contextOf, generateKey, hash32, messagesFor, refusalOf, runParties, seededRandom, setUpPair } from '../testing/run-parties.ts'

const PAIR = [1, 2]
const digests = ['one', 'two', 'three'].map(hash32)
const path = [0, 3]
type Made = { signature: Uint8Array; publicKey: Uint8Array }

const ecdsa = { shares: generateKey('sequence'), seeds: setUpPair(PAIR, 'sequence') }
const taproot = generateKey('sequence/taproot', FROST_TAPROOT)

/** How one party signs all digests in one session; `began` is told of each part when it begins. */
const start: Record<string, (me: number, began?: (index: number) => void) => Step<Made[]>> = {
  [PROTOCOL]: (me, began) =>
    inSequence(contextOf(me, PAIR, 'sequence'), began, (context, digest) =>
      startSigning({ context, share: ecdsa.shares.get(me)!, seeds: ecdsa.seeds.get(me)!, path, digest }, seededRandom(`sequence/${me}`)),
    ),
  [FROST_TAPROOT]: (me, began) =>
    inSequence(contextOf(me, PAIR, 'sequence', { protocol: FROST_TAPROOT }), began, (context, message) =>
      startFrostSigning({ context, share: taproot.get(me)!, path, message }, seededRandom(`sequence/${me}`)),
    ),
}

function inSequence<R extends { publicKey: Uint8Array }>(
  context: ProtocolContext,
  began: (index: number) => void = () => {},
  sign: (context: ProtocolContext, digest: Uint8Array) => Step<R>,
): Step<Made[]> {
  const parts = digests.map((digest, index) => (part: ProtocolContext) => {
    began(index)
    return sign(part, digest)
  })
  return mapped(startInSequence(context, parts))
}

function mapped<R extends { publicKey: Uint8Array }>(step: Step<R[]>): Step<Made[]> {
  const whole = (made: R): Made => {
    const { r, s, signature = new Uint8Array([...r!, ...s!]) } = made as unknown as { r?: Uint8Array; s?: Uint8Array; signature?: Uint8Array }
    return { signature, publicKey: made.publicKey }
  }
  return { ...step, result: step.result?.map(whole), receive: (incoming) => mapped(step.receive(incoming)) }
}

const verifies: Record<string, (made: Made, digest: Uint8Array) => boolean> = {
  [PROTOCOL]: ({ signature, publicKey }, digest) => secp256k1.verify(signature, digest, publicKey, { prehash: false, lowS: true }),
  [FROST_TAPROOT]: ({ signature, publicKey }, digest) => schnorr.verify(signature, digest, publicKey),
}

/** The messages of each round, and for each round the parts that party 1 had begun before it. */
function roundsOf(protocol: string): { sent: Message[][]; begun: number[] } {
  const sent: Message[][] = []
  const begun: number[] = []
  let parts = 0
  let steps = new Map(PAIR.map((me) => [me, start[protocol]!(me, me === 1 ? () => void parts++ : undefined)]))
  while (steps.get(1)!.awaiting) {
    begun.push(parts)
    sent.push([...steps.values()].flatMap(({ outgoing }) => outgoing))
    steps = new Map([...steps].map(([me, step]) => [me, step.receive(messagesFor(me, sent.at(-1)!))]))
  }
  return { sent, begun }
}

for (const [protocol, roundsEach] of [
  [PROTOCOL, 3],
  [FROST_TAPROOT, 2],
] as const) {
  test(`${protocol}: two parties make several signatures in one session, one after the other, each of its own digest`, () => {
    const [first, second] = [...runParties(new Map(PAIR.map((me) => [me, start[protocol]!(me)]))).values()]
    assert.deepEqual(first, second)
    assert.deepEqual(
      digests.map((_, i) => digests.map((digest) => verifies[protocol]!(first![i]!, digest))),
      digests.map((_, i) => digests.map((_each, j) => i === j)),
    )
    const { sent, begun } = roundsOf(protocol)
    assert.deepEqual(
      sent.map((messages) => messages.map(({ round }) => round)),
      sent.map((_, i) => [i + 1, i + 1]),
    )
    assert.deepEqual(
      begun,
      sent.map((_, i) => Math.floor(i / roundsEach) + 1),
      'no nonce exists before the signature before it is made',
    )
  })
}

test('a cheat in any part is found and ends all, and a message of one part is not taken for another', () => {
  const { sent } = roundsOf(PROTOCOL)
  const feed = (round: number, edit: (message: Message) => Message) =>
    refusalOf(() => {
      let step = start[PROTOCOL]!(1)
      for (let at = 1; at <= round; at++) step = step.receive(messagesFor(1, sent[at - 1]!).map((message) => (at === round ? edit(message) : message)))
    })
  for (const last of [3, 6, 9]) {
    const spoilt = feed(last, (message) => editPayload(message, thirdShape, (payload) => void (payload.w = flipBit(payload.w, 31, 0))))
    assert.ok(spoilt instanceof CheatError, `round ${last}`)
  }
  for (const round of [4, 7]) assert.ok(feed(round, () => ({ ...messagesFor(1, sent[0]!)[0]!, round })) instanceof ProtocolFault, `round ${round}`)
})

test('a session of no parts is over at once, with no results', () => {
  assert.deepEqual(startInSequence(contextOf(1, PAIR, 'nothing'), []).result, [])
})
