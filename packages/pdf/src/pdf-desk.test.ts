import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import { openPdfDesk, PdfDeskBusyError, WAITING_MAX, WAITING_MAX_OF_ONE } from './pdf-desk.ts'
import type { Sheet } from './write-pdf.ts'

const sheet: Sheet = {
  language: 'en-US',
  letterhead: 'Acme',
  title: 'Receipt',
  reference: [],
  headline: { amount: '1 ETH', state: 'Done', isDone: true, under: [] },
  sections: [],
  proof: { title: 'Proof', code: 'A', rows: [], notes: [] },
  foot: '{page}',
  madeAtMs: 1_700_000_000_000,
}

test('sheets are written in a thread of their own, while this one goes on', async () => {
  const desk = openPdfDesk(nodePorts)
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  try {
    const [first, second] = await Promise.all([desk.write(sheet, 'a'), desk.write({ ...sheet, language: 'zh-CN', title: '付款回单' }, 'b')])
    for (const pdf of [first, second]) assert.match(Buffer.from(pdf).toString('latin1'), /^%PDF-1[\s\S]*%%EOF\s*$/)
    assert.ok(turns > 20, `${turns} turns`)
  } finally {
    clearInterval(turning)
  }
})

test('a burst of sheets is refused before it is long, one owner cannot take the desk, and it is free again afterwards', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const asked: unknown[] = []
  const ask = async (question: unknown) => {
    asked.push(question)
    await held
    return new Uint8Array([1])
  }
  const desk = openPdfDesk({ threads: { open: () => ({ ask }) } })
  const write = (whose: string, count: number) => Promise.allSettled(Array.from({ length: count }, () => desk.write(sheet, whose)))
  const bursts = ['a', 'b', 'c', 'd'].map((whose) => write(whose, WAITING_MAX_OF_ONE + 1))
  assert.equal(asked.length, WAITING_MAX)
  release()
  const results = (await Promise.all(bursts)).map((each) => each.filter(({ status }) => status === 'fulfilled').length)
  assert.deepEqual(results, [WAITING_MAX_OF_ONE, WAITING_MAX_OF_ONE, WAITING_MAX_OF_ONE, 0])
  for (const burst of await Promise.all(bursts)) for (const each of burst) if (each.status === 'rejected') assert.ok(each.reason instanceof PdfDeskBusyError)
  assert.deepEqual(await desk.write(sheet, 'd'), new Uint8Array([1]))
})
