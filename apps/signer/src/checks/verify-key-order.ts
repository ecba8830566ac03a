import { decode, type Infer, toHex } from '@holdfast/encoding'
import { type Intent, intentShape, KEY_ORDER_ACTIONS, type KeyOrderIntent } from '@holdfast/intent'
import type { signerCalls } from '@holdfast/protocol'
import { Refused } from './refused.ts'
import type { Key, Register } from '../state/register.ts'
import { checkEpoch, checkLog, checkNotFrozen, checkOrganisation, checkOwnVetoes, checkPolicyVersion, checkTime, readOr, type SignerView } from './verify.ts'
import { checkGovernors } from './verify-key-change.ts'
import { checkUndecided } from './voted.ts'

export type AskedKeyOrder = Omit<Infer<typeof signerCalls.followKeyOrder.request>, 'endorsements'>
type View = Pick<SignerView, 'register' | 'nowMs'>

/**
 * Whether this signer exports its share of a key, or signs nothing with it any more: by the checks that apply to an order that pays nothing, c1 to c6 and c11.
 * `key` is undefined where it holds no share of a key that is retired. Throws Refused naming the first that fails. Changes nothing.
 */
export function verifyKeyOrder(asked: AskedKeyOrder, { register, nowMs }: View): { intent: KeyOrderIntent; key: Key | undefined } {
  const policy = register.policy!
  const intent: Intent = readOr('c4', 'the order', () => decode(intentShape, asked.intent))
  if (intent.kind !== 'keyOrder') throw new Refused('c4', 'not an order about a key')
  const fault = faultOfKeyOrder(intent)
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

/** Why an order about a key makes no sense in itself; undefined where it does. */
export function faultOfKeyOrder({ action, recipients, usableFromMs, notBeforeMs, expiresAtMs }: KeyOrderIntent): string | undefined {
  if (!KEY_ORDER_ACTIONS.some((each) => each === action)) return `unknown action ${action}`
  if (usableFromMs < notBeforeMs || usableFromMs >= expiresAtMs) return 'the order is open at no time at which it may be followed'
  if (action === 'retire') return recipients.length === 0 ? undefined : 'a key that is retired is sealed to nobody'
  const parties = recipients.map((each) => each.party)
  const isAscending = parties.every((party, i) => party >= 1n && party <= 3n && (i === 0 || party > parties[i - 1]!))
  if (parties.length < 2 || !isAscending) return 'an export names recipients for two signers or three, in ascending order'
  return recipients.some((each) => each.recipients.length === 0) ? 'an export names a signer without anybody to seal its share to' : undefined
}

/** What this signer has against an order about a key as it stands, in words; empty where nothing. Throws Refused. */
export function objectionToKeyOrder(intent: KeyOrderIntent, { register }: Pick<View, 'register'>): string {
  checkOwnVetoes(intent, register.policy!.governance.approvers, register)
  checkShare(intent, register)
  return faultOfKeyOrder(intent) ?? ''
}
