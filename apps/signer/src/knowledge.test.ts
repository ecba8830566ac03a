import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Word } from '@holdfast/protocol'
import { DAY_MAX } from './testing/world-of.ts'
import { type Knowledge, newestOf, Walk, walkOrders } from './testing/walk-of.ts'

const PAIRS: [number, number][] = [
  [1, 2],
  [1, 3],
  [2, 3],
]
const RUNS = process.env.HOLDFAST_THOROUGH ? 200_000 : 10_000

/** One move of a hostile server: what, on which session, at which signer, and a number that chooses within it. */
type Move = {
  what: 'begin' | 'open' | 'speak' | 'start' | 'mix' | 'end' | 'restart' | 'rollBack' | 'veto' | 'honest' | 'stale'
  session: number
  party: number
  pick: number
}

const moves = fc.array(
  fc.record({
    what: fc.constantFrom(
      ...(['begin', 'open', 'open', 'speak', 'speak', 'start', 'start', 'mix', 'end', 'restart', 'rollBack', 'veto', 'honest', 'honest', 'stale'] as const),
    ),
    session: fc.nat(7),
    party: fc.integer({ min: 1, max: 3 }),
    pick: fc.nat(99),
  }),
  { minLength: 8, maxLength: 40 },
)

function play(walk: Walk, { what, session: at, party, pick }: Move): void {
  if (what === 'begin' || walk.sessions.length === 0) {
    walk.begin(PAIRS[pick % 3]!, walkOrders[at % walkOrders.length]!, BigInt((at % walkOrders.length) * 2 + (pick > 60 ? 1 : 0)))
    return
  }
  const session = walk.sessions[walk.sessions.length - 1 - (at % walk.sessions.length)]!
  const member = session.pair[party % 2]!
  if (what === 'open') walk.open(session, member)
  if (what === 'speak') walk.speak(session, party)
  if (what === 'start') walk.start(session, member)
  if (what === 'mix') walk.start(session, member, mixed(walk, pick))
  if (what === 'end') walk.end(session, member)
  if (what === 'restart') walk.restart(party)
  // One folder is put back, and always the same one.
  if (what === 'rollBack' && (walk.putBack === null || walk.putBack === party)) walk.rollBack(party, walk.of(party).records.length - (pick % 9))
  if (what === 'veto' && pick > 70) walk.veto(walkOrders[at % walkOrders.length]!, party)
  if (what === 'stale') whole(walk, PAIRS[pick % 3]!, at % walkOrders.length, 0, () => mixed(walk, 0))
  if (what === 'honest') honest(walk, PAIRS[pick % 3]!, at % walkOrders.length, pick > 80 ? 1 : 0)
}

/** Words of any session: of each signer the one with this number, the oldest first. */
function mixed(walk: Walk, pick: number): Map<number, Word> {
  const every = walk.sessions.flatMap(({ words }) => [...words.values()].flat())
  return new Map(
    [1, 2, 3].flatMap((party) => {
      const own = every.filter((word) => Number(word.party) === party)
      return own.length > 0 ? [[party, own[pick % own.length]!] as const] : []
    }),
  )
}

/** A whole session as an honest server relays it. */
const honest = (walk: Walk, pair: [number, number], order: number, other: number) => whole(walk, pair, order, other, newestOf)

/** A whole session, with the words that a server chooses. */
function whole(walk: Walk, pair: [number, number], order: number, other: number, words: typeof newestOf): boolean {
  const session = walk.begin(pair, walkOrders[order]!, BigInt(order * 2 + other))
  for (const party of pair) walk.open(session, party)
  const before = words(session)
  for (const party of [1, 2, 3]) walk.speak(session, party)
  return pair.map((party) => walk.start(session, party, words === newestOf ? newestOf(session) : before)).every(Boolean)
}

/**
 * The circle: signer 1 opens B and then A, signer 3 opens C and then B, signer 2 opens A and then C, so that of each two sessions one is unknown to the
 * signer that
 * they share when it opens the other.
 */
function circle(knowledge: Knowledge): bigint {
  const walk = new Walk(knowledge)
  const [a, b, c] = [walk.begin([1, 2], walkOrders[0]!, 0n), walk.begin([1, 3], walkOrders[1]!, 2n), walk.begin([2, 3], walkOrders[2]!, 4n)]
  for (const [session, party] of [
    [b, 1],
    [c, 3],
    [a, 2],
    [a, 1],
    [b, 3],
    [c, 2],
  ] as const)
    walk.open(session, party)
  for (const session of [a, b, c]) for (const party of [1, 2, 3]) walk.speak(session, party)
  for (const session of [a, b, c]) for (const party of session.pair) walk.start(session, party)
  return [a, b, c].filter(({ started }) => started.size === 2).reduce((sum, { order }) => sum + order.amount, 0n)
}

describe('three signers that tell each other what they know, and a server that does what it likes', () => {
  it('sign for an honest server', () => {
    const walk = new Walk()
    assert.equal(honest(walk, [1, 2], 0, 0), true)
    assert.equal(honest(walk, [2, 3], 1, 0), true)
    assert.equal(honest(walk, [1, 3], 2, 0), false, 'the window is used')
    assert.equal(honest(walk, [1, 3], 0, 0), true, 'the same order in the same slot')
    assert.equal(walk.fault(), undefined)
  })

  it('let no window be passed by three sessions in a circle, as knowledge inside the joins alone would', () => {
    assert.ok(circle('joins') > DAY_MAX, 'the attack is real where joins alone carry what is known')
    assert.ok(circle('words') <= DAY_MAX)
  })

  it(`pay no order twice, pass no window and sign nothing that was rejected, in ${RUNS} searches`, () => {
    fc.assert(
      fc.property(moves, (list) => {
        const walk = new Walk()
        for (const move of list) {
          play(walk, move)
          assert.equal(walk.fault(), undefined)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('would be found out by the same search where joins alone carried what is known', () => {
    const found = fc.check(
      fc.property(moves, (list) => {
        const walk = new Walk('joins')
        for (const move of list) play(walk, move)
        assert.equal(walk.fault(), undefined)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    assert.equal(found.failed, true)
  })
})
