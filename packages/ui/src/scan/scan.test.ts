import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { encodeQR } from 'qr'
import { cameraFaultOf } from './camera-fault.ts'
import { readFrame, readPixels, scaleOf } from './read-qr.ts'

/** A code as a camera or a file shows it: its modules on paper, this many pixels each, turned by quarters. */
function drawn(text: string, { pixels = 4, turns = 0, ecc = 'medium' as 'low' | 'medium' | 'high' } = {}) {
  const modules = encodeQR(text, 'raw', { border: 4, ecc })
  const side = modules.length * pixels
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      let [column, row] = [Math.floor(x / pixels), Math.floor(y / pixels)]
      for (let turn = 0; turn < turns; turn++) [column, row] = [row, modules.length - 1 - column]
      if (modules[row]![column]) data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
    }
  return { width: side, height: side, data }
}

describe('a QR code', () => {
  it('is read as it was written, whatever it says, however large and turned', async () => {
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 120 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.stringMatching(/^(bitcoin:|ethereum:|ton:\/\/transfer\/|tron:)[0-9A-Za-z]{20,60}(\?amount=[0-9]{1,8})?$/),
      fc.stringMatching(/^[A-Z0-9:]{10,60}$/),
    )
    const looks = fc.record({
      pixels: fc.integer({ min: 3, max: 7 }),
      turns: fc.nat(3),
      ecc: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
    })
    await fc.assert(
      fc.asyncProperty(text, looks, async (written, look) => {
        const picture = drawn(written, look)
        assert.equal(readFrame(picture), written)
        assert.deepEqual(await readPixels(picture), [written])
      }),
      { numRuns: 30 },
    )
  })

  it('is none where there is none, and two are told as two', async () => {
    const blank = { width: 64, height: 64, data: new Uint8ClampedArray(64 * 64 * 4).fill(255) }
    assert.equal(readFrame(blank), undefined)
    assert.deepEqual(await readPixels(blank), [])
    assert.deepEqual(await readPixels({ width: 1, height: 1, data: new Uint8ClampedArray(4) }), [])
    const [one, other] = [drawn('the first'), drawn('the second')]
    const both = { width: one.width, height: one.height + other.height, data: new Uint8ClampedArray([...one.data, ...other.data]) }
    assert.deepEqual((await readPixels(both)).toSorted(), ['the first', 'the second'])
  })

  it('in a large picture is looked for in a smaller one, and in a tiny one whole times as large', () => {
    assert.equal(scaleOf({ width: 8_192, height: 100 }), 0.25)
    assert.equal(scaleOf({ width: 1_000, height: 600 }), 1)
    assert.equal(scaleOf({ width: 33, height: 33 }), 15)
  })
})

describe('a camera that gives no picture', () => {
  it('is told by what the browser says of it', () => {
    const named = (name: string) => cameraFaultOf(new DOMException('no', name))
    assert.deepEqual(['NotAllowedError', 'NotFoundError', 'NotReadableError', 'AbortError', 'SecurityError', 'TypeError', 'constructor'].map(named), [
      'denied',
      'none',
      'busy',
      'busy',
      'denied',
      'failed',
      'failed',
    ])
    assert.equal(cameraFaultOf('no'), 'failed')
  })
})
