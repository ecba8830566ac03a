import { decode, EncodingFault, equalBytes } from '@holdfast/encoding'
import { type Join, joinShape, openSigned, type Signed } from '@holdfast/protocol'
import { at, known } from '@holdfast/units'
import { positionOfMark } from '../state/journal.ts'
import type { Organisation } from '../state/organisation.ts'
import { Refused } from './refused.ts'
import type { Register } from '../state/register.ts'

/** What this signer says of itself when it joins a session. */
export function joinAs({ party, fingerprint, register, journal }: Organisation, session: Pick<Join, 'requestHash' | 'random' | 'ephemeralKey' | 'asks'>): Join {
  return {
    genesis: fingerprint,
    party: BigInt(party),
    ...session,
    policyVersion: register.policy.version,
    logSize: BigInt(register.logSize),
    journal: ownMark(journal),
    seen: [...register.seen].map(([peer, mark]) => ({ party: BigInt(peer), journal: BigInt(mark) })),
  }
}

/** c1: the joins of exactly these parties for exactly this request, each signed by its party, ours being the one we gave. */
export function readJoins(
  organisation: Organisation,
  requestHash: Uint8Array,
  parties: readonly bigint[],
  own: Signed,
  joins: readonly Signed[],
): Map<number, Join> {
  if (joins.length !== parties.length) throw new Refused('c1', `${joins.length} joins where the session has ${parties.length} parties`)
  const read = new Map<number, Join>()
  parties.forEach((party, i) => {
    const signed = at(joins, i)
    const isOwn = party === BigInt(organisation.party)
    if (isOwn && !equalBytes(signed.message, own.message)) throw new Refused('c1', 'our own join is not the one we gave')
    const join = isOwn ? decode(joinShape, own.message) : openJoin(organisation, signed)
    if (!join || signed.party !== party || join.party !== party) throw new Refused('c1', `join ${i + 1} is not one that party ${party} signed`)
    if (!equalBytes(join.genesis, organisation.fingerprint) || !equalBytes(join.requestHash, requestHash)) {
      throw new Refused('c1', `party ${party} joined another session`)
    }
    read.set(Number(party), join)
  })
  return read
}

function openJoin(organisation: Organisation, signed: Signed): Join | undefined {
  const signKey = organisation.signKeyOf(signed.party)
  try {
    return signKey && openSigned(joinShape, signed, signKey)
  } catch (cause) {
    if (cause instanceof EncodingFault) return undefined
    throw cause
  }
}

/**
 * c12: nobody knows a later state of this signer than itself, and no peer went backwards. A signer whose folder was put
 * back to an older copy has forgotten what it bound and let through; it must not sign again. `anew` is a signer of which those who govern have
 * approved that it begins anew (0 for none): what it was before is not asked for.
 */
export function checkFreshness(standing: Remembered & { register: Register }, own: Join, joins: ReadonlyMap<number, Join>, anew = 0): void {
  const { party: me, register } = standing
  const policy = register.policy
  for (const [party, join] of joins) {
    if (party === me) continue
    if (me !== anew) checkOwnState(standing, party, join.seen)
    if (join.policyVersion > policy.version) {
      throw new Refused('c12', `party ${party} has policy version ${join.policyVersion}, this signer ${policy.version}: bring it the newer version`)
    }
    checkLogSize(register, party, join.logSize)
    const known = party === anew ? undefined : seenIn(own, party)
    if (known !== undefined && positionOfMark(Number(join.journal)) <= positionOfMark(known)) {
      throw new Refused('c12', `party ${party} was at record ${positionOfMark(known)} before and now says ${positionOfMark(Number(join.journal))}`)
    }
  }
}

/** What of a signer's state must be there for others to compare their memory of it with. */
export type Remembered = Pick<Organisation, 'party'> & { journal: Pick<Organisation['journal'], 'position' | 'markAt'> }

/** How far this signer has come, as it tells others. */
export const ownMark = (journal: Remembered['journal']): bigint => BigInt(known(journal.markAt(journal.position), 'the mark of the last record'))

/** c12: what another signer has seen of this one is among its records. Throws Refused. */
export function checkOwnState({ party: me, journal }: Remembered, by: number, seen: Join['seen']): void {
  for (const each of seen) {
    if (Number(each.party) !== me) continue
    const mark = Number(each.journal)
    const position = positionOfMark(mark)
    if (position > journal.position) {
      throw new Refused('c12', `party ${by} has seen record ${position} of this signer, which has ${journal.position}: its state was put back to an older copy`)
    }
    if (journal.markAt(position) !== mark) {
      throw new Refused('c12', `party ${by} has seen another record ${position} of this signer than it has: its state was put back to an older copy`)
    }
  }
}

/** The latest mark of each other signer: a word is later than a join. */
export function latestLabels(me: number, given: readonly { party: bigint; journal: bigint }[]): { party: bigint; mark: bigint }[] {
  const latest = new Map<bigint, bigint>()
  for (const { party, journal } of given) if (Number(party) !== me && journal > (latest.get(party) ?? -1n)) latest.set(party, journal)
  return [...latest].map(([party, mark]) => ({ party, mark }))
}

/** c12: this signer has found consistent whatever of the log another one has. */
export function checkLogSize(register: Register, by: number, logSize: bigint): void {
  if (Number(logSize) > register.logSize) {
    throw new Refused('c12', `party ${by} knows ${logSize} log entries, this signer ${register.logSize}: have it sign the newer checkpoint`)
  }
}

/** What a signer had seen of a party when it joined: sessions that end meanwhile may teach it more, which says nothing against that party. */
export const seenIn = (own: Join, party: number): number | undefined => {
  const seen = own.seen.find((each) => Number(each.party) === party)
  return seen && Number(seen.journal)
}
