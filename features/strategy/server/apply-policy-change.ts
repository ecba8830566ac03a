import assert from 'node:assert/strict'
import type { OrganisationTx } from '@holdfast/db'
import { encode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { openTokens } from '@holdfast/features/network/server'
import { readApprovals } from '@holdfast/features/evidence/server'
import { CoSignerFailure } from '@holdfast/features/co-signer/server'
import { checkPolicyChange, policyChangeRecordShape, policyHash, policyShape, replacedSigners, signersOf } from '@holdfast/policy'
import { type Signed, signedShape, signerCalls } from '@holdfast/protocol'
import { countedIn, quorumsOfChange } from './change-quorums.ts'
import { currentPolicy, type PolicyInForce } from './current-policy.ts'
import { moveChange, type PolicyChange, readPolicyChange } from './policy-change.ts'

export type ApplyNeeds = Pick<ServerContext, 'ports' | 'db' | 'coSigners'>
type Work = { inForce: PolicyInForce; record: Uint8Array; replaced: readonly number[] }
type Refusal = { party: number; reason: string; statement: Signed | undefined }

/**
 * Has the signers take over a change that has its quorum, and writes the new version once as many of them follow it as make a
 * signature, without one that it replaces. `wait` where too few are there: asked again later, it goes on, since a signer takes the same change twice without harm.
 */
export async function applyPolicyChange(needs: ApplyNeeds, orgId: string, changeId: string): Promise<'applied' | 'ended' | 'wait'> {
  const work = await needs.db.asOrganisation(orgId, (tx) => readWork(tx, needs, changeId))
  if (!work) return 'ended'
  const { inForce, record } = work
  const threshold = Number(inForce.genesis.threshold)
  if (needs.coSigners.online().filter((party) => !work.replaced.includes(party)).length < threshold) return 'wait'
  const { following, refusals } = await tellSigners(needs, work)
  if (following.length >= threshold) {
    await needs.db.asOrganisation(orgId, (tx) => putIntoForce(tx, needs, changeId, record, following))
    return 'applied'
  }
  if (refusals.length === 0 || following.length > 0) return 'wait'
  await needs.db.asOrganisation(orgId, (tx) => writeRefusal(tx, needs, changeId, refusals))
  return 'ended'
}

/** The signed record of a change that waits for the signers; undefined where it waits no more, or its time is over. */
async function readWork(tx: OrganisationTx, needs: ApplyNeeds, changeId: string): Promise<Work | undefined> {
  const change = await readPolicyChange(tx, changeId, true)
  if (change?.row.state !== 'approved') return undefined
  const inForce = await currentPolicy(tx)
  const { policy } = inForce
  const { intent } = change
  const approvals = (await readApprovals(tx, change.row.intent_hash)).map((each) => each.approval).filter((each) => each.decision === 'approve')
  const [current, next] = quorumsOfChange(change, policy)
  const { kind: _, ...bare } = intent
  const record = {
    intent: bare,
    approvals: countedIn(current!, approvals, change, policy),
    newApprovals: next ? countedIn(next, approvals, change, policy) : [],
  }
  assert.ok(equalBytes(policyHash(checkPolicyChange(record, policy, inForce)), policyHash(change.next)))
  if (change.row.expires_at < BigInt(needs.ports.clock.nowMs())) {
    await moveChange(tx, needs, change, { state: 'expired', actor: 'server' })
    return undefined
  }
  const replaced = replacedSigners(inForce.signers, signersOf(inForce.genesis, change.next)).map(({ party }) => Number(party))
  return { inForce, record: encode(policyChangeRecordShape, record), replaced }
}

/**
 * One after the other, beginning with the one that serves the approval page: it knows of a rejection first, and its refusal stops
 * the change before any other signer follows it. A signer that is replaced is not asked: the others are to refuse it from then on.
 */
async function tellSigners(
  { coSigners }: ApplyNeeds,
  { inForce: { fingerprint, policy, policyChanges }, record, replaced }: Work,
): Promise<{ following: number[]; refusals: Refusal[] }> {
  const following: number[] = []
  const refusals: Refusal[] = []
  const genesis = fingerprint
  for (const party of coSigners.online().filter((each) => !replaced.includes(each))) {
    try {
      const { policyVersion } = await coSigners.call(party, signerCalls.status, { genesis })
      if (policyVersion < policy.version) {
        for (const earlier of policyChanges.slice(Number(policyVersion) - 1)) await coSigners.call(party, signerCalls.applyPolicy, { genesis, record: earlier })
      }
      const { version } = await coSigners.call(party, signerCalls.applyPolicy, { genesis, record })
      if (version === policy.version + 1n) following.push(party)
    } catch (cause) {
      if (!(cause instanceof CoSignerFailure)) throw cause
      // Not being there is no refusal; the others go on.
      if (cause.kind === 'refused') refusals.push({ party, reason: cause.message, statement: cause.statement })
    }
    if (refusals.length > 0 && following.length === 0) break
  }
  return { following, refusals }
}

async function putIntoForce(tx: OrganisationTx, needs: ApplyNeeds, changeId: string, record: Uint8Array, following: readonly number[]): Promise<void> {
  const change = await readPolicyChange(tx, changeId, true)
  // Another server may have written it first.
  if (change?.row.state !== 'approved') return
  const { next } = change
  await tx
    .insertInto('policy_version')
    .values({
      org_id: tx.orgId,
      version: next.version,
      bytes: encode(policyShape, next),
      hash: policyHash(next),
      change: record,
      created_at: needs.ports.clock.nowMs(),
    })
    .execute()
  await openTokens(tx, next.assets, needs.ports.clock.nowMs())
  await moveChange(tx, needs, change, { state: 'applied', actor: `signers ${following.join(', ')}`, log: [{ type: 'policy', body: record }] })
}

async function writeRefusal(tx: OrganisationTx, needs: ApplyNeeds, changeId: string, refusals: readonly Refusal[]): Promise<void> {
  const change = await readPolicyChange(tx, changeId, true)
  if (change?.row.state !== 'approved') return
  const [first] = refusals
  await moveChange(tx, needs, change, {
    state: 'refused',
    actor: `signer-${first!.party}`,
    reason: first!.reason,
    log: refusals.flatMap(({ statement }) => (statement ? [{ type: 'refusal' as const, body: encode(signedShape, statement) }] : [])),
  })
}

/** Ends what nobody can approve any more: its time is over, or another version came first. */
export async function endStaleChange(tx: OrganisationTx, needs: Pick<ServerContext, 'ports'>, changeId: string): Promise<void> {
  const change: PolicyChange | undefined = await readPolicyChange(tx, changeId, true)
  if (!change || change.row.is_final) return
  const { policy } = await currentPolicy(tx)
  if (policy.version !== change.row.base_version) await moveChange(tx, needs, change, { state: 'superseded', actor: 'server' })
  else if (change.row.state === 'approving' && change.row.expires_at < BigInt(needs.ports.clock.nowMs()))
    await moveChange(tx, needs, change, { state: 'expired', actor: 'server' })
}
