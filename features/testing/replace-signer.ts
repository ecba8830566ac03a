import { encode } from '@holdfast/encoding'
import { currentPolicy } from '@holdfast/features/policy/server'
import { type Policy, policyChangeRecordShape, policyHash, policyShape, withSigners } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { World } from './test-world.ts'

/** Puts another machine in the place of signer 3, as a change of the policy that came into force does. */
export async function replaceThird(world: World): Promise<void> {
  const { signers, db, orgId, context } = world
  const inForce = await db.asOrganisation(orgId, (tx) => currentPolicy(tx))
  signers.secretKeys[2] = ed25519.utils.randomSecretKey()
  signers.signKeys[2] = ed25519.getPublicKey(signers.secretKeys[2]!)
  const named = inForce.signers.map((each, i) => ({ ...each, signKey: signers.signKeys[i]! }))
  const next: Policy = { ...withSigners(inForce.policy, named), version: inForce.policy.version + 1n, previous: inForce.hash }
  const bytes = encode(policyShape, next)
  const intent = {
    genesis: inForce.fingerprint,
    orderId: new Uint8Array(16),
    newPolicy: bytes,
    notBeforeMs: 0n,
    expiresAtMs: 1n,
    policyVersion: inForce.policy.version,
    policyHash: inForce.hash,
    initiator: uuidToBytes(world.members[0].id),
    nonce: new Uint8Array(32),
  }
  const change = encode(policyChangeRecordShape, { intent, approvals: [], newApprovals: [] })
  const row = { version: next.version, bytes, hash: policyHash(next), change, created_at: context.ports.clock.nowMs() }
  await db.asOrganisation(orgId, (tx) =>
    tx
      .insertInto('policy_version')
      .values({ org_id: tx.orgId, ...row })
      .execute(),
  )
  world.policy = next
}
