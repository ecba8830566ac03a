import { AppError, type Language } from '@holdfast/contract'
import { nextNumber, type OrganisationTx } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import { claimRequest } from '@holdfast/features/claim-request'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog } from '@holdfast/features/evidence/server'
import { appliedTokens } from '@holdfast/features/network/server'
import { openProposal } from '@holdfast/features/proposal/server'
import { intentHash, intentShape, type PolicyChangeIntent } from '@holdfast/intent'
import { type Policy, policyShape } from '@holdfast/policy'
import { bytesToUuid, newId, uuidToBytes } from '@holdfast/units'
import type { PolicyDraft } from '../../contract.ts'
import { quorumsOfChange } from './change-quorums.ts'
import { currentPolicy, type PolicyInForce } from '../current-policy.ts'
import { DraftRefused, nextPolicy, readDirectory } from './next-policy.ts'
import { announceChange, changeOf, moveChange, type PolicyChange, readPolicyChange, writeChangeEvent } from './policy-change.ts'
import { policyWords } from '../policy-words.ts'
import type { ServedPage } from '../served-pages.ts'

/**
 * How long a change can be approved, and how long a signer that was away can still take it over: a signer takes no change
 * outside this time, by its own clock.
 */
const LIFE_MS = 30 * 24 * 3_600_000
/** An approver's clock may be this far behind ours and their approval still counts as made after the order. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

type Needs = Pick<ServerContext, 'ports' | 'networks' | 'settings'>

/** What networks and signers told before the transaction began, for they are not asked inside one: the wallets of tokens (`readWalletPins`), the pages that are served. */
export type Told = { wallets: Policy['assets']; served: readonly ServedPage[] }
type Caller = Told & { personId: string; language: Language }
export type Proposal = Caller & { requestId: string; draft: PolicyDraft; body: Uint8Array; demandSecondFactor: () => Promise<void> }

/** The intent a draft would become, with what it would need. Throws DraftRefused. */
export async function draftIntent(
  tx: OrganisationTx,
  { ports, networks, settings }: Needs,
  { personId, language, wallets, served, draft }: Caller & { draft: PolicyDraft },
): Promise<{ inForce: PolicyInForce; next: Policy; intent: PolicyChangeIntent }> {
  const nowMs = ports.clock.nowMs()
  const words = policyWords[language]
  const inForce = await currentPolicy(tx)
  const pages = { served, first: settings.approvalOrigin }
  const around = { directory: await readDirectory(tx), networks, applied: await appliedTokens(tx), wallets, pages, nowMs, words }
  const next = nextPolicy(draft, inForce, around)
  const intent: PolicyChangeIntent = {
    kind: 'policyChange',
    genesis: inForce.fingerprint,
    orderId: uuidToBytes(newId(nowMs, ports.random)),
    newPolicy: encode(policyShape, next),
    notBeforeMs: BigInt(nowMs - CLOCK_TOLERANCE_MS),
    expiresAtMs: BigInt(nowMs + LIFE_MS),
    policyVersion: inForce.policy.version,
    policyHash: inForce.hash,
    initiator: uuidToBytes(personId),
    nonce: ports.random.bytes(32),
  }
  const short = quorumsOfChange({ intent, next }, inForce.policy).some(({ eligible, threshold }) => threshold > eligible.length)
  if (short) throw new DraftRefused(words.tooFewForYou)
  return { inForce, next, intent }
}

/**
 * Proposes the next version of the policy: makes its intent, which nothing can change afterwards, and writes it to the log. The same
 * request again answers the change it made. Throws AppError `policy_refused` with the reason, `policy_change_open` while another waits.
 */
export async function proposePolicyChange(tx: OrganisationTx, needs: Needs, proposal: Proposal): Promise<{ change: PolicyChange; fresh: boolean }> {
  const nowMs = needs.ports.clock.nowMs()
  const id = newId(nowMs, needs.ports.random)
  const { fresh, resultId } = await claimRequest(tx, { requestId: proposal.requestId, kind: 'policy_change', body: proposal.body, resultId: id, nowMs })
  if (!fresh) {
    const change = await readPolicyChange(tx, resultId)
    if (!change) throw new AppError('duplicate_request')
    return { change, fresh }
  }
  await proposal.demandSecondFactor()
  // The number is taken under a lock that every proposal of the organisation takes, so that two cannot both find none open.
  await nextNumber(tx, 'policy_change')
  const open = await tx.selectFrom('policy_change').select('id').where('org_id', '=', tx.orgId).where('is_final', '=', false).executeTakeFirst()
  if (open) throw new AppError('policy_change_open')
  const { inForce, intent } = await draftIntent(tx, needs, proposal).catch((cause: unknown) => {
    if (cause instanceof DraftRefused) throw new AppError('policy_refused', { cause, details: { reason: cause.message } })
    throw cause
  })
  const bytes = encode(intentShape, { ...intent, orderId: uuidToBytes(id) })
  const row = await tx
    .insertInto('policy_change')
    .values({
      org_id: tx.orgId,
      id,
      intent: bytes,
      intent_hash: intentHash({ ...intent, orderId: uuidToBytes(id) }),
      base_version: inForce.policy.version,
      initiator: bytesToUuid(intent.initiator),
      state: 'approving',
      is_final: false,
      reason: null,
      expires_at: intent.expiresAtMs,
      created_at: nowMs,
      updated_at: nowMs,
      version: 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await writeChangeEvent(tx, row, { actor: proposal.personId }, nowMs)
  const change = changeOf(row)
  await openProposal(tx, {
    subjectId: id,
    kind: 'policy_change',
    rank: 'rules',
    intentHash: row.intent_hash,
    initiator: row.initiator,
    walletId: null,
    words: [`v${change.next.version}`],
    deciders: quorumsOfChange(change, inForce.policy).flatMap(({ eligible }) => eligible),
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  })
  await appendToLog(tx, { genesis: inForce.fingerprint, type: 'intent', body: bytes, atMs: nowMs })
  await announceChange(tx, needs, row)
  return { change, fresh }
}

/** Takes a change back while it waits for approvals. Asking twice answers the same. */
export async function withdrawPolicyChange(
  tx: OrganisationTx,
  needs: Pick<ServerContext, 'ports'>,
  { id, personId, remark }: { id: string; personId: string; remark: string },
): Promise<void> {
  const change = await readPolicyChange(tx, id, true)
  if (!change) throw new AppError('resource_not_found')
  // Others reject it on the approval page; only who proposed it can take it back.
  if (change.row.initiator !== personId) throw new AppError('not_permitted', { details: { permission: 'policy.propose' } })
  if (change.row.state === 'withdrawn') return
  if (change.row.state !== 'approving') throw new AppError('state_changed')
  await moveChange(tx, needs, change, { state: 'withdrawn', actor: personId, reason: remark })
}
