import fc from 'fast-check'
import { DAY_MS } from '../organisation-of.ts'
import type { MemorySigner } from '../memory-signer.ts'
import type { Walk } from './walk-of.ts'
import { ben, cleo } from '../world-of.ts'
import { newestOf, type Spoken, type WalkSession } from './walk-sessions.ts'

const PAIRS = [
  [1, 2],
  [1, 3],
  [2, 3],
] as const

/** What a hostile server does, and people and machines beside it; how often, of a hundred or so. */
const KINDS = {
  begin: 6,
  open: 10,
  speak: 10,
  start: 10,
  finish: 3,
  mix: 5,
  stale: 4,
  honest: 20,
  silent: 4,
  settle: 3,
  end: 4,
  restart: 4,
  putBack: 4,
  wait: 3,
  ask: 2,
  reject: 3,
  freeze: 2,
  lift: 1,
  change: 2,
  vote: 3,
  follow: 3,
  away: 2,
  replace: 1,
} as const
type Kind = keyof typeof KINDS

/** One move: what, on which session, at which signer, and a number that chooses within it. */
export type Move = { what: Kind; at: number; party: number; pick: number }
/**
 * A walk: its moves, and the one signer to which losses happen (its folder is put back, another takes its place). Two losses at once leave what only those
 * two knew
 * to nobody, which no rule can mend: then nobody is away but the same one. Where none is lost, any may be away, one after the other.
 */
export type WalkPlan = { lost: number; moves: Move[] }

const move: fc.Arbitrary<Move> = fc.record({
  what: fc.oneof(...(Object.keys(KINDS) as Kind[]).map((kind) => ({ weight: KINDS[kind], arbitrary: fc.constant(kind) }))),
  at: fc.nat(7),
  party: fc.integer({ min: 1, max: 3 }),
  pick: fc.nat(99),
})

export const walkPlans: fc.Arbitrary<WalkPlan> = fc.record({ lost: fc.nat(3), moves: fc.array(move, { minLength: 8, maxLength: 40, size: 'max' }) })

/** Makes one move. Whatever cannot be done leaves all as it is. */
export async function play(walk: Walk, lost: number, { what, at, party, pick }: Move): Promise<void> {
  const { sessions } = walk
  const machine = walk.of(party, pick % 7 === 0 ? 1 : 0)
  const newest = sessions.all.at(-1 - (at % Math.max(1, sessions.all.length)))
  const member = newest?.pair[pick % 2]
  if (what === 'begin' || !newest || !member) return void begin(walk, pick, at)
  if (what === 'open') return void (await sessions.open(newest, member))
  if (what === 'speak') return void (await sessions.speak(newest, machine))
  if (what === 'start') return void (await sessions.start(newest, member))
  if (what === 'finish') return sessions.finish(newest, member)
  if (what === 'mix') return void (await sessions.start(newest, member, mixed(walk, pick)))
  if (what === 'stale') return void (await whole(walk, pick, at, () => mixed(walk, 0)))
  if (what === 'honest') return void (await whole(walk, pick, at))
  if (what === 'silent') return void (await whole(walk, pick, at, newestOf, false))
  if (what === 'settle') return settle(walk, pick, at)
  if (what === 'end') return sessions.end(newest, member)
  if (what === 'restart') return sessions.restart(machine)
  if (what === 'putBack') return lost === 0 ? undefined : putBack(walk, walk.of(lost), pick)
  if (what === 'wait') return walk.wait([6 * 60_000, DAY_MS / 2, DAY_MS + 1][pick % 3]!)
  if (what === 'ask') return walk.ask()
  return playPeople(walk, lost, { what, at, party, pick }, machine)
}

/** To a little before, or to what it was before one of the last sessions: then what was signed is asked for again, of another pair and in another slot. */
async function putBack(walk: Walk, machine: MemorySigner, pick: number): Promise<void> {
  const sessions = walk.sessions.all.filter(({ pair }) => pair.includes(machine))
  const session = sessions.at(-1 - (pick % 3))
  if (pick < 30 || !session) return walk.putBack(machine, machine.position - (pick % 9))
  await walk.putBack(machine, session.positions[session.pair.indexOf(machine)]!)
  if (pick < 60) return
  const other = walk.of([1, 2, 3].find((party) => !session.pair.some((each) => each.party === party))!)
  const pair = [machine, other].toSorted((a, b) => a.party - b.party) as [MemorySigner, MemorySigner]
  await carry(walk, walk.sessions.begin(pair, session.order, session.slot ^ 1n), pick)
}

/** What people decide, and which signers the server lets hear of it. */
async function playPeople(walk: Walk, lost: number, { what, at, party, pick }: Move, machine: MemorySigner): Promise<void> {
  if (what === 'reject')
    await walk.reject((pick < 60 ? orderOf(walk, at) : ((pick < 80 ? walk.changes : walk.signerOrders).at(-1) ?? orderOf(walk, at))).intent, machine)
  if (what === 'freeze') await (pick < 50 || walk.freezes.length === 0 ? walk.freeze(machine) : walk.passFreeze(machine, at % walk.freezes.length))
  if (what === 'lift') await deliverOrder(walk, walk.liftAll(), pick)
  if (what === 'change') await propose(walk, null, pick)
  if (what === 'vote') await vote(walk, walk.changes.at(-1 - (at % 2)), pick)
  if (what === 'replace' && lost !== 0) await replace(walk, lost, pick)
  if (what === 'follow')
    await (pick % 2 === 0 ? deliver(walk, walk.changes.at(-1 - (at % 2)), pick) : deliverOrder(walk, walk.signerOrders.at(-1 - (at % 3)), pick))
  if (what === 'away') await deliverOrder(walk, walk.declareAway(lost === 0 ? party : lost), pick)
}

