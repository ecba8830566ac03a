import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Marks, marksOf, openSegments, sealSegments } from './index.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const NOW_MS = 1_790_000_000_000
const SEGMENT = 256

const bytesOf = (fields: object): Buffer => Buffer.from(sealSegments(JSON.stringify(fields), pair.privateKey), 'base64url')
const textIn = (bytes: Buffer) => openSegments(bytes.toString('base64url'), pair.publicKey)
const marksIn = (bytes: Buffer): Marks => {
  const opened = textIn(bytes)
  assert.ok(opened)
  return marksOf(opened)
}
/** A request as clients of the field write it: its time, and something behind that. */
const requestOf = (letter: string, length: number, time: number) => bytesOf({ request_id: letter.repeat(length), time, charset: 'utf-8' })

test('wherever its segments end, a request of another moment is another one', () => {
  // Of every length there is: with some, no digit of the time stands in the last segment.
  for (let length = 150; length < 150 + 234; length++) {
    const [one, other] = [marksIn(requestOf('a', length, NOW_MS)), marksIn(requestOf('b', length, NOW_MS + 1))]
    assert.ok(one.whole !== other.whole && one.timed !== other.timed, String(length))
  }
})

test('two requests of one millisecond are two by all of their bytes, and the same one again is the same', () => {
  for (const length of [1, 150, 200, 300, 420]) {
    const [one, other] = [marksIn(requestOf('a', length, NOW_MS)), marksIn(requestOf('b', length, NOW_MS))]
    assert.notEqual(one.whole, other.whole)
    assert.deepEqual(marksIn(requestOf('a', length, NOW_MS)), one)
  }
})

test('what is put together of requests that were seen was seen, in whatever order these have their fields', () => {
  const value = fc.stringMatching(/^[a-z"\\é]{0,300}$/)
  const request = fc.tuple(value, value, fc.nat(100_000), fc.boolean(), fc.boolean()).map(([name, remark, atMs, isFirst, isText]) => {
    const time = { time: isText ? String(NOW_MS + atMs) : NOW_MS + atMs }
    return bytesOf(isFirst ? { ...time, name, remark } : { name, ...time, remark })
  })
  fc.assert(
    fc.property(request, request, fc.nat(5), fc.nat(5), (one, other, head, tail) => {
      const mixed = Buffer.concat([one.subarray(0, head * SEGMENT), other.subarray(tail * SEGMENT)])
      const text = textIn(mixed)?.text
      if (text === undefined || !isRequest(text)) return
      assert.ok([marksIn(one).timed, marksIn(other).timed].includes(marksIn(mixed).timed), text)
    }),
    { numRuns: 400 },
  )
})

/** Whether a text is JSON with a time that is now. */
function isRequest(text: string): boolean {
  try {
    return Math.abs(Number((JSON.parse(text) as { time?: unknown }).time) - NOW_MS) < 1_000_000
  } catch {
    return false
  }
}
