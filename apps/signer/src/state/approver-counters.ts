import { equalBytes, toHex } from '@holdfast/encoding'
import { counterOf, type Vote, voteChallenge } from '@holdfast/intent'
import type { JournalEvent } from './journal-events.ts'
import type { Register } from './register.ts'
import type { SignerView } from '../checks/verify.ts'

/** A machine of an approver may be this far ahead. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000

/** What can speak against the moment an approval says it was signed in. */
export const MOMENT_FAULTS = {
  'moment-to-come': 'signed at a time that has not come yet',
  'moment-copied-key':
    'the counter of this passkey did not go up since it last signed: there may be a copy of it. Sign again; if it is refused again, have the key replaced',
} as const
type MomentFault = keyof typeof MOMENT_FAULTS

/** The highest counter that a passkey has shown here, and the approval it came with. Keys that do not count show none. */
export type Counted = { counter: number; signedAtMs: bigint; challenge: Uint8Array }

/**
 * What speaks against the moment an approval says it was signed in; undefined if nothing does. An authenticator counts up with each signature, so
 * of two that
 * were signed apart the later one has the higher counter. Where it has not, there are two of the authenticator. Approvals reach a signer in any
 * order, so the times
 * they say decide. A signer that is new has seen none and learns; evidence is read without this, for it is one order alone.
 */
export function faultOfMoment(approval: Vote, { register, nowMs }: Pick<SignerView, 'register' | 'nowMs'>): MomentFault | undefined {
  const { signedAtMs } = approval
  if (signedAtMs > BigInt(nowMs + CLOCK_TOLERANCE_MS)) return 'moment-to-come'
  const last = lastOf(approval, register)
  if (!last || isLast(approval, last)) return undefined
  const counter = counterOf(approval.assertion)
  const isLater = signedAtMs > last.signedAtMs + BigInt(CLOCK_TOLERANCE_MS)
  const isEarlier = signedAtMs + BigInt(CLOCK_TOLERANCE_MS) < last.signedAtMs
  const isBack = counter === last.counter || (counter < last.counter ? isLater : isEarlier)
  return isBack ? 'moment-copied-key' : undefined
}

/** As `faultOfMoment`, for an approval that comes straight from the authenticator: it is the latest, whatever time it says. */
export function faultOfFresh(approval: Vote, view: Pick<SignerView, 'register' | 'nowMs'>): MomentFault | undefined {
  const last = lastOf(approval, view.register)
  const isBack = last !== undefined && !isLast(approval, last) && counterOf(approval.assertion) <= last.counter
  return isBack ? 'moment-copied-key' : faultOfMoment(approval, view)
}

/** What the journal is to hold of checked approvals, so that a counter never goes back: of each passkey the highest that it showed, where that is news. */
export function countedIn(approvals: readonly Vote[], register: Register): JournalEvent[] {
  const highest = new Map<string, JournalEvent & { kind: 'counted' }>()
  for (const approval of approvals) {
    const { assertion, signedAtMs } = approval
    const { credentialId } = assertion
    const counter = BigInt(counterOf(assertion))
    const before = highest.get(toHex(credentialId))?.counter ?? BigInt(lastOf(approval, register)?.counter ?? 0)
    if (counter > before) highest.set(toHex(credentialId), { kind: 'counted', credentialId, counter, signedAtMs, challenge: voteChallenge(approval) })
  }
  return [...highest.values()]
}

const lastOf = ({ assertion }: Vote, register: Register): Counted | undefined => register.counters.get(toHex(assertion.credentialId))
/** Keeps what a passkey showed: a counter that is not higher than the one that is kept changes nothing. */
export function keepCounter({ counters }: Register, event: Extract<JournalEvent, { kind: 'counted' }>): void {
  const [name, counter] = [toHex(event.credentialId), Number(event.counter)]
  if (counter > (counters.get(name)?.counter ?? -1)) counters.set(name, { ...event, counter })
}

const isLast = (approval: Vote, last: Counted): boolean => equalBytes(voteChallenge(approval), last.challenge)
