import { encode, fromHex, toHex } from '@holdfast/encoding'
import { type Delegation, DELEGATION_MAX_MS, delegationHash, delegationShape, type DelegationStatement } from '@holdfast/intent'
import { checkStatement, DelegationRefused, deputiesMeant, findPerson, type Person, type Policy } from '@holdfast/policy'
import type { App } from './app.ts'
import { signWith } from './decide.ts'
import type { KeyRecord } from './keys/key-store.ts'
import { PageError } from './page-error.ts'
import { type Method, methodsOf } from './read/list-approvers.ts'
import type { DelegationReply } from './read/signer-api.ts'

/** Somebody who may say who decides for them, and with what they can sign it from this browser. */
export type Delegator = Method & { person: Person }

/** Whom somebody names, and from when until when, in milliseconds since 1970. */
export type Terms = { delegate: Person; fromMs: bigint; untilMs: bigint }

export type Delegating = {
  fingerprint: string
  policy: Policy
  delegator: Delegator
  /** The highest sequence that this signer has heard of the person; 0 if none. */
  heard: bigint
  /** Null to end what was said before, and name nobody. */
  terms: Terms | null
}

/** Everybody of a policy with a key, first those whose key this browser knows. */
export function delegatorsIn(policy: Policy, keys: readonly KeyRecord[], origin: string): Delegator[] {
  const delegators = policy.people.flatMap((person) => methodsOf(person, policy, keys, origin).map((each) => ({ person, ...each })))
  return delegators.sort((a, b) => Number(b.knownHere) - Number(a.knownHere))
}

/** Who may be named to decide for somebody, by a policy. */
export function deputiesIn(policy: Policy): Person[] {
  return deputiesMeant(policy).flatMap((id) => findPerson(policy, id) ?? [])
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/**
 * From the beginning of one day until the end of another, by the reader's clock, in milliseconds; for no longer than may be, where a night in between is an hour
 * longer. Undefined if these are no days, one ends before it begins, is over, or takes more than 30 days.
 */
export function daysOf(first: string, last: string, nowMs: number): { fromMs: bigint; untilMs: bigint } | undefined {
  const from = startOf(first, 0)
  const until = startOf(last, 1)
  if (from === undefined || until === undefined || until <= from || until <= nowMs) return undefined
  if (until - from > DELEGATION_MAX_MS + HOUR_MS) return undefined
  return { fromMs: BigInt(from), untilMs: BigInt(Math.min(until, from + DELEGATION_MAX_MS)) }
}

const HOUR_MS = 3_600_000

/** When a day begins, so many days later. Undefined for what is no day of the calendar. */
function startOf(text: string, days: number): number | undefined {
  const [, year, month, day] = DAY.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const given = new Date(Number(year), Number(month) - 1, Number(day))
  if (given.getMonth() !== Number(month) - 1 || given.getFullYear() !== Number(year)) return undefined
  return new Date(Number(year), Number(month) - 1, Number(day) + days).getTime()
}

/** Signs with one person's key who decides for them, or that nobody does any more, checks it as signers will, and hands it to the signer of this page. Throws PageError. */
export async function delegateAs(app: App, { fingerprint, policy, delegator, heard, terms }: Delegating): Promise<DelegationReply> {
  const nowMs = BigInt(app.clock.nowMs())
  const { person, method } = delegator
  const statement: DelegationStatement = {
    genesis: fromHex(fingerprint),
    delegator: person.id,
    delegate: terms?.delegate.id ?? person.id,
    fromMs: terms?.fromMs ?? 0n,
    untilMs: terms?.untilMs ?? 0n,
    // Each is later than the one before: a higher number ends every lower one, at whichever page it was signed.
    sequence: heard >= nowMs ? heard + 1n : nowMs,
    nonce: app.random.bytes(32),
  }
  const delegation: Delegation = { statement, assertion: await signWith(app, method, delegationHash(statement)) }
  try {
    checkStatement(delegation, policy, statement.genesis)
  } catch (cause) {
    if (cause instanceof DelegationRefused) throw new PageError('wouldNotCount', '', { cause, refusal: cause.refusal })
    throw cause
  }
  return app.api.setDelegation(toHex(encode(delegationShape, delegation)))
}
