import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '@holdfast/encoding'
import { earlierRenderings, intentShape, LOCALES, renderHash, type ReplacementIntent } from '@holdfast/intent'
import { approvalContext, ApprovalRefused, checkApproval } from './check-approval.ts'
import { countApprovals } from './count-approvals.ts'
import { oneStep } from './evaluate/steps.ts'
import { policyHash } from './policy.ts'
import { member, sampleApproval, samplePolicy, sampleTransfer } from './testing/sample-organisation.ts'

test('an approval over the words of an earlier version proves what was read then, and counts for no signature now', () => {
  const [ann, ben] = [member(1), member(2)]
  const policy = samplePolicy([ann, ben], 1)
  const original = sampleTransfer(policy, ann.id)
  const intent: ReplacementIntent = {
    kind: 'replacement',
    genesis: original.genesis,
    orderId: new Uint8Array(16).fill(3),
    action: 'cancel',
    original: encode(intentShape, original),
    slot: 4n,
    feeCap: original.feeCap,
    remark: '',
    notBeforeMs: original.notBeforeMs,
    expiresAtMs: original.expiresAtMs,
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator: ann.id,
    nonce: new Uint8Array(32),
  }
  for (const locale of LOCALES) {
    const [earlier] = earlierRenderings(intent, approvalContext(policy), locale)
    const approval = sampleApproval(ben, intent, policy, 'approve', { locale, renderHash: renderHash(earlier!) })
    const tally = (allowsEarlierWords?: boolean) =>
      countApprovals({ policy, intent, approvals: [approval], steps: oneStep([ben.id], 1), ...(allowsEarlierWords && { allowsEarlierWords }) })
    assert.throws(() => checkApproval(approval, intent, policy), ApprovalRefused)
    assert.throws(() => tally(), /shown in other words/)
    assert.equal(tally(true).met, true)
    const neither = sampleApproval(ben, intent, policy, 'approve', { locale, renderHash: new Uint8Array(32) })
    assert.throws(() => checkApproval(neither, intent, policy, policy, { allowsEarlierWords: true }), /shown in other words/)
  }
})
