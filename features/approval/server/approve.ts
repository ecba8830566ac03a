import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, EncodingError, equalBytes, fromHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, approvalRefused, assertApproval, readApprovals, storeApproval, type Word } from '@holdfast/features/evidence/server'
import { approveKeyChange, pokeKeyChanges } from '@holdfast/features/key-recovery/server'
import { approvePolicyChange, approveSignerOrder, currentPolicy, type Decided, pokePolicyChanges, pokeSignerOrders } from '@holdfast/features/policy/server'
import { moveOrder, type Order, pokeTransfers, readOrderByIntent } from '@holdfast/features/transfer/server'
import { announceAll } from '@holdfast/jobs'
import { type Approval, approvalShape } from '@holdfast/intent'
import { lockSubWallets } from '@holdfast/ledger'
import { countApprovals, evaluateOrder, type Policy, type Tally } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { type Place, placeOf } from './find-decided.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>

/** Who takes a word on what is decided on the approval page, and what goes on once that has its quorum. */
const TAKERS: Record<Place['table'], { take(tx: OrganisationTx, needs: Needs, word: Word & { remark: string }): Promise<Decided>; poke(needs: Needs): void }> =
  {
    transfer_order: { take: decide, poke: pokeTransfers },
    policy_change: { take: (tx, needs, { approval, bytes }) => approvePolicyChange(tx, needs, approval, bytes), poke: pokePolicyChanges },
    key_change: { take: (tx, needs, { approval, bytes }) => approveKeyChange(tx, needs, approval, bytes), poke: pokeKeyChanges },
    signer_order: { take: (tx, needs, { approval, bytes }) => approveSignerOrder(tx, needs, approval, bytes), poke: pokeSignerOrders },
  }

/**
 * Takes a person's word on an order to pay, a change of the policy, an order about a key or to the signers: checks it as the signers will, keeps it once, writes it to the log, and counts. A
 * rejection ends the order and frees its funds; the last approval that was missing lets it be signed at once. The same
 * word again answers the same; another word by the same person is refused. `remark` says why somebody rejects: it stands in the
 * order's story, and is no part of what was signed.
 */
export async function approveOrder(needs: Needs, encoded: string, remark = ''): Promise<Decided> {
  const { approval, bytes } = readApproval(encoded)
  const { orgId, table } = await placeOf(needs, approval.intentHash)
  const { take, poke } = TAKERS[table]
  const decided = await needs.db.asOrganisation(orgId, async (tx) => {
    await refuseSuspended(tx, approval)
    return take(tx, needs, { approval, bytes, remark })
  })
  if (decided.state === 'approved') poke(needs)
  return decided
}

/**
 * Whoever is suspended decides nothing by way of this server. What stops their key for good is a policy that no longer names it:
 * that is what the signers go by.
 */
async function refuseSuspended(tx: OrganisationTx, { person }: Approval): Promise<void> {
  const row = await tx.selectFrom('person').select(['name', 'state']).where('org_id', '=', tx.orgId).where('id', '=', bytesToUuid(person)).executeTakeFirst()
  if (row?.state === 'suspended' || row?.state === 'removed') throw approvalRefused(`${row.name} is ${row.state} and cannot decide`)
}

function readApproval(encoded: string): { approval: Approval; bytes: Uint8Array } {
  try {
    const bytes = fromHex(encoded)
    return { approval: decode(approvalShape, bytes), bytes }
  } catch (cause) {
    if (cause instanceof EncodingError) throw approvalRefused(cause.message, cause)
    throw cause
  }
}

async function decide(tx: OrganisationTx, needs: Needs, { approval, bytes, remark }: Word & { remark: string }): Promise<Decided> {
  const order = await readOrderByIntent(tx, approval.intentHash, true)
  if (!order) throw new AppError('order_not_found')
  const { policy } = await currentPolicy(tx)
  const person = bytesToUuid(approval.person)
  const given = await readApprovals(tx, order.row.intent_hash)
  const approvals = given.map((each) => each.approval)
  const earlier = given.find((each) => each.personId === person)
  if (earlier) return repeat(order, policy, approvals, earlier, { approval, bytes })
  assertOpen(order, policy, needs.ports.clock.nowMs())
  const { eligible, threshold } = quorumOf(order, policy)
  assertApproval(approval, order.intent, policy)
  if (!eligible.some((id) => equalBytes(id, approval.person))) throw approvalRefused('given by somebody who may not approve this order')
  const tally = countApprovals({ policy, intent: order.intent, approvals: [...approvals, approval], eligible, threshold })
  return keep(tx, needs, { order, approval, bytes, remark, person, tally })
}

/**
 * The answer to a word that was given before. Who never heard our answer may sign the same decision once more: it is checked
 * and answered the same, and the first one is kept. A change of mind is refused.
 */
function repeat(order: Order, policy: Policy, approvals: readonly Approval[], earlier: Word, { approval, bytes }: Word): Decided {
  const isSame = equalBytes(earlier.bytes, bytes)
  const isOpen = order.state === 'approving' && policy.version === order.row.policy_version
  if (!isSame && (!isOpen || approval.decision !== earlier.approval.decision)) throw new AppError('state_changed')
  if (!isSame) assertApproval(approval, order.intent, policy)
  if (!isOpen) return { state: order.state, missing: 0 }
  const { eligible, threshold } = quorumOf(order, policy)
  return { state: order.state, missing: countApprovals({ policy, intent: order.intent, approvals, eligible, threshold }).missing }
}

function assertOpen(order: Order, policy: Policy, nowMs: number): void {
  if (order.state === 'expired' || (order.state === 'approving' && order.row.expires_at < BigInt(nowMs))) throw new AppError('approval_expired')
  if (order.state !== 'approving' || policy.version !== order.row.policy_version) throw new AppError('state_changed')
}

function quorumOf({ intent }: Order, policy: Policy): { eligible: Uint8Array[]; threshold: number } {
  const outcome = evaluateOrder(policy, intent)
  if (outcome.kind === 'deny') throw new AppError('state_changed')
  return outcome
}

type Kept = Word & { remark: string; order: Order; person: string; tally: Tally }

async function keep(tx: OrganisationTx, needs: Needs, { order, approval, bytes, remark, person, tally }: Kept): Promise<Decided> {
  const { ports } = needs
  const nowMs = ports.clock.nowMs()
  await storeApproval(tx, { approval, bytes }, { random: ports.random, nowMs })
  if (approval.decision === 'reject') {
    const { state } = await moveOrder(tx, needs, order, { event: 'reject', actor: person, reason: remark, log: [{ type: 'approval', body: bytes }] })
    return { state, missing: tally.missing }
  }
  // An order that moves locks its sub-wallet before the log.
  await lockSubWallets(tx, [order.row.sub_wallet_id])
  const sequence = await appendToLog(tx, { genesis: order.intent.genesis, type: 'approval', body: bytes, atMs: nowMs })
  await tx
    .insertInto('order_log_place')
    .values({ org_id: tx.orgId, order_id: order.row.id, sequence: BigInt(sequence), person_id: person })
    .execute()
  if (tally.met) {
    const { state } = await moveOrder(tx, needs, order, { event: 'approve', actor: person })
    return { state, missing: 0 }
  }
  const ids = { order_id: order.row.id, wallet_id: order.row.wallet_id, sub_wallet_id: order.row.sub_wallet_id }
  await announceAll(tx, ports, [
    { topic: 'order.changed', ids },
    { topic: 'todo.changed', ids: { order_id: order.row.id } },
  ])
  return { state: order.state, missing: tally.missing }
}
