import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LOCALES } from '../../rendering.ts'
import type { StandingOrderIntent } from './standing-order.ts'
import { describeStandingChange, standingOrderRows } from './standing-order-words.ts'

const chain = 'eip155:1'
const coin = { chain, contract: null, symbol: 'ETH', decimals: 18n }
const token = { chain, contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDC', decimals: 6n }
const place = (name: string, ...path: bigint[]) => ({ name, keyId: new Uint8Array(32).fill(7), path })
const HOUR_MS = 3_600_000n
const address = (digit: string) => `0x${digit.repeat(40)}`

const order = (changes: Partial<StandingOrderIntent> = {}): StandingOrderIntent => ({
  kind: 'standingOrder',
  genesis: new Uint8Array(32),
  orderId: new Uint8Array(16),
  id: new Uint8Array(16).fill(3),
  version: 1n,
  name: 'Collect deposits',
  does: { kind: 'sweep', to: [{ kind: 'own', chain, ...place('Treasury', 1n) }] },
  sources: [place('Deposits', 0n), place('Shops', 2n)],
  never: [],
  assets: [{ asset: token, atLeast: 10n, atMost: 1_000_000n }],
  fees: [{ asset: coin, max: 10n ** 15n, maxShare: 500n }],
  limits: [{ each: 'rule', lengthMs: 24n * HOUR_MS, amounts: [], maxTokens: null, maxCount: 10n, maxCents: null }],
  untilMs: 1_760_000_000_000n,
  notBeforeMs: 1_750_000_000_000n,
  expiresAtMs: 1_751_000_000_000n,
  policyVersion: 1n,
  policyHash: new Uint8Array(32),
  initiator: new Uint8Array(16),
  remark: '',
  nonce: new Uint8Array(32),
  ...changes,
})

describe('a newer version of a standing order', () => {
  it('is told by what it lets happen otherwise, a line for each difference', () => {
    const after = order({
      version: 2n,
      name: 'Collect it all',
      does: { kind: 'sweep', to: [{ kind: 'listed', chain, address: address('a'), memo: '7' }] },
      sources: [place('Shops', 2n), place('Kiosks', 4n)],
      never: [address('b')],
      assets: [{ asset: token, atLeast: 10n, atMost: 2_000_000n }],
      limits: [{ each: 'source', lengthMs: HOUR_MS, amounts: [], maxTokens: null, maxCount: 9n, maxCents: null }],
      untilMs: 1_760_000_000_001n,
    })
    const key = '07'.repeat(32)
    assert.deepEqual(describeStandingChange(order(), after, 'en-US'), [
      'Name: Collect it all. Before: Collect deposits.',
      `From now on: Pays: “Kiosks” (${key}/4).`,
      `Moves to, on eip155:1: address on the whitelist: 0x ${'aaaa '.repeat(10).trim()} (memo or tag: 7). Before: own address “Treasury” (${key}/1).`,
      'USDC (eip155:1): from 0.00001 USDC to 2 USDC in one transfer. Before: from 0.00001 USDC to 1 USDC in one transfer.',
      'From now on: Limit: at most 9 transfers in 1 hours from each address.',
      `No longer: Pays: “Deposits” (${key}/0).`,
      'No longer: Limit: at most 10 transfers in 24 hours.',
      `From now on: Never from or to: 0x ${'bbbb '.repeat(10).trim()}.`,
      'In force until, at the latest: 2025-10-09 08:53:20.001 UTC. Before: 2025-10-09 08:53:20 UTC.',
    ])
    assert.deepEqual(describeStandingChange(order(), after, 'zh-CN').slice(0, 2), [
      '名称改为：Collect it all。此前为：Collect deposits。',
      `新增付款钱包：“Kiosks” (${key}/4)。`,
    ])
  })

  it('has a line wherever the words of what it lets happen differ, and none where they are the same in another sequence', () => {
    const one = fc.record({
      name: fc.constantFrom('A', 'B'),
      does: fc.oneof(
        fc.constantFrom('Treasury', 'Vault').map((name) => ({ kind: 'sweep' as const, to: [{ kind: 'own' as const, chain, ...place(name, 1n) }] })),
        fc.constantFrom(null, '7').map((memo) => ({ kind: 'sweep' as const, to: [{ kind: 'listed' as const, chain, address: address('a'), memo }] })),
        fc.subarray([place('Fees', 5n), place('Gas', 6n)], { minLength: 1 }).map((to) => ({ kind: 'fuel' as const, to })),
      ),
      sources: fc.subarray([place('Deposits', 0n), place('Shops', 2n), place('Shops', 3n)], { minLength: 1 }),
      never: fc.subarray([address('b'), address('c')]),
      assets: fc.subarray([token, coin], { minLength: 1 }).map((assets) => assets.map((asset) => ({ asset, atLeast: 1n, atMost: 5n }))),
      fees: fc.constantFrom(1n, 2n).map((max) => [{ asset: coin, max, maxShare: 500n }]),
      limits: fc
        .subarray(['rule', 'source', 'destination'], { minLength: 1 })
        .map((each) => each.map((of) => ({ each: of, lengthMs: HOUR_MS, amounts: [], maxTokens: null, maxCount: 3n, maxCents: null }))),
      untilMs: fc.constantFrom(1n, 2n),
    })
    fc.assert(
      fc.property(one, one, (some, others) => {
        const [before, after] = [order(some), order({ ...others, version: 2n })]
        const said = (each: StandingOrderIntent) => [each.name, ...standingOrderRows(each, 'en-US').map(({ label, value }) => `${label}: ${value}`)].join('\n')
        for (const locale of LOCALES) assert.equal(describeStandingChange(before, after, locale).length > 0, said(before) !== said(after))
        assert.deepEqual(describeStandingChange(before, order({ ...some, version: 2n, sources: before.sources.toReversed() }), 'en-US'), [])
      }),
      { numRuns: 500 },
    )
  })
})
