import { decode, type Infer, toHex } from '@holdfast/encoding'
import { type Intent, intentShape } from '@holdfast/intent'
import { endorsementShape, type Signed, type signerCalls, signMessage } from '@holdfast/protocol'
import { type Subject, subjectOf } from '../state/endorsements.ts'
import { checkWaited, hearPolicyChange, verifyPolicyChange } from './follow-policy.ts'
import type { Organisation } from '../state/organisation.ts'
import type { Signer } from '../signer.ts'
import { checkFollowedInTime } from '../checks/book-order.ts'
import { readOr } from '../checks/read-or.ts'
import { verifyKeyOrder } from '../checks/verify-key-order.ts'
import { verifySignerOrder } from '../checks/verify-signer-order.ts'

export type Endorsed = Infer<typeof signerCalls.endorse.request>['subject']

/** This signer's word that it would follow a record now, by everything it checks before it does. From then on it takes no rejection of it. Throws Refused. */
export async function endorse(signer: Signer, organisation: Organisation, asked: Endorsed): Promise<Signed> {
  const { party, register, journal, fingerprint } = organisation
  const nowMs = signer.options.ports.clock.nowMs()
  const subject = await endorsable(signer, organisation, asked, nowMs)
  if (!register.endorsed.has(toHex(subject.subject))) await journal.write([{ kind: 'endorsed', intentHash: subject.subject }])
  const word = { genesis: fingerprint, party: BigInt(party), ...subject, atMs: BigInt(nowMs) }
  return signMessage(endorsementShape, word, BigInt(party), signer.options.identity.secretKey)
}

async function endorsable(signer: Signer, organisation: Organisation, asked: Endorsed, nowMs: number): Promise<Subject> {
  if (asked.kind === 'policyChange') {
    const change = verifyPolicyChange(signer, organisation, asked.record)
    checkWaited(signer, await hearPolicyChange(signer, organisation, change))
    return subjectOf(change.intent)
  }
  const { party, register, fingerprint } = organisation
  const order = { genesis: fingerprint, ...asked }
  const intent: Intent = readOr('c4', 'the order', () => decode(intentShape, asked.intent))
  if (intent.kind === 'keyOrder') return subjectOf(verifyKeyOrder(order, { register, nowMs }).intent)
  const followed = verifySignerOrder(order, { party, register, nowMs, codecFor: signer.options.codecFor })
  checkFollowedInTime(followed, { register, nowMs })
  return subjectOf(followed)
}
