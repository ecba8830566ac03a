import { decode, equalBytes, type Infer, toHex } from '@holdfast/encoding'
import { type AbsenceIntent, faultOf, type Intent, intentHash, intentShape, isSignerOrder, type SignerOrderIntent } from '@holdfast/intent'
import { stoppersOf } from '@holdfast/policy'
import type { signerCalls } from '@holdfast/protocol'
import { checkBook, checkLateApprovals, isKept, isLate } from './book-order.ts'
import { checkLog } from './check-log.ts'
import { readOr } from './read-or.ts'
import { Refused } from './refused.ts'
import { checkStandingOrder } from './standing/kept.ts'
import { checkOrganisation, checkOwnVetoes, checkPolicyVersion, checkTime, type SignerView } from './verify.ts'
import { checkGovernors } from './verify-key-change.ts'

export type AskedSignerOrder = Omit<Infer<typeof signerCalls.followSignerOrder.request>, 'endorsements'>

/**
 * Whether this signer goes on without another one, lifts freezes, changes the whitelist, or follows a standing order: by the checks that apply to an order
 * that pays nothing, c1 to c6, c10 and c11. Throws Refused naming the first that fails. Changes nothing.
 */
export function verifySignerOrder(asked: AskedSignerOrder, view: SignerView): SignerOrderIntent {
  const { register, nowMs } = view
  const intent: Intent = readOr('c4', 'the order', () => decode(intentShape, asked.intent))
  if (!isSignerOrder(intent)) throw new Refused('c4', 'not an order to the signers')
  const fault = faultOf(intent)
  if (fault) throw new Refused('c4', fault)
  checkOrganisation(asked, intent, register)
  if (isKept(intent) && isLate(intent, view)) {
    checkKept(intent, view)
    checkLateApprovals(asked, intent, view)
  } else {
    checkPolicyVersion(intent, register.policy, nowMs)
    checkTime(intent, nowMs)
    if (intent.kind === 'absence') checkAbsence(intent, view)
    checkKept(intent, view)
    checkGovernors(asked, intent, view)
  }
  checkLog(asked, register)
  return intent
}

/** What signers keep of an order fits what they have. Throws Refused. */
function checkKept(intent: SignerOrderIntent, view: SignerView): void {
  if (intent.kind === 'addressBook') checkBook(intent, view)
  if (intent.kind === 'standingOrder') checkStandingOrder(intent, view)
}

/**
 * A signer that is asked is not away. Each order says so once: it is not renewed by asking again after that signer was back. One is away at a time: whoever was
 * before has to say that it follows the next one (`checkEndorsements`), and so is back.
 */
function checkAbsence(intent: AbsenceIntent, { party, register, nowMs }: Pick<SignerView, 'party' | 'register' | 'nowMs'>): void {
  if (Number(intent.party) === party) throw new Refused('c1', 'this signer is not away')
  if (BigInt(nowMs) >= intent.untilMs) throw new Refused('c4', 'the time for which the signer was said to be away is over')
  const away = register.absenceAt(nowMs)
  const hash = intentHash(intent)
  if (register.absences.has(toHex(hash)) && !(away && equalBytes(away.intentHash, hash))) {
    throw new Refused('c10', `this order was followed before, and signer ${intent.party} has been back since`)
  }
}

/** What this signer has against such an order as it stands, in words; empty if nothing. Throws Refused. */
export function objectionToSignerOrder(intent: SignerOrderIntent, view: SignerView): string {
  const { policy } = view.register
  checkOwnVetoes(intent, stoppersOf(policy, intent), view.register)
  const fault = faultOf(intent)
  if (fault !== undefined) return fault
  // The one that is said to be away may well be asked for its opinion: then it is not.
  if (intent.kind === 'absence') checkAbsence(intent, view)
  checkKept(intent, view)
  return ''
}
