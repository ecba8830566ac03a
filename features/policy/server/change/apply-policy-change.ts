import assert from 'node:assert/strict'
import type { OrganisationTx } from '@holdfast/db'
import { decode, encode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { openTokens } from '@holdfast/features/network/server'
import { readApprovals } from '@holdfast/features/evidence/server'
import { countedIn } from '@holdfast/features/proposal/server'
import { CoSignerError, gatherEndorsements, signerAway } from '@holdfast/features/signer-link/server'
import { checkPolicyChange, policyChangeRecordShape, policyHash, policyShape, replacedSigners, signersOf } from '@holdfast/policy'
import { type Signed, signedShape, signerCalls } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { bringSignersUp } from './bring-signers-up.ts'
import { quorumsOfChange } from './change-quorums.ts'
import { currentPolicy, endorsementsShape, type PolicyInForce } from '../current-policy.ts'
import { type PolicyChange, policyChanges } from './policy-change.ts'

export type ApplyNeeds = Pick<ServerContext, 'ports' | 'db' | 'coSigners'>
type Work = { inForce: PolicyInForce; record: Uint8Array; replaced: readonly number[]; endorsements: Uint8Array | null }
type Refusal = { party: number; reason: string; statement: Signed | undefined }

/**
 * Has the signers take over a change that has its quorum, and writes the new version once as many of them follow it as make a
 * signature, without one that it replaces. Each follows with the words of the others that they would, which are kept before any of them is told. `wait`
 * where too
 * few are there: asked again later, it goes on, since a signer takes the same change twice without harm.
 */
export async function applyPolicyChange(needs: ApplyNeeds, orgId: string, changeId: string): Promise<'applied' | 'ended' | 'wait'> {
  const work = await needs.db.asOrganisation(orgId, (tx) => readWork(tx, needs, changeId))
  if (!work) return 'ended'
  const { inForce, record } = work
  const threshold = Number(inForce.genesis.threshold)
  if (needs.coSigners.online().filter((party) => !work.replaced.includes(party)).length < threshold) return 'wait'
  const asked = await endorsementsFor(needs, orgId, changeId, work)
  if (!asked) return 'wait'
  const { following, refusals } = 'refusals' in asked ? { following: [], ...asked } : await tellSigners(needs, work, asked.words)
  if (following.length >= threshold) {
    await needs.db.asOrganisation(orgId, (tx) => putIntoForce(tx, needs, changeId, record, following))
    return 'applied'
  }
  if (refusals.length === 0 || following.length > 0) return 'wait'
  await needs.db.asOrganisation(orgId, (tx) => writeRefusal(tx, needs, changeId, refusals))
  return 'ended'
}

/**
 * The words of the signers that they would follow a change: those kept from before, or new ones of all that it does not replace, but for one that is
 * away by the
 * word of people. Undefined if one of them is missing, and what they have against it where one would not follow.
 */
async function endorsementsFor(
  needs: ApplyNeeds,
  orgId: string,
  changeId: string,
  work: Work,
): Promise<{ words: Signed[] } | { refusals: Refusal[] } | undefined> {
  if (work.endorsements) return { words: decode(endorsementsShape, work.endorsements).words }
  const { inForce, replaced, record } = work
  const following = await bringSignersUp(needs, inForce)
  const { given, refusals, missing } = await gatherEndorsements(needs, { genesis: inForce.fingerprint, subject: { kind: 'policyChange', record } }, replaced)
  // One that is behind would refuse what it does not know yet: that is no word against the change.
  const against = refusals.filter(({ party }) => following.includes(party))
  if (against.length > 0) return { refusals: against.map(({ party, told, statement }) => ({ party, reason: told, statement })) }
  const silent = [...missing, ...refusals.map(({ party }) => party)]
  if (silent.length > 1 || (silent[0] !== undefined && (await signerAway(needs, inForce.fingerprint)) !== silent[0])) return undefined
  const endorsements = encode(endorsementsShape, { words: given })
  await needs.db.asOrganisation(orgId, (tx) =>
    tx.updateTable('policy_change').set({ endorsements }).where('org_id', '=', tx.orgId).where('id', '=', changeId).execute(),
  )
  return { words: given }
}

/** The signed record of a change that waits for the signers; undefined if it waits no more, or its time is over. */
async function readWork(tx: OrganisationTx, needs: ApplyNeeds, changeId: string): Promise<Work | undefined> {
  const change = await policyChanges.read(tx, changeId, true)
  if (change?.row.state !== 'approved') return undefined
  const inForce = await currentPolicy(tx)
  const { policy } = inForce
  const { intent } = change
  const approvals = (await readApprovals(tx, change.row.intent_hash)).map((each) => each.approval).filter((each) => each.decision === 'approve')
  const [current, next] = quorumsOfChange(change, policy)
  const { kind: _, ...bare } = intent
  const record = {
    intent: bare,
    approvals: countedIn(current, approvals, intent, policy),
    newApprovals: next ? countedIn(next, approvals, intent, policy) : [],
  }
  assert.ok(equalBytes(policyHash(checkPolicyChange(record, policy, inForce)), policyHash(change.next)))
  if (change.row.expires_at < BigInt(needs.ports.clock.nowMs())) {
    await policyChanges.move(tx, needs, change, { state: 'expired', actor: 'server' })
    return undefined
  }
  const replaced = replacedSigners(inForce.signers, signersOf(inForce.genesis, change.next)).map(({ party }) => Number(party))
  const { endorsements = null } = change.row
  return { inForce, record: encode(policyChangeRecordShape, record), replaced, endorsements: endorsements && new Uint8Array(endorsements) }
}

/** One after the other. A signer that is replaced is not asked: the others are to refuse it from then on. */
async function tellSigners(
  { coSigners }: ApplyNeeds,
  { inForce: { fingerprint, policy }, record, replaced }: Work,
  endorsements: Signed[],
): Promise<{ following: number[]; refusals: Refusal[] }> {
  const following: number[] = []
  const refusals: Refusal[] = []
  const genesis = fingerprint
  for (const party of coSigners.online().filter((each) => !replaced.includes(each))) {
    try {
      const { version } = await coSigners.call(party, signerCalls.applyPolicy, { genesis, record, endorsements })
      if (version === policy.version + 1n) following.push(party)
    } catch (cause) {
      if (!(cause instanceof CoSignerError)) throw cause
      // Not being there is no refusal; the others go on.
      if (cause.kind === 'refused') refusals.push({ party, reason: cause.told, statement: cause.statement })
    }
    if (refusals.length > 0 && following.length === 0) break
  }
  return { following, refusals }
}

async function putIntoForce(tx: OrganisationTx, needs: ApplyNeeds, changeId: string, record: Uint8Array, following: readonly number[]): Promise<void> {
  const change = await policyChanges.read(tx, changeId, true)
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
      endorsements: change.row.endorsements ?? null,
      created_at: needs.ports.clock.nowMs(),
    })
    .execute()
  await openTokens(tx, next.assets, needs.ports.clock.nowMs())
  await policyChanges.move(tx, needs, change, { state: 'applied', actor: `signers ${following.join(', ')}`, log: [{ type: 'policy', body: record }] })
}

