import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode, toHex } from '@holdfast/encoding'
import { type Join, joinShape, sessionId } from './session.ts'
import { COUNTS_MAX } from './words.ts'

const hash = new Uint8Array(32).fill(255)
const uintMax = 2n ** 64n - 1n
const placeMax = BigInt(Number.MAX_SAFE_INTEGER)

/** A join that counts an order so many times, each field as long as it can be. */
function joinOf(counts: number): Uint8Array {
  const count = { rule: 'r'.repeat(64), asset: 'a'.repeat(256), each: 'e'.repeat(16), of: 'o'.repeat(128), sinceMs: uintMax }
  const join: Join = {
    genesis: hash,
    requestHash: hash,
    party: 255n,
    random: hash,
    ephemeralKey: hash,
    policyVersion: uintMax,
    logSize: placeMax,
    journal: placeMax,
    seen: Array.from({ length: 3 }, () => ({ party: 255n, journal: placeMax })),
    asks: { orders: [hash, hash], counts: Array.from({ length: counts }, () => count), standingOrder: hash.slice(0, 16) },
  }
  return encode(joinShape, join)
}

test('a session has its id however often its order is counted, also where each join is as long as it can be', () => {
  for (const counts of [30, 100, COUNTS_MAX]) assert.equal(sessionId(hash, hash, [joinOf(counts), joinOf(counts)]).length, 32)
})

test('a session that short joins make has the id it always had', () => {
  assert.equal(toHex(sessionId(hash, hash, [joinOf(0), joinOf(1)])), 'da6df6916d30a7d453ca6dce99db3466c1a058c8ea5544328fee64bfc66b4f3a')
})
