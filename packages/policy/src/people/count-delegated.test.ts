import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode, equalBytes, toHex } from '@holdfast/encoding'
import { type DelegatedApproval, delegatedApprovalShape, encodeVote, type Intent, readSpoken, type Vote } from '@holdfast/intent'
import fc from 'fast-check'
import { countApprovals, fillBySeats, neededIn, type Step } from '../index.ts'
import { personOf, thirdForm } from '../testing/named-rules.ts'
import {
  deviceAssertion,
  type Member,
  member,
  sampleApproval,
  sampleDelegated,
  sampleDelegation,
  samplePolicy,
  sampleTransfer,
} from '../testing/sample-organisation.ts'

const SEATS = 6
const ids = Array.from({ length: SEATS }, (_, i) => new Uint8Array(16).fill(i + 1))

/** Every way in which so many steps can need so many people together. */
function everyNeed(steps: number, most: number): number[][] {
  if (steps === 0) return [[]]
  return Array.from({ length: most - steps + 1 }, (_, i) => i + 1).flatMap((need) => everyNeed(steps - 1, most - need).map((rest) => [need, ...rest]))
}

/** Every list of the seats that one human may have, each by the steps it may stand in (one bit a step), in no order. */
function everyHuman(most: number, from = 1): number[][] {
  if (most === 0) return []
  return [1, 2, 3, 4, 5, 6, 7].filter((kind) => kind >= from).flatMap((kind) => [[kind], ...everyHuman(most - 1, kind).map((rest) => [kind, ...rest])])
}

const standing = (way: number, step: number) => (way >> (3 * step)) & 7
const placed = (way: number) => standing(way, 0) + standing(way, 1) + standing(way, 2)

/** All ways that come of one more human, who takes one place with one seat, or none. */
function placedOnce(ways: ReadonlySet<number>, seats: readonly number[], needs: readonly number[]): Set<number> {
  const next = new Set(ways)
  const open = seats.reduce((steps, seat) => steps | seat, 0)
  for (const way of ways)
    for (let step = 0; step < needs.length; step++) if ((open >> step) & 1 && standing(way, step) < needs[step]!) next.add(way + (1 << (3 * step)))
  return next
}

/** Tries every group of humans who have six seats together at most, against the most places that trying every way fills. Answers how many it tried. */
function checkAll(needs: readonly number[]): number {
  const all = everyHuman(SEATS)
  // One list for all groups: a human comes to it and goes again, as there are a million groups and more.
  const humans: { kinds: readonly number[]; seats: readonly Uint8Array[] }[] = []
  const steps = needs.map((need) => ({ need, eligible: [] as Uint8Array[] }) satisfies Step)
  const holders = new Map<Uint8Array, number>()
  const enter = (kinds: readonly number[], seats: readonly Uint8Array[]) => {
    for (const [i, id] of seats.entries()) {
      holders.set(id, humans.length)
      for (const [at, { eligible }] of steps.entries()) if ((kinds[i]! >> at) & 1) eligible.push(id)
    }
    humans.push({ kinds, seats })
  }
  const leave = (kinds: readonly number[]) => {
    humans.pop()
    for (const kind of kinds) for (const [at, { eligible }] of steps.entries()) if ((kind >> at) & 1) eligible.pop()
  }
  let tried = 0
  const tryFrom = (from: number, left: number, ways: ReadonlySet<number>) => {
    tried++
    const { filled, missing } = fillBySeats(
      steps,
      humans.map(({ seats }) => seats),
    )
    let most = 0
    for (const way of ways) most = Math.max(most, placed(way))
    const said = () => `${needs} needed of ${JSON.stringify(humans.map(({ kinds }) => kinds))}`
    if (neededIn(steps) - missing !== most) assert.fail(`${said()}: ${missing} missing`)
    const counted = new Set<number>()
    let places = 0
    for (const [at, inside] of filled.entries()) {
      places += inside.length
      if (inside.length > steps[at]!.need) assert.fail(`out of place: ${said()}`)
      for (const id of inside) {
        if (!steps[at]!.eligible.includes(id)) assert.fail(`out of place: ${said()}`)
        counted.add(holders.get(id)!)
      }
    }
    if (counted.size !== places) assert.fail(`somebody counts twice: ${said()}`)
    for (let next = from; next < all.length; next++) {
      const kinds = all[next]!
      if (kinds.length > left) continue
      enter(kinds, ids.slice(SEATS - left, SEATS - left + kinds.length))
      tryFrom(next, left - kinds.length, placedOnce(ways, kinds, needs))
      leave(kinds)
    }
  }
  tryFrom(0, SEATS, new Set([0]))
  return tried
}

