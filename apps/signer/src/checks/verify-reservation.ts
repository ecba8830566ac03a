import { equalBytes, toHex } from '@holdfast/encoding'
import { actOf, type Approval, intentHash, isCancellation, isPayment, isTransaction, paymentsOf, type SpendingIntent } from '@holdfast/intent'
import {
  BEYOND_CENTS,
  type Cap as PolicyCap,
  callBoundsOf,
  capsOf as capsOfLimits,
  centsOf,
  countedOf,
  type LimitEach,
  type Needs,
  placesOf,
  type Policy,
} from '@holdfast/policy'
import { CENTS, type Count, type SignRequest, type Word } from '@holdfast/protocol'
import { known } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { CLOCK_TOLERANCE_MS } from '../state/approver-counters.ts'
import type { Reservation, TellingReservation } from '../state/journal-events.ts'
import { Refused } from './refused.ts'
import { type Register, slotKeyOf } from '../state/register.ts'
import { assetKeyOf, type Spend, spentUnder } from '../state/spends.ts'
import type { SignerView, SignOrder } from './verify.ts'

// What this signer let through and bound before, by its own register: c9, c10 and c12 of `verifySignRequest`.

type Judged = Pick<SignOrder, 'intent' | 'payment' | 'effects' | 'needs'>

/** What the session holds, under the name of the order to pay: an order about it can never have another slot, and its amount counts once. */
export function reservationOf({ unsigned }: SignRequest, { intent, payment, effects, needs: { rule } }: Judged, policy: Policy): TellingReservation {
  const { chain, slot, feeMax, validUntilMs = null } = effects
  const { expiresAtMs, policyVersion } = intent
  const { from, initiator } = payment
  const paid = isPayment(payment) ? paymentsOf(payment).map(({ to, amount }) => ({ to, amount })) : []
  const asset = countedOf(policy, rule, actOf(payment))
  const held = { intentHash: intentHash(payment), chain, from, slot, ruleId: rule.id, contract: asset.contract, amount: asset.amount }
  const cancels = isCancellation(intent)
  return { kind: 'told', ...held, unsigned: sha256(unsigned), feeMax, cancels, validUntilMs, expiresAtMs, policyVersion, initiator, paid }
}

/** One limit of a rule as an order meets it: what is counted, what the order adds, and the most (`unit` as in the policy's `Cap`). */
type Cap = Pick<PolicyCap, 'unit' | 'adds' | 'most'> & { count: Count }

/** What the limits of a rule count for an order, and how much they let through. */
export function capsOf(reservation: TellingReservation, { rule, limits }: Pick<Needs, 'rule' | 'limits'>, policy: Policy, nowMs: number): Cap[] {
  const isOfTokens = callBoundsOf(rule) !== undefined && reservation.contract !== null
  const asset = assetKeyOf(reservation)
  const counted = { amount: asset, order: null, cent: CENTS }
  return (
    capsOfLimits(limits, { ...reservation, isOfTokens }, (amount) => worthOf(policy, { asset, amount }, nowMs))
      // What is cancelled counts already, and nobody waits with a cancellation until somebody says again what it is worth.
      .filter(({ unit }) => unit !== 'cent' || !reservation.cancels)
      .map(({ limit: { each, lengthMs }, of, unit, adds, most }) => {
        const sinceMs = BigInt(Math.max(0, nowMs - Number(lengthMs)))
        return { count: { rule: rule.id, each, sinceMs, asset: counted[unit], of }, unit, adds, most }
      })
  )
}

/** What an amount that was let through is worth by the policy in force now, in cents: nobody knows it of a journal that does not name the asset. */
const worthOf = (policy: Policy, { asset, amount }: Pick<Spend, 'asset' | 'amount'>, nowMs: number): bigint =>
  asset === null ? BEYOND_CENTS : centsOf(policy, asset, amount, { atMs: nowMs })

/** How much of an order counts for one of a limit's places; undefined if nothing does. */
function amountWithin({ told, amount }: Spend, { each, of }: Pick<Count, 'each' | 'of'>): bigint | undefined {
  if (!told || each === 'rule') return amount
  const parts = placesOf(each as LimitEach, { ...told, amount }).filter((place) => place.of === of)
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part.amount, 0n)
}

/** What this signer let through of what is counted, by order, without the one that is asked about; `CENTS` by what it is worth now. */
export function spendsWithin(register: Register, count: Count, except: string, nowMs: number): Map<string, { amount: bigint; atMs: number }> {
  const found = new Map<string, { amount: bigint; atMs: number }>()
  const sinceMs = Number(count.sinceMs)
  for (const [order, spent] of register.spends.after(sinceMs)) {
    const spend = order === except ? undefined : spentUnder(spent, count.rule)
    if (!spend || spend.atMs <= sinceMs) continue
    const isCents = count.asset === CENTS
    if (!isCents && count.asset !== null && spend.asset !== null && spend.asset !== count.asset) continue
    const amount = amountWithin(spend, count)
    if (amount === undefined) continue
    found.set(order, { amount: isCents ? worthOf(register.policy, { asset: spend.asset, amount }, nowMs) : amount, atMs: spend.atMs })
  }
  return found
}

/**
 * c9: what any signer let through under the rule within each of its limits does not pass that with this order: by this signer's own count, and by what the
 * others say under `words`. An order that several know counts once, with the most that any of them says.
 */
