import { pinnedContract } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import {
  actOf,
  isCancellation,
  isPayment,
  isTransaction,
  judgedAs,
  originalOf,
  paymentsOf,
  type SpendingIntent,
  type TransactionIntent,
} from '@holdfast/intent'
import { type Cap, capsOf, countedOf, type LimitEach, type Needs, type Outcome, outcomesOfOrder, type Policy } from '@holdfast/policy'
import { sql } from 'kysely'
import { knownDestinations, payingOf } from './known-destinations.ts'

/** What the policy says of an order, and the rule that is to decide: null in the forms of a policy in which the first one does at any time. */
type Decided = { outcome: Outcome; by: string | null }

/**
 * What the policy says of an order by the first rule whose limits have room for it, as far as this server counts: signers count for themselves. An order
 * about a payment goes by the rule that let the payment through (`before`), if that may still decide: it counts there already.
 */
export async function outcomeByLimits(tx: OrganisationTx, policy: Policy, intent: SpendingIntent, nowMs: number, before: string | null): Promise<Decided> {
  const destination = await knownDestinations(tx, policy, payingOf(originalOf(intent)), nowMs)
  const outcomes = outcomesOfOrder(policy, intent, isCancellation(intent) ? {} : { atMs: nowMs, destination })
  const last = outcomes.at(-1) as Outcome
  if (policy.kind !== 'namedRules') return { outcome: last, by: null }
  const same = isTransaction(intent) ? undefined : outcomes.find(({ rule }) => rule !== null && rule.id === before)
  if (same) return { outcome: same, by: before }
  for (const outcome of outcomes.slice(0, -1)) {
    // It would decide on the same order with an earlier end.
    if (outcome.kind === 'deny' && outcome.reason === 'open-too-long') return { outcome, by: outcome.rule?.id ?? null }
    if (outcome.kind === 'needs' && (await hasRoom(tx, policy, outcome, judgedAs(intent), nowMs))) return { outcome, by: outcome.rule.id }
  }
  return { outcome: last, by: last.rule?.id ?? null }
}

/** Whether every limit of a rule has room for one more order like this. What calls do with tokens no row says: signers count it. */
async function hasRoom(tx: OrganisationTx, policy: Policy, { rule, limits }: Needs, payment: TransactionIntent, nowMs: number): Promise<boolean> {
  const { asset, initiator, from } = payment
  const counted = countedOf(policy, rule, actOf(payment))
  const paid = isPayment(payment) ? paymentsOf(payment) : []
  const caps = capsOf(limits, { ...counted, initiator, from, paid }).filter(({ unit }) => unit === 'order' || !counted.isOfTokens)
  for (const { limit, of, unit, adds, most } of caps) {
    const used = await usedOf(tx, { rule: rule.id, each: limit.each, of, asset, sinceMs: BigInt(nowMs) - limit.lengthMs })
    if (used[unit] + adds > most) return false
  }
  return true
}

/** What is counted of orders: those under a rule, of one asset where it is an amount, for one of the places of a limit (`placesOf`). */
type Counted = { rule: string; each: LimitEach; of: string; asset: { chain: string; contract: string | null }; sinceMs: bigint }

/** What orders took under a rule within one of its limits, in base units and in number: those that signers were asked for, and those that still wait. */
export async function usedOf(tx: OrganisationTx, { rule, each, of, asset, sinceMs }: Counted): Promise<Record<Cap['unit'], bigint>> {
  const contract = asset.contract ?? ''
  const collection = pinnedContract(contract)
  const isAsset = collection === contract ? sql`o.contract = ${contract}` : sql`starts_with(o.contract, ${`${collection}/`})`
  const place = {
    rule: sql`true`,
    asker: sql`o.initiator = ${of}::uuid`,
    source: sql`o.address_from = ${of}`,
    destination: sql`coalesce(part.address, o.address_to) = ${of}`,
  }[each]
  const { rows } = await sql<{ amount: bigint; order: bigint }>`
    select count(*) as "order", coalesce(sum(coalesce(part.amount, o.amount)) filter (where o.chain = ${asset.chain} and ${isAsset}), 0) as amount
      from transfer_order o
        left join order_output part on ${each === 'destination'} and part.org_id = o.org_id and part.order_id = o.id
      where o.org_id = ${tx.orgId} and o.rule_id = ${rule} and o.replaces is null and o.created_at >= ${sinceMs}
        and (o.slot is not null or not o.is_final) and ${place}`.execute(tx)
  return { amount: BigInt(rows[0]?.amount ?? 0n), order: BigInt(rows[0]?.order ?? 0n) }
}
