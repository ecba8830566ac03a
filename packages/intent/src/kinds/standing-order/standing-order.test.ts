import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode, toHex } from '@holdfast/encoding'
import { formatAmount } from '@holdfast/units'
import fc from 'fast-check'
import { intentShape } from '../index.ts'
import { renderIntent } from '../../render-intent.ts'
import { LOCALES, type RenderContext, timeInWords } from '../../rendering.ts'
import { STANDING_DAYS_MAX, type StandingOrderIntent, standingOrderFault } from './standing-order.ts'

const CHAIN = 'eip155:31337'
const COIN = { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18n }
const TOKEN = { chain: CHAIN, contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDC', decimals: 6n }
const TRX = { chain: 'tron:0x2b6653dc', contract: null, symbol: 'TRX', decimals: 6n }
const HOUR_MS = 3_600_000n
const key = (number: number) => new Uint8Array(32).fill(number)
const context: RenderContext = {
  asset: () => undefined,
  isUnlimited: () => false,
  tellsFinds: true,
  personName: () => 'Ann',
  policyLines: () => [],
  recipientFingerprint: () => '',
}

const sweep: StandingOrderIntent = {
  kind: 'standingOrder',
  genesis: key(1),
  orderId: new Uint8Array(16).fill(2),
  id: new Uint8Array(16).fill(3),
  version: 1n,
  name: 'Collect deposits',
  does: { kind: 'sweep', to: [{ kind: 'own', chain: CHAIN, name: 'Treasury', keyId: key(9), path: [1n, 3n] }] },
  sources: [{ name: 'Deposits', keyId: key(8), path: [0n] }],
  never: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  assets: [
    { asset: COIN, atLeast: 1_000n, atMost: 5_000n },
    { asset: TOKEN, atLeast: 10n, atMost: 70n },
  ],
  fees: [{ asset: COIN, max: 77n, maxShare: 250n }],
  limits: [{ each: 'rule', lengthMs: 24n * HOUR_MS, amounts: [], maxTokens: null, maxCount: 41n, maxCents: null }],
  untilMs: 10_000_000_000n,
  remark: 'as agreed',
  notBeforeMs: 1_000n,
  expiresAtMs: 90_000_000n,
  policyVersion: 4n,
  policyHash: key(5),
  initiator: new Uint8Array(16).fill(6),
  nonce: key(7),
}
const fuel: StandingOrderIntent = {
  ...sweep,
  does: { kind: 'fuel', to: [{ name: 'Gas', keyId: key(8), path: [4n] }] },
  assets: [{ asset: COIN, atLeast: 1n, atMost: 9n }],
}
const count = sweep.limits[0]!
const target = { kind: 'listed' as const, chain: CHAIN, address: '0xabc', memo: null }

describe('a standing order', () => {
  it('of either kind makes sense as people mean it, and stays what it is on its way', () => {
    for (const order of [sweep, fuel]) {
      assert.equal(standingOrderFault(order), undefined)
      assert.deepEqual(decode(intentShape, encode(intentShape, order)), order)
    }
  })

  it('makes no sense without a bound, or with one that bounds nothing', () => {
    const twice = <T>(each: T[]): T[] => [...each, ...each]
    const spoilt: [RegExp, Partial<StandingOrderIntent>, StandingOrderIntent?][] = [
      [/version 1/, { version: 0n }],
      [/no name/, { name: ' ' }],
      [/no wallet that pays/, { sources: [] }],
      [/no wallet that pays/, { sources: twice(sweep.sources) }],
      [/no asset/, { assets: [] }],
      [/no asset/, { assets: twice(sweep.assets) }],
      [/no amount/, { assets: [{ asset: COIN, atLeast: 0n, atMost: 0n }] }],
      [/no amount/, { assets: [{ asset: COIN, atLeast: 2n, atMost: 1n }] }],
      [/fee by nothing/, { fees: [{ asset: COIN, max: 0n, maxShare: 1n }] }],
      [/fee by nothing/, { fees: [{ asset: COIN, max: 1n, maxShare: 0n }] }],
      [/fee by nothing/, { fees: [{ asset: COIN, max: 1n, maxShare: 10_001n }] }],
      [/else than a coin/, { fees: [{ asset: TOKEN, max: 1n, maxShare: 1n }] }],
      [/network twice/, { fees: twice(sweep.fees) }],
      [/does not bound the fees/, { fees: [] }],
      [/does not bound the fees/, { assets: [...sweep.assets, { asset: TRX, atLeast: 1n, atMost: 2n }] }],
      [/excludes no address/, { never: [''] }],
      [/excludes no address/, { never: twice(sweep.never) }],
      [/how many transfers/, { limits: [] }],
      [/how many transfers/, { limits: [{ ...count, each: 'source' }] }],
      [/for each asker/, { limits: [count, { ...count, each: 'asker' }] }],
      [/over no time/, { limits: [{ ...count, lengthMs: 0n }] }],
      [/something else/, { limits: [{ ...count, maxTokens: 1n }] }],
      [/something else/, { limits: [{ ...count, maxCents: 1n }] }],
      [/limits nothing/, { limits: [count, { ...count, maxCount: null }] }],
      [/other assets/, { limits: [{ ...count, amounts: [{ chain: CHAIN, asset: '', max: 1n }] }] }],
      [/asset twice/, { limits: [{ ...count, amounts: twice([{ chain: CHAIN, asset: '', max: 1n }]) }] }],
      [/one address to move to/, { does: { kind: 'sweep', to: [] } }],
      [/one address to move to/, { does: { kind: 'sweep', to: twice([target]) } }],
      [/one address to move to/, { does: { kind: 'sweep', to: [{ ...target, chain: TRX.chain }] } }],
      [/does not name/, { does: { kind: 'sweep', to: [{ ...target, address: '' }] } }],
      [/does not name/, { does: { kind: 'sweep', to: [{ ...target, memo: '' }] } }],
      [/does not name/, { does: { kind: 'sweep', to: [{ kind: 'own', chain: CHAIN, name: 'T', keyId: key(9), path: [] }] } }],
      [/own coin/, { assets: sweep.assets }, fuel],
      [/gets coins/, { does: { kind: 'fuel', to: [] } }, fuel],
      [/addresses that they come from/, { does: { kind: 'fuel', to: [{ name: 'Gas', keyId: key(8), path: [0n, 1n] }] } }, fuel],
      [/addresses that they come from/, { sources: [{ name: 'Gas', keyId: key(8), path: [] }] }, fuel],
      [/days at most/, { untilMs: sweep.notBeforeMs }],
      [/days at most/, { untilMs: sweep.notBeforeMs + BigInt(STANDING_DAYS_MAX * 86_400_000) + 1n }],
      [/open at no time/, { expiresAtMs: sweep.notBeforeMs }],
    ]
    for (const [words, changes, order = sweep] of spoilt) assert.match(String(standingOrderFault({ ...order, ...changes })), words)
  })

  it('always bounds, whatever it is made of, how many transfers there are, what each moves and costs, and until when', () => {
    const asset = fc.constantFrom(COIN, TOKEN, TRX)
    const small = fc.bigInt(0n, 3n)
    const limit = fc.record({
      each: fc.constantFrom('rule', 'source', 'destination', 'asker'),
      lengthMs: small,
      amounts: fc.array(fc.record({ chain: fc.constantFrom(CHAIN, TRX.chain), asset: fc.constantFrom('', TOKEN.contract), max: small }), { maxLength: 2 }),
      maxTokens: fc.constant(null),
      maxCount: fc.option(small),
      maxCents: fc.constant(null),
    })
    const days = fc.bigInt(-1n, 400n)
    /** Sound in most orders, and anything in the others: else hardly one would make sense. */
    const mostly = <T>(sound: T, any: fc.Arbitrary<T>) => fc.oneof({ weight: 2, arbitrary: fc.constant(sound) }, { weight: 1, arbitrary: any })
    let sound = 0
    fc.assert(
      fc.property(
        mostly<StandingOrderIntent['assets']>(sweep.assets, fc.array(fc.record({ asset, atLeast: small, atMost: small }), { maxLength: 2 })),
        mostly<StandingOrderIntent['fees']>(
          sweep.fees,
          fc.array(fc.record({ asset, max: small, maxShare: fc.constantFrom(0n, 1n, 10_000n, 10_001n) }), { maxLength: 2 }),
        ),
        mostly<StandingOrderIntent['limits']>(sweep.limits, fc.array(limit, { maxLength: 2 })),
        mostly([CHAIN], fc.array(fc.constantFrom(CHAIN, TRX.chain), { maxLength: 2 })),
        days,
        (assets, fees, limits, chains, days) => {
          const untilMs = sweep.notBeforeMs + (days < 0n ? 0n : days * 86_400_000n)
          const order = { ...sweep, assets, fees, limits, untilMs, does: { kind: 'sweep' as const, to: chains.map((chain) => ({ ...target, chain })) } }
          if (standingOrderFault(order) !== undefined) return
          sound++
          assert.ok(limits.some(({ each, maxCount, lengthMs }) => each === 'rule' && maxCount !== null && lengthMs > 0n))
          for (const { asset, atMost } of assets) {
            assert.ok(atMost > 0n)
            const bounds = fees.filter((fee) => fee.asset.chain === asset.chain)
            assert.ok(bounds.length === 1 && bounds[0]!.max > 0n && bounds[0]!.asset.contract === null)
            assert.equal(chains.filter((chain) => chain === asset.chain).length, 1)
          }
          assert.ok(untilMs > order.notBeforeMs && untilMs <= order.notBeforeMs + 366n * 86_400_000n)
        },
      ),
      { numRuns: 2_000 },
    )
    assert.ok(sound > 100, `${sound} orders made sense`)
  })
})

const DAY_MS = 86_400_000n
const written = { kind: 'written' as const, chain: CHAIN, address: '0xabc', memo: null }
const scheduled = (does: Partial<Extract<StandingOrderIntent['does'], { kind: 'schedule' }>> = {}): StandingOrderIntent => {
  const schedule = { kind: 'schedule' as const, to: written, days: [20_000n, 20_031n, 20_059n], minute: 540n, lateDays: 3n, ...does }
  return {
    ...sweep,
    name: 'Rent',
    does: schedule,
    never: [],
    assets: [{ asset: TOKEN, atLeast: 250_000n, atMost: 250_000n }],
    fees: [{ asset: COIN, max: 77n, maxShare: 10_000n }],
    limits: [],
    untilMs: ((schedule.days.at(-1) ?? 0n) + schedule.lateDays) * DAY_MS + schedule.minute * 60_000n,
    notBeforeMs: 19_999n * DAY_MS,
    expiresAtMs: 20_001n * DAY_MS,
  }
}

describe('a schedule', () => {
  it('makes sense as people mean it, and stays what it is on its way', () => {
    const own = { kind: 'own' as const, chain: CHAIN, name: 'Treasury', keyId: key(9), path: [1n, 3n] }
    for (const order of [scheduled(), scheduled({ to: own }), scheduled({ to: target }), scheduled({ days: [20_000n] })]) {
      assert.equal(standingOrderFault(order), undefined)
      assert.deepEqual(decode(intentShape, encode(intentShape, order)), order)
    }
  })

  it('makes no sense where people could not read in it who is paid how much and when', () => {
    const twice = <T>(each: T[]): T[] => [...each, ...each]
    const base = scheduled()
    const [source, asset, fee] = [base.sources[0]!, base.assets[0]!, base.fees[0]!]
    const own = { kind: 'own' as const, chain: CHAIN, name: 'Self', keyId: source.keyId, path: source.path }
    const spoilt: [RegExp, StandingOrderIntent][] = [
      [/from one address/, { ...base, sources: [source, { ...source, path: [3n] }] }],
      [/from one address/, { ...base, sources: [{ ...source, path: [] }] }],
      [/one amount/, { ...base, assets: [{ ...asset, atLeast: 1n }] }],
      [/one amount/, { ...base, assets: [asset, { asset: COIN, atLeast: 1n, atMost: 1n }] }],
      [/fee of scheduled/, { ...base, fees: [{ ...fee, maxShare: 9_999n }] }],
      [/limit besides/, { ...base, limits: [count] }],
      [/one address to move to/, scheduled({ to: { ...written, chain: TRX.chain } })],
      [/does not name/, scheduled({ to: { ...written, address: '' } })],
      [/does not name/, scheduled({ to: { ...written, memo: '' } })],
      [/does not name/, scheduled({ to: { ...own, path: [] } })],
      [/come from/, scheduled({ to: own })],
      [/no date/, scheduled({ days: [] })],
      [/sequence/, scheduled({ days: twice([20_000n]) })],
      [/sequence/, scheduled({ days: [20_001n, 20_000n] })],
      [/time of a day/, scheduled({ minute: 1_440n })],
      [/days late/, scheduled({ lateDays: 0n })],
      [/days late/, scheduled({ lateDays: 32n })],
      [/before it was asked for/, { ...base, notBeforeMs: 20_000n * DAY_MS + 540n * 60_000n }],
      [/ends at another time/, { ...base, untilMs: base.untilMs + 1n }],
      [/days at most/, scheduled({ days: [20_000n, 20_366n] })],
    ]
    for (const [words, order] of spoilt) assert.match(String(standingOrderFault(order)), words)
  })
})

describe('the words of a schedule', () => {
  const textOf = (order: StandingOrderIntent, locale: (typeof LOCALES)[number]) => {
    const { title, rows, warnings } = renderIntent(order, context, locale)
    return [title, ...rows.flatMap(({ label, value }) => [label, value]), ...warnings].join('\n')
  }

  it('say who is paid, how much each time and in all, and on which days', () => {
    const rows = renderIntent(scheduled(), context, 'en-US').rows.map(({ label, value }) => `${label}: ${value}`)
    for (const row of [
      'Pays to: address that this order names, whether or not it is on the whitelist: 0x abc',
      'USDC (eip155:31337): exactly 0.25 USDC each time',
      'Payments: 3, 0.75 USDC in all',
      'Days in 2024-10: 4',
      'Days in 2024-11: 4',
      'Days in 2024-12: 2',
      'Time of those days: 09:00:00 UTC',
      'If it cannot be paid then: it is paid up to 3 days later, and never after that',
    ])
      assert.ok(rows.includes(row), `${row}\n${rows.join('\n')}`)
  })

  for (const locale of LOCALES) {
    it(`in ${locale} have every day in them, and are others for any other order`, () => {
      fc.assert(
        fc.property(fc.uniqueArray(fc.bigInt(20_000n, 20_360n), { minLength: 1, maxLength: 366 }), (given) => {
          const days = given.toSorted((a, b) => Number(a - b))
          const { rows } = renderIntent(scheduled({ days }), context, locale)
          const read = rows.flatMap(({ label, value }) => {
            const [month] = label.match(/\d{4}-\d{2}/) ?? []
            return month === undefined ? [] : value.split(/, |、/).map((day) => `${month}-${day.padStart(2, '0')}`)
          })
          assert.deepEqual(
            read,
            days.map((day) => new Date(Number(day * DAY_MS)).toISOString().slice(0, 10)),
          )
        }),
      )
      const others = [
        scheduled({ to: { ...written, address: '0xdef' } }),
        scheduled({ to: { ...written, memo: '1' } }),
        scheduled({ to: target }),
        scheduled({ days: [20_000n, 20_031n] }),
        scheduled({ days: [20_000n, 20_031n, 20_060n] }),
        scheduled({ minute: 541n }),
        scheduled({ lateDays: 4n }),
        { ...scheduled(), assets: [{ asset: TOKEN, atLeast: 250_001n, atMost: 250_001n }] },
      ]
      const all = [scheduled(), ...others].map((order) => textOf(order, locale))
      assert.equal(new Set(all).size, all.length)
    })
  }
})

describe('the words of a standing order', () => {
  const textOf = (order: StandingOrderIntent, locale: (typeof LOCALES)[number]) => {
    const { title, rows, warnings } = renderIntent(order, context, locale)
    return [title, ...rows.flatMap(({ label, value }) => [label, value]), ...warnings].join('\n')
  }

  for (const locale of LOCALES) {
    it(`in ${locale} say everything that it lets happen`, () => {
      const place = fc.record({
        name: fc.string({ minLength: 1, maxLength: 8 }),
        keyId: fc.uint8Array({ minLength: 32, maxLength: 32 }),
        path: fc.array(fc.bigInt(0n, 99n), { minLength: 1, maxLength: 8 }),
      })
      const big = fc.bigInt(1n, 2n ** 100n)
      fc.assert(
        fc.property(
          fc.array(place, { minLength: 1, maxLength: 3 }),
          place,
          big,
          big,
          big,
          fc.integer({ min: 1, max: 10_000 }),
          (sources, to, least, most, fee, share) => {
            const amounts = [{ chain: CHAIN, asset: '', max: most + 1n }]
            const order: StandingOrderIntent = {
              ...sweep,
              sources,
              does: { kind: 'sweep', to: [{ ...to, kind: 'own', chain: CHAIN }] },
              assets: [{ asset: COIN, atLeast: least, atMost: most }],
              fees: [{ asset: COIN, max: fee, maxShare: BigInt(share) }],
              limits: [count, { ...count, each: 'source', amounts, maxCount: null }],
            }
            const said = textOf(order, locale)
            for (const { name, keyId, path } of [...sources, to])
              assert.ok(said.includes(`“${name}” (${toHex(keyId)}${path.map((step) => `/${step}`).join('')})`))
            for (const amount of [least, most, fee, most + 1n]) assert.ok(said.includes(`${formatAmount(amount, 18)} ETH`), String(amount))
            for (const part of [formatAmount(BigInt(share), 2), '41', '24', timeInWords(order.untilMs), toHex(order.id), CHAIN])
              assert.ok(said.includes(part), part)
          },
        ),
        { numRuns: 200 },
      )
    })

    it(`in ${locale} are others for any other order`, () => {
      const changes: Partial<StandingOrderIntent>[] = [
        { id: new Uint8Array(16).fill(4) },
        { version: 2n },
        { name: 'Other' },
        { does: { kind: 'sweep', to: [target] } },
        { does: { kind: 'sweep', to: [{ ...target, memo: '12' }] } },
        { does: { kind: 'sweep', to: [{ ...target, address: '0xdef' }] } },
        { does: fuel.does },
        { sources: [{ ...sweep.sources[0]!, path: [0n, 1n] }] },
        { sources: [{ ...sweep.sources[0]!, keyId: key(4) }] },
        { never: [] },
        { never: [...sweep.never, '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'] },
        { assets: sweep.assets.slice(0, 1) },
        ...(['atLeast', 'atMost'] as const).map((field) => ({ assets: sweep.assets.map((each) => ({ ...each, [field]: each[field] + 1n })) })),
        { fees: [{ ...sweep.fees[0]!, max: 78n }] },
        { fees: [{ ...sweep.fees[0]!, maxShare: 251n }] },
        { limits: [{ ...count, maxCount: 42n }] },
        { limits: [{ ...count, lengthMs: HOUR_MS }] },
        // Less than a second more is time in which more is moved, too.
        { limits: [{ ...count, lengthMs: count.lengthMs - 1n }] },
        { limits: [count, { ...count, each: 'source' }] },
        { limits: [count, { ...count, each: 'destination' }] },
        { untilMs: sweep.untilMs + 60_000n },
        { remark: '' },
        { policyVersion: 5n },
      ]
      const all = [sweep, ...changes.map((change) => ({ ...sweep, ...change }))].map((order) => textOf(order, locale))
      assert.equal(new Set(all).size, all.length)
    })
  }
})
