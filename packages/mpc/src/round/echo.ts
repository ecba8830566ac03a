import { bytes, digest, equalBytes, list, struct, uint } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { CheatError, ProtocolFault } from './errors.ts'
import { PARTY_COUNT } from './parameters.ts'
import { awaitRound, finish, type Round, type Step } from './step.ts'
import { type Session, writeMessage } from './transcript.ts'

export const transcriptShape = struct('holdfast/mpc/echo/transcript/v1', { commit: bytes(undefined, 1 << 16), reveal: bytes(undefined, 1 << 16) })
export const seenShape = struct('holdfast/mpc/echo/seen/v1', { party: uint(8), transcript: bytes(32) })
/** What a party says in the echo round: what it saw of everybody who broadcast, and the digest of the public key data that came out. */
export const confirmShape = struct('holdfast/mpc/echo/confirm/v1', { seen: list(seenShape, PARTY_COUNT), key: bytes(32) })
export const confirmRound: Round<typeof confirmShape> = { number: 4, kind: 'broadcast', shape: confirmShape }

/** What was seen of a party: the digest of its commit and its reveal, as they travelled. */
export const transcriptOf = (commit: Uint8Array, reveal: Uint8Array): Uint8Array => digest(transcriptShape, { commit, reveal })

/**
 * The last round of key generation and resharing: a broadcast over links from one to one is none, so everybody echoes what it saw (Goldwasser and Lindell, "Secure
 * computation without agreement", eprint 2002/040: broadcast with abort) and what key came out. `seen` has the transcript of each party that broadcast. `result` is given only where all
 * agree. The form of every echo is looked at before the content of any. `receive` throws ProtocolFault or CheatError.
 */
export function confirmEcho<R>(session: Session, seen: ReadonlyMap<number, Uint8Array>, key: Uint8Array, result: R): Step<R> {
  const own = [...seen].sort(([a], [b]) => a - b).map(([party, transcript]) => ({ party: BigInt(party), transcript }))
  const message = writeMessage(session, confirmRound.number, 0, confirmShape, { seen: own, key })
  return awaitRound(session, [message], confirmRound, (received) => {
    for (const [reporter, { value }] of received) {
      if (value.seen.length !== own.length || !value.seen.every(({ party }, i) => party === at(own, i).party)) {
        throw new ProtocolFault(reporter, 'its echo does not list the parties')
      }
    }
    for (const [reporter, { value }] of received) {
      value.seen.forEach(({ party, transcript }, i) => {
        if (!equalBytes(transcript, at(own, i).transcript)) throw equivocation(session, reporter, Number(party))
      })
      if (!equalBytes(value.key, key)) throw new CheatError(reporter, 'comparison of the public key (eprint 2002/040)')
    }
    return finish(result)
  })
}

/** `reporter` says that it saw other messages of `sender` than we did. */
function equivocation(session: Session, reporter: number, sender: number): CheatError {
  // About our own messages, or about the reporter's, only the reporter can be lying. About the third party's, either of them may be.
  const liar = sender === session.me ? reporter : sender
  const suspects = liar === reporter ? [reporter] : [sender, reporter]
  return new CheatError(liar, 'echo of the broadcasts: two parties saw different messages (eprint 2002/040)', suspects)
}
