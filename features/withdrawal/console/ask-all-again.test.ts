import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { askAllAgain } from './ask-all-again.ts'

const payment = (i: number) => ({ id: `order ${i}`, symbol: 'ETH', amount: '1', address_to: '0x', msg: 'no' })

describe('asking for closed payments again', () => {
  it('goes on to the last one however many are refused before, and names all that are refused', async () => {
    const cases = { refusals: fc.array(fc.boolean(), { maxLength: 20 }), size: fc.integer({ min: 1, max: 5 }) }
    await fc.assert(
      fc.asyncProperty(fc.record(cases), async ({ refusals, size }) => {
        const refusedOf = (from: number, to: number) => refusals.slice(from, to).flatMap((isRefused, i) => (isRefused ? [payment(from + i)] : []))
        const begun: number[] = []
        const refused = await askAllAgain(async ({ after = '0' }) => {
          const from = Number(after)
          begun.push(from)
          const next = refusals.length < from + size ? null : String(from + size)
          return { asked: [], refused: refusedOf(from, from + size), next }
        })
        assert.deepEqual(refused, refusedOf(0, refusals.length))
        assert.deepEqual(begun, [...new Set(begun)], 'each part is asked for once')
      }),
    )
  })

  it('ends where there is no answer, and names what was refused before', async () => {
    const answers = [{ asked: [], refused: [payment(0)], next: 'order 0' }, undefined]
    assert.deepEqual(await askAllAgain(async () => answers.shift()), [payment(0)])
  })
})