const people = [1, 2, 3, 4, 5, 6].map(member) as [Member, Member, Member, Member, Member, Member]
const [ann, ben, cleo, dora, eve] = people
const policy = { ...thirdForm(people, {}), kind: 'namedDeputies' as const, listingCoolingMs: 0n, deputies: people.slice(1).map(personOf) }
const intent = sampleTransfer(policy, ann.id)
const GENESIS = intent.genesis
const anybody = [{ need: 2, eligible: people.map(({ id }) => id) }]

const statement = (by: Member, to: Member, changes = {}) => sampleDelegation(by, to, GENESIS, changes)
const vote = (by: Member, forWhom: Member, changes = {}, of: Partial<DelegatedApproval> = {}) =>
  sampleDelegated(by, statement(forWhom, by, changes), { intent, policy }, of)
const own = (by: Member, decision: 'approve' | 'reject' = 'approve') => sampleApproval(by, intent, policy, decision)
const count = (approvals: Vote[], given: { atMs?: number; steps?: Step[]; intent?: Intent } = {}) =>
  countApprovals({ policy, intent, approvals, steps: anybody, atMs: 20_000, ...given })
const missing = (approvals: Vote[], given = {}) => count(approvals, given).missing
const refusal = (approvals: Vote[], given = {}) => {
  try {
    count(approvals, given)
  } catch (cause) {
    return (cause as { refusal?: { code: string } }).refusal?.code
  }
  return undefined
}

