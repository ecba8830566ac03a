import { fromHex, toHex } from '@holdfast/encoding'
import { type Assertion, type Decision, encodeVote, type Locale, renderFor, renderHash, renderIntent, type Vote, voteChallenge } from '@holdfast/intent'
import { approvalContext, ApprovalRefused, checkApproval } from '@holdfast/policy'
import type { App } from './app.ts'
import { signWithDeviceKey } from './keys/device-key.ts'
import type { Method, Approver } from './read/list-approvers.ts'
import { signWithPasskey } from './keys/passkey.ts'
import { PageError } from './page-error.ts'
import type { Order } from './read/read-order.ts'
import type { ApproveReply } from './read/signer-api.ts'

/** What a person decided, in which language, and why; the reason is for people and is not signed. */
export type Decided = { decision: Decision; locale: Locale; remark: string }

/**
 * Signs one person's decision on the order, for themselves or in the place of another, in the words shown in `locale`, checks it as a signer will, and sends it.
 * Throws PageError.
 */
export async function decide(app: App, order: Order, approver: Approver, { decision, locale, remark }: Decided): Promise<ApproveReply> {
  const { intent, policy } = order
  const { inPlaceOf } = approver
  const rendering = renderIntent(intent, approvalContext(policy), locale)
  const statement = {
    genesis: intent.genesis,
    intentHash: order.hash,
    policyHash: intent.policyHash,
    person: approver.person.id,
    decision,
    locale,
    renderHash: renderHash(inPlaceOf ? renderFor(rendering, inPlaceOf.delegator.name) : rendering),
    signedAtMs: BigInt(app.clock.nowMs()),
    ...(inPlaceOf && { delegation: inPlaceOf.delegation }),
  }
  const challenge = voteChallenge(statement)
  const assertion = await signWith(app, approver.method, challenge)
  const approval: Vote = { ...statement, assertion }
  try {
    checkApproval(approval, intent, policy, approver.directory)
  } catch (cause) {
    if (cause instanceof ApprovalRefused) throw new PageError('wouldNotCount', '', { cause, refusal: cause.refusal })
    throw cause
  }
  return app.api.approve(toHex(encodeVote(approval)), remark)
}

/** Signs a challenge with a key of this browser or with a passkey. Throws PageError. */
export function signWith(app: App, method: Method['method'], challenge: Uint8Array): Promise<Assertion> {
  return method.kind === 'device'
    ? signWithDeviceKey(method.key, fromHex(method.key.id), challenge, app.origin)
    : signWithPasskey(method.credentialIds, challenge, method.rpId)
}
