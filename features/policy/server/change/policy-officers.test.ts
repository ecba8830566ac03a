import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describeChange, recipientFingerprint } from '@holdfast/policy'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { PolicyDraft } from '../../contract.ts'
import { currentPolicy } from '../current-policy.ts'
import { apply, approveAs, ben, cleo, draftOf, inOrganisation, openPolicyWorld, propose, refusedAs, world } from '../testing/policy-world.ts'

describe('officers by a change of the policy', () => {
  before(() => openPolicyWorld())
  after(() => world.close())

  it('are named for single signers, as whole recipients that nobody shares; the others keep theirs', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(async () => identityToRecipient(await generateX25519Identity())))
    const before = (await inOrganisation((tx) => currentPolicy(tx))).policy.recovery
    const naming = (...recovery: NonNullable<PolicyDraft['recovery']>) => draftOf((draft) => ({ ...draft, recovery }))
    const officers = (party: number, recipients: string[], threshold = 1) => ({ party, recipients, threshold })
    const bad: [NonNullable<PolicyDraft['recovery']>, RegExp][] = [
      [[officers(1, [one!.slice(0, -1)])], /is not an age recipient: copy it whole/],
      [[officers(1, [one!, one!])], /named twice/],
      [[officers(1, [one!]), officers(1, [two!])], /named twice/],
      [[officers(1, [one!]), officers(2, [one!])], /named twice/],
      [[officers(1, before[1]!.recipients)], /named twice/],
      [[officers(1, [one!], 2)], /signer 1 would have 1 recovery recipient, so 2 of them/],
    ]
    for (const [recovery, words] of bad) await assert.rejects(propose(await naming(...recovery)), refusedAs('policy_refused', words))
    const change = await propose(await naming(officers(2, [one!, two!, three!], 2)))
    const quorum = { kind: 'quorum', party: 2n, threshold: 2n, recipients: [one!, two!, three!] }
    assert.deepEqual(change.next.recovery, [before[0], quorum, before[2]])
    const lines = describeChange(world.policy, change.next, 'en-US', [])
    assert.ok(
      lines.some((line) => line.includes('2 together of these holders') && line.includes(recipientFingerprint(one!))),
      lines.join('\n'),
    )
    for (const member of [ben, cleo]) await approveAs(change, member)
    assert.equal(await apply(change), 'applied')
    assert.deepEqual((await inOrganisation((tx) => currentPolicy(tx))).policy.recovery, change.next.recovery)
  })
})
