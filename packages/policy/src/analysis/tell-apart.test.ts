import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { capsOf, centsOf, countedName, countedOf, type DestinationFacts, type Outcome, outcomesOfAct, type Policy, type ThirdForm } from '../index.ts'
import { thirdForm } from '../testing/named-rules.ts'
import { HOUR_MS, NOW_MS, people, point, rules, USDX } from '../testing/random-rules.ts'
import { CHAIN, ETH } from '../testing/sample-organisation.ts'
import { type Decision, decisionOf } from './decision.ts'
import { type PastOrder, replayOrders } from './replay-orders.ts'
import { evaluating, tellingApart } from './tell-apart.ts'

const policyOf = fc
  .record({ rules, pinsTokens: fc.boolean(), valuedUntilMs: fc.option(fc.constantFrom(NOW_MS, NOW_MS + 100 * HOUR_MS)) })
  .map(({ rules, pinsTokens, valuedUntilMs }): ThirdForm => {
    const valuation = valuedUntilMs === null ? [] : [{ chain: CHAIN, asset: '', microUsd: 5_000n * 10n ** 18n, validUntilMs: BigInt(valuedUntilMs) }]
    return thirdForm(people, { rules, assets: pinsTokens ? [ETH, USDX] : [ETH], valuation })
  })

/** An address that nobody has the key of. */
const NOBODYS = '0x000000000000000000000000000000000000dEaD'

/** Orders to one or two, with one memo or with one for each, of which something is not known now and then. */
const orders: fc.Arbitrary<PastOrder[]> = fc
  .array(
    fc.record({
      point,
      from: fc.constantFrom('0xe', '0xf'),
      second: fc.option(fc.constantFrom('0xd', '0xb', USDX.contract, NOBODYS)),
      memos: fc.option(fc.tuple(fc.constantFrom(null, '7', '8'), fc.constantFrom(null, '7', '8'))),
      openMs: fc.bigInt(0n, 2n),
      isCounted: fc.boolean(),
      unknown: fc.constantFrom<(keyof DestinationFacts | 'all' | 'source' | 'recipients')[]>(
        'isOwn',
        'isListed',
        'isPaidBefore',
        'all',
        'source',
        'recipients',
      ),
      isKnown: fc.boolean(),
    }),
    { maxLength: 24 },
  )
  .map((made) =>
    made
      .toSorted((a, b) => (a.point.given.atMs ?? 0) - (b.point.given.atMs ?? 0))
      .map(({ point: { act, given }, from, second, memos, openMs, isCounted, unknown, isKnown }, i): PastOrder => {
        assert.ok(act.as === 'payment')
        const recipients = [...act.recipients, ...(second === null || act.recipients.includes(second) ? [] : [second])]
        const facts = given.destination?.({ chain: CHAIN, address: '', memo: null })
        const known = isKnown || !facts ? facts : { ...facts, [unknown]: undefined }
        return {
          id: String(i),
          act: {
            ...act,
            recipients: !isKnown && unknown === 'recipients' ? [] : recipients,
            source: !isKnown && unknown === 'source' ? null : act.source,
            ...(memos && (isKnown || unknown !== 'recipients') && { memos: memos.slice(0, recipients.length) }),
          },
          from,
          paid: recipients.map((to) => ({ to, amount: act.amount })),
          atMs: given.atMs ?? NOW_MS,
          openMs,
          isCounted,
          ...(known && (isKnown || unknown !== 'all') && { destination: () => known }),
        }
      }),
  )

/** What a policy does with the orders, by the evaluation that signers decide by, and every limit counted anew for every order. */
function decidedPlainly(policy: Policy, given: readonly PastOrder[]): Decision[] {
  const kept: { order: PastOrder; by: Outcome }[] = []
  const capsFor = ({ act, from, paid, atMs }: PastOrder, by: Outcome) => {
    if (by.kind === 'deny') return []
    const counted = countedOf(policy, by.rule, act)
    const worth = (amount: bigint) => centsOf(policy, countedName(counted.chain, counted.contract), amount, { atMs })
    return capsOf(by.limits, { ...counted, initiator: act.initiator, from, paid }, worth)
  }
  return given.map((order) => {
    let last: Decision | undefined
    for (const by of plainOutcomes(policy, order)) {
      last = decisionOf(by)
      if (by.kind === 'deny') continue
      const before = kept.filter((each) => each.by.rule?.id === by.rule.id)
      const hasRoom = capsFor(order, by).every(({ limit, of, unit, adds, most }) => {
        const counts = before.filter(({ order: { atMs, act } }) => {
          const isSameAsset = unit !== 'amount' || (act.as === 'payment' && order.act.as === 'payment' && act.contract === order.act.contract)
          return isSameAsset && order.atMs - atMs < Number(limit.lengthMs)
        })
        const caps = counts.flatMap((each) => capsFor(each.order, each.by).filter((cap) => cap.unit === unit && cap.of === of && cap.limit === limit))
        return caps.reduce((sum, cap) => sum + cap.adds, adds) <= most
      })
      if (hasRoom) {
        if (order.isCounted) kept.push({ order, by })
        return last
      }
      last = { kind: 'refused', reason: 'limits-used-up', rule: by.rule }
    }
    assert.ok(last)
    return last
  })
}

const plainOutcomes = (policy: Policy, { act, atMs, openMs, destination }: PastOrder): Outcome[] =>
  outcomesOfAct(policy, act, { atMs, ...(destination && { destination }) }).map((by) =>
    by.kind === 'needs' && by.expiresAfterMs > 0n && openMs > by.expiresAfterMs ? { kind: 'deny', reason: 'open-too-long', rule: by.rule } : by,
  )

describe('a replay that evaluates once what is alike to every rule', () => {
  it('decides as the evaluation that signers decide by, for any rules, limits and orders', () => {
    fc.assert(
      fc.property(policyOf, policyOf, orders, (before, after, given) => {
        const replayed = replayOrders(before, after, given)
        assert.deepEqual(
          replayed.map((each) => each.before),
          decidedPlainly(before, given),
        )
        assert.deepEqual(
          replayed.map((each) => each.after),
          decidedPlainly(after, given),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('hears the no of everybody whose no is enough by any rule, also of one that is not asked', () => {
    fc.assert(
      fc.property(policyOf, orders, (policy, given) => {
        const [partsOf, evaluate] = [tellingApart([policy]), evaluating(policy)]
        const stopping = (outcomes: readonly Outcome[]) => outcomes.map((each) => (each.kind === 'needs' ? each.mayStop : each.reason))
        for (const { act, atMs, destination } of given) {
          assert.ok(act.as === 'payment')
          const known = { atMs, ...(destination && { destination }) }
          assert.deepEqual(stopping(evaluate(act, known, partsOf(act, known))), stopping(outcomesOfAct(policy, act, known)))
        }
      }),
    )
  })
})
