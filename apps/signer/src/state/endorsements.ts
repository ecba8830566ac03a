import { equalBytes } from '@holdfast/encoding'
import { type Intent, intentHash } from '@holdfast/intent'
import { type Endorsement, endorsementShape, openSigned, type Signed } from '@holdfast/protocol'
import type { Organisation } from './organisation.ts'
import { isLate } from '../checks/book-order.ts'
import { Refused } from '../checks/refused.ts'
import { readOr } from '../checks/read-or.ts'

/*
 * What the signers follow one by one (a change of the policy, an order about a key, an order to the signers), each follows with the word of the others that
 * they would: so a rejection or a freeze that one of them knows of stops all, whatever a server leaves out.
 */

export type Subject = Pick<Endorsement, 'kind' | 'subject' | 'policyVersion' | 'policyHash'>

/**
 * How long the word of another signer counts for an export: a freeze after it is not in it. So long also counts as fresh the word that one of the others
 * follows an order, without which none is followed late. What else is followed does no harm later than at once.
 */
const FRESH_MS = 10 * 60_000

/** What an endorsement says of an order. */
export function subjectOf(intent: Intent): Subject {
  return { kind: intent.kind, subject: intentHash(intent), policyVersion: intent.policyVersion, policyHash: intent.policyHash }
}

/**
 * c12: each of the other signers has said that it would follow this order, but for those of `without`, of which it says itself that they cannot, and for one
 * that is away by the word of people, unless it is asked whether another one is: then it has to say that it is back. Answers how many have. Throws Refused.
 */
export function checkEndorsements(
  organisation: Organisation,
  intent: Intent,
  given: readonly Signed[],
  { nowMs, without }: { nowMs: number; without: readonly bigint[] },
): number {
  const { party: me, register } = organisation
  const away = intent.kind === 'absence' ? null : register.absenceAt(nowMs)
  const needed = register.signers.filter(({ party }) => party !== BigInt(me) && !without.includes(party) && Number(party) !== away?.party)
  let isFresh = false
  for (const { party, signKey } of needed) {
    const words = given.filter((each) => each.party === party).map((signed) => endorsementIn(organisation, intent, signed, signKey))
    const counting = words.filter((word) => word && (!isExport(intent) || isFreshAt(word, nowMs)))
    if (counting.length === 0) {
      throw new Refused('c12', `signer ${party} has not said that it would follow this order, and is not away by the word of those who govern`)
    }
    isFresh ||= counting.some((word) => word && isFreshAt(word, nowMs))
  }
  if (isLate(intent, { register, nowMs }) && !isFresh) throw new Refused('c12', 'no other signer says now that it follows this order, which is over')
  return needed.length
}

const isExport = (intent: Intent): boolean => intent.kind === 'keyOrder' && intent.action === 'export'
const isFreshAt = ({ atMs }: Endorsement, nowMs: number): boolean => Math.abs(nowMs - Number(atMs)) <= FRESH_MS

/** The word of a signer that it would follow this order; undefined if it is none. */
function endorsementIn({ fingerprint }: Organisation, intent: Intent, signed: Signed, signKey: Uint8Array): Endorsement | undefined {
  const word = readOr('c1', `the word of party ${signed.party}`, () => openSigned(endorsementShape, signed, signKey))
  if (!word || word.party !== signed.party || !equalBytes(word.genesis, fingerprint)) return undefined
  const { kind, subject, policyVersion, policyHash } = subjectOf(intent)
  const isIt = word.kind === kind && equalBytes(word.subject, subject) && word.policyVersion === policyVersion && equalBytes(word.policyHash, policyHash)
  return isIt ? word : undefined
}
