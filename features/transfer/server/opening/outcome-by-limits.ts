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
import {
  type Cap,
  capsOf,
  type Counted,
  countedOf,
  hasThirdForm,
  type Limit,
  type LimitEach,
  type Needs,
  type Outcome,
  outcomesOfOrder,
  type Parties,
  type Policy,
  type Screened,
  UNSCREENED,
} from '@holdfast/policy'
import { known, type PersonId } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'
import { isCounted } from '../order/is-counted.ts'
import { knownDestinations, payingOf } from './known-destinations.ts'
import { atLivePrices, centsUsed, unitsWithin, type ValueRefusal, type Values, valuesNow, worthOf } from './order-value.ts'

/**
 * What the policy says of an order, and the rule that is to decide: null in the forms of a policy in which the first one does at any time. `refusal`: what it is
 * worth keeps this server from asking by that rule.
 */
export type Decided = { outcome: Outcome; by: string | null; refusal?: ValueRefusal }

/**
 * What the policy says of an order by the first rule whose limits have room for it, as far as this server counts: signers count for themselves. An order
 * about a payment goes by the rule that let the payment through (`before`), if that may still decide: it counts there already. `screened`: what screeners have said
 * of it by now.
 */
export async function outcomeByLimits(
  tx: OrganisationTx,
  policy: Policy,
  intent: SpendingIntent,
  nowMs: number,
  { before, screened = UNSCREENED }: { before: string | null; screened?: Screened },
): Promise<Decided> {
  const destination = await knownDestinations(tx, policy, payingOf(originalOf(intent)), nowMs)
  const given = isCancellation(intent) ? {} : { atMs: nowMs, destination, screened }
  const outcomes = outcomesOfOrder(policy, intent, given)
  const last = outcomes.at(-1) as Outcome
  if (!hasThirdForm(policy)) return { outcome: last, by: null }
  const same = isTransaction(intent) ? undefined : outcomes.find(({ rule }) => rule !== null && rule.id === before)
  if (same) return { outcome: same, by: before }
  const values = await valuesNow(tx, policy, nowMs)
  const payment = judgedAs(intent)
  const raisedBefore = (needs: Needs) => aboveByPrice(values, outcomes, outcomesOfOrder(atLivePrices(values), intent, given), { needs, payment })
  for (const outcome of outcomes.slice(0, -1)) {
    // It would decide on the same order with an earlier end.
    if (outcome.kind === 'deny' && outcome.reason === 'open-too-long') return { outcome, by: outcome.rule?.id ?? null }
    if (outcome.kind === 'needs' && (await hasRoom(tx, policy, outcome, payment, nowMs)) && !(await valueRefusal(tx, values, outcome, payment)))
      return decided(outcome, isCancellation(intent) ? undefined : raisedBefore(outcome))
  }
  if (last.kind === 'deny' || isCancellation(intent)) return decided(last)
  return decided(last, (await valueRefusal(tx, values, last, payment)) ?? raisedBefore(last))
}

const decided = (outcome: Outcome, refusal?: ValueRefusal): Decided => ({ outcome, by: outcome.rule?.id ?? null, ...(refusal && { refusal }) })

/** Whether every limit of a rule has room for one more order like this. What calls and trades do with tokens no row says: signers count it. */
export async function hasRoom(tx: OrganisationTx, policy: Policy, needs: Needs, payment: TransactionIntent, nowMs: number): Promise<boolean> {
  const counted = countedNow(policy, needs, payment)
  for (const { limit, of, unit, adds, most } of capsOf(needs.limits, counted, () => 0n)) {
    if (unit === 'cent' || (unit === 'amount' && counted.isOfTokens)) continue
    const used = await usedOf(tx, { rule: needs.rule.id, each: limit.each, of, asset: counted, sinceMs: BigInt(nowMs) - limit.lengthMs })
    if (used[unit] + adds > most) return false
  }
  return true
}

/** What of a rule's bounds and limits of value an order does not keep, by the table or by a live price that is higher. */
async function valueRefusal(tx: OrganisationTx, values: Values, needs: Needs, payment: TransactionIntent): Promise<ValueRefusal | undefined> {
  const { rule, limits } = needs
  if (rule.kind !== 'named') return undefined
  const bound = rule.conditions.find((each) => each.kind === 'value')
  if (bound && bound.atMostCents !== null) {
    const worth = worthOf(values, payment.asset, payment.amount)
    if (worth.cents > bound.atMostCents) return { rule, kind: 'order', most: bound.atMostCents, ...worth }
  }
  const centsWith = async (by: Values) => {
    const found: { most: bigint; cents: bigint }[] = []
    // A trade is a call of the network's own coin, and what it gives may be a token.
    const counted = countedNow(by.policy, needs, payment)
    for (const { limit, of, unit, adds, most } of capsOf(limits, counted, (amount) => worthOf(by, counted, amount).cents)) {
      if (unit !== 'cent') continue
      const used = await centsUsed(tx, by, ordersWithin(tx, { rule: rule.id, each: limit.each, of, sinceMs: BigInt(by.atMs) - limit.lengthMs }))
      found.push({ most, cents: used + adds })
    }
    return found
  }
  const live = await centsWith(values)
  const i = live.findIndex(({ most, cents }) => cents > most)
  const passed = live[i]
  if (!passed) return undefined
  const byTable = await centsWith({ ...values, live: new Map() })
  return { rule, kind: 'limit', ...passed, isLive: passed.cents > known(byTable[i], 'the same limit by the table').cents }
}

