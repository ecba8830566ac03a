import assert from 'node:assert/strict'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { describe, it, type TestContext } from 'node:test'
import { encode } from '@holdfast/encoding'
import { type AddressBookIntent, intentShape } from '@holdfast/intent'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import { Journal, JournalError, positionOfMark } from './journal.ts'
import type { JournalEvent, Reservation } from './journal-events.ts'
import { INTERRUPTIONS_MAX, isUsedUp, type Register } from './register.ts'
import { CHAIN } from '../testing/organisation-of.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { acme } from '../testing/world-of.ts'

const key = new Uint8Array(32).fill(5)
const bytesOf = (value: number) => new Uint8Array(32).fill(value)
const open = (folder: string, ports: Pick<typeof nodePorts, 'disk' | 'clock'> = nodePorts) => Journal.open(ports, { folder, key, party: 1 })
const checkpoint = (size: number): JournalEvent => ({ kind: 'checkpointSigned', size: BigInt(size), root: bytesOf(size) })
const sizes = (register: Register) => register.checkpoints.map(({ size }) => size)

/** A journal with so many records, closed. */
async function journalOf(t: TestContext, records: number): Promise<string> {
  const folder = await tempFolder(t)
  const journal = await open(folder)
  for (let i = 1; i <= records; i++) await journal.write([checkpoint(i)])
  await journal.close()
  return folder
}

const opened = (id: number, amount = 5n): JournalEvent => ({
  kind: 'sessionOpened',
  requestHash: bytesOf(id),
  session: 'sign',
  keyId: bytesOf(1),
  epoch: 0n,
  parties: [1n, 2n],
  reservation: { kind: 'transfer', intentHash: bytesOf(100 + id), chain: CHAIN, contract: null, from: '0xpayer', slot: BigInt(id), ruleId: 'coin', amount },
})
const started = (id: number): JournalEvent => ({ kind: 'sessionStarted', requestHash: bytesOf(id), seen: [{ party: 2n, mark: 77n }] })
const ended = (id: number, outcome = 'timeout'): JournalEvent => ({ kind: 'sessionEnded', requestHash: bytesOf(id), outcome, reason: '' })

