import { cosignedCheckpoint, loggedAt } from '@holdfast/features/evidence/server'
import { bringSignersUp, type PolicyInForce } from '@holdfast/features/policy/server'
import { tellStoppers } from '@holdfast/features/proposal/server'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { lockSubWallets } from '@holdfast/ledger'
import { type Policy, readRule, rulesOf } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'
import { at, known, type OrderId, type OrganisationId } from '@holdfast/units'
import { moveOrder, noteOrder } from '../order/move.ts'
import { type Order, readOrder } from '../order/read-order.ts'
import { isAgainstOrder } from './choose-parties.ts'
import { readApproved } from './read-approved.ts'
import type { SignNeeds } from './types.ts'

/** How long the rule of an order has its signers wait after the last approval, in milliseconds. */
export function delayOf({ row }: Pick<Order, 'row'>, policy: Policy): number {
  const rule = row.replaces === null ? rulesOf(policy).find(({ id }) => id === row.rule_id) : undefined
  return rule ? Number(readRule(rule, policy).delayMs) : 0
}

/**
 * Whether an order may go on, or still waits after its last approval, as its rule says; or whether it ended, because signers refuse it. They are told of it
 * first, each counts by its own clock, and people can stop it meanwhile. It goes on once two of them would sign it. An order about a payment does not wait
 * again.
 */
export async function waitOut(needs: SignNeeds, orgId: OrganisationId, order: Order, inForce: PolicyInForce): Promise<'ready' | 'wait' | 'ended'> {
  const { row } = order
  if (row.replaces !== null || row.rule_id === null) return 'ready'
  if (row.signable_at !== null && row.signable_at > BigInt(needs.ports.clock.nowMs())) return 'wait'
  if (delayOf(order, inForce.policy) === 0) return 'ready'
  const { told, against } = await tellOfQuorum(needs, orgId, row.id, inForce)
  if (told.filter(({ isSignable }) => isSignable).length >= SIGNING) return 'ready'
  // Two sign, so the second counts.
  const signableAt = told.map((each) => each.signableAtMs).toSorted((a, b) => Number(a - b))[SIGNING - 1]
  return needs.db.asOrganisation(orgId, async (tx) => {
    const present = await readOrder(tx, row.id, true)
    if (present?.state !== 'approved') return 'wait'
    const [refusal] = against
    if (refusal && against.length >= SIGNING) {
      await moveOrder(tx, needs, present, { event: 'refuse', actor: `signer-${refusal.party}`, reason: `${refusal.check}: ${refusal.message}` })
      return 'ended'
    }
    // People approved the batch, where the order pays lines of one.
    await lockSubWallets(tx, [row.sub_wallet_id])
    if (signableAt !== undefined) await tellStoppers(tx, needs, { subjectId: row.batch_id ?? row.id, untilMs: signableAt })
    const set = signableAt === undefined || signableAt === present.row.signable_at ? {} : { set: { signable_at: signableAt } }
    await noteOrder(tx, needs, present, { subStatus: signableAt === undefined ? 'waiting_co_signer' : 'cooling', actor: 'server', ...set })
    return 'wait'
  })
}

/** How many signers sign. */
const SIGNING = 2

/** When a signer that was told of an order's quorum lets it be signed, by its own clock. */
type Told = { party: number; signableAtMs: bigint; isSignable: boolean }

/**
 * Tells every connected signer that the steps of an order's rule are met. One that was told before answers the same. `against` are refusals that no later try
 * changes.
 */
export async function tellOfQuorum(
  needs: SignNeeds,
  orgId: OrganisationId,
  orderId: OrderId,
  inForce: PolicyInForce,
): Promise<{ told: Told[]; against: CoSignerError[] }> {
  const [following, checkpoint] = await Promise.all([bringSignersUp(needs, inForce), cosignedCheckpoint(needs, orgId, inForce).catch(() => undefined)])
  if (!checkpoint) return { told: [], against: [] }
  const { order, approvals, sequences, batch } = await needs.db.asOrganisation(orgId, async (tx) => {
    const order = known(await readOrder(tx, orderId), `order ${orderId}`)
    return { order, ...(await readApproved(tx, order)) }
  })
  // The steps were met for what people approved: the batch, where the order pays lines of one.
  const logged = await loggedAt(needs, orgId, checkpoint.size, batch ? [batch.place, ...sequences.slice(1)] : sequences)
  const { rule_id: ruleId } = order.row
  const intent = batch?.intent ?? order.row.intent
  const rule = known(ruleId, `the rule of order ${orderId}`)
  const asked = { genesis: inForce.fingerprint, intent, rule, approvals, checkpoint: checkpoint.note, logged }
  const answers = await Promise.allSettled(following.map((party) => needs.coSigners.call(party, signerCalls.seeQuorum, asked)))
  const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  const refusals = failed.filter((cause) => cause instanceof CoSignerError)
  for (const cause of failed) if (!(cause instanceof CoSignerError)) throw cause
  return {
    told: answers.flatMap((answer, i) => (answer.status === 'fulfilled' ? [{ party: at(following, i), ...answer.value }] : [])),
    against: refusals.filter(({ kind, check }) => kind === 'refused' && isAgainstOrder(check)),
  }
}
