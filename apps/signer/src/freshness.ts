import { decode, EncodingError, equalBytes } from '@holdfast/encoding'
import { type Join, joinShape, openSigned, type Signed } from '@holdfast/protocol'
import { positionOfMark } from './journal.ts'
import type { Organisation } from './organisation.ts'
import { Refused } from './refused.ts'

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
    const signed = joins[i]!
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
    if (cause instanceof EncodingError) return undefined
    throw cause
  }
}

/**
 * c12: nobody knows a later state of this signer than itself, and no peer went backwards. A signer whose folder was put
 * back to an older copy has forgotten what it bound and let through; it must not sign again. `anew` is a signer of which those who govern have
 * approved that it begins anew (0 for none): what it was before is not asked for.
 */
export function checkFreshness(organisation: Organisation, joins: ReadonlyMap<number, Join>, anew = 0): void {
  const { journal, party: me, policy, register } = organisation
  for (const [party, join] of joins) {
    if (party === me) continue
    for (const seen of join.seen) {
      if (Number(seen.party) !== me || me === anew) continue
      const mark = Number(seen.journal)
      const position = positionOfMark(mark)
      if (position > journal.position) {
        throw new Refused(
          'c12',
          `party ${party} has seen record ${position} of this signer, which has ${journal.position}: its state was put back to an older copy`,
        )
      }
      if (journal.markAt(position) !== mark) {
        throw new Refused('c12', `party ${party} has seen another record ${position} of this signer than it has: its state was put back to an older copy`)
      }
    }
    if (join.policyVersion > policy.version) {
      throw new Refused('c12', `party ${party} has policy version ${join.policyVersion}, this signer ${policy.version}: bring it the newer version`)
    }
    if (Number(join.logSize) > register.logSize) {
      throw new Refused('c12', `party ${party} knows ${join.logSize} log entries, this signer ${register.logSize}: have it sign the newer checkpoint`)
    }
    const known = party === anew ? undefined : register.seen.get(party)
    if (known !== undefined && positionOfMark(Number(join.journal)) <= positionOfMark(known)) {
      throw new Refused('c12', `party ${party} was at record ${positionOfMark(known)} before and now says ${positionOfMark(Number(join.journal))}`)
    }
  }
}
