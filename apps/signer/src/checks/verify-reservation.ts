import { equalBytes, toHex } from '@holdfast/encoding'
import { actOf, type Approval, intentHash, isCancellation, isTransaction, type SpendingIntent, type TransactionIntent } from '@holdfast/intent'
import { type Policy, type Rule, tokensOfCall } from '@holdfast/policy'
import type { SignRequest, Word } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { CLOCK_TOLERANCE_MS } from '../state/approver-counters.ts'
import type { Reservation } from '../state/journal-events.ts'
import { Refused } from './refused.ts'
import { assetKeyOf, type Register, slotKeyOf } from '../state/register.ts'
import type { SignerView, SignOrder } from './verify.ts'

// What this signer let through and bound before, by its own register: c9, c10 and c12 of `verifySignRequest`.

type Judged = Pick<SignOrder, 'intent' | 'payment' | 'effects' | 'rule'>

/** What the session holds, under the name of the order to pay: an order about it can never have another slot, and its amount counts once. */
export function reservationOf({ unsigned }: SignRequest, { intent, payment, effects, rule }: Judged, policy: Policy): Reservation {
  const { chain, slot, feeMax, validUntilMs = null } = effects
  const { expiresAtMs, policyVersion } = intent
  const { from } = payment
  const held = { intentHash: intentHash(payment), chain, from, slot, ruleId: rule.id, ...countedOf(payment, rule, policy) }
  return { kind: 'attempt', ...held, unsigned: sha256(unsigned), feeMax, cancels: isCancellation(intent), validUntilMs, expiresAtMs, policyVersion }
}

/**
 * What the windows of rules count of an order: its asset; or, where a call moves tokens or lets others take them, those, under the contract that is called.
 * No rule with a window lets a call through that does both.
 */
function countedOf(payment: TransactionIntent, rule: Rule, policy: Policy): { contract: string | null; amount: bigint } {
  const act = actOf(payment)
  const tokens = rule.kind === 'boundedCall' && act.as === 'call' ? tokensOfCall(policy, rule, act) : 0n
  return tokens > 0n ? { contract: payment.to, amount: tokens } : { contract: payment.asset.contract, amount: payment.amount }
}

/** What counts against a rule: the amounts of orders under it, in one asset, since a time. */
export type Counted = { id: string; asset: string | null; sinceMs: number }

/** What this signer let through under a rule, by order, without the one that is asked about. */
export function spendsUnder(register: Register, { id, asset, sinceMs }: Counted, except: string): Map<string, { amount: bigint; atMs: number }> {
  const counts = [...register.spends].filter(([order, spend]) => order !== except && spend.ruleId === id && (spend.asset === null || spend.asset === asset))
  return new Map(counts.filter(([, { atMs }]) => atMs > sinceMs))
}

/**
 * c9: what any signer let through of the asset under the rule in its window does not pass the cap with this order: by this signer's own count, and by what
 * the
 * others say under `words`. An order that several know counts once, with the most that any of them says.
 */
export function checkLimits(reservation: Reservation, rule: Rule, register: Register, nowMs: number, words: readonly Word[] = []): void {
  if (!rule.window) return
  const sinceMs = nowMs - Number(rule.window.lengthMs)
  const order = toHex(reservation.intentHash)
  const amounts = new Map<string, bigint>()
  const count = (other: string, amount: bigint) => amounts.set(other, amount > (amounts.get(other) ?? 0n) ? amount : (amounts.get(other) ?? 0n))
  for (const [other, spend] of spendsUnder(register, { id: rule.id, asset: assetKeyOf(reservation), sinceMs }, order)) count(other, spend.amount)
  for (const { spends } of words)
    for (const spend of spends) if (Number(spend.atMs) > sinceMs && toHex(spend.order) !== order) count(toHex(spend.order), spend.amount)
  const used = [...amounts.values(), ...words.map(({ older }) => older)].reduce((sum, amount) => sum + amount, 0n)
  const isOfTokens = rule.kind === 'boundedCall' && 'contract' in reservation && reservation.contract !== null
  const maxAmount = isOfTokens ? rule.window.maxTokens : rule.window.maxAmount
  if (used + reservation.amount > maxAmount) {
    throw new Refused('c9', `rule ${rule.id} lets ${maxAmount} base units through in its window; ${used} are used, this order asks for ${reservation.amount}`)
  }
}

/**
 * c10: one order has one slot and one slot has one order, so that of all transactions for an order the chain takes one at most. A slot that a dead order
 * holds,
 * of which a signature may exist, is free for the very same bytes: then both orders have one transaction between them. It is free for any where the bytes in
 * it have ended by themselves: the chain takes them no more, and of all that have the slot one at most.
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
 * c10: an order about a payment follows a payment that some signer has begun to sign, so that every check was made of it when it was open: this one, or
 * another
 * by its word, whose slot is then the only one (`checkTogether`). Else it could bring to life what nobody approved, or what ended with a version of the
 * policy.
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
  if (reservation.kind !== 'attempt' || reservation.cancels || !bound?.committed || !bound.bytes) return
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
 * c12: a signer that lost what it remembered does not know what it bound before, nor what it let through. It leaves what was approved before it began
 * anew, and
 * what a rule counts over a time that goes back further, to the other two.
 */
export function checkRemembered(approvals: readonly Approval[], rule: Rule, { register, nowMs }: SignerView): void {
  const { beganAnewAtMs } = register
  if (beganAnewAtMs === null) return
  if (approvals.some((each) => each.signedAtMs <= BigInt(beganAnewAtMs + CLOCK_TOLERANCE_MS))) {
    throw new Refused('c12', 'this signer was repaired and remembers nothing of the time when the order was approved')
  }
  if (rule.window && BigInt(nowMs) < BigInt(beganAnewAtMs) + rule.window.lengthMs) {
    throw new Refused('c12', `this signer was repaired and does not know yet what rule ${rule.id} let through in its window`)
  }
}
