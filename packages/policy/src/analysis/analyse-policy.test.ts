import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Condition, Policy, Rule, ThirdForm } from '../index.ts'
import { namedRule, NOWHERE, thirdForm } from '../testing/named-rules.ts'
import { HOUR_MS, NOW_MS, people, point, rules, USDX } from '../testing/random-rules.ts'
import { CHAIN, ETH } from '../testing/sample-organisation.ts'
import { analysePolicy, type Found } from './analyse-policy.ts'
import { describeRegion } from './describe-region.ts'
import { piecesIn, type Told } from './dimension.ts'
import { outcomesAt, type Point } from './subject.ts'

/** Whether an order is in a part of what was found: by each dimension's pieces, as people read them. */
const isIn = ({ subject, region }: Found, { act, given }: Point): boolean =>
  subject.dimensions.every((dimension, i) => {
    const told = piecesIn(dimension, region[i] ?? 0n).map((each) => each.told)
    return act.as === 'payment' && told.some((each) => fits(each, act, given, subject))
  })

function fits(told: Told, act: Extract<Point['act'], { as: 'payment' }>, { atMs = 0, destination }: Point['given'], { dimensions }: Found['subject']): boolean {
  switch (told.kind) {
    case 'asset':
      return told.asset === (act.contract ?? '') && act.amount >= told.from && (told.to === null || act.amount <= told.to)
    case 'asker':
      return told.person === act.initiator
    case 'time':
      return atMs >= told.fromMs && atMs < told.untilMs
    case 'destination': {
      const {
        recipients: [address = ''],
      } = act
      const memo = act.memo ?? ''
      const named = (dimensions[3]?.classes ?? []).flat().flatMap((each) => (each.told.kind === 'destination' ? (each.told.addresses ?? []) : []))
      const isNamed = (places: readonly { address: string; memo: string }[]) => places.some((each) => each.address === address && each.memo === memo)
      const facts = destination?.({ chain: CHAIN, address, memo: act.memo })
      const isPlace = told.addresses === null || isNamed(told.addresses) || (told.addresses.length === 0 && !isNamed(named))
      const isAddress = isPlace && (told.memo === null || told.memo === (memo !== ''))
      const lists = dimensions[3]?.classes.flat().flatMap((each) => (each.told.kind === 'destination' ? each.told.lists : [])) ?? []
      const isListing =
        told.listed === null ||
        ((told.listed === 'yes') === facts?.isListed &&
          told.lists.toSorted().join() ===
            facts.lists
              .filter((each) => lists.includes(each))
              .toSorted()
              .join())
      return isAddress && isListing && (told.own ?? facts?.isOwn) === facts?.isOwn && (told.paidBefore ?? facts?.isPaidBefore) === facts?.isPaidBefore
    }
    case 'source': {
      const all = (dimensions[2]?.classes ?? []).flat().flatMap((each) => (each.told.kind === 'source' && each.told.wallet ? [each.told.wallet] : []))
      const holding = all.filter(({ keyId, path }) => keyId === act.source?.keyId && path.every((step, i) => act.source?.path[i] === step))
      const deepest = holding.toSorted((a, b) => b.path.length - a.path.length)[0]
      return told.wallet === null ? deepest === undefined : deepest?.keyId === told.wallet.keyId && deepest.path.join('/') === told.wallet.path.join('/')
    }
    default:
      return false
  }
}

/** Of the coin a base unit is worth half a cent, and nobody says what the token is worth. */
const valuation = [{ chain: CHAIN, asset: '', microUsd: 5_000n * 10n ** 18n, validUntilMs: 4_000_000_000_000n }]
const policyOf = (...given: Rule[]): ThirdForm => thirdForm(people, { rules: given, assets: [ETH, USDX], valuation })
const namesOf = (found: readonly Rule[]) => found.map(({ id }) => id)
const deciding = (policy: Policy, at: Point) => outcomesAt(policy, at).flatMap((each) => (each.rule ? [each.rule.id] : []))

