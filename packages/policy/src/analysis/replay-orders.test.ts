import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Condition, type Rule, type ThirdForm, type TransferRule, withDeputies } from '../index.ts'
import { dayLimit, namedRule, NOWHERE, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member } from '../testing/sample-organisation.ts'
import { decisionAt, edgeCases } from './edge-cases.ts'
import { type PastOrder, replay, replayOrders } from './replay-orders.ts'
import type { StandIn } from './stand-ins.ts'
import { whoIsMissed, withoutKey } from './who-is-missed.ts'

const people = [0, 1, 2, 3].map(member)
const [ann, ben, cleo, dan] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0]]
const HOUR_MS = 3_600_000
const NOW_MS = Date.parse('2026-01-05T00:00:00Z')
const by = (...who: typeof people) => [{ need: 1n, who: who.map(personOf) }]
const policyOf = (...rules: Rule[]): ThirdForm => thirdForm(people, { rules, assets: [ETH] })

type Given = { amount?: bigint; hour?: number; to?: string; asker?: Uint8Array; from?: string; isCounted?: boolean; openMs?: bigint; isListed?: boolean }

function order({ amount = 1n, hour = 0, to = '0xa', asker = ann.id, from = '0xf', isCounted = true, openMs = 0n, isListed = false }: Given, i = 0): PastOrder {
  return {
    id: String(i),
    act: { as: 'payment', chain: CHAIN, contract: null, amount, recipients: [to], memo: null, initiator: asker, source: null },
    from,
    paid: [{ to, amount }],
    atMs: NOW_MS + hour * HOUR_MS,
    openMs,
    isCounted,
    destination: () => ({ isOwn: false, isListed, lists: [], isPaidBefore: false }),
  }
}

const decided = (policy: ThirdForm, ...given: Given[]) => replay(policy, given.map(order)).map((each) => (each.kind === 'refused' ? each.reason : each.rule.id))

