import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { decode, equalBytes } from '@holdfast/encoding'
import { describeChange, policyHash, policyShape, withKeyOrigin } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import { SECOND_PAGE } from '../../../testing/test-world.ts'
import type { PolicyDraft } from '../../contract.ts'
import { currentPolicy } from '../current-policy.ts'
import { nextPolicy } from './next-policy.ts'
import { policyWords } from '../policy-words.ts'
import { servedPages } from '../served-pages.ts'
import { ann, apply, ben, cleo, draftOf, inOrganisation, openPolicyWorld, propose, refusedAs, approveAs, stateOf, world } from '../testing/policy-world.ts'

const FIRST = 'http://approve.localhost:24000'
const inForce = () => inOrganisation((tx) => currentPolicy(tx))
const proposed = async (changes: Partial<PolicyDraft>) => {
  const served = await servedPages(world.context, await inForce())
  return propose(await draftOf((draft) => ({ ...draft, ...changes })), ann, undefined, { served })
}
const linesOf = async (change: Awaited<ReturnType<typeof proposed>>) => {
  const { policy, signers } = await inForce()
  const next = decode(policyShape, change.intent.newPolicy)
  return (['en-US', 'zh-CN'] as const).map((locale) => describeChange(policy, next, locale, signers)[0])
}

describe('approval pages by a change of the policy', () => {
  before(() => openPolicyWorld())
  after(() => world.close())

  it('a page that a connected signer serves comes in by the quorum, and the words say it in both languages', async () => {
    const change = await proposed({ add_pages: [SECOND_PAGE.origin] })
    const words = await linesOf(change)
    assert.equal(words[0], 'Approvals may be given at http://approve-2.localhost:24002 (approve-2.localhost) from now on.')
    assert.match(words[1]!, /今后可在 http:\/\/approve-2\.localhost:24002 \(approve-2\.localhost\) 进行审批/)
    for (const member of [ben, cleo]) await approveAs(change, member)
    assert.equal(await apply(change), 'applied')
    assert.deepEqual(
      (await inForce()).policy.origins.map(({ origin, rpId }) => [origin, rpId]),
      [
        [FIRST, 'approve.localhost'],
        [SECOND_PAGE.origin, SECOND_PAGE.rpId],
      ],
    )
  })

  it('a page that no connected signer serves, or that is there already, does not come in', async () => {
    await assert.rejects(proposed({ add_pages: ['https://approve.evil.example'] }), refusedAs('policy_refused', /nor one that a connected signer serves/))
    await assert.rejects(proposed({ add_pages: [SECOND_PAGE.origin], base_version: 2 }), refusedAs('policy_refused', /twice|changes nothing/))
    await assert.rejects(proposed({ drop_pages: ['https://approve.evil.example'] }), refusedAs('policy_refused', /neither an approval page of the policy/))
  })

  it('a page does not go while somebody who approves has a key at no other, and the last never goes', async () => {
    await assert.rejects(proposed({ drop_pages: [FIRST] }), refusedAs('strategy_personnel_error', /^Ann would have no approval key on any remaining page/))
    await assert.rejects(proposed({ drop_pages: [FIRST, SECOND_PAGE.origin] }), refusedAs('strategy_personnel_error'))
    const known = await inForce()
    const people = known.policy.people.map((person) => ({
      ...person,
      credentials: person.credentials.map((key) => ({ ...key, label: withKeyOrigin(key.label, { linkBy: '', confirmed: true, page: SECOND_PAGE.origin }) })),
    }))
    const policy = { ...known.policy, people }
    const { networks } = world.context
    const member = { role: 'admin', state: 'active' }
    const next = nextPolicy(
      await draftOf((draft) => ({ ...draft, drop_pages: [FIRST] })),
      { ...known, policy, hash: policyHash(policy) },
      {
        directory: { members: new Map([ann, ben, cleo].map(({ id, name }) => [id, { ...member, name }])), keys: [] },
        ...{ networks, applied: [], wallets: [], pages: { served: [], first: FIRST }, nowMs: world.context.ports.clock.nowMs(), words: policyWords.en_US },
      },
    )
    assert.deepEqual(
      next.origins.map(({ origin }) => origin),
      [SECOND_PAGE.origin],
      'with keys there it goes',
    )
    assert.ok(next.people.some((person) => equalBytes(person.id, uuidToBytes(ann.id))))
  })

  it('a page where nobody has a key goes by the quorum', async () => {
    const change = await proposed({ drop_pages: [SECOND_PAGE.origin] })
    const [english, chinese] = await linesOf(change)
    assert.match(english!, /Approvals given at http:\/\/approve-2\.localhost:24002 \(approve-2\.localhost\) no longer count\./)
    assert.match(chinese!, /在 http:\/\/approve-2\.localhost:24002 \(approve-2\.localhost\) 所作审批不再有效/)
    for (const member of [ben, cleo]) await approveAs(change, member)
    assert.equal(await apply(change), 'applied')
    assert.equal(await stateOf(change), 'applied')
    assert.equal((await inForce()).policy.origins.length, 1)
  })
})
