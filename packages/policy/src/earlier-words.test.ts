import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '@holdfast/encoding'
import {
  earlierRenderings,
  intentHash,
  intentShape,
  type Locale,
  LOCALES,
  type PolicyChangeIntent,
  renderHash,
  type ReplacementIntent,
  wordings,
} from '@holdfast/intent'
import fc from 'fast-check'
import { approvalContext, ApprovalRefused, boundByApprovals, checkApproval } from './check-approval.ts'
import { countApprovals } from './count-approvals.ts'
import { oneStep } from './evaluate/steps.ts'
import { policyHash, policyShape } from './policy.ts'
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
    assert.throws(
      () => checkApproval(neither, intent, policy, policy, { bound: boundByApprovals(intent, policy, { allowsEarlierWords: true }) }),
      /shown in other words/,
    )
  }
})

test('the words of a change are the same for every approval, however far each has read them, and are put together once', () => {
  const [ann, ben] = [member(1), member(2)]
  const policy = samplePolicy([ann, ben], 1)
  const intent: PolicyChangeIntent = {
    kind: 'policyChange',
    genesis: new Uint8Array(32),
    orderId: new Uint8Array(16),
    newPolicy: encode(policyShape, { ...policy, version: 2n, previous: policyHash(policy) }),
    notBeforeMs: 0n,
    expiresAtMs: 1n,
    policyVersion: 1n,
    policyHash: policyHash(policy),
    initiator: ann.id,
    nonce: new Uint8Array(32),
  }
  const context = approvalContext(policy)
  const expected = (locale: Locale) => [...wordings(intent, context, locale), ...earlierRenderings(intent, context, locale)].map((each) => renderHash(each))
  const reads = fc.array(fc.record({ locale: fc.constantFrom(...LOCALES), count: fc.integer({ min: 1, max: 5 }) }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(reads, (asked) => {
      const bound = boundByApprovals(intent, policy, { allowsEarlierWords: true })
      const made = new Map<string, unknown>()
      for (const { locale, count } of asked) {
        const words: { hash: Uint8Array }[] = []
        for (const each of bound.words(locale)) if (words.push(each) === count) break
        assert.deepEqual(
          words.map(({ hash }) => hash),
          expected(locale).slice(0, count),
        )
        for (const [i, each] of words.entries()) {
          assert.equal(each, made.get(`${locale} ${i}`) ?? each)
          made.set(`${locale} ${i}`, each)
        }
      }
      assert.deepEqual(bound.intentHash, intentHash(intent))
    }),
    { numRuns: 30 },
  )
})
