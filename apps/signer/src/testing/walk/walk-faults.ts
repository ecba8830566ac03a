import { equalBytes, toHex } from '@holdfast/encoding'
import { intentHash } from '@holdfast/intent'
import { DAY_MS } from '../organisation-of.ts'
import type { MemorySigner } from '../memory-signer.ts'
import type { Told, Walk } from './walk-of.ts'
import { isSigned, type WalkSession } from './walk-sessions.ts'
import { DAY_MAX } from '../world-of.ts'

/*
 * What must never have come of a walk, judged by what was done in it and by nothing that a signer says of itself.
 */

/** What went wrong: an order in two slots, a window passed, or one signed against what a signer whose word it needed had heard. Undefined if nothing. */
export function faultOf(walk: Walk): string | undefined {
  const signed = walk.sessions.all.filter(isSigned)
  return twice(signed) ?? overWindow(signed) ?? followedAgainst(walk) ?? signed.map((session) => against(walk, session)).find((each) => each !== undefined)
}

function twice(signed: readonly WalkSession[]): string | undefined {
  const slots = new Map<string, bigint>()
  for (const { order, slot } of signed) {
    const known = slots.get(toHex(order.hash))
    if (known !== undefined && known !== slot) return `an order was signed in slots ${known} and ${slot}`
    slots.set(toHex(order.hash), slot)
  }
  return undefined
}

const signedAtMs = ({ started }: WalkSession) => Math.min(...[...started.values()].map(({ atMs }) => atMs))

/** In no day more than may be, wherever it begins; an order that is signed again counts once. */
function overWindow(signed: readonly WalkSession[]): string | undefined {
  for (const last of signed) {
    const toMs = signedAtMs(last)
    const within = signed.filter((each) => signedAtMs(each) <= toMs && signedAtMs(each) > toMs - DAY_MS)
    const amounts = new Map(within.map(({ order }) => [toHex(order.hash), order.intent.amount]))
    const total = [...amounts.values()].reduce((sum, amount) => sum + amount, 0n)
    if (total > DAY_MAX) return `${total} let through in a day where ${DAY_MAX} may be`
  }
  return undefined
}

type Consent = { by: MemorySigner; step: number }

/**
 * Who consented to a session, each until when it could have said no: those that signed when they began, the third when it gave the latest word that served.
 */
function consents(session: WalkSession): Consent[] {
  const own = [...session.started].map(([by, { step }]) => ({ by, step }))
  const words = [...session.started.values()].flatMap(({ heard }) => heard.filter(({ by }) => by.party === thirdOf(session)))
  return words.length === 0 ? own : [...own, words.reduce((latest, each) => (each.step > latest.step ? each : latest))]
}

const thirdOf = ({ pair }: WalkSession) => 6 - pair[0].party - pair[1].party

function against(walk: Walk, session: WalkSession): string | undefined {
  const known: Told[] = []
  for (const consent of consents(session)) {
    const heard = heardBy(walk, session, consent)
    const fault = heardAgainst(heard, session, (hash) => isLifted(walk, session, hash))
    if (fault) return `${fault}, which signer ${consent.by.party} knew`
    known.push(...heard)
  }
  return decidedAgainst(walk, known, session) ?? faultOfAbsence(walk, session)
}

/** What a signer had heard. Of one whose folder was put back, what it had when another that consents saw how far it had come: there its loss is found out. */
function heardBy(walk: Walk, session: WalkSession, { by, step }: Consent): Told[] {
  const heard = walk.told.filter((each) => each.by === by && each.step < step)
  if (!walk.forgetful.has(by)) return heard
  const seen = [...session.started]
    .filter(([other]) => other !== by && !walk.forgetful.has(other))
    .flatMap(([other, own]) => lastSeen(walk, other, own.step, by))
  const wasLost = (from: number, to: number) => walk.forgetful.get(by)!.some((lost) => lost > from && lost < to)
  return heard.filter((each) => seen.some((until) => until > each.step && !wasLost(each.step, until)))
}

/** The latest words of one signer by which another had a signature, before a step. */
function lastSeen(walk: Walk, by: MemorySigner, step: number, of: MemorySigner): number[] {
  return walk.sessions.all.flatMap((session) => {
    const own = session.started.get(by)
    const isBefore = own !== undefined && own.finished !== null && own.finished < step
    return isBefore ? own.heard.filter((each) => each.by === of).map((each) => each.step) : []
  })
}