export function checkLimits(
  reservation: TellingReservation,
  needs: Pick<Needs, 'rule' | 'limits'>,
  register: Register,
  nowMs: number,
  words: readonly Word[] = [],
): void {
  const order = toHex(reservation.intentHash)
  capsOf(reservation, needs, register.policy, nowMs).forEach(({ count, unit, adds, most }, i) => {
    const amounts = new Map<string, bigint>()
    const take = (other: string, amount: bigint) => amounts.set(other, amount > (amounts.get(other) ?? 0n) ? amount : (amounts.get(other) ?? 0n))
    for (const [other, { amount }] of spendsWithin(register, count, order, nowMs)) take(other, amount)
    const told = words.map((word) => known(word.counted[i], 'what a word counts'))
    for (const { spends } of told)
      for (const spend of spends) if (spend.atMs > count.sinceMs && toHex(spend.order) !== order) take(toHex(spend.order), spend.amount)
    const own = unit === 'order' ? BigInt(amounts.size) : [...amounts.values()].reduce((sum, amount) => sum + amount, 0n)
    const used = told.reduce((sum, { older, olderCount }) => sum + (unit === 'order' ? olderCount : older), own)
    if (used + adds > most) throw new Refused('c9', limitText(needs.rule.id, { count, unit, adds, most }, used))
  })
}

function limitText(rule: string, { count, unit, adds, most }: Cap, used: bigint): string {
  const [what, where] = [{ order: 'orders', amount: 'base units', cent: 'US cents' }[unit], count.each === 'rule' ? '' : ` for each ${count.each}`]
  const unknown = 'and the table of values does not say, or no longer, what all of it is worth'
  if (unit === 'cent' && used + adds >= BEYOND_CENTS) return `rule ${rule} lets ${most} ${what} through in its window${where}, ${unknown}`
  return `rule ${rule} lets ${most} ${what} through in its window${where}; ${used} are used, this order asks for ${adds}`
}

/**
 * c10: one order has one slot and one slot has one order, so that of all transactions for an order the chain takes one at most. A slot that a dead order holds,
 * of which a signature may exist, is free for the very same bytes: then both orders have one transaction between them. It is free for any where the bytes in it
 * have ended by themselves: the chain takes them no more, and of all that have the slot one at most.
 */
export function checkSlot(reservation: Reservation, { register, nowMs }: SignerView): void {
  const order = toHex(reservation.intentHash)
  const slotKey = slotKeyOf(reservation)
  const bound = register.bindings.get(order)
  if (bound && bound.slotKey !== slotKey) throw new Refused('c10', `this order is bound to slot ${bound.slotKey}; it cannot move to ${slotKey}`)
  const holder = register.slots.get(slotKey)
  if (holder === undefined || holder === order) return
  const held = register.bindings.get(holder)?.bytes ?? null
  if (held?.validUntilMs != null && BigInt(nowMs) > held.validUntilMs) return
  const isDead = held !== null && (BigInt(nowMs) > held.expiresAtMs || held.policyVersion < register.policy.version)
  if (!isDead) throw new Refused('c10', `slot ${slotKey} is bound to order ${holder}`)
  if (!('unsigned' in reservation) || !equalBytes(held.unsigned, reservation.unsigned)) {
    throw new Refused('c10', `slot ${slotKey} is bound to order ${holder}, which can be signed no more: only a new order for the same bytes may have it`)
  }
}

/**
 * c10: an order about a payment follows a payment that some signer has begun to sign, so that every check was made of it when it was open: this one, or another
 * by its word, whose slot is then the only one (`checkTogether`). Else it could bring to life what nobody approved, or what ended with a version of the policy.
 * A signer that lies can say so at most of a payment that people read whole in the order about it, which they approve by the same rule.
 */
export function checkBegun(intent: SpendingIntent, reservation: Reservation, register: Register, words: readonly Word[]): void {
  if (isTransaction(intent) || register.bindings.get(toHex(reservation.intentHash))?.committed) return
  if (words.some(({ binding }) => binding?.committed)) return
  throw new Refused('c10', 'no signer has begun to sign the payment that this order is about')
}

/**
 * c10: other bytes for an order that may have been signed before must be able to cost more than those: no others are of use. Where people have cancelled it,
 * there are none but other cancellations.
 */
export function checkReplacementFee(reservation: Reservation, { register }: SignerView): void {
  const bound = register.bindings.get(toHex(reservation.intentHash))
  if (!('feeMax' in reservation) || reservation.cancels || !bound?.committed || !bound.bytes) return
  if (equalBytes(bound.bytes.unsigned, reservation.unsigned)) return
  if (bound.cancelled) throw new Refused('c10', 'this payment was cancelled: nothing else is signed for it')
  const { feeMax, validUntilMs } = bound.bytes
  // Bytes that end by themselves need no higher fee: later ones take their place in the same slot.
  if (validUntilMs !== null) return
  if (feeMax !== null && reservation.feeMax <= feeMax) {
    throw new Refused('c10', `other bytes of this order can cost ${feeMax}; what takes their place must be able to cost more than that`)
  }
}

/**
 * c12: a signer that lost what it remembered does not know what it bound before, nor what it let through. It leaves what people or machines said before it
 * began anew, and what a rule counts over a time that goes back further, to the other two.
 */
export function checkRemembered(
  said: readonly Pick<Approval, 'signedAtMs'>[],
  { rule, limits }: Pick<Needs, 'rule' | 'limits'>,
  { register, nowMs }: SignerView,
): void {
  const { beganAnewAtMs } = register
  if (beganAnewAtMs === null) return
  if (said.some((each) => each.signedAtMs <= BigInt(beganAnewAtMs + CLOCK_TOLERANCE_MS))) {
    throw new Refused('c12', 'this signer was repaired and remembers nothing of the time when the order was approved')
  }
  if (limits.some(({ lengthMs }) => BigInt(nowMs) < BigInt(beganAnewAtMs) + lengthMs)) {
    throw new Refused('c12', `this signer was repaired and does not know yet what rule ${rule.id} let through in its window`)
  }
}
