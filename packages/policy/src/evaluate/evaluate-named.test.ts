import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode } from '@holdfast/encoding'
import type { Source } from '@holdfast/intent'
import fc from 'fast-check'
import {
  checkPolicy,
  type Condition,
  countApprovals,
  describeChange,
  describePolicy,
  eligibleIn,
  evaluateOrder,
  evaluatePayment,
  neededIn,
  outcomesOfOrder,
  policyHash,
  PolicyRefused,
  policyShape,
  type Policy,
  type ThirdForm,
} from '../index.ts'
import { approveBy, dayLimit, groupOf, namedRule, type NamedRuleOf, NOWHERE, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member, sampleApproval, samplePolicy, sampleTransfer } from '../testing/sample-organisation.ts'

const people = [0, 1, 2, 3, 4].map(member)
const [ann, ben, cleo, dan, eva] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0]]
const USDX = { chain: CHAIN, contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDX', decimals: 6n }
const SUPPLIER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const source: Source = { keyId: new Uint8Array(32).fill(7), path: [0n, 0n] }

const ether = (above: bigint, atMost: bigint | null): Condition => ({ kind: 'assets', assets: [{ chain: CHAIN, asset: '', above, atMost }] })
const one = (who = [personOf(ben)]) => [{ need: 1n, who }]
const policyOf = (...rules: ThirdForm['rules']): ThirdForm => thirdForm(people, { rules, assets: [ETH, USDX] })

/** The rule that decides on a payment, or why none does. */
function decides(
  policy: Policy,
  changes: Partial<Parameters<typeof evaluatePayment>[1]> = {},
  asking: Parameters<typeof evaluatePayment>[2] = { atMs: 0 },
): string {
  const draft = { chain: CHAIN, contract: null, amount: 5n, initiator: ann.id, recipients: [SUPPLIER], source, ...changes }
  const outcome = evaluatePayment(policy, draft, asking)
  return outcome.kind === 'needs' ? outcome.rule.id : outcome.reason
}

describe('named rules', () => {
  it('decide in their order, the higher ones first, then the basic ones, and nothing passes where none does', () => {
    const small = namedRule('small', { conditions: [ether(0n, 10n)], steps: one() })
    const large = namedRule('large', { conditions: [ether(10n, null)], steps: [{ need: 2n, who: [personOf(ben), personOf(cleo)] }] })
    const basic = namedRule('basic', { level: 'basic', steps: one([personOf(dan)]) })
    const policy = policyOf(basic, small, large)
    assert.equal(decides(policy), 'small')
    assert.equal(decides(policy, { amount: 10n }), 'small')
    assert.equal(decides(policy, { amount: 11n }), 'large')
    assert.equal(decides(policy, { contract: USDX.contract }), 'basic')
    assert.equal(decides(policyOf(small, large), { contract: USDX.contract }), 'conditions-not-met')
    assert.equal(decides(policyOf(namedRule('no', { conditions: [ether(0n, null)] }), small)), 'refused-by-rule')
    assert.equal(decides(policyOf(small), { contract: '0x0000000000000000000000000000000000000bad' }), 'asset-not-pinned')
    assert.equal(decides(policyOf()), 'no-rule')
  })

  it('look at who asks, from where, to whom, with what memo and when', () => {
    const cases: [Condition, Parameters<typeof decides>[1], Parameters<typeof decides>[1]][] = [
      [{ kind: 'askers', who: [personOf(ann)] }, {}, { initiator: eva.id }],
      [{ kind: 'sources', wallets: [{ name: 'Payroll', keyId: source.keyId, path: [0n] }] }, {}, { source: { ...source, path: [1n, 0n] } }],
      [{ kind: 'sources', wallets: [{ name: 'Payroll', keyId: source.keyId, path: [0n] }] }, {}, { source: { keyId: new Uint8Array(32), path: [0n, 0n] } }],
      [
        { kind: 'destinations', ...NOWHERE, addresses: [{ name: 'Supplier', chain: CHAIN, address: SUPPLIER, memo: null }] },
        {},
        { recipients: [SUPPLIER, '0xsomebody else'] },
      ],
      [{ kind: 'memo', isPresent: true }, { memo: 'invoice' }, { memo: null }],
      [{ kind: 'memo', isPresent: false }, {}, { memo: 'invoice' }],
    ]
    for (const [condition, held, other] of cases) {
      const policy = policyOf(namedRule('first', { conditions: [condition], steps: one() }), namedRule('next', { steps: one([personOf(dan)]) }))
      assert.equal(decides(policy, held), 'first', condition.kind)
      assert.equal(decides(policy, other), 'next', condition.kind)
    }
  })

  it('refuse a payment to several by any one of them', () => {
    const supplier: Condition = { kind: 'destinations', ...NOWHERE, addresses: [{ name: 'Supplier', chain: CHAIN, address: SUPPLIER, memo: null }] }
    const without: Condition = { kind: 'memo', isPresent: false }
    const refusing = (...conditions: Condition[]) => policyOf(namedRule('no', { conditions }), namedRule('other', { steps: one() }))
    const both = { recipients: ['0xsomebody else', SUPPLIER] }
    assert.equal(decides(refusing(supplier), both), 'refused-by-rule')
    assert.equal(decides(refusing(supplier), { recipients: ['0xsomebody else', '0xa third'] }), 'other')
    assert.equal(decides(refusing(without), { ...both, memos: ['7', null] }), 'refused-by-rule')
    assert.equal(decides(refusing(without), { ...both, memos: ['7', '8'] }), 'other')
    // Both of the same recipient, and not one of each.
    assert.equal(decides(refusing(supplier, without), { ...both, memos: ['7', null] }), 'refused-by-rule')
    assert.equal(decides(refusing(supplier, without), { ...both, memos: [null, '8'] }), 'other')
  })

  it('keep to days and hours as clocks of their zone show them, also where those are put forward', () => {
    const times: Condition = { kind: 'times', zone: 'Europe/Zurich', days: [1n, 2n, 3n, 4n, 5n], fromMinute: 9n * 60n, untilMinute: 17n * 60n }
    const policy = policyOf(namedRule('office', { conditions: [times], steps: one() }))
    const at = (iso: string) => decides(policy, {}, { atMs: Date.parse(iso) })
    assert.equal(at('2026-01-05T08:00:00Z'), 'office')
    assert.equal(at('2026-01-05T07:59:00Z'), 'conditions-not-met')
    assert.equal(at('2026-01-05T16:00:00Z'), 'conditions-not-met')
    assert.equal(at('2026-07-06T07:00:00Z'), 'office')
    assert.equal(at('2026-07-06T15:00:00Z'), 'conditions-not-met')
    assert.equal(at('2026-01-10T10:00:00Z'), 'conditions-not-met')
  })

  it('let nothing through by what is not known, and refuse by it', () => {
    const wallets: Condition = { kind: 'sources', wallets: [{ name: 'Payroll', keyId: source.keyId, path: [] }] }
    const policy = policyOf(namedRule('pay', { conditions: [wallets], steps: one() }), namedRule('other', { steps: one([personOf(dan)]) }))
    const refusing = policyOf(namedRule('no', { conditions: [wallets] }), namedRule('other', { steps: one() }))
    assert.equal(decides(policy, { source: null }), 'other')
    assert.equal(decides(refusing, { source: null }), 'refused-by-rule')
    assert.equal(decides(policy, { source: null }, {}), 'pay', 'where it is only looked at, it may decide')
  })

  it('pass an order on to the next rule where their limits are used up, and not past one without limits', () => {
    const small = namedRule('small', { limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 20n }] })], steps: one() })
    const large = namedRule('large', { steps: [{ need: 2n, who: [personOf(ben), personOf(cleo)] }] })
    const never = namedRule('never', { steps: one([personOf(dan)]) })
    const policy = policyOf(small, large, never)
    const intent = sampleTransfer(policy, ann.id)
    assert.deepEqual(
      outcomesOfOrder(policy, intent, { atMs: 0 }).map(({ rule }) => rule?.id),
      ['small', 'large'],
    )
    const by = (rule: string | null) => {
      const outcome = evaluateOrder(policy, intent, { atMs: 0, by: rule })
      return outcome.kind === 'needs' ? outcome.rule.id : outcome.reason
    }
    assert.deepEqual([by(null), by('small'), by('large'), by('never'), by('another')], ['small', 'small', 'large', 'rule-not-asked', 'rule-not-asked'])
  })

  it('are stopped by the no of anybody who counts by a rule that may decide', () => {
    const small = namedRule('small', { limits: [dayLimit({ maxCount: 3n })], steps: one() })
    const policy = policyOf(small, namedRule('large', { steps: one([personOf(cleo)]) }))
    const intent = sampleTransfer(policy, ann.id)
    const outcome = evaluateOrder(policy, intent, { by: 'small' })
    assert.ok(outcome.kind === 'needs')
    const approvals = [sampleApproval(ben, intent, policy), sampleApproval(cleo, intent, policy, 'reject')]
    const { steps, mayStop } = outcome
    assert.equal(countApprovals({ policy, intent, approvals: approvals.slice(0, 1), steps, mayStop }).met, true)
    assert.equal(countApprovals({ policy, intent, approvals, steps, mayStop }).met, false)
  })

  it('hear the no of whoever counts at another hour, and name a rule that asks for people where another may refuse', () => {
    const office: Condition = { kind: 'times', zone: 'UTC', days: [1n, 2n, 3n, 4n, 5n], fromMinute: 9n * 60n, untilMinute: 17n * 60n }
    const night = namedRule('night', { steps: one([personOf(cleo)]) })
    const policy = policyOf(namedRule('day', { conditions: [office], steps: one() }), night)
    const outcome = evaluateOrder(policy, sampleTransfer(policy, ann.id), { atMs: Date.parse('2026-01-05T10:00:00Z') })
    assert.ok(outcome.kind === 'needs' && outcome.rule.id === 'day')
    assert.deepEqual(eligibleIn(outcome.steps), [ben.id])
    assert.deepEqual(outcome.mayStop, [ben.id, cleo.id])
    const refusing = policyOf(namedRule('closed', { conditions: [office] }), night)
    const at = (asking: Parameters<typeof decides>[2]) => decides(refusing, {}, asking)
    assert.deepEqual(
      [at({ atMs: Date.parse('2026-01-05T10:00:00Z') }), at({ atMs: Date.parse('2026-01-05T20:00:00Z') }), at({})],
      ['refused-by-rule', 'night', 'night'],
    )
  })

  it('never count whoever asks, whoever asked before under the same version', () => {
    const policy = policyOf(namedRule('pay', { steps: [{ need: 1n, who: [personOf(ann), personOf(ben)] }] }))
    for (const [asker, other] of [
      [ann, ben],
      [ben, ann],
      [ann, ben],
    ] as const) {
      const outcome = evaluatePayment(policy, { chain: CHAIN, contract: null, amount: 1n, initiator: asker.id }, { atMs: 0 })
      assert.ok(outcome.kind === 'needs')
      assert.deepEqual(eligibleIn(outcome.steps), [other.id])
      assert.deepEqual(outcome.mayStop, [other.id])
    }
  })

  it('need every step, each person in one of them, never whoever asks', () => {
    const policy = thirdForm(people, {
      groups: [{ id: 'treasury', name: 'Treasury', members: [ann.id, ben.id, cleo.id] }],
      rules: [
        namedRule('two steps', {
          steps: [
            { need: 1n, who: [groupOf('treasury')] },
            { need: 1n, who: [personOf(ben), personOf(eva)] },
          ],
        }),
      ],
    })
    const intent = sampleTransfer(policy, ann.id)
    const outcome = evaluateOrder(policy, intent)
    assert.ok(outcome.kind === 'needs' && neededIn(outcome.steps) === 2)
    assert.deepEqual(eligibleIn(outcome.steps), [ben.id, cleo.id, eva.id])
    const met = (...by: (typeof people)[0][]) =>
      countApprovals({ policy, intent, approvals: by.map((each) => sampleApproval(each, intent, policy)), steps: outcome.steps }).met
    assert.deepEqual([met(ben), met(ben, cleo), met(ben, eva), met(cleo, eva), met(ann, eva), met(eva)], [false, true, true, true, false, false])
  })

  it('end an order that stays open for longer than they let it', () => {
    const rule = namedRule('short', { action: approveBy(one(), { expiresAfterMs: 1_000n }) })
    const policy = policyOf(rule)
    const open = (ms: bigint) => evaluateOrder(policy, sampleTransfer(policy, ann.id, { notBeforeMs: 10n, expiresAtMs: 10n + ms })).kind
    assert.deepEqual([open(1_000n), open(1_001n)], ['needs', 'deny'])
  })

  it('never let anything through without people, nor count whoever asks: any rules, any order', () => {
    const who = fc.subarray(people, { minLength: 1 }).map((chosen) => chosen.map(personOf))
    const step = fc.record({ need: fc.bigInt(0n, 3n), who })
    const conditions = fc.subarray<Condition>([ether(2n, 8n), { kind: 'askers', who: [personOf(ann), personOf(ben)] }, { kind: 'memo', isPresent: false }])
    const rule = fc.record({
      conditions,
      steps: fc.option(fc.array(step, { maxLength: 3 }), { nil: undefined }),
      level: fc.constantFrom('higher' as const, 'basic' as const),
    })
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), fc.constantFrom(...people), fc.bigInt(0n, 10n), (rules, asker, amount) => {
        const policy = policyOf(...rules.map(({ steps, ...given }, i) => namedRule(`r${i}`, { ...given, ...(steps && { steps }) })))
        const outcome = evaluateOrder(policy, sampleTransfer(policy, asker.id, { amount }), { atMs: 0 })
        if (outcome.kind === 'deny') return
        assert.ok(outcome.steps.length > 0 && outcome.steps.every(({ need, eligible }) => need >= 1 && eligible.length >= need))
        assert.ok(![...eligibleIn(outcome.steps), ...outcome.mayStop].includes(asker.id))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a policy of the third form', () => {
  const group = { id: 'g', name: 'Treasury', members: [ben.id, cleo.id] }
  const faultOf = (rules: ThirdForm['rules'], changes: Partial<ThirdForm> = {}): string => {
    try {
      checkPolicy(thirdForm(people, { rules, assets: [ETH, USDX], ...changes }))
      return ''
    } catch (cause) {
      assert.ok(cause instanceof PolicyRefused)
      return cause.message
    }
  }

  it('can stand only where somebody can meet every rule, and every name means something', () => {
    assert.equal(
      faultOf([namedRule('r', { conditions: [ether(1n, 2n)], limits: [dayLimit({ maxCount: 1n })], steps: one([groupOf('g')]) })], { groups: [group] }),
      '',
    )
    const keyless = thirdForm(people, {}).people.map((each) => (each.id === ben.id ? { ...each, credentials: [] } : each))
    const refused: [RegExp, ThirdForm['rules'], Partial<ThirdForm>?][] = [
      [/nobody can meet/, [namedRule('r', { steps: [{ need: 2n, who: [personOf(ben)] }] })]],
      [
        /nobody can meet/,
        [
          namedRule('r', {
            steps: [
              { need: 1n, who: [personOf(ben)] },
              { need: 1n, who: [personOf(ben)] },
            ],
          }),
        ],
      ],
      [/nobody can meet/, [namedRule('r', { conditions: [{ kind: 'askers', who: [personOf(ben)] }], steps: one() })]],
      [/no approval/, [namedRule('r', { steps: [] })]],
      [/no approval/, [namedRule('r', { steps: [{ need: 0n, who: [personOf(ben)] }] })]],
      [/without an approval key/, [namedRule('r', { steps: one() })], { people: keyless }],
      [/group x, which is not/, [namedRule('r', { steps: one([groupOf('x')]) })]],
      [/names nobody/, [namedRule('r', { steps: [{ need: 1n, who: [] }] })]],
      [/twice/, [namedRule('r', { steps: [{ need: 1n, who: [personOf(ben), personOf(ben)] }] })]],
      [/nobody in the group/, [], { groups: [{ ...group, members: [] }] }],
      [/two groups of one name/, [], { groups: [group, { ...group, id: 'other' }] }],
      [/has no name/, [namedRule('r', { name: ' ', steps: one() })]],
      [/name of another/, [namedRule('a', { name: 'n', steps: one() }), namedRule('b', { name: 'n', steps: one() })]],
      [/two rules of one id/, [namedRule('a', { name: 'n', steps: one() }), namedRule('a', { steps: one() })]],
      [/level/, [{ ...namedRule('r', { steps: one() }), level: 'lower' }]],
      [/two conditions of one kind/, [namedRule('r', { conditions: [ether(0n, 1n), ether(0n, 2n)], steps: one() })]],
      [/basic and has other/, [namedRule('r', { level: 'basic', conditions: [ether(0n, 1n)], steps: one() })]],
      [/refuses, and has a limit/, [namedRule('r', { limits: [dayLimit({ maxCount: 1n })] })]],
      [/limits nothing/, [namedRule('r', { limits: [dayLimit({})], steps: one() })]],
      [/over no time/, [namedRule('r', { limits: [dayLimit({ maxCount: 1n, lengthMs: 0n })], steps: one() })]],
      [/for each wallet/, [namedRule('r', { limits: [dayLimit({ maxCount: 1n, each: 'wallet' })], steps: one() })]],
      [/does not pin/, [namedRule('r', { limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '0xother', max: 1n }] })], steps: one() })]],
      [/not for calls/, [namedRule('r', { limits: [dayLimit({ maxTokens: 1n })], steps: one() })]],
      [
        /does not pin/,
        [namedRule('r', { conditions: [{ kind: 'assets', assets: [{ chain: CHAIN, asset: '0xother', above: 0n, atMost: null }] }], steps: one() })],
      ],
      [/no amount/, [namedRule('r', { conditions: [ether(5n, 5n)], steps: one() })]],
      [/any asset/, [namedRule('r', { conditions: [{ kind: 'assets', assets: [{ chain: CHAIN, asset: null, above: 0n, atMost: 5n }] }], steps: one() })]],
      [/time zone/, [namedRule('r', { conditions: [{ kind: 'times', zone: 'Nowhere/Land', days: [1n], fromMinute: 0n, untilMinute: 5n }], steps: one() })]],
      [/ends before/, [namedRule('r', { conditions: [{ kind: 'times', zone: 'UTC', days: [1n], fromMinute: 5n, untilMinute: 5n }], steps: one() })]],
    ]
    const to = (given: Partial<typeof NOWHERE>): Condition[] => [{ kind: 'destinations', ...NOWHERE, addresses: [], ...given }]
    const fees = [{ chain: CHAIN, max: 1n }]
    const amounts = [{ chain: CHAIN, asset: '', max: 1n }]
    const limits = [dayLimit({ amounts, maxCount: 1n })]
    const passing = (given: NamedRuleOf, allowed = fees) =>
      namedRule('r', { conditions: to({ listed: true }), limits, action: { kind: 'pass', fees: allowed, mayStop: [], expiresAfterMs: 0n }, ...given })
    assert.equal(faultOf([passing({})]), '')
    const strict = namedRule('strict', { conditions: to({ own: true }), steps: [{ need: 2n, who: [personOf(ben), personOf(cleo), personOf(dan)] }] })
    refused.push(
      [/own, listed or named/, [passing({ conditions: [] })]],
      [/own, listed or named/, [passing({ conditions: to({ paidBefore: true }) })]],
      [/limit of amounts/, [passing({ limits: [] })]],
      [/limit of amounts/, [passing({ limits: [dayLimit({ amounts, maxCount: 1n, each: 'destination' })] })]],
      [/limit of amounts/, [passing({ limits: [dayLimit({ amounts, maxCount: 1n, lengthMs: 1n })] })]],
      [/limit of orders/, [passing({ limits: [dayLimit({ amounts })] })]],
      [/fee may reach/, [passing({}, [])]],
      [/fees of a network twice/, [passing({}, [...fees, ...fees])]],
      [/fees on eip155:9/, [passing({}, [{ chain: 'eip155:9', max: 1n }])]],
      [/nobody can prove/, [namedRule('r', { conditions: to({ own: true }) })]],
      [/rule next after it asks for less/, [strict, namedRule('next', { steps: one() })]],
      [/waits for longer/, [namedRule('r', { action: approveBy(one(), { delayMs: 2n, expiresAfterMs: 2n }) })]],
    )
    assert.equal(faultOf([namedRule('next', { steps: one() }), strict]), '')
    for (const [expected, rules, changes] of refused) assert.match(faultOf(rules, changes), expected)
  })

  it('is read back from its bytes, and leaves the bytes of the forms before it as they were', () => {
    const policy = thirdForm(people, {
      groups: [group],
      rules: [samplePolicy(people, 2).rules[0]!, namedRule('r', { conditions: [ether(1n, 2n)], steps: one([groupOf('g')]) })],
    })
    assert.deepEqual(decode(policyShape, encode(policyShape, policy)), policy)
    assert.notDeepEqual(policyHash(policy), policyHash(samplePolicy(people, 2)))
  })

  it('is told whole in both languages, and whatever changes in a rule or a group is told', () => {
    const limits = [dayLimit({ each: 'asker', amounts: [{ chain: CHAIN, asset: '', max: 10n ** 18n }], maxCount: 4n })]
    const rule = namedRule('r', { name: 'Small payments', conditions: [ether(0n, 5n * 10n ** 18n)], limits, steps: one([groupOf('g')]) })
    const policy = thirdForm(people, { groups: [group], rules: [rule] })
    const english = describePolicy(policy, 'en-US').join('\n')
    for (const part of [
      'Small payments',
      'ETH',
      'up to 5 ETH',
      `at most 1 ETH (${CHAIN}), nothing of any other asset, 4 orders in 24 hours for each person who asks`,
      'Group “Treasury”: Person 2, Person 3',
      'needs 1 of the group “Treasury”',
    ])
      assert.ok(english.includes(part), part)
    assert.ok(describePolicy(policy, 'zh-CN').join('').includes('“Treasury”组'))
    const changes: [Partial<ThirdForm>, RegExp][] = [
      [{ rules: [{ ...rule, conditions: [ether(0n, 6n * 10n ** 18n)] }] }, /From now on: .*up to 6 ETH.*Before: .*up to 5 ETH/],
      [{ rules: [{ ...rule, limits: [] }] }, /From now on/],
      [{ rules: [{ ...rule, name: 'Payments' }] }, /“Payments”.*“Small payments”/],
      [{ rules: [] }, /“Small payments” is taken away/],
      [{ groups: [{ ...group, members: [ben.id] }] }, /From now on: Group “Treasury”: Person 2\n.*No longer: Group “Treasury”: Person 2, Person 3/],
    ]
    const interns = { id: 'i', name: 'Interns', members: [dan.id] }
    const two = { ...policy, groups: [group, interns] }
    const swapped = {
      ...two,
      groups: [
        { ...group, id: 'i' },
        { ...interns, id: 'g' },
      ],
    }
    assert.match(
      describeChange(two, swapped, 'en-US', []).join('\n'),
      /1 of the group “Interns”.*Before: .*1 of the group “Treasury”/,
      'groups that swap their ids',
    )
    for (const [change, expected] of changes) assert.match(describeChange(policy, { ...policy, ...change } as Policy, 'en-US', []).join('\n'), expected)
    assert.match(describeChange(samplePolicy(people, 2), policy, 'en-US', []).join('\n'), /form with groups/)
    assert.deepEqual(describeChange(policy, { ...policy, version: 2n }, 'en-US', []), [])
  })
})
