import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formEncode, parseForm, readInput } from '@holdfast/contract'
import fc from 'fast-check'
import { listTransactions } from '../contract.ts'
import {
  type Filters,
  foreignSubWallets,
  forOtherWallet,
  kindOfList,
  narrowedBy,
  NOTIFY_STATES,
  readFilters,
  SOURCES,
  SPAM,
  STAGES,
  toInput,
  UNFILTERED,
  withFilters,
  withoutSubWallets,
  writeFilters,
} from './list/filters.ts'
import { DEPOSIT_STATUSES, STATUSES } from './status.ts'

const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))
const perhaps = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
// Some letters cannot be seen, such as the Hangul fillers; the server refuses them.
const seen = fc.stringMatching(/^[\p{L}\p{N}]+$/u).filter((text) => !/\p{Default_Ignorable_Code_Point}/u.test(text))
const label = (max: number) => seen.map((text) => [...text].slice(0, max).join('').normalize('NFC'))
const hex = (length: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^\d{1,36}$/)).map(([whole, fraction]) => `${whole}.${fraction}`)

const anyFilters = fc.record<Filters>(
  {
    type: fc.constantFrom('all', 'deposit', 'withdraw'),
    everyWallet: fc.boolean(),
    subWallets: fc.uniqueArray(fc.uuid({ version: 7 }), { maxLength: 5 }),
    chain: perhaps(fc.constantFrom('eip155:1', 'eip155:31337', 'tron:0x2b6653dc')),
    symbol: perhaps(fc.stringMatching(/^[A-Z]{1,8}$/)),
    status: perhaps(fc.oneof(fc.constantFrom<'open' | 'done' | 'ended'>('open', 'done', 'ended'), fc.integer({ min: 1000, max: 9999 }))),
    keyword: label(50),
    address: perhaps(hex(40).map((digits) => `0x${digits}`)),
    txid: perhaps(hex(64)),
    requestId: perhaps(fc.stringMatching(/^[A-Za-z0-9_-]{8,64}$/)),
    source: perhaps(fc.constantFrom(...SOURCES)),
    subStatus: perhaps(fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/)),
    notify: perhaps(fc.constantFrom(...NOTIFY_STATES)),
    spam: perhaps(fc.constantFrom(...SPAM)),
    initiator: perhaps(fc.uuid({ version: 7 })),
    category: perhaps(label(50)),
    tag: perhaps(label(30)),
    amountMin: perhaps(amount),
    amountMax: perhaps(amount),
    from: perhaps(day),
    to: perhaps(day),
    page: fc.integer({ min: 1, max: 999_999 }),
  },
  { noNullPrototype: true },
)

test('a view of the list stands in its address and comes back from it', () => {
  fc.assert(fc.property(anyFilters, (given) => assert.deepEqual(readFilters(new URLSearchParams(writeFilters(given))), given)))
  assert.deepEqual(writeFilters(UNFILTERED), {})
})

test('a list of another wallet has none of the sub-wallets of the one before, and begins with its first page', () => {
  fc.assert(
    fc.property(anyFilters, (filters) => {
      const next = forOtherWallet(filters)
      assert.deepEqual(next, filters.everyWallet ? filters : { ...filters, subWallets: [], page: 1 })
    }),
  )
})

test('a sub-wallet that is not of the chosen wallet narrows nothing, once it is known whose it is', () => {
  const filters = { ...UNFILTERED, subWallets: ['a', 'b', 'c'], chain: 'eip155:1', page: 4 }
  assert.deepEqual(foreignSubWallets(filters, ['b', 'd']), ['a', 'c'])
  assert.deepEqual(foreignSubWallets(filters, undefined), [])
  assert.deepEqual(foreignSubWallets({ ...filters, everyWallet: true }, []), [], 'a list of all wallets has sub-wallets of any')
  assert.deepEqual(withoutSubWallets(filters, ['a', 'c']), { ...filters, subWallets: ['b'], page: 1 })
})

test('filters that are taken off leave the rest of the address, with the order that is open', () => {
  const sub = '01a1fc84-2b0b-7bc4-b866-485f78b0be30'
  const search = new URLSearchParams({ sub, chain: 'eip155:1', page: '3', order: 'x', kind: 'deposit' })
  assert.deepEqual(Object.fromEntries(withFilters(search, forOtherWallet)), { chain: 'eip155:1', order: 'x', kind: 'deposit' })
  assert.deepEqual(Object.fromEntries(withFilters(search, (present) => withoutSubWallets(present, [sub]))), { chain: 'eip155:1', order: 'x', kind: 'deposit' })
})

test('a list of several kinds is told by their stages, and one of what was asked for by the states of orders', () => {
  assert.equal(kindOfList(UNFILTERED), undefined)
  assert.equal(kindOfList({ type: 'all', source: 'chain' }), undefined)
  for (const source of ['asked', 'web', 'api'] as const) assert.equal(kindOfList({ type: 'all', source }), 'withdraw')
  assert.equal(kindOfList({ type: 'held', source: undefined }), 'deposit')
})

test('whatever stands in an address, the server understands what it is asked for', () => {
  const names = [
    'type',
    'sub',
    'chain',
    'symbol',
    'status',
    'q',
    'address',
    'txid',
    'request',
    'source',
    'sub_status',
    'notify',
    'spam',
    'by',
    'category',
    'tag',
    'min',
    'max',
    'from',
    'to',
    'page',
  ]
  const strange = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.stringMatching(/^[ -~]*$/), fc.constantFrom('-1', '1e9', '0x', 'open', '2024-02-30')))
  const wallet = '01a1fc84-2b0b-7bc4-b866-485f78b0be30'
  for (const arbitrary of [strange.map((each) => readFilters(new URLSearchParams(each))), anyFilters]) {
    fc.assert(
      fc.property(arbitrary, (filters) => {
        // A name of a coin, a category or a keyword may be any text; the server says what is wrong with it.
        const { category: _category, tag: _tag, ...input } = toInput(filters, wallet)
        assert.ok(readInput(listTransactions, parseForm(formEncode(input))))
      }),
    )
  }
})

test('an address that somebody wrote by hand narrows to nothing that does not exist', () => {
  const search = new URLSearchParams({ type: 'x', status: '1e3', page: '-4', from: '2025-02-30', to: 'today', symbol: '', sub: 'a,b', min: '-1', by: 'me' })
  assert.deepEqual(readFilters(search), UNFILTERED)
  assert.deepEqual(narrowedBy(UNFILTERED), [])
  assert.deepEqual(narrowedBy({ ...UNFILTERED, status: 1000, page: 3, everyWallet: true, subWallets: ['x'] }), ['subWallets', 'status'])
})

test('every state belongs to one stage', () => {
  const staged = Object.values(STAGES).flatMap((numbers) => numbers.split(',').map(Number))
  assert.deepEqual(staged.toSorted(), [...new Set([...STATUSES, ...DEPOSIT_STATUSES])].toSorted())
})