describe('the journal', () => {
  it('has everything again after a restart, in the same order', async (t) => {
    const folder = await tempFolder(t)
    const journal = await open(folder)
    assert.equal(await journal.write([{ kind: 'pinned', record: acme.record }]), 1)
    const positions = await Promise.all([1, 2, 3].map((size) => journal.write([checkpoint(size)])))
    assert.deepEqual(positions, [2, 3, 4])
    await journal.write([opened(1), started(1)])
    await journal.close()
    const again = await open(folder)
    t.after(() => again.close())
    assert.deepEqual(again.register, journal.register)
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((position) => again.markAt(position)),
      [1, 2, 3, 4, 5].map((position) => journal.markAt(position)),
    )
    assert.equal(positionOfMark(again.markAt(5)!), 5)
    assert.equal(again.markAt(6), undefined)
  })

  it('knows what was written before the disk has answered, so that two requests cannot both take the last of a limit', async (t) => {
    const journal = await open(await tempFolder(t))
    t.after(() => journal.close())
    const written = journal.write([opened(1)])
    assert.equal(journal.register.spends.size, 1)
    await written
  })

  it('counts an amount, and an address of the whitelist, from its latest record on where the clock was put back, also after a restart', async (t) => {
    const folder = await tempFolder(t)
    const time = { nowMs: 10_000 }
    const ports = { ...nodePorts, clock: { ...nodePorts.clock, nowMs: () => time.nowMs } }
    const journal = await open(folder, ports)
    await journal.write([checkpoint(1)])
    time.nowMs = 4000
    const order: AddressBookIntent = {
      kind: 'addressBook',
      genesis: bytesOf(0),
      orderId: new Uint8Array(16),
      version: 1n,
      previous: bytesOf(0),
      changes: [{ kind: 'add', id: new Uint8Array(16), name: 'Ann', address: 'a1', chains: [CHAIN], memo: null, lists: [] }],
      remark: '',
      notBeforeMs: 0n,
      expiresAtMs: 1n,
      policyVersion: 1n,
      policyHash: bytesOf(0),
      initiator: new Uint8Array(16),
      nonce: bytesOf(0),
    }
    await journal.write([opened(1), { kind: 'bookChanged', intent: encode(intentShape, order), usableAtMs: 11_000n }])
    await journal.close()
    const again = await open(folder, ports)
    t.after(() => again.close())
    for (const { register } of [journal, again]) {
      assert.deepEqual(
        [...register.spends.values()].map(({ atMs }) => atMs),
        [10_000],
      )
      assert.deepEqual(
        [...register.book.entries.values()].map(({ sinceMs, usableAtMs }) => [sinceMs, usableAtMs]),
        [[10_000, 11_000]],
      )
    }
  })

  it('cut off at any byte of its tail, opens without the torn record that was never acknowledged, or says that it cannot', async (t) => {
    const records = 3
    const folder = await journalOf(t, records)
    const [path, headPath] = [`${folder}/journal`, `${folder}/journal.head`]
    const [whole, head] = [await readFile(path), await readFile(headPath)]
    const recordBytes = whole.length / records
    const outcomes = { clean: 0, refused: 0 }
    for (let length = whole.length - recordBytes - 1; length <= whole.length; length++) {
      for (const acknowledged of [records - 1, records]) {
        await writeFile(path, whole.subarray(0, length))
        await writeFile(headPath, head.subarray(0, acknowledged * 32))
        const kept = Math.floor(length / recordBytes)
        try {
          const journal = await open(folder)
          await journal.close()
          assert.ok(kept >= acknowledged, 'an acknowledged record was lost without a word')
          assert.deepEqual(sizes(journal.register), [1, 2, 3].slice(0, kept))
          outcomes.clean++
        } catch (cause) {
          assert.ok(cause instanceof JournalError && cause.message.startsWith(path), String(cause))
          assert.ok(kept < acknowledged, 'refused although nothing acknowledged is missing')
          outcomes.refused++
        }
      }
    }
    // Two records acknowledged: clean from the second's end on. Three: only whole.
    assert.deepEqual(outcomes, { clean: recordBytes + 2, refused: recordBytes + 2 })
  })

  it('goes on after a torn record as if it had never been', async (t) => {
    const folder = await journalOf(t, 2)
    const whole = await readFile(`${folder}/journal`)
    await writeFile(`${folder}/journal`, Buffer.concat([whole, whole.subarray(0, 40)]))
    const journal = await open(folder)
    assert.equal(await journal.write([checkpoint(3)]), 3)
    await journal.close()
    const again = await open(folder)
    t.after(() => again.close())
    assert.deepEqual(sizes(again.register), [1, 2, 3])
  })

  it('with any bit changed, says that it cannot be used', async (t) => {
    const folder = await journalOf(t, 3)
    for (const name of ['journal', 'journal.head']) {
      const whole = await readFile(`${folder}/${name}`)
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
          await writeFile(
            `${folder}/${name}`,
            whole.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte)),
          )
          await assert.rejects(open(folder), JournalError)
        }),
        { numRuns: 150 },
      )
      await writeFile(`${folder}/${name}`, whole)
    }
  })

  it('refuses records put in another order, left out or repeated, and those of another key', async (t) => {
    const folder = await journalOf(t, 3)
    const whole = await readFile(`${folder}/journal`)
    const head = await readFile(`${folder}/journal.head`)
    const size = whole.length / 3
    const [a, b, c] = [0, 1, 2].map((i) => whole.subarray(i * size, (i + 1) * size)) as [Buffer, Buffer, Buffer]
    const [x, y, z] = [0, 1, 2].map((i) => head.subarray(i * 32, (i + 1) * 32)) as [Buffer, Buffer, Buffer]
    const cases: [Buffer[], Buffer[]][] = [
      [
        [a, c, b],
        [x, z, y],
      ],
      [
        [a, c],
        [x, z],
      ],
      [
        [b, c],
        [y, z],
      ],
      [
        [a, a, b],
        [x, x, y],
      ],
      [
        [a, b, b],
        [x, y, y],
      ],
    ]
    for (const [records, seals] of cases) {
      await writeFile(`${folder}/journal`, Buffer.concat(records))
      await writeFile(`${folder}/journal.head`, Buffer.concat(seals))
      await assert.rejects(open(folder), JournalError)
    }
    await writeFile(`${folder}/journal`, whole)
    await writeFile(`${folder}/journal.head`, head)
    await assert.rejects(Journal.open(nodePorts, { folder, key: new Uint8Array(32), party: 1 }), JournalError)
  })

  it('says nothing is known once a write has failed, and writes no more', async (t) => {
    const folder = await tempFolder(t)
    let full = false
    const disk = {
      ...nodePorts.disk,
      openAppend: async (path: string) => {
        const file = await nodePorts.disk.openAppend(path)
        return { ...file, append: async (content: Uint8Array) => (full ? Promise.reject(new Error('ENOSPC')) : file.append(content)) }
      },
    }
    const journal = await open(folder, { disk, clock: nodePorts.clock })
    await journal.write([checkpoint(1)])
    full = true
    const [second, third] = [journal.write([checkpoint(2)]), journal.write([checkpoint(3)])]
    await assert.rejects(second, JournalError)
    await assert.rejects(third, JournalError)
    full = false
    await assert.rejects(journal.write([checkpoint(4)]), JournalError)
    await journal.close()
    const again = await open(folder)
    t.after(() => again.close())
    assert.deepEqual(sizes(again.register), [1])
  })

  it('stops the second of two processes that were started on one folder, and loses nothing', async (t) => {
    const folder = await journalOf(t, 1)
    const [one, two] = [await open(folder), await open(folder)]
    await one.write([checkpoint(2)])
    await assert.rejects(two.write([checkpoint(3)]), /another process/)
    await one.close()
    await two.close()
    const again = await open(folder)
    t.after(() => again.close())
    assert.deepEqual(sizes(again.register), [1, 2])
  })

  it('is replayed in pieces of any size, and never read whole: it may be larger than a memory', async (t) => {
    const folder = await tempFolder(t)
    const journal = await open(folder)
    await journal.write([{ kind: 'pinned', record: acme.record }])
    for (let i = 1; i <= 9; i++) await journal.write([opened(i), started(i), ended(i, 'signed'), checkpoint(i)])
    await journal.close()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }), async (lengths) => {
        const disk = {
          ...nodePorts.disk,
          read: (path: string) => Promise.reject(new Error(`${path} is larger than what can be read whole`)),
          readPieces: async function* (path: string) {
            const whole = await readFile(path)
            for (let from = 0, i = 0; from < whole.length; from += lengths[i++ % lengths.length]!)
              yield whole.subarray(from, from + lengths[i % lengths.length]!)
          },
        }
        const again = await open(folder, { disk, clock: nodePorts.clock })
        await again.close()
        assert.deepEqual(again.register, journal.register)
        assert.deepEqual([again.position, again.markAt(10)], [10, journal.markAt(10)])
      }),
      { numRuns: 30 },
    )
  })

  it('cut off by a crash after the record and before its seal, keeps the record', async (t) => {
    const folder = await journalOf(t, 2)
    await truncate(`${folder}/journal.head`, 32 + 17)
    const journal = await open(folder)
    assert.deepEqual(sizes(journal.register), [1, 2])
    await journal.close()
    assert.equal((await readFile(`${folder}/journal.head`)).length, 64)
  })
})

