import { decode, type Infer, toHex } from '@holdfast/encoding'
import { faultOf, type Intent, intentShape, type KeyOrderIntent } from '@holdfast/intent'
import { stoppersOf } from '@holdfast/policy'
import type { signerCalls } from '@holdfast/protocol'
import { checkLog } from './check-log.ts'
import { readOr } from './read-or.ts'
import { Refused } from './refused.ts'
import type { Key, Register } from '../state/register.ts'
import { checkEpoch, checkNotFrozen, checkOrganisation, checkOwnVetoes, checkPolicyVersion, checkTime, type SignerView } from './verify.ts'
import { checkGovernors } from './verify-key-change.ts'
import { checkUndecided } from './voted.ts'

export type AskedKeyOrder = Omit<Infer<typeof signerCalls.followKeyOrder.request>, 'endorsements'>
type View = Pick<SignerView, 'register' | 'nowMs'>

/**
 * Whether this signer exports its share of a key, or signs nothing with it any more: by the checks that apply to an order that pays nothing, c1 to c6 and c11.
 * `key` is undefined if it holds no share of a key that is retired. Throws Refused naming the first that fails. Changes nothing.
 */
export function verifyKeyOrder(asked: AskedKeyOrder, { register, nowMs }: View): { intent: KeyOrderIntent; key: Key | undefined } {
  const policy = register.policy
  const intent: Intent = readOr('c4', 'the order', () => decode(intentShape, asked.intent))
  if (intent.kind !== 'keyOrder') throw new Refused('c4', 'not an order about a key')
  const fault = faultOf(intent)
  if (fault) throw new Refused('c4', fault)
  checkOrganisation(asked, intent, register)
  checkPolicyVersion(intent, policy, nowMs)
  checkTime(intent, nowMs)
  if (intent.action === 'export') {
    checkNotFrozen(register)
    checkUndecided(register)
  }
  const key = checkShare(intent, register)
  checkGovernors(asked, intent, { register, nowMs })
  if (BigInt(nowMs) < intent.usableFromMs) throw new Refused('c6', 'the time in which this order can still be rejected has not passed')
  checkLog(asked, register)
  return { intent, key }
}

/**
 * c1: this signer has what it is to export, or to take out of use. One that took the place of another, and has no share of the key, retires it all the same:
 * from then on it takes none.
 */
function checkShare({ action, keyId, epoch }: KeyOrderIntent, register: Register): Key | undefined {
  return action === 'retire' && !register.keys.has(toHex(keyId)) ? undefined : checkEpoch(keyId, epoch, register)
}

/** What this signer has against an order about a key as it stands, in words; empty if nothing. Throws Refused. */
export function objectionToKeyOrder(intent: KeyOrderIntent, { register }: Pick<View, 'register'>): string {
  checkOwnVetoes(intent, stoppersOf(register.policy, intent), register)
  checkShare(intent, register)
  return faultOf(intent) ?? ''
}
