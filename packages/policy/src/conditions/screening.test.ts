import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode, toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import {
  encodeVote,
  intentHash,
  isSignedByScreener,
  readSpoken,
  SCREENING_LEVELS,
  type ScreeningLevel,
  screeningMessage,
  type ScreeningWord,
  screeningWordShape,
} from '@holdfast/intent'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { analysePolicy } from '../analysis/analyse-policy.ts'
import { describeRegion } from '../analysis/describe-region.ts'
import { replay } from '../analysis/replay-orders.ts'
import { outcomesAt } from '../analysis/subject.ts'
import {
  type Asking,
  checkPolicy,
  type Condition,
  describePolicy,
  evaluateOrder,
  loosens,
  type Machine,
  type NamedRule,
  outcomesOfOrder,
  PolicyRefused,
  readScreenings,
  screeningAsked,
  type ThirdForm,
  UNSCREENED,
} from '../index.ts'
import { namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { member, sampleApproval, sampleTransfer } from '../testing/sample-organisation.ts'

const people = [0, 1, 2].map(member)
const [ann] = people as [(typeof people)[0]]
const NOW_MS = Date.parse('2026-01-05T00:00:00Z')
const MINUTE_MS = 60_000
const secretOf = (fill: number) => new Uint8Array(32).fill(fill)
const machineOf = (id: string, kind: string, fill: number, expiresAtMs = 2_000_000_000_000n): Machine => {
  return { id, name: `${id} desk`, kind, publicKey: ed25519.getPublicKey(secretOf(fill)), purpose: '', expiresAtMs }
}
const MACHINES = [machineOf('lists', 'screener', 51), machineOf('chain', 'screener', 52), machineOf('guard', 'coSigner', 53)]

const screened = (levels: readonly ScreeningLevel[], given: { machines?: string[]; minutes?: number } = {}): Condition => {
  const { machines = ['lists'], minutes = 30 } = given
  return { kind: 'screening', machines, levels: [...levels], withinMs: BigInt(minutes * MINUTE_MS) }
}
const rule = (id: string, conditions: Condition[], need = 1n): NamedRule => namedRule(id, { conditions, steps: [{ need, who: people.map(personOf) }] })
const refusing = (id: string, conditions: Condition[]): NamedRule => namedRule(id, { conditions })
const policyWith = (...rules: NamedRule[]): ThirdForm => thirdForm(people, { rules, machines: MACHINES })

type Said = { machine?: string; level?: string; minutesAgo?: number }
const said = ({ machine = 'lists', level = 'low', minutesAgo = 0 }: Said) => ({
  machine,
  level: level as ScreeningLevel,
  atMs: NOW_MS - minutesAgo * MINUTE_MS,
})

function verdict(policy: ThirdForm, words: readonly Said[], asking: Asking = {}): string {
  const outcome = evaluateOrder(policy, sampleTransfer(policy, ann.id), { atMs: NOW_MS, screened: { said: words.map(said), atMs: [NOW_MS] }, ...asking })
  return outcome.kind === 'deny' ? outcome.reason : outcome.rule.id
}

describe('what screeners say', () => {
  it('lets through exactly what a rule names, and nothing that is not known', () => {
    const levels = fc.subarray([...SCREENING_LEVELS], { minLength: 1 })
    const words = fc.array(
      fc.record({ machine: fc.constantFrom('lists', 'chain'), level: fc.constantFrom(...SCREENING_LEVELS), minutesAgo: fc.integer({ min: -2, max: 60 }) }),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(levels, words, fc.integer({ min: 1, max: 50 }), (named, given, minutes) => {
        const own = given.filter((each) => each.machine === 'lists').toSorted((a, b) => a.minutesAgo - b.minutesAgo)
        const newest = own.filter((each) => each.minutesAgo === own[0]?.minutesAgo)
        const [first] = newest
        const isKnown = first !== undefined && first.minutesAgo <= minutes && newest.every(({ level }) => level === first.level)
        const isIn = isKnown && named.includes(first.level)
        assert.equal(verdict(policyWith(rule('one', [screened(named, { minutes })])), given), isIn ? 'one' : 'conditions-not-met')
        const refuses = policyWith(refusing('no', [screened(named, { minutes })]), rule('any', []))
        assert.equal(verdict(refuses, given), isKnown && !isIn ? 'any' : 'refused-by-rule')
      }),
    )
  })

  it('has to come from each screener that is named', () => {
    const policy = policyWith(rule('both', [screened(['low'], { machines: ['lists', 'chain'] })]))
    const tried: [Said[], string][] = [
      [[{}, { machine: 'chain' }], 'both'],
      [[{}], 'conditions-not-met'],
      [[{ machine: 'chain' }], 'conditions-not-met'],
      [[{}, { machine: 'chain', level: 'severe' }], 'conditions-not-met'],
      [[{}, { machine: 'guard' }], 'conditions-not-met'],
    ]
    for (const [words, is] of tried) assert.equal(verdict(policy, words), is)
  })

  it('is not known from a screener whose time is over, or whose clock is far ahead', () => {
    const policy = policyWith(rule('one', [screened(['low'])]))
    const over = { ...policy, machines: [machineOf('lists', 'screener', 51, BigInt(NOW_MS))] }
    assert.equal(verdict(policy, [{ minutesAgo: -5 }]), 'one')
    assert.equal(verdict(policy, [{ minutesAgo: -6 }]), 'conditions-not-met')
    assert.equal(verdict(over, [{}]), 'conditions-not-met')
  })

  it('is not known to whoever decides and was given nothing', () => {
    const policy = policyWith(rule('one', [screened(['low'])]))
    const order = sampleTransfer(policy, ann.id)
    const by = (asking: Asking) => evaluateOrder(policy, order, asking).kind
    assert.equal(by({ atMs: NOW_MS }), 'deny')
    assert.equal(by({ screened: { said: [], atMs: [NOW_MS] } }), 'deny')
    assert.equal(by({}), 'needs', 'who only looks at it sees that the rule may decide')
    assert.equal(by({ atMs: NOW_MS, screened: UNSCREENED }), 'needs', 'before screeners are asked it may decide')
    const refuses = policyWith(refusing('no', [screened(['severe'])]), rule('any', []))
    const open = outcomesOfOrder(refuses, sampleTransfer(refuses, ann.id), { atMs: NOW_MS, screened: UNSCREENED })
    assert.deepEqual(
      open.map((each) => each.rule?.id),
      ['no', 'any'],
    )
  })

  it('leaves an order to no rule that asks for less, where a server keeps it back', () => {
    assert.throws(() => checkPolicy(policyWith(rule('screened', [screened(['low'])], 2n), rule('less', []))), refused(/asks for less/))
    checkPolicy(policyWith(rule('screened', [screened(['low'])]), rule('more', [], 2n)))
  })

  it('is refused in a policy where it could never be known', () => {
    const faults: [Condition, RegExp][] = [
      [screened(['low'], { machines: [] }), /names no screener/],
      [screened(['low'], { machines: ['lists', 'lists'] }), /twice/],
      [screened(['low'], { machines: ['guard'] }), /no screener of the policy/],
      [screened(['low'], { machines: ['nobody'] }), /no screener of the policy/],
      [screened([]), /no level/],
      [screened(['low', 'low']), /none, or one twice/],
      [screened(['harmless' as ScreeningLevel]), /none, or one twice/],
      [screened(['low'], { minutes: 0 }), /younger than a minute/],
      [screened(['low'], { minutes: 31 * 24 * 60 }), /30 days/],
    ]
    for (const [condition, reason] of faults) assert.throws(() => checkPolicy(policyWith(rule('one', [condition]))), refused(reason))
    checkPolicy(policyWith(rule('one', [screened(SCREENING_LEVELS)])))
  })

  it('loosens a rule that lets through with more levels or another age, and one that refuses with fewer', () => {
    const by = (condition: Condition, refuses = false) =>
      refuses ? policyWith(refusing('one', [condition]), rule('any', [])) : policyWith(rule('one', [condition]))
    const changes: [before: Condition, after: Condition, lets: boolean, refuses: boolean][] = [
      [screened(['low']), screened(['low', 'medium']), true, false],
      [screened(['low', 'medium']), screened(['low']), false, true],
      [screened(['low']), screened(['low'], { minutes: 60 }), true, true],
      [screened(['low'], { minutes: 60 }), screened(['low']), true, true],
      [screened(['low'], { machines: ['lists', 'chain'] }), screened(['low']), true, true],
    ]
    for (const [before, after, lets, refuses] of changes) {
      assert.equal(loosens(by(before), by(after)), lets)
      assert.equal(loosens(by(before, true), by(after, true)), refuses)
    }
    assert.ok(loosens(policyWith(rule('one', [screened(['low'])])), policyWith(rule('one', []))))
    assert.ok(!loosens(policyWith(rule('one', [])), policyWith(rule('one', [screened(['low'])]))))
  })

  it('is told in words, in both languages', () => {
    const policy = policyWith(rule('one', [screened(['medium', 'low'], { machines: ['lists', 'chain'] })]))
    const english = describePolicy(policy, 'en-US').join('\n')
    assert.ok(english.includes('screened as low or medium by “lists desk” and “chain desk”, at most 30 minutes before it is signed'), english)
    const chinese = describePolicy(policy, 'zh-CN').join('\n')
    assert.ok(chinese.includes('经“lists desk”、“chain desk”筛查风险等级为低或中，且签署时结果不早于 30 分钟前'), chinese)
  })

  it('says which screener an order waits for, and for which rule', () => {
    const policy = policyWith(
      refusing('no', [screened(['severe'], { machines: ['chain'] })]),
      rule('one', [screened(['low'])]),
      rule('more', [screened(['high'])], 3n),
    )
    const order = sampleTransfer(policy, people[2]!.id)
    const outcomes = outcomesOfOrder(policy, order, { atMs: NOW_MS, screened: UNSCREENED })
    const states = (words: Said[]) =>
      screeningAsked(policy, outcomes, 'one', { said: words.map(said), atMs: NOW_MS }).map((each) => [each.rule.id, each.state.machine, each.state.is])
    assert.deepEqual(states([]), [
      ['no', 'chain', 'missing'],
      ['one', 'lists', 'missing'],
    ])
    assert.deepEqual(states([{ minutesAgo: 31 }, { machine: 'chain' }]), [
      ['no', 'chain', 'said'],
      ['one', 'lists', 'stale'],
    ])
  })

  it('is looked at by the analysis: each part is decided by the rule that it names, and what is left is a gap', () => {
    const policy = policyWith(refusing('no', [screened(['severe'])]), rule('calm', [screened(['low'])]), rule('people', [screened(['medium', 'high'])], 2n))
    const { subjects, gaps, isWhole } = analysePolicy(policy, NOW_MS)
    assert.ok(isWhole)
    const parts = subjects.flatMap(({ decides }) => decides)
    assert.deepEqual(
      parts.map((each) => each.rule.id),
      ['no', 'calm', 'people'],
    )
    for (const { rule: decides, parts: found } of parts) for (const { witness } of found) assert.equal(outcomesAt(policy, witness)[0]?.rule?.id, decides.id)
    assert.equal(gaps.length, 1)
    assert.match(describeRegion(gaps[0]!, policy, 'en-US'), /of which “lists desk” said unknown/)
    assert.match(describeRegion(gaps[0]!, policy, 'zh-CN'), /筛查结果：“lists desk”为未知/)
    const refused = parts[0]?.parts[0]
    assert.match(describeRegion(refused!, policy, 'en-US'), /said nothing yet or severe/)
  })

  it('of orders of the past is known as far as it was kept', () => {
    const policy = policyWith(rule('calm', [screened(['low'])]))
    const past = { act: actOfSample(policy), from: '0xa', paid: [], atMs: NOW_MS, openMs: 0n, isCounted: true }
    const [none, low] = replay(policy, [
      { ...past, id: 'none' },
      { ...past, id: 'low', screened: { said: [said({})], atMs: [NOW_MS] } },
    ])
    assert.deepEqual([none?.kind, low?.kind], ['refused', 'waits'])
  })
})

const actOfSample = (policy: ThirdForm) => {
  const { asset, amount, initiator, to } = sampleTransfer(policy, ann.id)
  return { as: 'payment' as const, chain: asset.chain, contract: asset.contract, amount, recipients: [to], memo: null, source: null, initiator }
}

describe('a screening word', () => {
  const policy = policyWith(rule('one', [screened(['low'])]))
  const order = sampleTransfer(policy, ann.id)
  const about = { genesis: order.genesis, intentHash: intentHash(order) }
  const wordOf = (changes: Partial<ScreeningWord> = {}, fill = 51): ScreeningWord => {
    const statement = {
      ...about,
      machine: 'lists',
      provider: 'deny list',
      level: 'low',
      screenedAtMs: BigInt(NOW_MS),
      reportHash: new Uint8Array(32),
      ...changes,
    }
    return { ...statement, signature: signEd25519(screeningMessage(statement), secretOf(fill)) }
  }
  const read = (...words: ScreeningWord[]) => readScreenings(words, about, policy).map(({ level }) => level)

  it('counts by the key of a screener of the policy, of this very order, and of no other', () => {
    assert.deepEqual(read(wordOf(), wordOf({ level: 'severe' })), ['low', 'severe'])
    const strange = [
      wordOf({ intentHash: new Uint8Array(32) }),
      wordOf({ genesis: new Uint8Array(32) }),
      wordOf({ machine: 'chain' }),
      wordOf({ machine: 'nobody' }),
      wordOf({ machine: 'guard' }, 53),
      wordOf({ level: 'harmless' }),
      wordOf({}, 52),
      { ...wordOf({ level: 'severe' }), level: 'low' },
      { ...wordOf(), screenedAtMs: BigInt(NOW_MS + 1) },
    ]
    for (const word of strange) assert.deepEqual(read(word), [])
  })

  it('is read among what people and machines said, each of which keeps its bytes', () => {
    const approval = sampleApproval(people[1]!, order, policy)
    const bytes = [encodeVote(approval), encode(screeningWordShape, wordOf())]
    const spoken = readSpoken(bytes)
    assert.deepEqual([spoken.approvals, spoken.machines, spoken.screenings], [[approval], [], [wordOf()]])
  })

  it('has one encoding, which no other word has', () => {
    const word = fc.record({
      genesis: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      intentHash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      machine: fc.string({ maxLength: 16 }),
      provider: fc.string({ maxLength: 16 }),
      level: fc.constantFrom(...SCREENING_LEVELS),
      screenedAtMs: fc.bigInt(0n, 1n << 50n),
      reportHash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    })
    fc.assert(
      fc.property(word, word, (one, other) => {
        const signed = { ...one, signature: signEd25519(screeningMessage(one), secretOf(51)) }
        assert.deepEqual(decode(screeningWordShape, encode(screeningWordShape, signed)), signed)
        assert.ok(isSignedByScreener(signed, MACHINES[0]!.publicKey))
        const isSame = toHex(screeningMessage(one)) === toHex(screeningMessage(other))
        assert.equal(isSignedByScreener({ ...other, signature: signed.signature }, MACHINES[0]!.publicKey), isSame)
      }),
      { numRuns: 30 },
    )
  })

  it('is encoded as it always was', () => {
    const statement = { genesis: new Uint8Array(32), intentHash: new Uint8Array(32).fill(1), machine: 'lists', provider: 'deny list', level: 'low' }
    const whole = screeningMessage({ ...statement, screenedAtMs: 1_767_571_200_000n, reportHash: new Uint8Array(32).fill(2) })
    assert.equal(toHex(whole), VECTOR)
  })
})

const VECTOR =
  '0800000015686f6c64666173742f73637265656e696e672f7631000000070100000020' +
  '00'.repeat(32) +
  '0100000020' +
  '01'.repeat(32) +
  '02000000056c69737473020000000964656e79206c69737402000000036c6f770300000006019b8b7418000100000020' +
  '02'.repeat(32)

const refused = (reason: RegExp) => (cause: unknown) => cause instanceof PolicyRefused && reason.test(cause.message)
