import { countedName } from '@holdfast/policy'
import { at } from '@holdfast/units'
import type { Reservation } from './journal-events.ts'

// What counts against the limits of rules, as the register keeps it.

/**
 * An order's amount as it counts against a rule that let it through, at the time of its latest session under that rule. `asset` null counts against all. `told`
 * says who asked for it, from where and to whom it pays; absent, where the journal does not hold that, it counts against everybody.
 */
type Counted = {
  ruleId: string
  asset: string | null
  amount: bigint
  atMs: number
  told?: { initiator: Uint8Array; from: string; paid: readonly { to: string; amount: bigint }[] }
}

/** What counts of an order: under the rule of its latest session, and under every `other` that let it through before. */
export type Spend = Counted & { others?: readonly Counted[] }

/** The asset a reservation counts in; base units of two assets are never added up. Tokens of a collection count together, by the piece. */
export const assetKeyOf = (reservation: Reservation): string | null =>
  reservation.kind !== 'unnamed' ? countedName(reservation.chain, reservation.contract) : null

/** The amount of an order as it counts against a rule; undefined if that rule never let it through. */
export const spentUnder = ({ others = [], ...latest }: Spend, ruleId: string): Counted | undefined => [latest, ...others].find((each) => each.ruleId === ruleId)

/**
 * What counts of an order once a session of it begins. A later session under a rule moves its amount to the later time: a signature can come of it from
 * then on. Under whatever rules it was let through before it goes on counting, and so does what is cancelled, which may be paid all the same.
 */
export function spentWith(spent: Spend | undefined, reservation: Reservation, atMs: number): Spend {
  const isCancel = 'cancels' in reservation && reservation.cancels
  if (isCancel && spent) return { ...spent, atMs: Math.max(atMs, spent.atMs) }
  const { ruleId, amount, from } = reservation
  const told = 'paid' in reservation ? { told: { initiator: reservation.initiator, from, paid: reservation.paid } } : {}
  const latest = { ruleId, asset: assetKeyOf(reservation), amount, ...told, atMs: Math.max(atMs, (spent && spentUnder(spent, ruleId)?.atMs) ?? 0) }
  if (!spent) return latest
  const { others = [], ...before } = spent
  const kept = [before, ...others].filter((each) => each.ruleId !== ruleId)
  return kept.length === 0 ? latest : { ...latest, others: kept }
}

/**
 * What counts of every order, by the order. A limit asks for what its window holds, and not for all that a signer ever let through: orders are kept by their
 * latest sessions too.
 */
export class Spends extends Map<string, Spend> {
  readonly #orders: string[] = []
  /** Of each of `#orders`, a time that nothing set before it is later than. */
  readonly #times: number[] = []

  override set(order: string, spend: Spend): this {
    this.#orders.push(order)
    this.#times.push(Math.max(spend.atMs, this.#times.at(-1) ?? 0))
    return super.set(order, spend)
  }

  override delete(order: string): boolean {
    if (this.#orders.at(-1) === order) {
      this.#orders.pop()
      this.#times.pop()
    }
    return super.delete(order)
  }

  /** What may count after a time, each order once. */
  *after(atMs: number): Generator<[string, Spend]> {
    const seen = new Set<string>()
    for (let i = this.#orders.length - 1; i >= 0 && at(this.#times, i) > atMs; i--) {
      const order = at(this.#orders, i)
      const spend = seen.has(order) ? undefined : this.get(order)
      seen.add(order)
      if (spend) yield [order, spend]
    }
  }
}
