import assert from 'node:assert/strict'
import crypto, { constants, generateKeyPairSync, type KeyObject, privateEncrypt } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { mock, test } from 'node:test'
import { openSegments, sealSegments } from './index.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const SEGMENT = 256
const COUNT = 8

const sealedBy = (key: KeyObject) => Buffer.from(sealSegments('x'.repeat(COUNT * 234), key), 'base64url')
const good = sealedBy(pair.privateKey)
/** The same with another segment in one place. */
const withSegment = (at: number, segment: Buffer) => Buffer.concat([good.subarray(0, at * SEGMENT), segment, good.subarray((at + 1) * SEGMENT)])
const raw = (block: Buffer) => privateEncrypt({ key: pair.privateKey, padding: constants.RSA_NO_PADDING }, block)
/** A segment of the key whose padding is not right: too short, of another byte, without an end. */
const padded = (filling: Buffer) => raw(Buffer.concat([Buffer.from([0, 1]), filling, Buffer.alloc(SEGMENT - 2 - filling.length, 0x41)]))
const stranger = sealedBy(other.privateKey).subarray(0, SEGMENT)

/** Everything that can be wrong with data of one length. */
const WRONG: Record<string, Buffer> = {
  'the first segment of another key': withSegment(0, stranger),
  'the last segment of another key': withSegment(COUNT - 1, stranger),
  'every segment of another key': sealedBy(other.privateKey),
  'a number that the key does not have': withSegment(3, Buffer.alloc(SEGMENT, 0xff)),
  'padding too short': withSegment(0, padded(Buffer.from([0xff, 0xff, 0]))),
  'padding of other bytes': withSegment(0, padded(Buffer.alloc(20, 0x7f))),
  'padding without an end': withSegment(0, padded(Buffer.alloc(20, 0xff))),
  'no text': withSegment(0, raw(Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(20, 0xff), Buffer.from([0]), Buffer.alloc(SEGMENT - 23, 0xfe)]))),
}
const open = (bytes: Buffer) => openSegments(bytes.toString('base64url'), pair.publicKey)

test('whatever is wrong with a request, each segment of it is opened, and none ends in an error', () => {
  assert.ok(open(good))
  const ends: ('ok' | 'error')[] = []
  const original = crypto.publicDecrypt
  mock.method(crypto, 'publicDecrypt', (...given: Parameters<typeof original>) => {
    try {
      const answer = original(...given)
      ends.push('ok')
      return answer
    } catch (cause) {
      ends.push('error')
      throw cause
    }
  })
  syncBuiltinESMExports()
  try {
    for (const [name, bytes] of Object.entries({ good, ...WRONG })) {
      ends.length = 0
      assert.equal(open(bytes) === undefined, name !== 'good', name)
      assert.deepEqual(ends, Array(COUNT).fill('ok'), name)
    }
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
})

test('of a segment that the key has not made, as much text is read as of any other', (t) => {
  const joined: Buffer[] = []
  const original = Buffer.concat
  t.mock.method(Buffer, 'concat', (...given: Parameters<typeof original>) => {
    const bytes = original(...given)
    joined.push(bytes)
    return bytes
  })
  // Bytes that are no text, which only the holder of the key can put there, are read to find out that they are none.
  const { 'no text': _, ...notOfTheKey } = WRONG
  for (const [name, bytes] of Object.entries(notOfTheKey)) {
    joined.length = 0
    open(bytes)
    assert.deepEqual(
      joined.map((each) => each.toString('latin1')),
      ['x'.repeat(COUNT * 234)],
      name,
    )
  }
})

test('of two that are wrong in different ways, neither is answered sooner by so much that it shows', () => {
  const kinds = Object.entries(WRONG)
  const tookNs = new Map<string, number[]>(kinds.map(([name]) => [name, []]))
  // One after another, so that whatever else the machine does falls on all of them alike.
  for (let run = -20; run < 120; run++) {
    for (const [name, bytes] of kinds) {
      const from = process.hrtime.bigint()
      open(bytes)
      const took = Number(process.hrtime.bigint() - from)
      if (run >= 0) tookNs.get(name)?.push(took)
    }
  }
  for (const [one, fast] of tookNs) {
    for (const [two, slow] of tookNs) {
      const share = shareSooner(fast, slow)
      assert.ok(share < 0.9, `${one} takes less than two thirds of ${two} in ${Math.round(share * 100)} of 100 pairs`)
    }
  }
})

/** In how many of all pairs the first takes less than two thirds of the second: few of like times, nearly all of an answer that is given early. */
function shareSooner(fast: readonly number[], slow: readonly number[]): number {
  const sooner = fast.reduce((sum, one) => sum + slow.filter((two) => one * 1.5 < two).length, 0)
  return sooner / (fast.length * slow.length)
}
