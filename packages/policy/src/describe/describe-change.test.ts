import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeChange, type Policy, recipientFingerprint } from '../index.ts'
import { member, samplePolicy } from '../testing/sample-organisation.ts'

const people = [member(0), member(1), member(2)]
const dora = member(3)
const policy = samplePolicy(people, 2)
const signers = [1n, 2n, 3n].map((party) => ({ party, name: `signer-${party}`, operator: 'Somebody', signKey: new Uint8Array(32).fill(Number(party)) }))
const lines = (change: Partial<Policy>) => describeChange(policy, { ...policy, ...change } as Policy, 'en-US', signers)
const rule = policy.rules.find((each) => each.kind === 'transfer')!
const doraInPolicy = { id: dora.id, name: dora.name, credentials: [dora.credential] }

test('a version that changes nothing has no line, in either language', () => {
  assert.deepEqual(lines({ version: 2n }), [])
  assert.deepEqual(describeChange(policy, { ...policy, version: 2n }, 'zh-CN', signers), [])
})

test('a new approver is told with name, key and the rule they enter', () => {
  const told = lines({ people: [...policy.people, doraInPolicy], rules: [{ ...rule, approvers: [...rule.approvers, dora.id] }] })
  assert.match(told.join('\n'), /Person 4 joins the policy/)
  assert.match(told.join('\n'), new RegExp(`Person 4 may approve with a new key: ${Buffer.from(dora.credential.publicKey).toString('hex')}`))
  assert.match(told.join('\n'), /Rule “payments”: Person 4 may approve from now on/)
})

test('who leaves, a key that is replaced, a lower quorum, a higher limit, another page: each has its line', () => {
  const [first, second, third] = policy.people
  assert.match(lines({ people: [first!, second!] }).join('\n'), /Person 3 leaves/)
  const replaced = { ...third!, credentials: [{ ...third!.credentials[0]!, publicKey: dora.credential.publicKey }] }
  assert.equal(lines({ people: [first!, second!, replaced] }).length, 2)
  assert.match(lines({ rules: [{ ...rule, threshold: 1n }] }).join(), /approvals needed change from 2 to 1/)
  assert.match(lines({ governance: { ...policy.governance, threshold: 1n } }).join(), /Changes of the policy: approvals needed change from 2 to 1/)
  assert.match(lines({ rules: [{ ...rule, maxAmount: 5n }] }).join(), /limits change from no limit to 5/)
  assert.match(lines({ origins: [...policy.origins, { origin: 'https://evil.example', rpId: 'evil.example' }] }).join(), /evil\.example/)
  assert.match(
    lines({ recovery: [{ kind: 'single', party: 1n, recipients: ['age1other'] }, ...policy.recovery.slice(1)] }).join(),
    new RegExp(`Signer 1 seals .* ${recipientFingerprint('age1other')}`),
  )
  assert.match(lines({ rules: [{ ...rule, initiators: rule.initiators.slice(1) }] }).join(), /Person 1 may no longer ask/)
})

test('nothing that differs goes untold: every field of the document, in both languages', () => {
  const changes: Partial<Policy>[] = [
    { expiresAtMs: 9_000_000_000_000n },
    { people: [...policy.people, doraInPolicy] },
    { people: policy.people.map((each, i) => (i === 0 ? { ...each, name: 'Somebody else' } : each)) },
    { people: policy.people.map((each, i) => (i === 0 ? { ...each, credentials: [{ ...each.credentials[0]!, backupEligible: true }] } : each)) },
    { origins: [{ origin: policy.origins[0]!.origin, rpId: 'other' }] },
    { assets: [] },
    { assets: [{ ...policy.assets[0]!, decimals: 6n }] },
    { rules: [] },
    { rules: [{ ...rule, id: 'other' }] },
    { rules: [{ ...rule, chain: 'eip155:1' }] },
    { rules: [{ ...rule, asset: '' }] },
    { rules: [{ ...rule, window: { lengthMs: 3_600_000n, maxAmount: 1n } }] },
    { rules: [{ ...rule, approvers: rule.approvers.slice(1) }] },
    { governance: { ...policy.governance, approvers: policy.governance.approvers.slice(1) } },
    { recovery: [] },
  ]
  fc.assert(
    fc.property(fc.subarray(changes, { minLength: 1 }), fc.constantFrom('en-US' as const, 'zh-CN' as const), (some, locale) => {
      const next = Object.assign({ ...policy }, ...some) as Policy
      assert.ok(describeChange(policy, next, locale, signers).length > 0)
    }),
  )
  const rules = [rule, { ...rule, id: 'second' }]
  assert.match(
    describeChange({ ...policy, rules }, { ...policy, rules: rules.toReversed() }, 'en-US', signers).join(),
    /asked in this order: “second”, “payments”/,
  )
})

test('a rule is named in quotation marks wherever a line names it, so that no name can read like a sentence of its own', () => {
  const id = 'x is taken away. Rule y'
  const named = { ...rule, id }
  const changes: Partial<Policy>[] = [{ rules: [rule, named] }, { rules: [named, { ...rule, threshold: 1n }] }, { rules: [named] }]
  const locales = ['en-US', 'zh-CN'] as const
  for (const [at, change] of changes.entries()) {
    for (const locale of locales) {
      const told = describeChange(policy, { ...policy, ...change } as Policy, locale, signers).join('\n')
      assert.ok(told.includes(`“${id}”`), `${locale} ${at}: ${told}`)
      assert.doesNotMatch(told.replaceAll(`“${id}”`, '').replaceAll('“payments”', ''), /x is taken away|payments/)
    }
  }
})
