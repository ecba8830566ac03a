import { encode } from '@holdfast/encoding'
import { currentPolicy } from '@holdfast/features/policy/server'
import { type Policy, policyChangeRecordShape, policyHash, policyShape, withSigners } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { World } from './test-world.ts'

/** Puts what is said into force as the next version of the policy. Nobody has approved it, and its order has expired long since. */
export async function putIntoForce(world: World, said: Policy): Promise<void> {
  const { db, orgId, context } = world
  const inForce = await db.asOrganisation(orgId, (tx) => currentPolicy(tx))
  const next: Policy = { ...said, version: inForce.policy.version + 1n, previous: inForce.hash }
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

/** Puts another machine in the place of a signer, as a change of the policy that came into force does. */
export async function replaceSigner(world: World, party: number): Promise<void> {
  const { signers, db, orgId } = world
  const inForce = await db.asOrganisation(orgId, (tx) => currentPolicy(tx))
  const secretKey = ed25519.utils.randomSecretKey()
  signers.secretKeys[party - 1] = secretKey
  signers.signKeys[party - 1] = ed25519.getPublicKey(secretKey)
  const named = inForce.signers.map((each, i) => ({ ...each, signKey: signers.signKeys[i]! }))
  await putIntoForce(world, withSigners(inForce.policy, named))
}

export const replaceThird = (world: World): Promise<void> => replaceSigner(world, 3)
