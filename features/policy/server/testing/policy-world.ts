import assert from 'node:assert/strict'

import { AppError } from '@holdfast/contract'
import { encode, toHex } from '@holdfast/encoding'

import { type Approval, approvalChallenge, approvalShape, credentialShape, deviceMessage, intentHash, renderHash, renderIntent } from '@holdfast/intent'

import { approvalContext, type FirstRule, policyHash } from '@holdfast/policy'
import { newId, uuidToBytes } from '@holdfast/units'

import { p256 } from '@noble/curves/nist.js'
import { openWorld, type Member, pageCalls, type World, type WorldOptions } from '../../../testing/test-world.ts'

import type { PolicyDraft } from '../../contract.ts'

import { applyPolicyChange } from '../change/apply-policy-change.ts'

import { currentPolicy } from '../current-policy.ts'

import { type PolicyChange, policyChanges } from '../change/policy-change.ts'

import { proposePolicyChange, type Told } from '../change/propose-policy.ts'
import { keyOf } from '../../../testing/request-key.ts'

const ORIGIN = 'http://approve.localhost:24000'
/** Who is in the world that was opened last; Dora is a member whom the policy does not name. */
export let world: World
export let ann: Member
export let ben: Member
export let cleo: Member
export let dora: Member

/** Opens a world for changes of the policy, with its founding members. */
export async function openPolicyWorld(options: WorldOptions = {}): Promise<void> {
  world = await openWorld(options)
  ;[ann, ben, cleo] = world.members
}

export const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
export const refusedAs =
  (name: string, reason = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.name === 'AppError' ? error.errorName : '', name)
    if (error.details.reason !== undefined) assert.match(String(error.details.reason), reason)
    return true
  }

export async function draftOf(changes: (draft: PolicyDraft) => PolicyDraft = (draft) => draft): Promise<PolicyDraft> {
  const { policy } = await inOrganisation((tx) => currentPolicy(tx))
  const ids = (people: Uint8Array[]) => people.map((id) => [ann, ben, cleo, dora].find((each) => toHex(uuidToBytes(each.id)) === toHex(id))!.id)
  return changes({
    base_version: Number(policy.version),
    governance: { approvers: ids(policy.governance.approvers), threshold: Number(policy.governance.threshold) },
    rules: (policy.rules as FirstRule[]).map((rule) => ({
      id: rule.id,
      initiators: ids(rule.initiators),
      approvers: ids(rule.approvers),
      threshold: Number(rule.threshold),
    })),
    add_keys: [],
    drop_keys: [],
    add_pages: [],
    drop_pages: [],
    add_assets: [],
    add_call_rules: [],
    add_stake_rules: [],
    drop_rules: [],
  })
}

export const withRule = (change: (rule: PolicyDraft['rules'][number]) => Partial<PolicyDraft['rules'][number]>) => (draft: PolicyDraft) => ({
  ...draft,
  rules: draft.rules.map((rule) => ({ ...rule, ...change(rule) })),
})
export const lower = withRule(() => ({ threshold: 1 }))

export async function propose(
  draft: PolicyDraft,
  by = ann,
  requestId = `propose-${toHex(world.context.ports.random.bytes(8))}`,
  told: Partial<Told> = {},
): Promise<PolicyChange> {
  const { change } = await inOrganisation((tx) =>
    proposePolicyChange(tx, world.context, {
      personId: by.id,
      language: 'en_US',
      wallets: [],
      served: [],
      ...told,
      key: keyOf(requestId, { draft }),
      draft,
      demandSecondFactor: async () => {},
    }),
  )
  return change
}

export async function approvalBy({ intent }: PolicyChange, member: Member, decision: 'approve' | 'reject' = 'approve'): Promise<Approval> {
  const { policy } = await inOrganisation((tx) => currentPolicy(tx))
  const statement = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: policyHash(policy),
    person: uuidToBytes(member.id),
    decision,
    locale: 'en-US',
    renderHash: renderHash(renderIntent(intent, approvalContext(policy), 'en-US')),
    signedAtMs: BigInt(world.context.ports.clock.nowMs()),
  }
  const signature = p256.sign(deviceMessage(approvalChallenge(statement), ORIGIN), member.secretKey)
  return { ...statement, assertion: { kind: 'device', credentialId: member.credentialId, origin: ORIGIN, signature } }
}

export async function approveAs(change: PolicyChange, member: Member, decision: 'approve' | 'reject' = 'approve'): Promise<{ state: string; missing: number }> {
  const approval = toHex(encode(approvalShape, await approvalBy(change, member, decision)))
  return (await pageCalls(world)['order.approve']!({ approval })) as { state: string; missing: number }
}

export const stateOf = async ({ row }: PolicyChange) => (await inOrganisation((tx) => policyChanges.read(tx, row.id)))!.row.state
export const apply = ({ row }: PolicyChange) => applyPolicyChange(world.context, world.orgId, row.id)

/** A member whom the policy does not name, with an approval key made on the approval page. */
export async function hireDora(): Promise<void> {
  const nowMs = world.context.ports.clock.nowMs()
  dora = {
    id: newId(nowMs, world.context.ports.random),
    name: 'Dora',
    secretKey: p256.utils.randomSecretKey(),
    credentialId: world.context.ports.random.bytes(16),
  }
  const credential = { id: dora.credentialId, kind: 'device', publicKey: p256.getPublicKey(dora.secretKey), backupEligible: false, label: 'laptop' }
  await inOrganisation(async (tx) => {
    await tx
      .insertInto('person')
      .values({
        org_id: world.orgId,
        id: dora.id,
        name: 'Dora',
        login: 'dora@acme',
        role: 'approver',
        state: 'active',
        language: 'en-US',
        failed_logins: 0,
        created_at: nowMs,
        updated_at: nowMs,
      })
      .execute()
    await tx
      .insertInto('approval_key')
      .values({
        org_id: world.orgId,
        id: newId(nowMs, world.context.ports.random),
        person_id: dora.id,
        credential: encode(credentialShape, credential),
        created_at: nowMs,
        link_by: ann.id,
        confirmed_at: nowMs,
      })
      .execute()
  })
}