describe('a replay of past orders', () => {
  const small = (limit: Parameters<typeof dayLimit>[0]) => namedRule('small', { limits: [dayLimit(limit)], steps: by(ben) })
  const large = namedRule('large', { steps: by(ben, cleo) })
  const ether = (max: bigint) => [{ chain: CHAIN, asset: '', max }]

  it('counts what a rule let through within its time, and hands the rest to the next rule', () => {
    const policy = policyOf(small({ amounts: ether(10n) }), large)
    assert.deepEqual(decided(policy, { amount: 6n }, { amount: 4n, hour: 1 }, { amount: 1n, hour: 2 }, { amount: 6n, hour: 24 }), [
      'small',
      'small',
      'large',
      'small',
    ])
    assert.deepEqual(decided(policyOf(small({ maxCount: 1n })), {}, { hour: 1 }), ['small', 'limits-used-up'], 'where no rule follows, it is refused')
  })

  it('counts each asker, destination and source by itself, as signers do', () => {
    const cases = [
      ['asker', { asker: cleo.id }],
      ['destination', { to: '0xb' }],
      ['source', { from: '0xe' }],
    ] as const
    for (const [each, other] of cases)
      assert.deepEqual(decided(policyOf(small({ each, maxCount: 1n }), large), {}, { ...other, hour: 1 }, { hour: 2 }), ['small', 'small', 'large'], each)
  })

  it('does not count what came to nothing, and refuses what was open for too long', () => {
    const policy = policyOf(small({ maxCount: 1n }), large)
    assert.deepEqual(decided(policy, { isCounted: false }, { hour: 1 }), ['small', 'small'])
    const short = namedRule('short', { action: { kind: 'approve', steps: by(ben), mayStop: [], delayMs: 0n, expiresAfterMs: 5n } })
    assert.deepEqual(decided(policyOf(short), { openMs: 5n }, { openMs: 6n }), ['short', 'open-too-long'])
  })

  it('tells a named address with its memo from the same address with another', () => {
    const named: Condition = { kind: 'destinations', ...NOWHERE, addresses: [{ name: 'Exchange', chain: CHAIN, address: '0xa', memo: '7' }] }
    const policy = policyOf(namedRule('exchange', { conditions: [named], steps: by(ben) }), large)
    const orders = ['8', '7', null].map((memo, i): PastOrder => ({ ...order({}, i), act: { ...order({}).act, memo } as PastOrder['act'] }))
    assert.deepEqual(
      replay(policy, orders).map((each) => each.rule?.id),
      ['large', 'exchange', 'large'],
    )
  })

  it('refuses a payment that would be lost, also after one like it', () => {
    const dead = '0x000000000000000000000000000000000000dEaD'
    assert.deepEqual(decided(policyOf(large), { to: '0xa' }, { to: dead }, { to: '0xb' }), ['large', 'dead-destination', 'large'])
  })

  it('takes a payment in the first minute of the hours of a rule, and none in the minute before or after them', () => {
    const hours: Condition = { kind: 'times', zone: 'UTC', days: [1n], fromMinute: 540n, untilMinute: 600n }
    const policy = policyOf(namedRule('open', { conditions: [hours], steps: by(ben) }), large)
    const at = (...minutes: number[]) => decided(policy, ...minutes.map((minute) => ({ hour: minute / 60 })))
    assert.deepEqual(at(0, 539, 540, 599, 600, 24 * 60 + 540), ['large', 'large', 'open', 'open', 'large', 'large'])
  })

  it('says of each order what changes: by whom, not by which rule', () => {
    const before = policyOf(large)
    const renamed = policyOf(namedRule('other', { steps: by(ben, cleo) }))
    assert.equal(replayOrders(before, renamed, [order({})])[0]?.isChanged, false)
    const stricter = policyOf(namedRule('other', { steps: [{ need: 2n, who: [personOf(ben), personOf(cleo)] }] }))
    assert.equal(replayOrders(before, stricter, [order({})])[0]?.isChanged, true)
    const listed = namedRule('pass', {
      conditions: [{ kind: 'destinations', ...NOWHERE, listed: true, addresses: [] }],
      limits: [dayLimit({ amounts: ether(5n) })],
      action: { kind: 'pass', fees: [{ chain: CHAIN, max: 10n ** 18n }], mayStop: [], expiresAfterMs: 0n },
    })
    const [unknown, known] = replayOrders(before, policyOf(listed, large), [order({}), order({ isListed: true }, 1)])
    assert.deepEqual([unknown?.after.kind, known?.after.kind, known?.isChanged], ['waits', 'passes', true])
  })

  it('lets no more through than any limit in any stretch of its length', () => {
    const window: TransferRule = {
      kind: 'transfer',
      id: 'first',
      chain: null,
      asset: null,
      maxAmount: null,
      window: { lengthMs: BigInt(3 * HOUR_MS), maxAmount: 10n },
      initiators: [ann.id],
      approvers: [ben.id],
      threshold: 1n,
    }
    fc.assert(
      fc.property(fc.array(fc.record({ amount: fc.bigInt(1n, 8n), hour: fc.integer({ min: 0, max: 12 }) }), { maxLength: 12 }), (given) => {
        const orders = given.toSorted((a, b) => a.hour - b.hour).map((each, i) => order(each, i))
        const kept = replay(policyOf(window), orders).flatMap((each, i) => (each.kind === 'refused' ? [] : [orders[i] as PastOrder]))
        for (const last of kept) {
          const within = kept.filter(({ atMs }) => atMs <= last.atMs && atMs > last.atMs - 3 * HOUR_MS)
          assert.ok(within.reduce((sum, { paid }) => sum + (paid[0]?.amount ?? 0n), 0n) <= 10n)
        }
      }),
    )
  })
})

