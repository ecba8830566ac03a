import type { OrganisationTx } from '@holdfast/db'
import { cosignedCheckpoint, loggedAt, readApprovals } from '@holdfast/features/evidence/server'
import { bringSignersUp, currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { readRule, rulesOf } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { at, known, type OrderId, type OrganisationId } from '@holdfast/units'
import { noteOrder } from '../order/move.ts'
import { type Order, readOrder } from '../order/read-order.ts'
import { placesInLog } from './places-in-log.ts'
import type { SignNeeds } from './types.ts'

/** How long the rule of an order has its signers wait after the last approval, in milliseconds. */
export function delayOf({ row }: Pick<Order, 'row'>, { policy }: PolicyInForce): number {
  const rule = rulesOf(policy).find(({ id }) => id === row.rule_id)
  return rule ? Number(readRule(rule, policy).delayMs) : 0
}

/**
 * Whether an order still waits after its last approval. The signers are told of it first, each counts by its own clock, and people can stop it meanwhile. An order
 * about a payment does not wait again.
 */
export async function isWaitingOut(needs: SignNeeds, orgId: OrganisationId, order: Order): Promise<boolean> {
  const { row } = order
  if (row.replaces !== null || row.rule_id === null) return false
  if (row.signable_at !== null) return row.signable_at > BigInt(needs.ports.clock.nowMs())
  const inForce = await needs.db.asOrganisation(orgId, currentPolicy)
  if (delayOf(order, inForce) === 0) return false
  const told = await tellOfQuorum(needs, orgId, row.id, inForce)
  // Two sign, so the second counts.
  const signableAt = told.map((each) => each.signableAtMs).toSorted((a, b) => Number(a - b))[1]
  await needs.db.asOrganisation(orgId, async (tx) => {
    const present = await readOrder(tx, row.id, true)
    if (present?.state !== 'approved') return
    const set = signableAt === undefined ? {} : { set: { signable_at: signableAt } }
    await noteOrder(tx, needs, present, { subStatus: signableAt === undefined ? 'waiting_co_signer' : 'cooling', actor: 'server', ...set })
  })
  return true
}

/** When a signer that was told of an order's quorum lets it be signed, by its own clock. */
type Told = { party: number; signableAtMs: bigint; isSignable: boolean }

/** Tells every connected signer that the steps of an order's rule are met. One that was told before answers the same. One that refuses is left out. */
export async function tellOfQuorum(needs: SignNeeds, orgId: OrganisationId, orderId: OrderId, inForce: PolicyInForce): Promise<Told[]> {
  const [following, checkpoint] = await Promise.all([bringSignersUp(needs, inForce), cosignedCheckpoint(needs, orgId, inForce).catch(() => undefined)])
  if (!checkpoint) return []
  const { sequences, ...approved } = await needs.db.asOrganisation(orgId, (tx) => readApproved(tx, orderId))
  const logged = await loggedAt(needs, orgId, checkpoint.size, sequences)
  const asked = { genesis: inForce.fingerprint, ...approved, checkpoint: checkpoint.note, logged }
  const answers = await Promise.allSettled(following.map((party) => needs.coSigners.call(party, signerCalls.seeQuorum, asked)))
  return answers.flatMap((answer, i) => {
    if (answer.status === 'fulfilled') return [{ party: at(following, i), ...answer.value }]
    if (answer.reason instanceof CoSignerError) return []
    throw answer.reason
  })
}

async function readApproved(tx: OrganisationTx, orderId: OrderId) {
  const { row } = known(await readOrder(tx, orderId), `order ${orderId}`)
  const [words, placeOf] = await Promise.all([readApprovals(tx, row.intent_hash), placesInLog(tx, orderId)])
  const approvals = words.filter((each) => each.approval.decision === 'approve')
  return {
    intent: row.intent,
    rule: known(row.rule_id, `the rule of order ${orderId}`),
    approvals: approvals.map((each) => each.bytes),
    sequences: [placeOf(null), ...approvals.map((each) => placeOf(each.personId))],
  }
}
