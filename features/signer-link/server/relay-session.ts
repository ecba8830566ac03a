import { decode, encode } from '@holdfast/encoding'
import { envelopeShape, joinShape, requestHash, type SessionRequest, sessionRequestShape, type Signed, signerCalls, wordShape } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import type { CoSigners, OnJoined } from './types.ts'
import { gatherWords } from './gather-words.ts'

/** More rounds than any protocol has: a session that goes on is not one of ours. */
const ROUNDS_MAX = 512
const BROADCAST = 0n

/**
 * Runs one session: asks every party to join, hands all joins to all, then carries envelopes round by round until each
 * party has its result. What a party is told is decided by the envelopes' own `to`; their content is sealed.
 */
export async function relaySession(call: CoSigners['call'], request: SessionRequest, onJoined?: OnJoined): Promise<Map<number, Uint8Array>> {
  const parties = request.parties.map(Number)
  const hash = requestHash(request)
  try {
    const bytes = encode(sessionRequestShape, request)
    const joins = await everyParty(parties, (party) => call(party, signerCalls.openSession, { request: bytes }))
    // A signer checks the joins of its peers by itself; what is read from them here decides nothing that it would believe.
    const words = request.kind === 'sign' ? await gatherWords(call, request, joins) : []
    await onJoined?.([...joins.map(({ message }) => decode(joinShape, message)), ...words.map(({ message }) => decode(wordShape, message))], words)
    let turns = await everyParty(parties, (party) => call(party, signerCalls.startSession, { requestHash: hash, joins, words }))
    const results = new Map<number, Uint8Array>()
    for (let round = 0; ; round++) {
      turns.forEach((turn, i) => turn.done && results.set(at(parties, i), turn.result))
      const sent = turns.flatMap((turn) => turn.outgoing)
      if (results.size === parties.length) return results
      if (sent.length === 0 || round === ROUNDS_MAX) throw new Error('the signers stopped before the session was done')
      const sessions = turns.map((turn) => turn.session)
      turns = await everyParty(parties, (party, i) => {
        const session = at(sessions, i)
        const result = results.get(party)
        const envelopes = sent.filter((signed) => isFor(party, signed))
        // A party that has its result and nothing to read is left in peace.
        if (result && envelopes.length === 0) return Promise.resolve({ session, outgoing: [], done: true, result })
        return call(party, signerCalls.deliver, { session, envelopes })
      })
    }
  } catch (cause) {
    await Promise.all(parties.map((party) => call(party, signerCalls.endSession, { requestHash: hash }).catch(() => undefined)))
    throw cause
  }
}

function isFor(party: number, signed: Signed): boolean {
  const { to, from } = decode(envelopeShape, signed.message)
  return to === BigInt(party) || (to === BROADCAST && from !== BigInt(party))
}

/** Waits for all, so that no call of this session is under way when a failure is told. */
async function everyParty<T>(parties: number[], act: (party: number, index: number) => Promise<T>): Promise<T[]> {
  const settled = await Promise.allSettled(parties.map(act))
  const failed = settled.filter((each) => each.status === 'rejected').map((each) => each.reason)
  // A refusal or a cheat says more than the faults it causes in the others.
  const telling = failed.find((each) => each?.kind === 'cheat') ?? failed.find((each) => each?.kind === 'refused') ?? failed[0]
  if (telling) throw telling
  return settled.map((each) => (each as PromiseFulfilledResult<T>).value)
}