describe('votes for others', () => {
  it('count no human twice and refuse nobody who could count: all delegations of six people, in every case of three steps', () => {
    let tried = 0
    for (const needs of everyNeed(3, SEATS)) tried += checkAll(needs)
    assert.ok(tried > 1_000_000, String(tried))
  })

  it('count as what people signed says: one word of each human, one of each seat, the own one first', () => {
    const word = fc.record({ human: fc.integer({ min: 1, max: 4 }), seat: fc.integer({ min: 1, max: 4 }), sequence: fc.bigInt({ min: 1n, max: 3n }) })
    const eligible = fc.subarray([1, 2, 3, 4], { minLength: 1 })
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 5, selector: ({ human, seat }) => `${human} ${seat}` }),
        fc.array(eligible, { minLength: 1, maxLength: 3 }),
        (words, lists) => {
          const steps = lists.map((list) => ({ need: 1, eligible: list.map((i) => people[i]!.id) }))
          const votes = words.map(({ human, seat, sequence }) => (human === seat ? own(people[human]!) : vote(people[human]!, people[seat]!, { sequence })))
          const heard = [1, 2, 3, 4].flatMap((seat) => {
            const given = words.filter((each) => each.seat === seat)
            const best = given.find(({ human }) => human === seat) ?? given.toSorted((a, b) => Number(b.sequence - a.sequence))[0]
            return best && lists.some((list) => list.includes(seat))
              ? [{ seat, sequences: given.filter(({ sequence }) => sequence === best.sequence), best }]
              : []
          })
          // Of two statements under one number nobody says which is the newer.
          fc.pre(heard.every(({ best, sequences }) => best.human === best.seat || sequences.length === 1))
          const most = (left: typeof heard, used: number[], at: number): number =>
            at === lists.length
              ? 0
              : Math.max(
                  most(left, used, at + 1),
                  ...left
                    .filter(({ seat, best }) => lists[at]!.includes(seat) && !used.includes(best.human))
                    .map(({ best }) => 1 + most(left, [...used, best.human], at + 1)),
                )
          const tally = count(votes, { steps })
          assert.equal(lists.length - tally.missing, most(heard, [], 0))
          assert.deepEqual(tally.approvedBy.map(({ id }) => toHex(id)).toSorted(), heard.map(({ seat }) => toHex(people[seat]!.id)).toSorted())
          for (const { id, by } of tally.approvedBy) {
            const { best } = heard.find(({ seat }) => equalBytes(people[seat]!.id, id))!
            assert.equal(by?.name, best.human === best.seat ? undefined : people[best.human]!.name)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('give the seat of whoever signed the statement to whoever it names', () => {
    const tally = count([vote(ben, cleo), own(dora)])
    assert.deepEqual([tally.met, tally.filled.flat().length], [true, 2])
    assert.deepEqual(
      tally.approvedBy.map(({ name, by }) => [name, by?.name]),
      [
        [cleo.name, ben.name],
        [dora.name, undefined],
      ],
    )
    assert.equal(missing([vote(ben, cleo), own(ben)]), 1, 'one human counts once, for whomever')
    assert.equal(missing([vote(ben, cleo), vote(ben, dora)]), 1, 'nor for two')
    assert.equal(missing([vote(ben, cleo), own(cleo)]), 1, 'nor a seat twice')
    assert.equal(missing([vote(ben, cleo), vote(dora, cleo, { sequence: 2n })]), 1)
    assert.equal(missing([vote(ben, cleo), own(cleo), own(ben)]), 0, 'who speaks for herself leaves her delegate his own word')
  })

  it('take a no of a delegate as hers, whatever she says', () => {
    const no = sampleDelegated(ben, statement(cleo, ben), { intent, policy, decision: 'reject' })
    assert.deepEqual(
      count([no, own(dora), own(eve)]).rejectedBy.map(({ name, by }) => [name, by?.name]),
      [[cleo.name, ben.name]],
    )
    assert.equal(count([no, own(cleo), own(eve)]).met, false)
    assert.equal(count([no, own(dora), own(eve)], { steps: [{ need: 1, eligible: [dora.id] }] }).met, true, 'hers does not count there')
  })

  it('count in nothing but orders that move money, and never where one of the two asked', () => {
    const { genesis, orderId, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, remark, nonce } = intent
    const stated = { genesis, orderId, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, remark, nonce }
    const change: Intent = { kind: 'absence', ...stated, party: 1n, untilMs: 3_000_000_000_000n }
    assert.equal(refusal([sampleDelegatedOf(change)], { intent: change }), 'delegated-other-order')
    const byBen = sampleTransfer(policy, ben.id)
    for (const [by, seat] of [
      [ben, cleo],
      [cleo, ben],
    ] as const)
      assert.equal(refusal([sampleDelegated(by, statement(seat, by), { intent: byBen, policy })], { intent: byBen }), 'delegated-by-asker')
  })

  it('count by no statement that is forged, of others, by a lost key, or not for this', () => {
    const forged = { ...statement(cleo, ben), assertion: deviceAssertion(dora, new Uint8Array(32)) }
    const by = (delegation: DelegatedApproval['delegation']) => refusal([sampleDelegated(ben, delegation, { intent, policy })])
    assert.equal(by(forged), 'delegation-strange-key')
    assert.equal(by({ ...statement(cleo, ben), assertion: { ...forged.assertion, credentialId: cleo.credential.id } }), 'assertion-signature')
    assert.equal(
      by({ ...statement(cleo, ben), statement: { ...statement(cleo, ben).statement, untilMs: 30_001n } }),
      'assertion-signature',
      'longer than signed',
    )
    assert.equal(by(statement(cleo, ben, { genesis: new Uint8Array(32) })), 'delegation-other-organisation')
    assert.equal(by(statement(member(9), ben)), 'delegation-by-stranger')
    assert.equal(by(statement(cleo, member(9))), 'delegation-to-stranger')
    assert.equal(by(statement(ben, ben)), 'delegation-to-oneself')
    assert.equal(by(statement(cleo, ann)), 'delegation-no-deputy')
    assert.equal(by(statement(cleo, dora)), 'delegated-by-another', 'nothing chains')
    assert.equal(by(statement(cleo, ben, { untilMs: 0n })), 'delegation-only-ends')
    assert.equal(by(statement(cleo, ben, { untilMs: 10_000n })), 'delegation-time')
    assert.equal(by(statement(cleo, ben, { untilMs: 10_000n + 30n * 86_400_000n })), undefined)
    assert.equal(by(statement(cleo, ben, { untilMs: 10_001n + 30n * 86_400_000n })), 'delegation-time')
    const lost = { ...policy, people: policy.people.map((each) => (equalBytes(each.id, cleo.id) ? { ...each, credentials: [] } : each)) }
    const later = sampleTransfer(lost, ann.id)
    const held = sampleDelegated(ben, statement(cleo, ben), { intent: later, policy: lost })
    assert.throws(() => countApprovals({ policy: lost, intent: later, approvals: [held], steps: anybody }), {
      refusal: { code: 'delegation-strange-key', given: { name: cleo.name } },
    })
  })

  it('count in no policy that names no deputies, which is every one of a former form', () => {
    for (const former of [samplePolicy(people, 2), thirdForm(people, {}), { ...policy, deputies: [] }]) {
      const order = sampleTransfer(former, ann.id)
      const given = sampleDelegated(ben, statement(cleo, ben), { intent: order, policy: former })
      const code = { refusal: { code: 'delegation-no-deputy', given: { name: ben.name } } }
      assert.throws(() => countApprovals({ policy: former, intent: order, approvals: [given], steps: anybody }), code)
    }
  })

  it('count only when they were signed in time, and as long as the time lasts by the clock of whoever decides', () => {
    assert.equal(refusal([vote(ben, cleo, {}, { signedAtMs: 10_000n })]), undefined)
    assert.equal(refusal([vote(ben, cleo, { fromMs: 20_001n })]), 'delegated-out-of-time')
    assert.equal(refusal([vote(ben, cleo, { untilMs: 20_000n })]), 'delegated-out-of-time')
    assert.equal(refusal([vote(ben, cleo)], { atMs: 29_999 }), undefined)
    assert.equal(refusal([vote(ben, cleo)], { atMs: 30_000 }), 'delegated-expired', 'also where it is dated back')
  })

  it('bind the statement and the words, which begin with whose word it is', () => {
    const good = vote(ben, cleo)
    assert.equal(refusal([{ ...good, delegation: statement(dora, ben) }]), 'approval-other-words')
    assert.equal(refusal([{ ...good, delegation: statement(cleo, ben, { sequence: 9n }) }]), 'assertion-signature')
    const plain = sampleApproval(ben, intent, policy)
    assert.equal(refusal([{ ...plain, delegation: statement(cleo, ben) }]), 'approval-other-words', 'a word of his own is none for her')
    const { delegation: _, ...alone } = good
    assert.equal(refusal([alone]), 'approval-other-words', 'nor one for her his own')
  })

  it('travel among approvals, and older programs refuse them', () => {
    const good = vote(ben, cleo)
    const bytes = encodeVote(good)
    assert.deepEqual(bytes, encode(delegatedApprovalShape, good))
    const { approvals } = readSpoken([bytes, encodeVote(own(dora))])
    assert.deepEqual(approvals, [decode(delegatedApprovalShape, bytes), own(dora)])
  })
})

const sampleDelegatedOf = (order: Intent): DelegatedApproval => {
  const plain = vote(ben, cleo)
  return { ...plain, intentHash: sampleApproval(ben, order, policy).intentHash }
}
