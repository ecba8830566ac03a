import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode, equalBytes, toHex } from '@holdfast/encoding'
import { addressBookFault, type AddressBookIntent, type BookChange, type BookEntry, intentHash, intentShape } from '@holdfast/intent'
import { bookFault, bookStanding, emptyBook, listedAt } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import { tempFolder } from '../testing/temp-folder.ts'
import { Journal } from './journal.ts'

const CHAINS = ['eip155:1', 'bip122:0']
const MEMOS = [null, '7']
const COOLING_MS = 1000
const START_MS = 1_000_000

/** Mostly the same name and address for an id, so that what is taken off is mostly what was put on; two ids share each address. */
const entry = fc
  .record({
    number: fc.nat(5),
    other: fc.nat(20),
    chains: fc.subarray(CHAINS, { minLength: 1 }),
    memo: fc.constantFrom(...MEMOS),
    lists: fc.subarray(['Payroll', 'Exchanges']),
  })
  .map(({ number, other, ...rest }) => {
    const address = ['a1', 'b2', 'c3'][(other === 0 ? number + 1 : number) % 3]!
    return { id: new Uint8Array(16).fill(number), name: other === 1 ? 'Ben' : 'Ann', address, ...rest }
  })
const change: fc.Arbitrary<BookChange> = fc.oneof(
  entry.map((each) => ({ kind: 'add' as const, ...each })),
  entry.map(({ id, name, address }) => ({ kind: 'remove' as const, id, name, address })),
)
/** Orders as they come, most of which follow the version before; each some time after the last. */
const orders = fc.array(
  fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 3 }),
    follows: fc.constantFrom('it', 'it', 'it', 'a gap', 'an older', 'another'),
    passesMs: fc.nat(2 * COOLING_MS),
    restarts: fc.boolean(),
  }),
  { maxLength: 40, size: 'max' },
)

const orderOf = (version: bigint, previous: Uint8Array, changes: BookChange[], salt: number): AddressBookIntent => ({
  kind: 'addressBook',
  genesis: new Uint8Array(32),
  orderId: new Uint8Array(16).fill(salt),
  version,
  previous,
  changes,
  remark: '',
  notBeforeMs: 0n,
  expiresAtMs: 1n,
  policyVersion: 1n,
  policyHash: new Uint8Array(32),
  initiator: new Uint8Array(16),
  nonce: new Uint8Array(32),
})

/** Whether a plain list takes these changes: what goes is there as it is said, and what comes shares neither id nor place with what stays. */
function fits(model: readonly BookEntry[], changes: readonly BookChange[]): boolean {
  const named = ({ id, name, address }: BookChange) => model.find((each) => equalBytes(each.id, id) && each.name === name && each.address === address)
  const going = changes.filter(({ kind }) => kind === 'remove').map(named)
  const staying = model.filter((each) => !going.includes(each))
  const added = changes.filter((each) => each.kind === 'add')
  const meets = (one: BookEntry, other: BookEntry) =>
    one.address === other.address && one.memo === other.memo && one.chains.some((chain) => other.chains.includes(chain))
  return !going.includes(undefined) && added.every((each) => !model.some(({ id }) => equalBytes(id, each.id)) && !staying.some((other) => meets(each, other)))
}

describe('the whitelist in the journal', () => {
  it('is what its orders say, however often the signer begins again, and answers as a plain list of them would', async (t) => {
    const folder = await tempFolder(t)
    let run = 0
    await fc.assert(
      fc.asyncProperty(orders, async (steps) => {
        const time = { nowMs: START_MS }
        const ports = { ...nodePorts, clock: { nowMs: () => time.nowMs, monotonicMs: nodePorts.clock.monotonicMs } }
        const open = () => Journal.open(ports, { folder: place, key: new Uint8Array(32).fill(5), party: 1 })
        const place = `${folder}/${run++}`
        await nodePorts.disk.makeFolder(place)
        let journal = await open()
        const model: (BookEntry & { usableAtMs: number })[] = []
        for (const [i, { changes, follows, passesMs, restarts }] of steps.entries()) {
          time.nowMs += passesMs
          const { book } = journal.register
          const version = follows === 'a gap' ? book.version + 2n : follows === 'an older' ? book.version : book.version + 1n
          const order = orderOf(version, follows === 'another' ? new Uint8Array(32).fill(9) : book.hash, changes, i)
          const standing = bookStanding(book, intentHash(order), order)
          assert.equal(standing, follows === 'it' ? 'next' : follows === 'a gap' ? 'early' : 'taken')
          const isWhole = addressBookFault(order) === undefined
          if (isWhole) assert.equal(bookFault(book, order) === undefined, fits(model, changes))
          if (standing === 'next' && isWhole && fits(model, changes)) {
            const usableAtMs = time.nowMs + COOLING_MS
            await journal.write([{ kind: 'bookChanged', intent: encode(intentShape, order), usableAtMs: BigInt(usableAtMs) }])
            for (const { id } of changes) {
              const at = model.findIndex((each) => equalBytes(each.id, id))
              if (at >= 0) model.splice(at, 1)
            }
            for (const each of changes) if (each.kind === 'add') model.push({ ...each, usableAtMs })
            assert.equal(bookStanding(journal.register.book, intentHash(order), order), 'followed')
          }
          if (restarts) {
            const before = journal.register.book
            await journal.close()
            journal = await open()
            assert.deepEqual(journal.register.book, before)
          }
          for (const chain of CHAINS)
            for (const address of ['a1', 'b2', 'c3', 'd4'])
              for (const memo of MEMOS) {
                const found = model.filter((each) => each.address === address && each.memo === memo && each.chains.includes(chain))
                assert.ok(found.length <= 1, 'no place belongs to two entries')
                const listed = listedAt(journal.register.book, { chain, address, memo }, time.nowMs)
                assert.equal(listed.state, found[0] ? (time.nowMs >= found[0].usableAtMs ? 'listed' : 'cooling') : 'none')
                assert.deepEqual(listed.lists, found[0]?.lists ?? [])
              }
          assert.deepEqual([...journal.register.book.entries.keys()].sort(), model.map(({ id }) => toHex(id)).sort())
        }
        await journal.close()
      }),
      { numRuns: 40 },
    )
  })

  it('makes nothing usable by a clock that was put back to before the address was put on', () => {
    const book = emptyBook()
    book.entries.set('e', { id: new Uint8Array(16), name: 'Ann', address: 'a1', chains: ['eip155:1'], memo: null, lists: [], sinceMs: 10, usableAtMs: 10 })
    book.places.set(JSON.stringify(['eip155:1', 'a1', null]), 'e')
    const at = (nowMs: number) => listedAt(book, { chain: 'eip155:1', address: 'a1', memo: '' }, nowMs).state
    assert.deepEqual([at(9), at(10)], ['cooling', 'listed'])
  })
})
