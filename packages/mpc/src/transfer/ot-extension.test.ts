import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { answerBaseOts, bitOf, chooseBaseOts, openBaseOts } from './base-ot.ts'
import { bytesToWords, CHALLENGE_BYTES, hashColumn, hashColumns, ROW_WORDS, transpose, wordsToBytes } from './bit-matrix.ts'
import { ORDER, reduce } from '../group/group.ts'
import { CheatError, ProtocolFault } from '../index.ts'
import { COLUMNS_BYTES, extendAsReceiver, extendAsSender, extensionPrefixes } from './ot-extension.ts'
import { CHECK_BITS, COLUMN_BYTES, INPUTS, LAMBDA_C, OT_KEY_BYTES, POINT_BYTES, RHO, WIDTH, XI } from '../round/parameters.ts'
import { answerAsAlice, finishAsBob, gadgetVector, openVole, startAsBob } from './rvole.ts'
import { contextOf, hash32, refusalOf, seededRandom } from '../testing/run-parties.ts'
import { flipBit } from '../testing/edit-message.ts'
import { hashWithPrefix, openSession } from '../round/transcript.ts'

const session = openSession(contextOf(1, [1, 2], 'extension'), 'test', 2, hash32('statement'))
const prefixes = extensionPrefixes(session, 1, 2, hash32('nonce'))

/** Base OTs as a trusted dealer would hand them out, to test the layers above alone. */
function dealBaseOts(seed: string): { delta: Uint8Array; both: Uint8Array; chosen: Uint8Array } {
  const random = seededRandom(seed)
  const delta = random(LAMBDA_C / 8)
  const both = random(2 * LAMBDA_C * OT_KEY_BYTES)
  const chosen = new Uint8Array(LAMBDA_C * OT_KEY_BYTES)
  for (let i = 0; i < LAMBDA_C; i++) {
    chosen.set(both.subarray((2 * i + bitOf(delta, i)) * OT_KEY_BYTES, (2 * i + bitOf(delta, i) + 1) * OT_KEY_BYTES), i * OT_KEY_BYTES)
  }
  return { delta, both, chosen }
}

test('the parameters are those of the paper', () => {
  assert.deepEqual({ XI, RHO, INPUTS, WIDTH, LAMBDA_C }, { XI: 416, RHO: 2, INPUTS: 2, WIDTH: 4, LAMBDA_C: 128 })
  // Any two of the columns may be those that meet, so the check has as many bits more than the security it is to give as there are pairs.
  assert.ok(CHECK_BITS - Math.log2((LAMBDA_C * (LAMBDA_C - 1)) / 2) > LAMBDA_C)
})

test('a base OT receiver gets exactly the keys it chose, and not the others', () => {
  const choices = seededRandom('choices')(LAMBDA_C / 8)
  const prefix = hash32('base')
  const chosen = chooseBaseOts(prefix, choices, seededRandom('receiver'))
  const { answer, keys } = answerBaseOts(prefix, chosen.message, 1, seededRandom('sender'))
  const opened = openBaseOts(prefix, chosen, answer, 2)
  const key = (from: Uint8Array, at: number) => Buffer.from(from.subarray(at * OT_KEY_BYTES, (at + 1) * OT_KEY_BYTES)).toString('hex')
  for (let i = 0; i < LAMBDA_C; i++) {
    assert.equal(key(opened, i), key(keys, 2 * i + bitOf(choices, i)))
    assert.notEqual(key(opened, i), key(keys, 2 * i + 1 - bitOf(choices, i)))
  }
  const offCurve = Uint8Array.from(chosen.message)
  offCurve.fill(0xff, 0, POINT_BYTES)
  const refusal = refusalOf(() => answerBaseOts(prefix, offCurve, 1, seededRandom('sender')))
  assert.ok(refusal instanceof ProtocolFault && refusal.peer === 1)
})

test('transposing keeps every bit, and the hash of all columns is the hash of each', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = seededRandom(`matrix/${seed}`)
      const columns = random(COLUMNS_BYTES)
      const challenge = random(CHALLENGE_BYTES)
      const rows = transpose(columns)
      const hashes = wordsToBytes(hashColumns(challenge, rows))
      for (let i = 0; i < LAMBDA_C; i += 7) {
        const column = columns.subarray(i * COLUMN_BYTES, (i + 1) * COLUMN_BYTES)
        const hash = hashColumn(challenge, column)
        for (let j = 0; j < XI + CHECK_BITS; j++) assert.equal((rows[j * ROW_WORDS + (i >> 5)]! >>> (i & 31)) & 1, bitOf(column, j))
        for (let k = 0; k < CHECK_BITS; k++) assert.equal(bitOf(hashes.subarray(k * 16, (k + 1) * 16), i), bitOf(hash, k))
      }
    }),
    { numRuns: 5 },
  )
})

test('the hash of a column is linear and catches every single flipped bit', () => {
  const random = seededRandom('linear')
  const challenge = random(CHALLENGE_BYTES)
  const [a, b] = [random(COLUMN_BYTES), random(COLUMN_BYTES)]
  const sum = hashColumn(
    challenge,
    a.map((byte, i) => byte ^ b[i]!),
  )
  assert.deepEqual(
    sum,
    hashColumn(challenge, a).map((byte, i) => byte ^ hashColumn(challenge, b)[i]!),
  )
  for (let bit = 0; bit < COLUMN_BYTES * 8; bit++) assert.notDeepEqual(hashColumn(challenge, flipBit(a, bit >> 3, bit & 7)), hashColumn(challenge, a))
})

