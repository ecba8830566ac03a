import fc from 'fast-check'
import type { Point } from '../analysis/subject.ts'
import type { Condition, LimitEach, Rule, TransferRule } from '../index.ts'
import { dayLimit, namedRule, personOf } from './named-rules.ts'
import { CHAIN, member } from './sample-organisation.ts'

// Rules of every kind for payments, and payments that lie on both sides of their borders.

export const people = [0, 1, 2].map(member)
const ids = people.map(({ id }) => id)
export const USDX = { chain: CHAIN, contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDX', decimals: 6n }
const ADDRESSES = ['0xa', '0xb', '0xc']
const MEMOS = [null, '7', '8']
const LISTS = ['suppliers', 'exchanges']
export const HOUR_MS = 3_600_000
export const NOW_MS = Date.parse('2026-01-05T00:00:00Z')
const KEYS = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)] as [Uint8Array, Uint8Array]
const PATHS = [
  [0n, 0n],
  [0n, 1n],
  [1n, 0n],
]

const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 })
const condition: fc.Arbitrary<Condition> = fc.oneof(
  some(...people).map((who): Condition => ({ kind: 'askers', who: who.map(personOf) })),
  fc
    .uniqueArray(fc.record({ asset: fc.constantFrom(null, '', USDX.contract), above: fc.bigInt(0n, 6n), more: fc.option(fc.bigInt(1n, 4n)) }), {
      minLength: 1,
      selector: ({ asset }) => asset,
    })
    .map((assets): Condition => {
      const bounded = assets.map(({ asset, above, more }) =>
        asset === null ? { above: 0n, atMost: null } : { above, atMost: more === null ? null : above + more },
      )
      return { kind: 'assets', assets: assets.map(({ asset }, i) => ({ chain: CHAIN, asset, above: 0n, atMost: null, ...bounded[i] })) }
    }),
  fc
    .record({
      to: fc.uniqueArray(fc.record({ address: fc.constantFrom(...ADDRESSES.slice(0, 2)), memo: fc.constantFrom(...MEMOS.slice(0, 2)) }), {
        maxLength: 3,
        selector: ({ address, memo }) => `${address}|${memo}`,
      }),
      own: fc.boolean(),
      listed: fc.boolean(),
      lists: fc.subarray(LISTS),
      paidBefore: fc.boolean(),
    })
    .map(({ to, ...facts }): Condition => ({ kind: 'destinations', ...facts, addresses: to.map((each) => ({ name: each.address, chain: CHAIN, ...each })) })),
  fc.record({ aboveCents: fc.bigInt(0n, 4n), more: fc.option(fc.bigInt(1n, 6n)) }).map(
    ({ aboveCents, more }): Condition => ({
      kind: 'value',
      aboveCents: more === null ? aboveCents + 1n : aboveCents,
      atMostCents: more === null ? null : aboveCents + more,
    }),
  ),
  fc.boolean().map((isPresent): Condition => ({ kind: 'memo', isPresent })),
  fc
    .record({
      days: some(0n, 1n, 2n),
      from: fc.integer({ min: 0, max: 22 }),
      length: fc.integer({ min: 1, max: 2 }),
      zone: fc.constantFrom('UTC', 'Asia/Kolkata'),
    })
    .map(
      ({ days, from, length, zone }): Condition => ({ kind: 'times', zone, days, fromMinute: BigInt(from * 60), untilMinute: BigInt((from + length) * 60) }),
    ),
  some({ keyId: KEYS[0], path: [] as bigint[] }, { keyId: KEYS[0], path: [0n] }, { keyId: KEYS[1], path: [0n, 1n] }).map(
    (wallets): Condition => ({ kind: 'sources', wallets: wallets.map((each) => ({ name: 'wallet', ...each })) }),
  ),
)

const limit = fc
  .record({
    each: fc.constantFrom<LimitEach[]>('rule', 'asker', 'destination', 'source'),
    hours: fc.integer({ min: 1, max: 48 }),
    maxCount: fc.option(fc.bigInt(1n, 3n)),
    maxCents: fc.option(fc.bigInt(1n, 20n)),
    assets: fc.uniqueArray(fc.record({ asset: fc.constantFrom('', USDX.contract), max: fc.bigInt(1n, 20n) }), { selector: ({ asset }) => asset }),
  })
  .map(({ each, hours, maxCount, maxCents, assets }) =>
    dayLimit({
      each,
      lengthMs: BigInt(hours * HOUR_MS),
      amounts: assets.map((bounded) => ({ chain: CHAIN, ...bounded })),
      maxCount: assets.length === 0 && maxCents === null ? (maxCount ?? 2n) : maxCount,
      maxCents,
    }),
  )

const rule = fc
  .record({
    conditions: fc.uniqueArray(condition, { maxLength: 3, selector: ({ kind }) => kind }),
    limits: fc.array(limit, { maxLength: 2 }),
    refuses: fc.boolean(),
    isBasic: fc.boolean(),
    first: fc.option(
      fc.record({
        asset: fc.constantFrom(null, '', USDX.contract),
        maxAmount: fc.option(fc.bigInt(1n, 8n)),
        window: fc.option(fc.constant({ lengthMs: BigInt(24 * HOUR_MS), maxAmount: 12n })),
      }),
      { freq: 3 },
    ),
  })
  .map(({ conditions, limits, refuses, isBasic, first }) => (id: string): Rule => {
    if (first) {
      const transfer: TransferRule = { kind: 'transfer', id, chain: null, ...first, initiators: ids, approvers: ids, threshold: 1n }
      return transfer
    }
    const steps = [{ need: 1n, who: people.map(personOf) }]
    return namedRule(id, { conditions, level: isBasic ? 'basic' : 'higher', limits: refuses ? [] : limits, ...(refuses ? {} : { steps }) })
  })

/** Rules for payments, of all conditions and limits. */
export const rules: fc.Arbitrary<Rule[]> = fc.array(rule, { maxLength: 6 }).map((made) => made.map((make, i) => make(`rule ${i}`)))

/** A payment to one, with everything known of it, in the three days from the day before `NOW_MS`. */
export const point: fc.Arbitrary<Point> = fc
  .record({
    contract: fc.constantFrom(null, USDX.contract),
    amount: fc.bigInt(1n, 12n),
    initiator: fc.constantFrom(...ids),
    memo: fc.constantFrom(...MEMOS),
    to: fc.constantFrom(...ADDRESSES),
    atMs: fc.integer({ min: 0, max: 3 * 24 * 4 }).map((quarter) => NOW_MS - 24 * HOUR_MS + (quarter * HOUR_MS) / 4),
    source: fc.record({ keyId: fc.constantFrom(...KEYS), path: fc.constantFrom(...PATHS) }),
    facts: fc
      .record({ isOwn: fc.boolean(), isListed: fc.boolean(), on: fc.subarray(LISTS), isPaidBefore: fc.boolean() })
      .map(({ on, ...facts }) => ({ ...facts, lists: facts.isListed ? on : [] })),
  })
  .map(({ to, atMs, facts, ...paid }) => ({
    act: { as: 'payment', chain: CHAIN, recipients: [to], ...paid },
    given: { atMs, destination: () => facts },
    reading: null,
  }))