/** The next version was decided, by what all that consented had heard together: at one page, or some of it at each. */
function decidedAgainst({ changes, told }: Walk, known: readonly Told[], { order }: WalkSession): string | undefined {
  const decided = changes.find(({ intent }) => {
    if (intent.policyVersion !== order.intent.policyVersion) return false
    const about = (hash: Uint8Array) => equalBytes(hash, intentHash(intent))
    // Also where a signer said so whose folder was put back to before: then it said so after.
    const isRejected = told.some((each) => each.what === 'veto' && about(each.order))
    return !isRejected && new Set(known.flatMap((each) => (each.what === 'vote' && about(each.change) ? [each.person] : []))).size === 2
  })
  return decided && `an order was signed under version ${order.intent.policyVersion} of the policy after the next one was decided`
}

/** Whether both that signed had followed the people who lifted a freeze, whoever else had still to hear of it. */
function isLifted({ told }: Walk, { started }: WalkSession, hash: string): boolean {
  return [...started].every(([by, { step }]) => told.some((each) => each.by === by && each.step < step && each.what === 'lift' && each.hashes.includes(hash)))
}

/** `heard` by one that consents, with what it lifted itself. */
function heardAgainst(heard: readonly Told[], { order }: WalkSession, isLiftedThere: (hash: string) => boolean): string | undefined {
  const lifted = new Set(heard.flatMap((each) => (each.what === 'lift' ? each.hashes : [])))
  for (const each of heard) {
    if (each.what === 'veto' && equalBytes(each.order, order.hash)) return 'an order was signed that somebody had rejected'
    if (each.what === 'freeze' && !lifted.has(each.hash) && !isLiftedThere(each.hash)) return 'an order was signed while signing was frozen'
    if (each.what === 'version' && each.version > order.intent.policyVersion)
      return `an order was signed under version ${order.intent.policyVersion} of the policy`
  }
  return undefined
}

/** Without the word of the third only where people said that it is away, for that time, and it has not been heard since the signer followed them. */
function faultOfAbsence(walk: Walk, session: WalkSession): string | undefined {
  const third = thirdOf(session)
  for (const [by, { heard, atMs, step }] of session.started) {
    if (heard.some((each) => each.by.party === third)) continue
    const isAway = walk.signerOrders.some(({ intent }) => {
      if (intent.kind !== 'absence' || Number(intent.party) !== third || Number(intent.untilMs) <= atMs) return false
      const first = walk.told.find((each) => each.by === by && each.what === 'follow' && equalBytes(each.order, intentHash(intent)))
      return first !== undefined && first.step < step && !wasHeard(walk, { by, third, from: first.step, to: step })
    })
    if (!isAway && !walk.forgetful.has(by)) return `signed without the word of signer ${third}, which nobody said was away`
  }
  return undefined
}

/** Whether a signer began with the word of another between two steps. */
function wasHeard({ sessions }: Walk, { by, third, from, to }: { by: MemorySigner; third: number; from: number; to: number }): boolean {
  return sessions.all.some((session) => {
    const own = session.started.get(by)
    return own !== undefined && own.step > from && own.step < to && own.heard.some((each) => each.by.party === third)
  })
}

/**
 * Something that signers follow one by one was followed by one of them, though another had a rejection of it, and is neither lost, nor away, nor replaced
 * by it.
 */
function followedAgainst(walk: Walk): string | undefined {
  for (const { what, by, step, ...told } of walk.told) {
    if (what !== 'follow' || !('order' in told)) continue
    const no = walk.told.find((each) => each.what === 'veto' && each.step < step && equalBytes(each.order, told.order) && isAsked(walk, each.by, told.order))
    if (no) return `signer ${by.party} followed what was rejected at the page of signer ${no.by.party}`
  }
  return undefined
}

function isAsked({ changes, signerOrders, forgetful, machines }: Walk, by: MemorySigner, order: Uint8Array): boolean {
  const replaced = changes.find(({ intent }) => equalBytes(intentHash(intent), order))?.newcomer?.party
  const away = signerOrders.flatMap(({ intent }) => (intent.kind === 'absence' ? [Number(intent.party)] : []))
  const isSeated = machines.findLast(({ party }) => party === by.party) === by
  return isSeated && !forgetful.has(by) && by.party !== replaced && !away.includes(by.party)
}
