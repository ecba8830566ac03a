import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bytesToUuid, isUuid, newId, type OrderId, type PersonId, uuidToBytes, UuidFault } from './index.ts'

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })

describe('ids', () => {
  it('are version 7 UUIDs that carry their time and all their random bits', () => {
    fc.assert(
      fc.property(time, tenBytes, (nowMs, random) => {
        const bytes = uuidToBytes(newId(nowMs, { bytes: () => random }))
        assert.equal(
          bytes.slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0),
          nowMs,
        )
        assert.equal(bytes[6]! >> 4, 7)
        assert.equal(bytes[8]! >> 6, 2)
        assert.deepEqual(
          [bytes[6]! & 0x0f, bytes[7], bytes[8]! & 0x3f, ...bytes.slice(9)],
          [random[0]! & 0x0f, random[1], random[2]! & 0x3f, ...random.slice(3)],
        )
      }),
    )
  })

  it('match the example of RFC 9562, appendix A.6', () => {
    const random = Uint8Array.of(0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f)
    assert.equal(newId(0x017f22e279b0, { bytes: () => random }), '017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  })

  it('sort by their time', () => {
    fc.assert(
      fc.property(time, time, tenBytes, tenBytes, (a, b, x, y) => {
        fc.pre(a < b)
        assert.ok(newId(a, { bytes: () => x }) < newId(b, { bytes: () => y }))
      }),
    )
  })

  it('ask for exactly the randomness they use', () => {
    newId(0, {
      bytes: (length) => {
        assert.equal(length, 10)
        return new Uint8Array(length)
      },
    })
  })

  it('come back from their bytes, and every 16 bytes are an id', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const uuid = bytesToUuid(bytes)
        assert.ok(isUuid(uuid))
        assert.deepEqual(uuidToBytes(uuid), bytes)
      }),
    )
  })

  it('have one spelling', () => {
    const good = '01890f3e-7b6c-7cc1-98c4-dc0c0c07398f'
    for (const text of ['', good.toUpperCase(), good.replaceAll('-', ''), `{${good}}`, `${good} `, good.replace('f', 'g')]) {
      assert.equal(isUuid(text), false)
      assert.throws(() => uuidToBytes(text), UuidFault)
    }
    for (const length of [0, 15, 17]) assert.throws(() => bytesToUuid(new Uint8Array(length)), UuidFault)
  })

  it('refuse a time that is none', () => {
    for (const nowMs of [-1, 0.5, Number.NaN, 2 ** 48]) assert.throws(() => newId(nowMs, { bytes: (length) => new Uint8Array(length) }), RangeError)
  })

  it('of one thing are not taken for those of another, and are text all the same', () => {
    const order: OrderId = newId(0, { bytes: (length) => new Uint8Array(length) })
    // @ts-expect-error An order is no person.
    const person: PersonId = order
    assert.equal(person, '00000000-0000-7000-8000-000000000000')
  })
})
