import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toHex } from '@holdfast/encoding'
import fc from 'fast-check'
import { requestKeyOf } from './request-key.ts'

const pay = { path: '/api/pay' }
const given = { request_id: 'r1', to: 'Bob', amount: '100', outputs: [{ to: 'Bob', amount: '100' }] }
const digestOf = (...asked: Parameters<typeof requestKeyOf>) => toHex(requestKeyOf(...asked).digest)

describe('the digest of a request', () => {
  it('is the same for the same call, in any order of its fields and their members', () => {
    const turned = { outputs: [{ amount: '100', to: 'Bob' }], amount: '100', to: 'Bob', request_id: 'r1', memo: undefined }
    assert.equal(digestOf(pay, 'p1', turned), digestOf(pay, 'p1', given))
  })

  it('does not depend on the id, nor on a code that proves who the caller is', () => {
    assert.equal(digestOf(pay, 'p1', { ...given, request_id: 'r2', google_code: '123456' }), digestOf(pay, 'p1', given))
    assert.equal(requestKeyOf(pay, 'p1', given).id, 'r1')
  })

  it('differs for another path, person, field or order of a list', () => {
    const others = [
      digestOf({ path: '/api/other' }, 'p1', given),
      digestOf(pay, 'p2', given),
      digestOf(pay, 'p1', { ...given, amount: '1000' }),
      digestOf(pay, 'p1', { ...given, note: '' }),
      digestOf(pay, 'p1', { ...given, outputs: [] }),
      digestOf(pay, 'p1', { ...given, outputs: [...given.outputs, { to: 'Eve', amount: '1' }] }),
    ]
    assert.equal(new Set([...others, digestOf(pay, 'p1', given)]).size, others.length + 1)
  })

  it('tells any two inputs apart that JSON tells apart', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()), fc.record({ to: fc.string(), amount: fc.string() }))
    const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, { maxKeys: 5 })
    const sorted = (input: object) => JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))).normalize('NFC')
    fc.assert(
      fc.property(fields, fields, (a, b) => {
        const [one, other] = [a, b].map((each) => digestOf(pay, 'p1', { ...each, request_id: 'r' }))
        assert.equal(one === other, sorted(a) === sorted(b))
      }),
    )
  })
})
