import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import { breakLines } from './break-lines.ts'
import { fontsFor } from './font-slices.ts'
import { type Sheet, writePdf } from './write-pdf.ts'

const sheet = (change: Partial<Sheet> = {}): Sheet => ({
  language: 'zh-CN',
  title: '付款回单',
  letterhead: 'Acme 财务',
  reference: ['No. 1'],
  headline: { amount: '1,250,000.000001 USDC', state: '已完成', isDone: true, under: [] },
  sections: [{ title: 'Payment', rows: [{ label: '收款地址', value: '0x52908400098527886E0F7030069857D2E4169EE7' }] }],
  proof: { title: 'Verify it', code: 'HOLDFAST ORDER 1', rows: [], notes: ['With verify-evidence.'] },
  foot: 'Holdfast · {page} / {pages}',
  madeAtMs: 1_700_000_000_000,
  ...change,
})

test('a sheet becomes a PDF with its fonts inside, in Latin and in Chinese', async () => {
  const pdf = Buffer.from(await writePdf(nodePorts.disk, sheet())).toString('latin1')
  assert.match(pdf, /^%PDF-1\.\d/)
  assert.match(pdf, /%%EOF\s*$/)
  assert.ok((pdf.match(/\/FontFile2/g) ?? []).length >= 2)
  assert.equal(pdf.match(/\/Type \/Page\n/g)?.length, 1)
  assert.match(pdf, /\/Lang \(zh-CN\)/)
})

test('however long a sheet is, it goes on over further pages', async () => {
  const rows = Array.from({ length: 120 }, (_, i) => ({ label: `Row ${i}`, value: 'x'.repeat(200) }))
  const pdf = Buffer.from(await writePdf(nodePorts.disk, sheet({ sections: [{ title: 'Long', rows }] }))).toString('latin1')
  assert.ok(pdf.match(/\/Type \/Page\n/g)!.length > 3)
})

test('a part that fits on a page is not broken over two', async () => {
  const part = { title: 'Approvals', rows: Array.from({ length: 20 }, (_, i) => ({ label: `Person ${i}`, value: 'approved' })) }
  const pdf = Buffer.from(await writePdf(nodePorts.disk, sheet({ sections: [part, part, part, part, part] }))).toString('latin1')
  assert.equal(pdf.match(/\/Type \/Page\n/g)?.length, 5)
})

test('what strangers wrote is written, whatever it is', async () => {
  const hostile = ['\u202Eevil\u200B', '😀 emoji', 'א', '\u0000', '\uD800', '한국어', '{page}', '\\) Tj (']
  for (const letterhead of hostile) await writePdf(nodePorts.disk, sheet({ letterhead, sections: [] }))
  await writePdf(nodePorts.disk, sheet({ sections: [{ title: hostile.join(' '), rows: hostile.map((value) => ({ label: value, value })) }] }))
})

test('a character that the font cannot draw has no font, and every other one has', async () => {
  const { sliceOf, files } = await fontsFor(nodePorts.disk, 'Aé付款，한', 400)
  assert.deepEqual([...sliceOf.keys()], ['A', 'é', '付', '款', '，'])
  assert.deepEqual(new Set(sliceOf.values()), new Set(files.keys()))
})

test('lines are no wider than they may be, and lose nothing but the spaces between them', () => {
  const text = fc.array(fc.constantFrom('word', '付款', '，', ' ', '0x52908400098527886E', 'a'), { maxLength: 30 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (given, width) => {
      const lines = breakLines(given, width, (part) => [...part].length)
      assert.equal(lines.join('').replaceAll(' ', ''), given.replaceAll(' ', ''))
      for (const line of lines) assert.ok([...line].length <= width, line)
    }),
  )
  assert.deepEqual(
    breakLines('one two\nthree', 5, (part) => part.length),
    ['one', 'two', 'three'],
  )
})
