import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as z from 'zod'
import {
  addressText,
  amountText,
  boolText,
  idListText,
  idText,
  jsonField,
  labelText,
  pageNumber,
  pageSize,
  positiveAmountText,
  remarkText,
  requestIdText,
  totpText,
} from './field-types.ts'

const takes = (type: z.ZodType, text: unknown, value: unknown) => assert.deepEqual(type.parse(text), value)
const refuses = (type: z.ZodType, ...texts: unknown[]) => {
  for (const text of texts) assert.equal(type.safeParse(text).success, false, JSON.stringify(text))
}

test('an amount is plain decimal text and stays text', () => {
  takes(amountText, '0', '0')
  takes(
    amountText,
    '115792089237316195423570985008687907853269984665640564039457.000000000000000001',
    '115792089237316195423570985008687907853269984665640564039457.000000000000000001',
  )
  refuses(amountText, '', '-1', '+1', '01', '1.', '.5', '1e3', '1,000', ' 1', '0x10', 'NaN', 'Infinity', '١', 1, null, undefined)
  refuses(positiveAmountText, '0', '0.000')
})

test('pages have defaults and bounds', () => {
  takes(pageNumber, undefined, 1)
  takes(pageSize, undefined, 20)
  takes(pageSize, '200', 200)
  refuses(pageNumber, '0', '-1', '1.5', '1000001', '01', 'x', '')
  refuses(pageSize, '0', '201')
})

test('ids, switches, codes and addresses take one form only', () => {
  takes(idText, '0190A2B4-7C6D-7E8F-9A0B-1C2D3E4F5A6B', '0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b')
  refuses(idText, '', '1', '0190a2b47c6d7e8f9a0b1c2d3e4f5a6b')
  takes(idListText(), '["0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b"]', ['0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b'])
  takes(idListText(), '0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b', ['0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b'])
  refuses(idListText(), '', '0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b,0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b')
  takes(boolText, 'true', true)
  refuses(boolText, 'True', '1', '', true)
  takes(totpText, '012345', '012345')
  refuses(totpText, '12345', '1234567', '１２３４５６')
  takes(addressText, 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf')
  refuses(addressText, '', 'a b', 'a\u200bb', 'а'.repeat(34), 'a'.repeat(201))
  refuses(requestIdText, 'short', 'a b c d e f')
})

test('a label has no invisible or direction-changing characters and counts code points', () => {
  takes(labelText(4), '金库😀a', '金库😀a')
  refuses(labelText(4), '', '12345', ' a', 'a ', 'a\u202eb', 'a\u200bb', 'a\nb', 'a\u0007', '\u3164', 'a\u2066b', 'a\u00adb')
  takes(remarkText(), 'first line\nsecond', 'first line\nsecond')
  takes(remarkText(), '', '')
  takes(remarkText(), '字'.repeat(200), '字'.repeat(200))
  refuses(remarkText(), '字'.repeat(201), 'a\u202eb', 'a\u0000b')
})

test('a JSON field has its shape, and hostile JSON is refused without an exception', () => {
  const outputs = jsonField(z.array(z.strictObject({ to: addressText, amount: amountText })).max(3))
  takes(outputs, '[{"to":"abc","amount":"1"}]', [{ to: 'abc', amount: '1' }])
  refuses(outputs, '', '{', '[{"to":"abc"}]', '[{"__proto__":{"x":1},"to":"abc","amount":"1"}]', 'null', '[1]')
  refuses(jsonField(z.any()), '{"constructor":1}', '"\\ud800"', '"e\\u0301"', '"\\u0000"', '['.repeat(50) + ']'.repeat(50))
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => void outputs.safeParse(text)),
    { numRuns: 2_000 },
  )
  fc.assert(fc.property(fc.integer({ min: 1, max: 1_000_000 }), (page) => pageNumber.parse(String(page)) === page))
})