describe('the register', () => {
  const registerAfter = async (t: TestContext, ...events: JournalEvent[]) => {
    const journal = await open(await tempFolder(t))
    t.after(() => journal.close())
    for (const event of events) await journal.write([event])
    return journal.register
  }

  it('frees a slot when the session ended before any message of the protocol left', async (t) => {
    const register = await registerAfter(t, opened(1), ended(1))
    assert.deepEqual([register.bindings.size, register.slots.size, register.spends.size], [0, 0, 0])
  })

  it('reads what was let through before assets were counted apart, and counts it against every asset', async (t) => {
    const {
      kind: _,
      contract: __,
      ...held
    } = (opened(1) as Extract<JournalEvent, { kind: 'sessionOpened' }>).reservation as Extract<Reservation, { kind: 'transfer' }>
    const register = await registerAfter(t, { ...opened(1), reservation: { kind: 'unnamed', ...held } } as JournalEvent)
    assert.deepEqual(
      [...register.spends.values()].map(({ asset, amount }) => [asset, amount]),
      [[null, 5n]],
    )
  })

  /** Another session for the order of the first. */
  const again: JournalEvent = {
    ...(opened(2) as Extract<JournalEvent, { kind: 'sessionOpened' }>),
    reservation: (opened(1) as Extract<JournalEvent, { kind: 'sessionOpened' }>).reservation,
  }

  it('keeps the slot of an order until the last session that is open for it has ended, so that this one can still begin', async (t) => {
    const held = async (...events: JournalEvent[]) => {
      const { bindings, slots, spends } = await registerAfter(t, opened(1), again, ...events)
      return [[...bindings.values()].map(({ committed }) => committed), slots.size, spends.size]
    }
    assert.deepEqual(await held(ended(1)), [[false], 1, 1])
    assert.deepEqual(await held(ended(1), started(2)), [[true], 1, 1])
    assert.deepEqual(await held(ended(2), started(1), ended(1)), [[true], 1, 1])
    assert.deepEqual(await held(ended(1), ended(2)), [[], 0, 0])
    assert.deepEqual(await held({ kind: 'restarted' }), [[], 0, 0])
  })

  it('holds no more than the sessions under way, and knows every request that it took', async (t) => {
    const events = Array.from({ length: 20 }, (_, i) => [opened(i + 1), ...(i % 2 === 0 ? [started(i + 1)] : []), ended(i + 1)]).flat()
    const { sessions, requests } = await registerAfter(t, ...events, opened(21), opened(22), started(22))
    assert.deepEqual(
      [...sessions.values()].map(({ state }) => state),
      ['opened', 'started'],
    )
    assert.equal(requests.size, 22)
  })

  it('never frees a slot once a message left, for then a signature may exist', async (t) => {
    const register = await registerAfter(t, opened(1), started(1), ended(1), again, ended(2))
    assert.deepEqual([register.bindings.size, register.slots.size, register.spends.size], [1, 1, 1])
    assert.equal(register.slots.get(`${CHAIN}|0xpayer|1`), Buffer.from(bytesOf(101)).toString('hex'))
  })

  it('takes sessions that a crash cut off for over, and a pair that was cut off too often for one that needs a new set-up', async (t) => {
    const events: JournalEvent[] = [opened(1), { kind: 'restarted' }]
    for (let i = 2; i < 2 + INTERRUPTIONS_MAX; i++) events.push(opened(i), started(i), { kind: 'restarted' })
    const register = await registerAfter(t, ...events)
    assert.deepEqual([register.sessions.size, register.requests.size], [0, 1 + INTERRUPTIONS_MAX])
    assert.equal(isUsedUp(register, { keyId: bytesOf(1), epoch: 0n }, 2), false)
    const last = 2 + INTERRUPTIONS_MAX
    const after = await registerAfter(t, ...events, opened(last), started(last), { kind: 'restarted' })
    assert.equal(isUsedUp(after, { keyId: bytesOf(1), epoch: 0n }, 2), true)
    assert.equal(after.burns.size, 0)
  })

  it('remembers the last 256 checkpoints', async (t) => {
    const register = await registerAfter(
      t,
      ...Array.from({ length: 260 }, (_, i): JournalEvent => ({ kind: 'checkpointSigned', size: BigInt(i + 1), root: bytesOf(0) })),
    )
    assert.deepEqual([sizes(register).length, sizes(register)[0], register.logSize], [256, 5, 260])
  })
})