/**
 * The rule for what is worth more than a bound that would be asked before the one that decides, were the table to say what the market does: signers go by the
 * table, so nothing can be asked for by it, and nothing is by a rule that is for less.
 */
function aboveByPrice(
  values: Values,
  byTable: readonly Outcome[],
  byPrice: readonly Outcome[],
  { needs, payment }: { needs: Needs; payment: TransactionIntent },
): ValueRefusal | undefined {
  const at = byPrice.findIndex(({ rule }) => rule?.id === needs.rule.id)
  const before = byPrice.slice(0, at < 0 ? undefined : at).flatMap(({ rule }) => (rule?.kind === 'named' ? [rule] : []))
  const rule = before.find(({ id }) => !byTable.some((each) => each.rule?.id === id))
  const bound = rule?.conditions.find((each) => each.kind === 'value')
  return rule && bound && { rule, kind: 'above', most: bound.aboveCents, ...worthOf(values, payment.asset, payment.amount) }
}

/** Who would ask for an order, from where it would be paid and to whom, as far as that is known, and when. */
export type NextOrder = { personId: PersonId; from?: string | undefined; to?: string | undefined; nowMs: number }

/** A limit of a rule with whom it would count the next order for; those are left out of which that is not known. */
export type LimitFor = { limit: Limit; of: string; sinceMs: bigint }

/** The limits of a rule as the next order would meet them: by the same places by which signers count it (`placesOf`). */
export function limitsFor(limits: readonly Limit[], { personId, from, to, nowMs }: NextOrder): LimitFor[] {
  const places: Record<LimitEach, string | undefined> = { rule: '', asker: personId, source: from, destination: to }
  return limits.flatMap((limit) => {
    const of = places[limit.each]
    return of === undefined ? [] : [{ limit, of, sinceMs: BigInt(nowMs) - limit.lengthMs }]
  })
}

/** The most base units of an asset that a rule's bounds and limits of value let the next order pay, by what this server counts; null if it has none. */
export async function mostByValue(
  tx: OrganisationTx,
  policy: Policy,
  { rule, limits }: Pick<Needs, 'rule' | 'limits'>,
  asset: { chain: string; contract: string | null },
  next: NextOrder,
): Promise<bigint | null> {
  if (rule.kind !== 'named') return null
  const bound = rule.conditions.find((each) => each.kind === 'value')?.atMostCents ?? null
  const counted = limitsFor(limits, next).filter(({ limit }) => limit.maxCents !== null)
  if (bound === null && counted.length === 0) return null
  const values = await valuesNow(tx, policy, next.nowMs)
  let cents = bound
  for (const { limit, of, sinceMs } of counted) {
    const used = await centsUsed(tx, values, ordersWithin(tx, { rule: rule.id, each: limit.each, of, sinceMs }))
    const left = (limit.maxCents ?? 0n) - used
    if (cents === null || left < cents) cents = left
  }
  return unitsWithin(values, asset, cents ?? 0n)
}

/** What limits count of an order, and for whom. */
function countedNow(policy: Policy, { rule }: Needs, payment: TransactionIntent): Counted & Parties {
  const { initiator, from } = payment
  return { ...countedOf(policy, rule, actOf(payment)), initiator, from, paid: isPayment(payment) ? paymentsOf(payment) : [] }
}

/** Orders that are counted: those under a rule, for one of the places of a limit (`placesOf`). */
type Within = { rule: string; each: LimitEach; of: string; sinceMs: bigint }

/** The orders under a rule that one of its limits counts. */
function ordersWithin(tx: OrganisationTx, { rule, each, of, sinceMs }: Within): RawBuilder<unknown> {
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
        and ${isCounted} and ${place}`
}

/** What orders took of an asset under a rule within one of its limits, in base units, and how many they are. */
export async function usedOf(tx: OrganisationTx, { asset, ...within }: Within & { asset: { chain: string; contract: string | null } }): Promise<Used> {
  const contract = asset.contract ?? ''
  const collection = pinnedContract(contract)
  const isAsset = collection === contract ? sql`o.contract = ${contract}` : sql`starts_with(o.contract, ${`${collection}/`})`
  const { rows } = await sql<Used>`
    select count(*) as "order", coalesce(sum(o.amount) filter (where o.chain = ${asset.chain} and ${isAsset}), 0) as amount
      from (${ordersWithin(tx, within)}) as o`.execute(tx)
  return { amount: BigInt(rows[0]?.amount ?? 0n), order: BigInt(rows[0]?.order ?? 0n) }
}

type Used = Record<Exclude<Cap['unit'], 'cent'>, bigint>
