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
import { type Limit, type Needs, type Outcome, outcomesOfOrder, type Policy, tokensOfCall } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'
import { knownDestinations } from './known-destinations.ts'
import { centsUsed, type ValueRefusal, type Values, valuesNow, worthOf } from './order-value.ts'

/**
 * What the policy says of an order, and the rule that is to decide: null in the forms of a policy in which the first one does at any time. `refusal`: what it is
 * worth keeps this server from asking by that rule.
 */
type Decided = { outcome: Outcome; by: string | null; refusal?: ValueRefusal }

/**
 * What the policy says of an order by the first rule whose limits have room for it, as far as this server counts: signers count for themselves. An order
 * about a payment goes by the rule that let the payment through (`before`), if that may still decide: it counts there already.
 */
export async function outcomeByLimits(tx: OrganisationTx, policy: Policy, intent: SpendingIntent, nowMs: number, before: string | null): Promise<Decided> {
  const destination = await knownDestinations(tx, policy, originalOf(intent), nowMs)
  const outcomes = outcomesOfOrder(policy, intent, isCancellation(intent) ? {} : { atMs: nowMs, destination })
  const last = outcomes.at(-1) as Outcome
  if (policy.kind !== 'namedRules') return { outcome: last, by: null }
  const same = isTransaction(intent) ? undefined : outcomes.find(({ rule }) => rule !== null && rule.id === before)
  if (same) return { outcome: same, by: before }
  const values = await valuesNow(tx, policy, nowMs)
  const payment = judgedAs(intent)
  for (const outcome of outcomes.slice(0, -1)) {
    // It would decide on the same order with an earlier end.
    if (outcome.kind === 'deny' && outcome.reason === 'open-too-long') return { outcome, by: outcome.rule?.id ?? null }
    if (outcome.kind === 'needs' && (await hasRoom(tx, policy, outcome, payment, nowMs)) && !(await valueRefusal(tx, values, outcome, payment)))
      return { outcome, by: outcome.rule.id }
  }
  const refusal = last.kind === 'needs' && !isCancellation(intent) ? await valueRefusal(tx, values, last, payment) : undefined
  return { outcome: last, by: last.rule?.id ?? null, ...(refusal && { refusal }) }
}

/** Whether every limit of a rule has room for one more order like this. What calls do with tokens no row says: signers count it. */
async function hasRoom(tx: OrganisationTx, policy: Policy, { rule, limits }: Needs, payment: TransactionIntent, nowMs: number): Promise<boolean> {
  const { chain, contract } = payment.asset
  const act = actOf(payment)
  const isOfTokens = act.as === 'call' && tokensOfCall(policy, rule, act) > 0n
  for (const limit of limits)
    for (const { of, amount } of placesOf(limit, payment)) {
      const most = isOfTokens ? null : limit.maxOf({ chain, contract, isOfTokens })
      const used = await usedOf(tx, { rule: rule.id, limit, of, asset: payment.asset, sinceMs: BigInt(nowMs) - limit.lengthMs })
      if (most !== null && used.amount + amount > most) return false
      if (limit.maxCount !== null && used.count + 1n > limit.maxCount) return false
    }
  return true
}

/** What of a rule's bounds and limits of value an order does not keep, by the table or by a live price that is higher. */
async function valueRefusal(tx: OrganisationTx, values: Values, { rule, limits }: Needs, payment: TransactionIntent): Promise<ValueRefusal | undefined> {
  if (rule.kind !== 'named') return undefined
  const { asset } = payment
  const bound = rule.conditions.find((each) => each.kind === 'value')
  if (bound && bound.atMostCents !== null) {
    const worth = worthOf(values, asset, payment.amount)
    if (worth.cents > bound.atMostCents) return { rule, kind: 'order', most: bound.atMostCents, ...worth }
  }
  for (const limit of limits) {
    if (limit.maxCents === null) continue
    for (const { of, amount } of placesOf(limit, payment)) {
      const sinceMs = BigInt(values.atMs) - limit.lengthMs
      const used = (by: Values) => centsUsed(tx, by, ordersWithin(tx, { rule: rule.id, limit, of, sinceMs }))
      const cents = (await used(values)) + worthOf(values, asset, amount).cents
      if (cents <= limit.maxCents) continue
      const byTable = { ...values, live: new Map() }
      return { rule, kind: 'limit', most: limit.maxCents, cents, isLive: cents > (await used(byTable)) + worthOf(byTable, asset, amount).cents }
    }
  }
  return undefined
}

/** For whom a limit counts an order, and how much of it. */
function placesOf({ each }: Limit, payment: TransactionIntent): { of: string; amount: bigint }[] {
  const { amount, initiator, from } = payment
  if (each === 'destination') return isPayment(payment) ? paymentsOf(payment).map((one) => ({ of: one.to, amount: one.amount })) : []
  return [{ of: { rule: '', asker: bytesToUuid(initiator), source: from }[each], amount }]
}

type Within = { rule: string; limit: Limit; of: string; sinceMs: bigint }

/** The orders under a rule that one of its limits counts: those that signers were asked for, and those that still wait. */
function ordersWithin(tx: OrganisationTx, { rule, limit: { each }, of, sinceMs }: Within): RawBuilder<unknown> {
  const place = {
    rule: sql`true`,
    asker: sql`o.initiator = ${of}::uuid`,
    source: sql`o.address_from = ${of}`,
    destination: sql`coalesce(part.address, o.address_to) = ${of}`,
  }[each]
  return sql`
    select o.chain, o.contract, coalesce(part.amount, o.amount) as amount
      from transfer_order o
        left join order_output part on ${each === 'destination'} and part.org_id = o.org_id and part.order_id = o.id
      where o.org_id = ${tx.orgId} and o.rule_id = ${rule} and o.replaces is null and o.created_at >= ${sinceMs}
        and (o.slot is not null or not o.is_final) and ${place}`
}

/** What those orders took of an asset, and how many they are. */
async function usedOf(tx: OrganisationTx, { asset, ...within }: Within & { asset: TransactionIntent['asset'] }): Promise<{ amount: bigint; count: bigint }> {
  const contract = asset.contract ?? ''
  const collection = pinnedContract(contract)
  const isAsset = collection === contract ? sql`o.contract = ${contract}` : sql`starts_with(o.contract, ${`${collection}/`})`
  const { rows } = await sql<{ amount: bigint; count: bigint }>`
    select count(*) as count, coalesce(sum(o.amount) filter (where o.chain = ${asset.chain} and ${isAsset}), 0) as amount
      from (${ordersWithin(tx, within)}) as o`.execute(tx)
  return { amount: BigInt(rows[0]?.amount ?? 0n), count: BigInt(rows[0]?.count ?? 0n) }
}
