import { decode, type Infer } from '@holdfast/encoding'
import { delegatedIn, intentHash, intentShape, judgedAs, movesMoney, originalOf } from '@holdfast/intent'
import { evaluateOrder, type Needs, neededIn } from '@holdfast/policy'
import type { signerCalls } from '@holdfast/protocol'
import { checkLog } from './check-log.ts'
import { checkNotEnded } from './delegated/delegations.ts'
import { readOr } from './read-or.ts'
import { Refused } from './refused.ts'
import { checkAssets, checkNotFrozen, checkOrganisation, checkPolicyVersion, checkTime, checkVetoes, type SignerView, tallyOf } from './verify.ts'

type View = Pick<SignerView, 'register' | 'nowMs'>

/** What the call that tells of a met quorum asks. */
export type QuorumAsked = Infer<typeof signerCalls.seeQuorum.request>

/** c2 to c6 and c11 of an order before its bytes are made: every step of the rule that is named is met, and nobody has said no. Throws Refused. */
export function verifyQuorum(asked: QuorumAsked, view: View): { hash: Uint8Array; needs: Needs } {
  const { register, nowMs } = view
  const { policy } = register
  const intent = readOr('c4', 'the order', () => decode(intentShape, asked.intent))
  if (!movesMoney(intent)) throw new Refused('c4', 'not an order to pay')
  checkOrganisation(asked, intent, register)
  checkNotFrozen(register)
  checkPolicyVersion(intent, policy, nowMs)
  checkTime(intent, nowMs)
  checkAssets(intent.kind === 'batch' ? intent : readOr('c4', 'the order', () => originalOf(intent)), policy)
  // Where it pays and at what hour is judged when it is signed: the delay only begins here.
  const needs = evaluateOrder(policy, intent.kind === 'batch' ? judgedAs(intent) : intent, { by: asked.rule })
  if (needs.kind === 'deny') throw new Refused('c5', `the policy denies the order: ${needs.reason}`)
  const { tally, approvals } = tallyOf(asked, intent, view, needs)
  if (tally.missing > 0) throw new Refused('c5', `${tally.missing} approval(s) missing of the ${neededIn(needs.steps)} that rule ${needs.rule.id} asks for`)
  checkVetoes(intent, needs, tally.rejectedBy, register)
  checkNotEnded(delegatedIn(approvals), register)
  checkLog(asked, register)
  return { hash: intentHash(intent), needs }
}