test('extended OTs are correlated: the rows differ by delta exactly where the receiver chose one', () => {
  const { delta, both, chosen } = dealBaseOts('correlated')
  const receiver = extendAsReceiver(prefixes, both, seededRandom('x'))
  const rows = extendAsSender(prefixes, delta, chosen, receiver.message, 1)
  const deltaWords = bytesToWords(delta)
  for (let j = 0; j < XI; j++) {
    const mask = -bitOf(receiver.choices, j)
    for (let word = 0; word < ROW_WORDS; word++) {
      assert.equal(rows[j * ROW_WORDS + word]! >>> 0, (receiver.rows[j * ROW_WORDS + word]! ^ (deltaWords[word]! & mask)) >>> 0)
    }
  }
})

test('a receiver that guesses one bit of delta passes or is caught by that very bit: the leak for which a failure burns the seeds', () => {
  const { delta, both, chosen } = dealBaseOts('selective')
  const outcomes = new Set<string>()
  for (let column = 0; column < LAMBDA_C; column += 5) {
    const honest = extendAsReceiver(prefixes, both, seededRandom('guess'))
    const columns = flipBit(honest.message.columns, column * COLUMN_BYTES + 3, 1)
    // The cheater computes the check anew over its changed columns, pretending to have chosen as before.
    const challenge = hashWithPrefix(CHALLENGE_BYTES, prefixes.challenge, columns)
    const columnCheck = hashWithPrefix(32, prefixes.check, wordsToBytes(hashColumns(challenge, honest.rows)))
    const message = { columns, choiceHash: hashColumn(challenge, honest.choices), columnCheck }
    const act = () => extendAsSender(prefixes, delta, chosen, message, 1)
    if (bitOf(delta, column)) {
      const refusal = refusalOf(act)
      assert.ok(refusal instanceof CheatError && refusal.peer === 1)
      outcomes.add('caught')
    } else {
      act()
      outcomes.add('passed')
    }
  }
  assert.deepEqual([...outcomes].sort(), ['caught', 'passed'])
})

test('an extension made for another session or direction is a failed check', () => {
  const { delta, both, chosen } = dealBaseOts('other')
  const { message } = extendAsReceiver(prefixes, both, seededRandom('x'))
  const others = [
    extensionPrefixes(session, 2, 1, hash32('nonce')),
    extensionPrefixes(session, 1, 2, hash32('other')),
    extensionPrefixes({ ...session, id: hash32('other') }, 1, 2, hash32('nonce')),
  ]
  for (const other of others) {
    assert.ok(refusalOf(() => extendAsSender(other, delta, chosen, message, 1)) instanceof CheatError)
  }
})

const bob = openVole(session, 1, 2, { bob: hash32('nonce'), alice: hash32("alice's nonce") })
const alice = { ...bob, peer: 1 }
const gadget = gadgetVector(hash32('joint'))

test('a multiplication gives shares of the product of both inputs', () => {
  const { delta, both, chosen } = dealBaseOts('product')
  for (let run = 0; run < 10; run++) {
    const { chi, state } = startAsBob(prefixes, gadget, both, seededRandom(`bob/${run}`))
    const inputs: [bigint, bigint] = run === 0 ? [1n, ORDER - 1n] : [reduce(BigInt(run) ** 99n), BigInt(run)]
    const { shares: c, message } = answerAsAlice(
      alice,
      gadget,
      extendAsSender(prefixes, delta, chosen, state.message, 1),
      delta,
      inputs,
      seededRandom(`alice/${run}`),
    )
    const d = finishAsBob(bob, gadget, state, message)
    for (const i of [0, 1] as const) assert.equal(reduce(c[i] + d[i]), reduce(inputs[i] * chi))
  }
})

test('a correction that is out of range is refused whether or not the receiver chose it', () => {
  const { delta, both, chosen } = dealBaseOts('range')
  const { state } = startAsBob(prefixes, gadget, both, seededRandom('bob'))
  const { message } = answerAsAlice(alice, gadget, extendAsSender(prefixes, delta, chosen, state.message, 1), delta, [3n, 5n], seededRandom('alice'))
  for (let j = 0; j < 20; j++) {
    const corrections = Uint8Array.from(message.corrections)
    corrections.fill(0xff, j * WIDTH * 32, j * WIDTH * 32 + 32)
    assert.ok(refusalOf(() => finishAsBob(bob, gadget, state, { ...message, corrections })) instanceof ProtocolFault)
  }
})

test('a changed correction is caught, also in an OT in which the receiver did not choose it', () => {
  const { delta, both, chosen } = dealBaseOts('inputs')
  const { state } = startAsBob(prefixes, gadget, both, seededRandom('bob'))
  const honest = answerAsAlice(alice, gadget, extendAsSender(prefixes, delta, chosen, state.message, 1), delta, [3n, 5n], seededRandom('alice'))
  for (let j = 0; j < 20; j++) {
    // A changed correction changes theta for the receiver, so it is caught even in an OT where the receiver chose zero.
    const corrections = flipBit(honest.message.corrections, j * WIDTH * 32 + 31, 0)
    const refusal = refusalOf(() => finishAsBob(bob, gadget, state, { ...honest.message, corrections }))
    assert.ok(refusal instanceof CheatError && refusal.peer === 2 && refusal.check.includes('Protocol 5.2'))
  }
})

test('the gadget vector belongs to the joint seed of the pair', () => {
  assert.deepEqual(gadgetVector(hash32('joint')), gadget)
  assert.notDeepEqual(gadgetVector(hash32('other'))[0], gadget[0])
  assert.equal(new Set(gadget).size, XI)
})
