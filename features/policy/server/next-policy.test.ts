import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { decode, encode, toHex } from '@holdfast/encoding'
import { namedIn } from '../../team/server/guards.ts'
import { credentialShape } from '@holdfast/intent'
import { policyShape } from '@holdfast/policy'
import { bytesToUuid, newId, uuidToBytes } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import { approveBy, namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import type { PolicyDraft } from '../contract.ts'
import type { Member } from '../../testing/test-world.ts'
import { draftIntent } from './change/propose-policy.ts'
import { currentPolicy } from './current-policy.ts'
import { ann, ben, cleo, inOrganisation, openPolicyWorld, propose, refusedAs, world } from './testing/policy-world.ts'

const idOf = ({ id }: Member) => personOf({ id: uuidToBytes(id) })
const NOTHING = { add_keys: [], drop_keys: [], add_pages: [], drop_pages: [], add_assets: [], add_call_rules: [], add_stake_rules: [], drop_rules: [] }
/** Ann and Ben govern, and Cleo is named as a deputy alone. */
const draftWith = (changes: Partial<PolicyDraft>): PolicyDraft => ({
  ...NOTHING,
  base_version: 1,
  governance: { approvers: [ann.id, ben.id], threshold: 1 },
  rules: [],
  ...changes,
})

before(() =>
  openPolicyWorld({
    namedRules: ([first, second]) => [namedRule('payments', { action: approveBy([{ need: 1n, who: [idOf(first!), idOf(second!)] }]) })],
    deputies: ([, , third]) => [idOf(third!)],
  }),
)
after(() => world.close())

it('a version that holds more than a policy can is refused with what is too much', async () => {
  const nowMs = world.context.ports.clock.nowMs()
  const keys = Array.from({ length: 16 }, (_, i) => ({ id: world.context.ports.random.bytes(16), label: `laptop ${i}` }))
  for (const { id, label } of keys) {
    const publicKey = p256.getPublicKey(p256.utils.randomSecretKey())
    const made = { id: newId(nowMs, world.context.ports.random), person_id: ben.id, link_by: ben.id, confirmed_at: nowMs, created_at: nowMs }
    const credential = encode(credentialShape, { id, kind: 'device', publicKey, backupEligible: false, label })
    await inOrganisation((tx) =>
      tx
        .insertInto('approval_key')
        .values({ ...made, org_id: tx.orgId, credential })
        .execute(),
    )
  }
  const add_keys = keys.map(({ id }) => toHex(id))
  await assert.rejects(propose(draftWith({ add_keys })), refusedAs('policy_refused', /people\[\d\]\.credentials: 17 items where at most 16/))
})

it('keeps whoever may stand in for others, also where they have nothing else to do', async () => {
  const { intent } = await propose(draftWith({}))
  const { people } = decode(policyShape, intent.newPolicy)
  assert.deepEqual(
    people.map(({ id, credentials }) => [bytesToUuid(id), credentials.length]),
    [ann, ben, cleo].map(({ id }) => [id, 1]),
  )
})

it('asks nothing of what a draft says of rules with names, which stay as they are: a machine may be named there', async () => {
  const payments = { id: 'payments', initiators: [newId(0, world.context.ports.random)], approvers: [], threshold: 1 }
  const { policy } = await inOrganisation((tx) => currentPolicy(tx))
  const checked = await inOrganisation((tx) =>
    draftIntent(tx, world.context, { personId: ann.id, language: 'en_US', wallets: [], served: [], draft: draftWith({ rules: [payments] }) }),
  )
  assert.deepEqual(checked.next.rules, policy.rules)
})

it('nobody is removed while they may stand in for others', async () => {
  const saidOf = (member: Member, language: 'en_US' | 'zh_CN') => inOrganisation((tx) => namedIn(tx, member.id, language))
  assert.match(await saidOf(cleo, 'en_US'), /, may decide for members who are away$/)
  assert.match(await saidOf(cleo, 'zh_CN'), /、可代外出成员审批$/)
  assert.doesNotMatch(await saidOf(ben, 'en_US'), /away/)
})
