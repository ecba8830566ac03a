import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import fc from 'fast-check'
import { Journal, JournalError } from './journal.ts'
import type { JournalEvent } from './journal-events.ts'

const key = new Uint8Array(32).fill(3)
const bytesOf = (length: number, number: number) => new Uint8Array(length).map((_, i) => (number >> (8 * (i % 4))) & 0xff)
const COIN = { chain: 'eip155:1', contract: null }

const reserved = (number: number, amount = 1n): JournalEvent => ({
  kind: 'reserved',
  intentHash: bytesOf(32, number),
  orderId: bytesOf(16, number),
  expiresAtMs: BigInt(Number.MAX_SAFE_INTEGER),
  counted: [{ ...COIN, amount }],
})
const decided = (number: number, decision: string): JournalEvent => ({
  kind: 'decided',
  intentHash: bytesOf(32, number),
  decision,
  reason: '',
  spoken: new Uint8Array(8),
})

async function folderOf(t: { after(act: () => Promise<void>): void }) {
  const folder = await mkdtemp(join(tmpdir(), 'co-signer-journal-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const files = { path: join(folder, 'journal'), witnessPath: join(folder, 'witness') }
  return { ...files, open: (isPutBack = false) => Journal.open(ports, { ...files, key, isPutBack }) }
}

async function written(t: TestContext, events: JournalEvent[]) {
  const folder = await folderOf(t)
  const journal = await folder.open()
  for (const event of events) await journal.write(event)
  await journal.close()
  return folder
}

test('whatever was acknowledged is there after a start, and what was torn after it is cut off', async (t) => {
  const folder = await written(t, [reserved(1), decided(1, 'approve'), reserved(2)])
  const whole = await readFile(folder.path)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (torn) => {
      // What is longer than it says it is was never written by this program.
      torn.fill(0, 0, 2)
      torn.fill(0xff, 2, 4)
      await writeFile(folder.path, Buffer.concat([whole, torn]))
      const journal = await folder.open()
      assert.equal(journal.last.position, 3)
      assert.equal(journal.register.orders.size, 2)
      await journal.close()
      assert.deepEqual(await readFile(folder.path), whole)
    }),
    { numRuns: 30 },
  )
})

test('a journal that lost a record, or any bit of one, does not start', async (t) => {
  const folder = await written(t, [reserved(1), decided(1, 'approve'), reserved(2)])
  const whole = await readFile(folder.path)
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (place, bit) => {
      const changed = Buffer.from(whole)
      changed[place] = (changed[place] ?? 0) ^ (1 << bit)
      await writeFile(folder.path, changed)
      await assert.rejects(folder.open(), JournalError)
    }),
    { numRuns: 60 },
  )
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
      await writeFile(folder.path, whole.subarray(0, length))
      await assert.rejects(folder.open(), JournalError)
    }),
    { numRuns: 60 },
  )
})

test('it goes on where a person says that its folder was put back, past whatever was seen of it', async (t) => {
  const folder = await written(t, [reserved(1)])
  const older = await readFile(folder.path)
  let journal = await folder.open()
  await journal.write(decided(1, 'approve'))
  const lost = journal.last
  await journal.close()
  await writeFile(folder.path, older)
  await assert.rejects(folder.open(), /put back/)
  journal = await folder.open(true)
  await journal.write({ kind: 'resumed', past: 7n })
  await journal.close()
  journal = await folder.open()
  assert.equal(journal.last.position, 8)
  assert.ok(journal.register.resumedAtMs > 0)
  assert.ok(journal.hasBeen(lost), 'what was given up is known')
  assert.ok(journal.hasBeen(journal.last))
  assert.equal(journal.hasBeen({ position: 9, seal: lost.seal }), false)
  assert.equal(journal.hasBeen({ position: 1, seal: lost.seal }), false)
  await journal.close()
})

test('limits count approvals and what is open, and never a refusal, after any history and any number of starts', async (t) => {
  const steps = fc.array(fc.record({ order: fc.nat(5), what: fc.constantFrom('reserve', 'approve', 'reject', 'restart'), amount: fc.bigInt(1n, 1_000n) }), {
    maxLength: 25,
  })
  await fc.assert(
    fc.asyncProperty(steps, async (walk) => {
      const folder = await folderOf(t)
      let journal = await folder.open()
      const model = new Map<number, { amount: bigint; decision: string }>()
      for (const { order, what, amount } of walk) {
        const known = model.get(order)
        if (what === 'restart') {
          await journal.close()
          journal = await folder.open()
        } else if (what === 'reserve' && !known) {
          model.set(order, { amount, decision: '' })
          await journal.write(reserved(order + 1, amount))
        } else if (what !== 'reserve' && known?.decision === '') {
          known.decision = what
          await journal.write(decided(order + 1, what))
        }
      }
      const used = [...model.values()].reduce((sum, each) => sum + (each.decision === 'reject' ? 0n : each.amount), 0n)
      assert.equal(journal.register.usedSince(0, ports.clock.nowMs(), COIN, ''), used)
      await journal.close()
    }),
    { numRuns: 25 },
  )
})

test('what cannot follow is never written over: an order is begun and decided once', async (t) => {
  const folder = await folderOf(t)
  const journal = await folder.open()
  await journal.write(reserved(1))
  await assert.rejects(journal.write(reserved(1)))
  await assert.rejects(journal.write(reserved(2)), 'nothing more is written by a process that would have done that')
  await journal.close()
  const again = await folder.open()
  assert.equal(again.last.position, 1)
  await again.close()
})