async function writeRefusal(tx: OrganisationTx, needs: ApplyNeeds, changeId: string, refusals: readonly Refusal[]): Promise<void> {
  const change = await policyChanges.read(tx, changeId, true)
  if (change?.row.state !== 'approved') return
  const first = at(refusals, 0)
  await policyChanges.move(tx, needs, change, {
    state: 'refused',
    actor: `signer-${first.party}`,
    reason: first.reason,
    log: refusals.flatMap(({ statement }) => (statement ? [{ type: 'refusal' as const, body: encode(signedShape, statement) }] : [])),
  })
}

/** Ends what nobody can approve any more: its time is over, or another version came first. */
export async function endStaleChange(tx: OrganisationTx, needs: Pick<ServerContext, 'ports'>, changeId: string): Promise<void> {
  const change: PolicyChange | undefined = await policyChanges.read(tx, changeId, true)
  if (!change || change.row.is_final) return
  const { policy } = await currentPolicy(tx)
  if (policy.version !== change.row.base_version) await policyChanges.move(tx, needs, change, { state: 'superseded', actor: 'server' })
  else if (change.row.state === 'approving' && change.row.expires_at < BigInt(needs.ports.clock.nowMs()))
    await policyChanges.move(tx, needs, change, { state: 'expired', actor: 'server' })
}