describe('the borders of rules', () => {
  it('are looked at on both sides, before and after', () => {
    const bounded = (atMost: bigint) =>
      namedRule('small', {
        conditions: [
          { kind: 'assets', assets: [{ chain: CHAIN, asset: '', above: 0n, atMost }] },
          { kind: 'times', zone: 'UTC', days: [1n, 2n], fromMinute: 540n, untilMinute: 600n },
        ],
        limits: [dayLimit({ maxCount: 2n })],
        steps: by(ann, ben),
      })
    const cases = edgeCases(policyOf(bounded(5n)), policyOf(bounded(7n)), NOW_MS)
    const at = (edge: string, amount: bigint) =>
      cases.flatMap((each) =>
        each.edge === edge && each.point.act.as === 'payment' && each.point.act.amount === amount ? [[each.before.kind, each.after.kind]] : [],
      )
    assert.deepEqual(
      [at('at-amount', 5n), at('above-amount', 6n), at('at-amount', 7n), at('above-amount', 8n)],
      [[['waits', 'waits']], [['refused', 'waits']], [['refused', 'waits']], [['refused', 'refused']]],
    )
    const times = cases.filter(({ edge }) => edge === 'first-minute' || edge === 'after-last-minute')
    assert.deepEqual(
      times.map(({ edge, point, after }) => [edge, new Date(point.given.atMs ?? 0).toISOString(), after.kind]),
      [
        ['first-minute', '2026-01-05T09:00:00.000Z', 'waits'],
        ['after-last-minute', '2026-01-05T10:00:00.000Z', 'refused'],
      ],
    )
    const used = cases.filter(({ edge }) => edge === 'limits-used-up')
    assert.ok(used.length > 0 && used.every(({ after }) => after.kind === 'refused' && after.reason === 'limits-used-up'))
    const asks = cases.find(({ edge }) => edge === 'asker-approves')
    assert.ok(asks?.after.kind === 'waits' && asks.after.steps.every(({ eligible }) => !eligible.includes(asks.point.act.initiator)))
  })

  it('go on to the next rule where the limits of one are used up', () => {
    const policy = policyOf(namedRule('small', { limits: [dayLimit({ maxCount: 2n })], steps: by(ben) }), namedRule('large', { steps: by(cleo) }))
    const point = { act: order({}).act, given: { atMs: NOW_MS }, reading: null }
    const ruleOf = (usedUp: string | null) => decisionAt(policy, point, usedUp).rule?.id
    assert.deepEqual([ruleOf(null), ruleOf('small')], ['small', 'large'])
  })
})

describe('whom rules cannot do without', () => {
  it('is told for each rule, step and person, and for governance', () => {
    const rule = namedRule('two', {
      conditions: [{ kind: 'askers', who: [personOf(ann), personOf(ben)] }],
      steps: [
        { need: 1n, who: [personOf(ann), personOf(ben)] },
        { need: 1n, who: [personOf(cleo)] },
      ],
    })
    const policy = { ...policyOf(rule), governance: { approvers: [ann.id, ben.id], threshold: 2n } }
    const missed = whoIsMissed(policy).map(({ rule: of, person, step }) => [of?.id, people.find(({ id }) => id === person)?.name, step])
    assert.deepEqual(missed, [
      ['two', 'Person 1', 1],
      ['two', 'Person 2', 1],
      ['two', 'Person 3', 2],
      [undefined, 'Person 1', 1],
      [undefined, 'Person 2', 1],
    ])
    const alone = policyOf(namedRule('alone', { conditions: [{ kind: 'askers', who: [personOf(ann)] }], steps: by(ann) }))
    assert.deepEqual(whoIsMissed(alone)[0], { rule: alone.rules[0], person: null, step: 1 })
  })

  it('is told with who decides in their place, where that is enough: under rules, and not where the same human is needed for herself', () => {
    const made = policyOf(
      namedRule('last', { steps: by(cleo) }),
      namedRule('each', {
        steps: [
          { need: 1n, who: [personOf(ben)] },
          { need: 1n, who: [personOf(cleo)] },
        ],
      }),
    )
    const policy = withDeputies({ ...made, governance: { approvers: [ben.id, cleo.id], threshold: 2n } }, [personOf(ben), personOf(dan)])
    const goesOn = (...standIns: StandIn[]) =>
      whoIsMissed(policy, standIns).flatMap(({ rule, person, by: found }) => (found ? [[rule?.id, people.find(({ id }) => id === person)?.name]] : []))
    assert.deepEqual(goesOn(), [])
    assert.deepEqual(goesOn({ delegator: cleo.id, delegate: ben.id }), [['last', 'Person 3']])
    assert.deepEqual(goesOn({ delegator: cleo.id, delegate: dan.id }), [
      ['last', 'Person 3'],
      ['each', 'Person 3'],
    ])
    assert.deepEqual(goesOn({ delegator: cleo.id, delegate: ann.id }), [], 'whom the policy does not let stand in')
    assert.equal(whoIsMissed(policy, [{ delegator: cleo.id, delegate: dan.id }]).length, whoIsMissed(policy).length, 'the person is missed nevertheless')
  })

  it('names whoever stands in a step without an approval key', () => {
    const policy = policyOf(namedRule('rule', { steps: by(dan) }))
    const keyless = { ...policy, people: policy.people.map((each) => (each.id === dan.id ? { ...each, credentials: [] } : each)) }
    assert.deepEqual(
      withoutKey(keyless).map(({ person, rules }) => [person, rules.map(({ id }) => id)]),
      [[dan.id, ['rule']]],
    )
  })
})
