/**
 * A message was malformed, came at the wrong time or belongs to another session, or our own input does not fit.
 * The session is over; no secret was used to find it out, so this is not cheating and the pair's seeds stay good.
 * `peer` is the party whose message it was, or null if the fault is our caller's or cannot be laid on a party.
 */
export class ProtocolFault extends Error {
  readonly peer: number | null
  readonly reason: string

  constructor(peer: number | null, reason: string) {
    super(peer === null ? reason : `party ${peer}: ${reason}`)
    this.name = 'ProtocolFault'
    this.peer = peer
    this.reason = reason
  }
}

/**
 * A consistency check failed: `peer` left the protocol. Pass or fail of such a check can tell a cheater one bit of our secrets,
 * so the caller must burn the pair's seeds (on disk) before any answer leaves. `check` names the check.
 * `suspects` has more than one party only where the evidence cannot tell who lied (an echo round).
 */
export class CheatError extends Error {
  readonly peer: number
  readonly check: string
  readonly suspects: readonly number[]

  constructor(peer: number, check: string, suspects: readonly number[] = [peer]) {
    super(`party ${peer} failed the check: ${check}`)
    this.name = 'CheatError'
    this.peer = peer
    this.check = check
    this.suspects = suspects
  }
}
