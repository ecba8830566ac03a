import { decode, EncodingFault, equalBytes, toHex } from '@holdfast/encoding'
import { faultOf, type Intent, intentHash, intentShape, type KeyChangeIntent, type KeyOrderIntent, type SignerOrderIntent } from '@holdfast/intent'
import { checkKeyPublic, type KeyPublic, keyPublicShape, ProtocolFault } from '@holdfast/mpc'
import { decidersOf, oneStep, stoppersOf } from '@holdfast/policy'
import type { ReshareRequest } from '@holdfast/protocol'
import { checkLog } from './check-log.ts'
import { readOr } from './read-or.ts'
import { Refused } from './refused.ts'
import type { Register } from '../state/register.ts'
import { checkInUse, checkNotFrozen, checkOrganisation, checkOwnVetoes, checkPolicyVersion, checkTime, type SignerView, tallyOf } from './verify.ts'
import { checkUndecided } from './voted.ts'

/** An order for new shares that this signer follows. `anew` is the signer that begins anew, or 0. */
export type KeyChange = { intent: KeyChangeIntent; intentHash: Uint8Array; key: KeyPublic; dealers: number[]; anew: number }

type View = Pick<SignerView, 'party' | 'register' | 'nowMs'>

/**
 * Whether this signer takes new shares of a key, by the checks that apply to an order that pays nothing: c1 to c6 and c11 here, c12 and c14 when the session
 * starts. Throws Refused naming the first that fails. Changes nothing.
 */
export function verifyKeyChange(request: ReshareRequest, view: View): KeyChange {
  const { register, nowMs } = view
  const policy = register.policy
  checkEverybody(request, register)
  const intent = readKeyChange(request)
  checkOrganisation(request, intent, register)
  checkPolicyVersion(intent, policy, nowMs)
  checkTime(intent, nowMs)
  checkNotFrozen(register)
  checkUndecided(register)
  // Whoever begins anew does not remember that the key is retired, so the others keep it out of a quorum.
  checkInUse(intent.keyId, register)
  const { key, dealers } = checkShares(request, intent, view)
  checkGovernors(request, intent, view)
  checkNotReplaced(request, intent, register)
  checkLog(request, register)
  const lost = [1, 2, 3].find((party) => !dealers.includes(party)) ?? 0
  return { intent, intentHash: intentHash(intent), key, dealers, anew: lost }
}

/** c1: all signers of the organisation, for all of them hold the key from then on. */
export function checkEverybody({ parties }: { parties: readonly bigint[] }, register: Register): void {
  const everyone = register.signers.map((signer) => signer.party)
  if (parties.length !== everyone.length || !everyone.every((each, i) => each === parties[i])) {
    throw new Refused('c1', 'the parties are not all signers of the organisation, in ascending order')
  }
}

/** c4: the bytes are one order for new shares of this key, and of the epoch that follows. */
function readKeyChange(request: ReshareRequest): KeyChangeIntent {
  const intent: Intent = readOr('c4', 'the order', () => decode(intentShape, request.intent))
  if (intent.kind !== 'keyChange') throw new Refused('c4', 'not an order for new shares of a key')
  const fault = faultOf(intent)
  if (fault) throw new Refused('c4', fault)
  if (!equalBytes(intent.keyId, request.keyId)) throw new Refused('c4', `the order is about key ${toHex(intent.keyId)}`)
  if (intent.toEpoch !== request.epoch) throw new Refused('c4', `the order leads to epoch ${intent.toEpoch}, the request to ${request.epoch}`)
  return intent
}

/** c1: a signer that deals holds the epoch the order begins with; one that receives holds none that is newer. */
function checkShares(request: ReshareRequest, intent: KeyChangeIntent, { party, register }: View): { key: KeyPublic; dealers: number[] } {
  const dealers = intent.dealers.map(Number)
  const own = register.keys.get(toHex(request.keyId))
  if (dealers.includes(party) && !own) throw new Refused('c1', `this signer holds no share of key ${toHex(request.keyId)} that it could deal from`)
  if (own && (dealers.includes(party) ? own.epoch !== intent.fromEpoch : own.epoch > intent.fromEpoch)) {
    throw new Refused('c1', `this signer signs with epoch ${own.epoch} of the key; the order begins with epoch ${intent.fromEpoch}`)
  }
  const key = readKeyPublic(request)
  if (own && !(equalBytes(own.publicKey, key.publicKey) && equalBytes(own.chainCode, key.chainCode) && own.protocol === key.protocol)) {
    throw new Refused('c1', 'the request describes another key than the one this signer holds')
  }
  return { key, dealers }
}

function readKeyPublic({ key: encoded, keyId, genesis }: ReshareRequest): KeyPublic {
  try {
    const key = decode(keyPublicShape, encoded)
    checkKeyPublic(key)
    if (!equalBytes(key.keyId, keyId) || !equalBytes(key.genesis, genesis)) throw new Refused('c1', 'the request describes another key than it names')
    return key
  } catch (cause) {
    const known = cause instanceof EncodingFault || cause instanceof ProtocolFault
    throw known ? new Refused('c1', `the description of the key: ${(cause as Error).message}`, { cause }) : cause
  }
}

/** c5 and c6: the quorum of those who govern the policy, or of the part that the order belongs to, never the one who asked, and no no among them. */
export function checkGovernors(
  request: Pick<ReshareRequest, 'approvals'>,
  intent: KeyChangeIntent | KeyOrderIntent | SignerOrderIntent,
  view: Pick<SignerView, 'register' | 'nowMs'>,
): void {
  const { register } = view
  const { approvers, threshold } = decidersOf(register.policy, intent)
  const mayStop = stoppersOf(register.policy, intent)
  const { tally } = tallyOf(request, intent, view, { steps: oneStep(approvers, threshold), mayStop })
  if (tally.missing > 0 || threshold < 1n) throw new Refused('c5', `${tally.missing} approval(s) missing of the ${threshold} by those who govern the policy`)
  const rejecting = tally.rejectedBy[0]
  if (rejecting) throw new Refused('c6', `rejected by ${rejecting.name}`)
  checkOwnVetoes(intent, mayStop, register)
}

/**
 * c10: an order serves once. One that another came after is over, and once this signer has given its word on what came of an order, no other run of the same
 * order replaces it: a peer may have acted on that word.
 */
function checkNotReplaced({ keyId }: ReshareRequest, intent: KeyChangeIntent, register: Register): void {
  const hash = intentHash(intent)
  if (register.supersededChanges.has(toHex(hash))) throw new Refused('c10', 'another order for new shares of this key came after this one')
  const staged = register.staged.get(toHex(keyId))
  if (staged?.attested && equalBytes(staged.intentHash, hash)) {
    throw new Refused('c10', `this signer has attested epoch ${staged.epoch} made for this order: activate it, or have a new order approved`)
  }
}
