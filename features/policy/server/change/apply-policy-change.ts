import assert from 'node:assert/strict'
import type { OrganisationTx } from '@holdfast/db'
import { decode, encode, equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { openTokens } from '@holdfast/features/network/server'
import { readApprovals } from '@holdfast/features/evidence/server'
import { countedIn, tellStoppers } from '@holdfast/features/proposal/server'
import { CoSignerError, gatherEndorsements, signerAway } from '@holdfast/features/signer-link/server'
import { checkPolicyChange, policyChangeRecordShape, policyHash, policyShape, replacedSigners, signersOf, waitOfChange } from '@holdfast/policy'
import { type Signed, signedShape, signerCalls } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { bringSignersUp } from './bring-signers-up.ts'
import { type ChangeQuorum, quorumsOfChange } from './change-quorums.ts'
import { currentPolicy, endorsementsShape, type PolicyInForce } from '../current-policy.ts'
import { type PolicyChange, policyChanges } from './policy-change.ts'

export type ApplyNeeds = Pick<ServerContext, 'ports' | 'db' | 'coSigners' | 'settings'>
type Work = {
  inForce: PolicyInForce
  record: Uint8Array
  replaced: readonly number[]
  endorsements: Uint8Array | null
  waitsUntil: bigint | null
  waits: boolean
}
type Refusal = { party: number; reason: string; statement: Signed | undefined }

/**
 * Has the signers take over a change that has its quorum, and writes the new version once as many of them follow it as make a signature, without one that it
 * replaces. Each follows with the words of the others that they would, which are kept before any of them is told. `wait` where too few are there, or where the
 * change loosens the policy and its time at the signers has not come: asked again later, it goes on, since a signer takes the same change twice without harm.
 * `tellsAgain`: signers may have come that have not heard of it.
 */
export async function applyPolicyChange(
  needs: ApplyNeeds,
  orgId: string,
  changeId: string,
  { tellsAgain = true }: { tellsAgain?: boolean } = {},
): Promise<'applied' | 'ended' | 'wait'> {
  const work = await needs.db.asOrganisation(orgId, (tx) => readWork(tx, needs, changeId))
  if (!work) return 'ended'
  const { inForce, record } = work
  const threshold = Number(inForce.genesis.threshold)
  if (needs.coSigners.online().filter((party) => !work.replaced.includes(party)).length < threshold) return 'wait'
  if (work.waits && !work.endorsements && (await mustWait(needs, orgId, changeId, work, tellsAgain))) return 'wait'
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
 * Tells the signers of a change that loosens the policy, so that their time runs, and keeps until when the last of them waits. A signer that refuses it says so
 * again where its word is asked for.
 */
async function mustWait(needs: ApplyNeeds, orgId: string, changeId: string, work: Work, tellsAgain: boolean): Promise<boolean> {
  const { ports, coSigners, db } = needs
  const isEarly = (untilMs: bigint | null) => untilMs !== null && BigInt(ports.clock.nowMs()) < untilMs
  if (isEarly(work.waitsUntil) && !tellsAgain) return true
  await bringSignersUp(needs, work.inForce)
  const asked = { genesis: work.inForce.fingerprint, record: work.record }
  const parties = coSigners.online().filter((party) => !work.replaced.includes(party))
  const answers = await Promise.all(
    parties.map((party) =>
      coSigners.call(party, signerCalls.hearPolicy, asked).catch((cause: unknown) => {
        if (cause instanceof CoSignerError) return { untilMs: null }
        throw cause
      }),
    ),
  )
  const latest = answers.reduce<bigint | null>((most, { untilMs }) => (untilMs !== null && untilMs > (most ?? 0n) ? untilMs : most), null)
  if (latest !== null && latest !== work.waitsUntil) await db.asOrganisation(orgId, (tx) => keepWait(tx, needs, changeId, latest))
  return isEarly(latest)
}

async function keepWait(tx: OrganisationTx, needs: ApplyNeeds, changeId: string, untilMs: bigint): Promise<void> {
  if ((await policyChanges.read(tx, changeId, true))?.row.state !== 'approved') return
  await tx.updateTable('policy_change').set({ waits_until: untilMs }).where('org_id', '=', tx.orgId).where('id', '=', changeId).execute()
  await tellStoppers(tx, needs, { subjectId: changeId, untilMs })
  const change = await policyChanges.read(tx, changeId)
  if (change) await policyChanges.announce(tx, needs, change)
}

/**
 * The words of the signers that they would follow a change: those kept from before, or new ones of all that it does not replace, but for one that is away by
 * the word of people. Undefined if one of them is missing, and what they have against it where one would not follow.
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
  const quorums = quorumsOfChange(change, policy)
  const counted = (quorum: ChangeQuorum) => countedIn(quorum, approvals, intent, policy)
  const now = quorums.filter(({ name }) => name !== 'next').map(counted)
  const { kind: _, ...bare } = intent
  const record = {
    intent: bare,
    approvals: approvals.filter((each) => now.some((given) => given.includes(each))),
    newApprovals: quorums.filter(({ name }) => name === 'next').flatMap(counted),
  }
  assert.ok(equalBytes(policyHash(checkPolicyChange(record, policy, inForce)), policyHash(change.next)))
  if (change.row.expires_at < BigInt(needs.ports.clock.nowMs())) {
    await policyChanges.move(tx, needs, change, { state: 'expired', actor: 'server' })
    return undefined
  }
  const replaced = replacedSigners(inForce.signers, signersOf(inForce.genesis, change.next)).map(({ party }) => Number(party))
  const { endorsements = null, waits_until: waitsUntil = null } = change.row
  const kept = { endorsements: endorsements && new Uint8Array(endorsements), waitsUntil: waitsUntil === null ? null : BigInt(waitsUntil) }
  return { inForce, record: encode(policyChangeRecordShape, record), replaced, ...kept, waits: waitOfChange(policy, change.next) > 0n }
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