const orderOf = (walk: Walk, at: number) => walk.orders[walk.orders.length - 1 - (at % 4)]!

/** An order in its own slot, or now and then in another one. */
function begin(walk: Walk, pick: number, at: number): WalkSession {
  const [low, high] = PAIRS[pick % 3]!
  const order = orderOf(walk, at)
  const slot = BigInt(walk.orders.indexOf(order) * 2 + (pick > 70 ? 1 : 0))
  // A machine that was replaced may still be there, and have been told of nothing.
  return walk.sessions.begin([walk.of(low, pick % 11 === 0 ? 1 : 0), walk.of(high, pick % 13 === 0 ? 1 : 0)], order, slot)
}

/** A whole session, as an honest server relays it, or with the words that a server chooses. */
export const whole = (walk: Walk, pick: number, at: number, words = newestOf, thirdSpeaks = true): Promise<boolean> =>
  carry(walk, begin(walk, pick, at), pick, words, thirdSpeaks)

async function carry(walk: Walk, session: WalkSession, pick: number, words = newestOf, thirdSpeaks = true): Promise<boolean> {
  const { sessions } = walk
  for (const each of session.pair) await sessions.open(session, each)
  const before = words(session)
  for (const each of [...session.pair, ...(thirdSpeaks ? [walk.of(thirdOf(session))] : [])]) await sessions.speak(session, each)
  let went = true
  for (const each of session.pair) went = (await sessions.start(session, each, words === newestOf ? newestOf(session) : before)) && went
  // The signature reaches both, one of them, or none.
  if (pick % 4 !== 1) await sessions.finish(session, session.pair[0])
  if (pick % 4 > 1) await sessions.finish(session, session.pair[1])
  return went
}

const thirdOf = ({ pair }: WalkSession) => 6 - pair[0].party - pair[1].party

/** A day goes by in which nothing is hidden; then people ask anew. */
async function settle(walk: Walk, pick: number, at: number): Promise<void> {
  for (const change of walk.changes.slice(-2)) await deliver(walk, change, 99)
  if (walk.freezes.length > 0) await deliverOrder(walk, walk.liftAll(), 99)
  if (walk.seat()) await walk.share()
  await walk.wait(DAY_MS + 6 * 60_000)
  walk.ask()
  await whole(walk, pick % 80, at % 4)
}

/** Words of any session: of each signer the one with this number, the oldest first. */
function mixed(walk: Walk, pick: number): Spoken[] {
  const every = walk.sessions.all.flatMap(({ spoken }) => spoken)
  return [1, 2, 3].flatMap((party) => {
    const own = every.filter(({ by }) => by.party === party)
    return own.length > 0 ? [own[pick % own.length]!] : []
  })
}

/** Somebody proposes a change; none, one or both approve it, on the pages where the server sends them. */
async function propose(walk: Walk, replaced: number | null, pick: number): Promise<void> {
  const change = walk.change(replaced)
  if (pick % 4 > 0) await vote(walk, change, pick)
  if (pick % 4 > 1) await vote(walk, change, pick + 1)
  if (pick % 4 > 2) await deliver(walk, change, pick)
}

async function vote(walk: Walk, change: Walk['changes'][number] | undefined, pick: number): Promise<void> {
  if (change) await walk.vote(change, pick % 2 === 0 ? ben : cleo, walk.of(1 + (Math.floor(pick / 2) % 3)))
}

/** Has all signers say that they would follow a change, and lets all, some or none of them have it. */
async function deliver(walk: Walk, change: Walk['changes'][number] | undefined, pick: number): Promise<void> {
  if (!change || change.voters.size < 2) return
  if (change.endorsements.length < 3) for (const machine of walk.machines) await walk.endorseChange(change, machine)
  for (const machine of chosen(walk, pick)) if (machine.organisation.policy.version < change.next.version) await walk.follow(change, machine)
  walk.ask()
}

async function deliverOrder(walk: Walk, order: Walk['signerOrders'][number] | undefined, pick: number): Promise<void> {
  if (!order) return
  if (order.endorsements.length < 3) for (const machine of walk.machines) await walk.endorseOrder(order, machine)
  for (const machine of chosen(walk, pick)) await walk.followOrder(order, machine)
}

/** Another machine takes the place of the signer that is lost, at once or later, as far as the server lets it. */
async function replace(walk: Walk, lost: number, pick: number): Promise<void> {
  const isWaiting = walk.changes.some(({ newcomer }) => newcomer)
  if (!isWaiting) await propose(walk, lost, 3 + 4 * (pick % 25))
  walk.seat()
  if (await walk.share()) walk.ask()
}

/** All machines; two, one or none of them. */
function chosen({ machines }: Walk, pick: number): MemorySigner[] {
  if (pick >= 50) return machines
  return machines.filter((_, i) => ((pick % 8) >> (i % 3)) % 2 === 1)
}
