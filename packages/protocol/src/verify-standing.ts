import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { type AbsenceIntent, approvalShape, type DelegatedApproval, type Intent, intentHash, intentShape } from '@holdfast/intent'
import { countApprovals, type Founding, oneStep, type Policy, policyHash, signersOf } from '@holdfast/policy'
import type { Evidence } from './evidence.ts'
import { openSigned, type WitnessedStatement } from './statements.ts'
import type { ProvenStanding } from './verify-covered.ts'
import { speaksAgainstDelegated } from './verify-delegated.ts'
import { type AnyWord, wordShape } from './words.ts'

/**
 * What stood for the signer that took no part: its own word, which is in the bundle or of which those that signed say that they had it; an order that it is
 * away; or nothing that anybody says, as in bundles from before signers spoke for each other.
 */
export type Standing =
  | { kind: 'word'; signer: string; isShown: boolean }
  | { kind: 'absence'; signer: string; untilMs: bigint; approvedBy: string[] }
  | { kind: 'unsaid' }

type Proven = {
  founding: Founding
  policies: readonly Policy[]
  policy: Policy
  covering?: ProvenStanding | undefined
  delegated?: readonly DelegatedApproval[]
}

/** The order that a signer is away, which is in the bundle and stands in the log with its approvals; undefined if there is none. Throws Error. */
export function readAbsence(
  evidence: Evidence,
  { founding, policies }: Pick<Proven, 'founding' | 'policies'>,
): { intent: AbsenceIntent; approvedBy: string[] } | undefined {
  if (evidence.kind === 'alone' || !evidence.absence) return undefined
  const intent: Intent = decode(intentShape, evidence.absence.intent)
  if (intent.kind !== 'absence' || !equalBytes(intent.genesis, founding.fingerprint)) throw new Error('not an order of this organisation that a signer is away')
  const policy = policies.find(({ version }) => version === intent.policyVersion)
  if (!policy || !equalBytes(policyHash(policy), intent.policyHash)) throw new Error('the order that a signer is away names another policy')
  const { approvers, threshold } = policy.governance
  const approvals = evidence.absence.approvals.map((each) => decode(approvalShape, each))
  const tally = countApprovals({ policy, intent, approvals, steps: oneStep(approvers, threshold) })
  if (!tally.met) throw new Error(`${tally.missing} approval(s) missing that a signer is away, ${tally.rejectedBy.length} rejection(s)`)
  return { intent, approvedBy: tally.approvedBy.map(({ name }) => name) }
}

/** What stood for the third signer, as those that signed say, and as the bundle shows. Throws Error if the two do not go together. */
export function readStanding(evidence: Evidence, statements: readonly WitnessedStatement[], absence: ReturnType<typeof readAbsence>, proven: Proven): Standing {
  const { founding, policy, covering, delegated = [] } = proven
  const signers = signersOf(founding.genesis, policy)
  const nameOf = (party: bigint) => signers.find((each) => each.party === party)?.name ?? `signer ${party}`
  const isTaking = (party: bigint) => statements.some((each) => each.party === party)
  const isOf = (said: Uint8Array | null) => absence !== undefined && said !== null && equalBytes(intentHash(absence.intent), said)
  if (statements.some((each) => each.absence !== null && !isOf(each.absence))) throw new Error('the order by which a signer was said to be away is missing')
  const away = statements.find((each) => isOf(each.absence))
  if (absence && !away) throw new Error('an order that a signer is away beside statements that do not speak of it')
  // What one of the two has signed before with the third is given again with what stood for the other then. Of these two the other says who stood by now.
  if (absence && away && !isTaking(absence.intent.party)) {
    const { intent, approvedBy } = absence
    if (away.atMs < intent.notBeforeMs || away.atMs >= intent.untilMs) throw new Error('signed at a time for which the signer was not said to be away')
    return { kind: 'absence', signer: nameOf(intent.party), untilMs: intent.untilMs, approvedBy }
  }
  const named = statements.flatMap((each) => (each.witness === null ? [] : [each.witness]))
  const witness = named.find((party) => !isTaking(party))
  const taking = named[0] ?? absence?.intent.party
  if (witness === undefined && taking === undefined) return { kind: 'unsaid' }
  if (witness === undefined) throw new Error(`signer ${taking} is said to have taken no part, and signed`)
  const words = evidence.kind === 'alone' ? [] : evidence.words
  for (const signed of words) {
    const signer = signers.find(({ party }) => party === signed.party)
    const word = signer && openSigned(wordShape, signed, signer.signKey)
    if (!word || word.party !== signed.party || !equalBytes(word.genesis, founding.fingerprint))
      throw new Error('a word that no signer of this organisation gave')
    if (!statements.some(({ session }) => equalBytes(session, word.session))) throw new Error(`a word on another session, ${toHex(word.session)}`)
    if (word.policyVersion !== policy.version || word.vetoes.length > 0 || word.frozen.length > 0) throw new Error(`${signer.name} spoke against it`)
    if (speaksAgainstDelegated(word, delegated)) throw new Error(`${signer.name} knew that somebody had ended that another decides for them`)
    if (covering && speaksAgainst(word, covering)) throw new Error(`${signer.name} knew that the standing order was stopped or replaced`)
  }
  return { kind: 'word', signer: nameOf(witness), isShown: words.some(({ party }) => party === witness) }
}

/** Whether a signer knew that a standing order had been stopped, or that another one had its place. An older version it may well have had. */
function speaksAgainst(word: AnyWord, { order, hash }: ProvenStanding): boolean {
  if (!('standingOrder' in word) || !word.standingOrder) return false
  const { version, hash: known, stoppedBy } = word.standingOrder
  if (version !== order.version) return version > order.version
  return stoppedBy !== null || !equalBytes(known, hash)
}