describe('the analysis of a policy', () => {
  it('agrees with what decides, for any rules and any order', () => {
    fc.assert(
      fc.property(rules, fc.array(point, { minLength: 8, maxLength: 8 }), (given, points) => {
        const policy = policyOf(...given)
        const { subjects, gaps, overlaps, shadowed, isWhole } = analysePolicy(policy, NOW_MS - 24 * HOUR_MS)
        assert.ok(isWhole)
        const parts = subjects.flatMap(({ decides }) => decides)
        for (const at of points) {
          const by = deciding(policy, at)
          const told = parts.filter((each) => each.parts.some((part) => isIn(part, at))).map(({ rule: { id } }) => id)
          assert.deepEqual(told, by, 'who decides')
          assert.equal(gaps.filter((gap) => isIn(gap, at)).length, by.length === 0 ? 1 : 0, 'what none decides on')
          assert.ok(!shadowed.some((each) => by.includes(each.rule.id)), 'what never decides')
          const alone = given.filter((each) => !namesOf(shadowed.map((one) => one.rule)).includes(each.id) && deciding(policyOf(each), at).length > 0)
          const both = overlaps.filter((each) => isIn(each, at)).map(({ first, other }) => [first.id, other.id].toSorted().join())
          const pairs = alone.flatMap((one, i) => alone.slice(i + 1).map((other) => [one.id, other.id].toSorted().join()))
          assert.deepEqual(both.toSorted(), pairs.toSorted(), 'what two are for')
        }
      }),
      { numRuns: 300 },
    )
  })

  it('says it in words of both languages, whatever it found', () => {
    fc.assert(
      fc.property(rules, (given) => {
        const policy = policyOf(...given)
        for (const found of analysePolicy(policy, NOW_MS).gaps)
          for (const locale of ['en-US', 'zh-CN'] as const) assert.match(describeRegion(found, policy, locale), /^(payments on|.+ 上的付款)/)
      }),
      { numRuns: 50 },
    )
    const small: Condition = { kind: 'assets', assets: [{ chain: CHAIN, asset: '', above: 0n, atMost: 2n * 10n ** 18n }] }
    const listed: Condition = { kind: 'destinations', ...NOWHERE, listed: true, addresses: [] }
    const policy = policyOf(namedRule('rule', { conditions: [small, listed] }))
    const [first, second] = analysePolicy(policy, NOW_MS).gaps
    assert.ok(first && second)
    assert.equal(describeRegion(first, policy, 'en-US', 'Devnet'), 'payments on Devnet; ETH above 2 ETH, USDX')
    assert.equal(describeRegion(second, policy, 'en-US', 'Devnet'), 'payments on Devnet; ETH up to 2 ETH; to addresses that are not on the whitelist')
    const hours: Condition = { kind: 'times', zone: 'Asia/Shanghai', days: [1n, 2n], fromMinute: 540n, untilMinute: 600n }
    const office = policyOf(namedRule('closed', { conditions: [hours] }))
    const closed = analysePolicy(office, NOW_MS).subjects[0]?.decides[0]?.parts[0]
    assert.ok(closed)
    assert.match(describeRegion(closed, office, 'en-US'), /; signed Monday, Tuesday 01:00 to 02:00 \(UTC\)$/)
    assert.equal(describeRegion(second, policy, 'zh-CN', '测试网'), '测试网 上的付款；ETH 不超过 2 ETH；付至非白名单地址')
  })

  it('shows of everything it finds an order that is so', () => {
    fc.assert(
      fc.property(rules, (given) => {
        const policy = policyOf(...given)
        const { subjects, gaps, overlaps, shadowed } = analysePolicy(policy, NOW_MS)
        for (const { rule: by, parts } of subjects.flatMap(({ decides }) => decides))
          for (const { witness } of parts) assert.ok(deciding(policy, witness).includes(by.id))
        for (const { witness } of gaps) assert.deepEqual(deciding(policy, witness), [])
        for (const { first, other, witness } of overlaps) for (const each of [first, other]) assert.deepEqual(deciding(policyOf(each), witness), [each.id])
        for (const each of shadowed) if (each.found) assert.ok(!deciding(policy, each.found.witness).includes(each.rule.id))
      }),
      { numRuns: 200 },
    )
  })
})
