import { decode, EncodingFault, equalBytes, type Infer, toHex } from '@holdfast/encoding'
import {
  type BatchIntent,
  faultOf,
  type Intent,
  intentHash,
  intentShape,
  isSpending,
  judgedAs,
  type KeyChangeIntent,
  movesMoney,
  type SpendingIntent,
} from '@holdfast/intent'
import { PeerError, clipText } from '@holdfast/link'
import { checkNextPolicy, outcomesOfOrder, policyHash, PolicyRefused, policyShape } from '@holdfast/policy'
import { orderStatementShape, type Signed, type signerCalls, signMessage } from '@holdfast/protocol'
import type { Organisation } from '../state/organisation.ts'
import { Refused } from '../checks/refused.ts'
import type { Signer } from '../signer.ts'
import { checkAssets, checkNotFrozen, checkOwnVetoes, checkPolicyVersion, checkTime, checkVetoes, type SignerView } from '../checks/verify.ts'
import { objectionToKeyOrder } from '../checks/verify-key-order.ts'
import { objectionToSignerOrder } from '../checks/verify-signer-order.ts'
import { checkUndecided } from '../checks/voted.ts'

type Asked = Infer<typeof signerCalls.attestOrder.request>

/**
 * This signer's opinion of an order, for people who approve it on the page of another signer. It is read from the order's own
 * bytes and judged by this signer's own policy, clock and register; what is missing is only what comes later: the approvals
 * and the transaction. Nothing is written, for looking at an order refuses nothing. Throws PeerError.
 */
export function attestOrder({ options }: Signer, organisation: Organisation, { intent: encoded, challenge }: Asked): Signed {
  const { party, register, policy, fingerprint } = organisation
  const intent = readIntent(encoded)
  if (!equalBytes(intent.genesis, fingerprint)) throw new PeerError('fault', 'the order is of another organisation than the one that was asked about')
  const nowMs = options.ports.clock.nowMs()
  const objection = objectionTo(intent, { party, register, nowMs, codecFor: options.codecFor })
  const statement = {
    genesis: fingerprint,
    party: BigInt(party),
    intentHash: intentHash(intent),
    policyHash: policyHash(policy),
    objection: clipText(objection, 1000),
    challenge,
    atMs: BigInt(nowMs),
  }
  return signMessage(orderStatementShape, statement, BigInt(party), options.identity.secretKey)
}

function readIntent(encoded: Uint8Array): Intent {
  try {
    return decode(intentShape, encoded)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new PeerError('fault', `the order cannot be read: ${cause.message}`, { cause })
    throw cause
  }
}

function objectionTo(intent: Intent, view: SignerView): string {
  const { register, nowMs } = view
  const policy = register.policy
  try {
    // A change is how an organisation leaves a policy that has expired.
    checkPolicyVersion(intent, policy, intent.kind === 'policyChange' ? 0 : nowMs)
    checkTime(intent, nowMs)
    if (movesMoney(intent)) return objectionToPayment(intent, view)
    switch (intent.kind) {
      case 'policyChange':
        checkNextPolicy(decode(policyShape, intent.newPolicy), policy, { genesis: register.genesis, fingerprint: register.fingerprint })
        return ''
      case 'keyChange':
        return faultOf(intent) ?? objectionToShares(intent, view)
      case 'keyOrder':
        return objectionToKeyOrder(intent, view)
      case 'absence':
      case 'liftFreeze':
      case 'addressBook':
      case 'standingOrder':
        return objectionToSignerOrder(intent, view)
    }
  } catch (cause) {
    if (cause instanceof Refused || cause instanceof PolicyRefused || cause instanceof EncodingFault) return cause.message
    throw cause
  }
}

/** An order to pay, or about one, or a batch, must be such as this signer would sign for once it is approved. */
function objectionToPayment(intent: SpendingIntent | BatchIntent, view: SignerView): string {
  const { register } = view
  const policy = register.policy
  checkNotFrozen(register)
  checkUndecided(register)
  const fault = intent.kind === 'batch' ? faultOf(intent) : undefined
  if (fault !== undefined) return fault
  const judged = judgedAs(intent)
  checkAssets(intent.kind === 'batch' ? intent : judged, policy)
  if (!view.codecFor(judged.asset.chain)) return `this signer cannot read transactions of ${judged.asset.chain}`
  // Which of the rules that may decide has room, and what time it will be, shows when it is signed.
  const outcomes = outcomesOfOrder(policy, isSpending(intent) ? intent : judged)
  const needs = outcomes.find((each) => each.kind === 'needs')
  if (!needs) return `the policy denies the order: ${outcomes.map((each) => (each.kind === 'deny' ? each.reason : '')).join(', ')}`
  checkVetoes(intent, needs, [], register)
  return ''
}

/** A signer that deals must hold the epoch the order begins with; one that is to get a share again says what it still has. */
function objectionToShares(intent: KeyChangeIntent, { party, register }: SignerView): string {
  checkOwnVetoes(intent, register.policy.governance.approvers, register)
  const own = register.keys.get(toHex(intent.keyId))
  if (own && own.epoch !== intent.fromEpoch) return `this signer signs with epoch ${own.epoch} of the key, not with epoch ${intent.fromEpoch}`
  if (!own && intent.dealers.includes(BigInt(party))) return 'this signer holds no share of the key that it could deal from'
  if (own && !intent.dealers.includes(BigInt(party))) return 'this signer has not lost its share of the key'
  return ''
}
