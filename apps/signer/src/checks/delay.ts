import { decode, type Infer } from '@holdfast/encoding'
import { intentHash, intentShape, isCancellation, isSpending, originalOf, type SpendingIntent, type TransactionIntent } from '@holdfast/intent'
import { evaluateOrder, type Needs, neededIn } from '@holdfast/policy'
import type { signerCalls } from '@holdfast/protocol'
import { quorumKeyOf } from '../state/register.ts'
import { Refused } from './refused.ts'
import {
  checkAssets,
  checkLog,
  checkNotFrozen,
  checkOrganisation,
  checkPolicyVersion,
  checkTime,
  checkVetoes,
  readOr,
  type SignerView,
  tallyOf,
} from './verify.ts'

// A rule with a delay: nothing is signed under it before so long has passed since this signer saw that its steps are met, so that people can still stop it.

type View = Pick<SignerView, 'register' | 'nowMs'>

/** When this signer saw that the steps of a rule are met for an order, or, for one about a payment, for that payment; undefined if it has not. */
function seenAtMs(intents: readonly SpendingIntent[], ruleId: string, { register }: View): number | undefined {
  return intents.map((each) => register.quorums.get(quorumKeyOf(intentHash(each), ruleId))).find((atMs) => atMs !== undefined)
}

/** c5: the delay of the rule has passed by this signer's own clock. What pays nobody waits for nothing. Throws Refused. */
export function checkDelay({ intent, payment }: { intent: SpendingIntent; payment: TransactionIntent }, { rule, delayMs }: Needs, view: View): void {
  if (delayMs === 0n || isCancellation(intent)) return
  const atMs = seenAtMs([intent, payment], rule.id, view)
  if (atMs === undefined) throw new Refused('c5', `rule ${rule.id} has orders wait, and this signer has not been told that its steps are met`)
  const signableAtMs = BigInt(atMs) + delayMs
  if (BigInt(view.nowMs) < signableAtMs)
    throw new Refused('c5', `rule ${rule.id} has orders wait: signed from ${new Date(Number(signableAtMs)).toISOString()} on`)
}

/** What the call that tells of a met quorum asks. */
export type QuorumAsked = Infer<typeof signerCalls.seeQuorum.request>

/** c2 to c6 and c11 of an order before its bytes are made: every step of the rule that is named is met, and nobody has said no. Throws Refused. */
export function verifyQuorum(asked: QuorumAsked, view: View): { hash: Uint8Array; needs: Needs } {
  const { register, nowMs } = view
  const { policy } = register
  const intent = readOr('c4', 'the order', () => decode(intentShape, asked.intent))
  if (!isSpending(intent)) throw new Refused('c4', 'not an order to pay')
  checkOrganisation(asked, intent, register)
  checkNotFrozen(register)
  checkPolicyVersion(intent, policy, nowMs)
  checkTime(intent, nowMs)
  checkAssets(
    readOr('c4', 'the order', () => originalOf(intent)),
    policy,
  )
  // Where it pays and at what hour is judged when it is signed: the delay only begins here.
  const needs = evaluateOrder(policy, intent, { by: asked.rule })
  if (needs.kind === 'deny') throw new Refused('c5', `the policy denies the order: ${needs.reason}`)
  const { tally } = tallyOf(asked, intent, view, needs)
  if (tally.missing > 0) throw new Refused('c5', `${tally.missing} approval(s) missing of the ${neededIn(needs.steps)} that rule ${needs.rule.id} asks for`)
  checkVetoes(intent, needs, tally.rejectedBy, register)
  checkLog(asked, register)
  return { hash: intentHash(intent), needs }
}
