import { equalBytes, toHex } from '@holdfast/encoding'
import type { Counted, JournalEvent } from './journal-events.ts'

/** An order that was begun: whether it is decided, and what it counts. */
export type Begun = {
  orderId: string
  atMs: number
  expiresAtMs: number
  counted: readonly Counted[]
  decision: { decision: string; reason: string; spoken: Uint8Array } | null
  isTold: boolean
}

/** An event cannot follow from those before. */
export class ImpossibleEvent extends Error {
  override name = 'ImpossibleEvent'
}

/** Limits look back so far; an order that is over for longer is decided by nothing any more. */
export const WINDOW_MS = 86_400_000

/** What follows from everything that was written. */
export class Register {
  policy: { version: bigint; hash: Uint8Array } | null = null
  /** By the hash of the intent. */
  readonly orders = new Map<string, Begun>()
  /** The hash of the intent by which an order was begun, by the order's id. */
  readonly byOrder = new Map<string, string>()
  /** When its folder was put back last, by its own clock; 0 if it never was. */
  resumedAtMs = 0

  apply(event: JournalEvent, atMs: number): void {
    switch (event.kind) {
      case 'followed':
        return this.#follow(event)
      case 'reserved':
        return this.#reserve(event, atMs)
      case 'decided':
        return this.#decide(event)
      case 'told':
        this.#begun(event.intentHash).isTold = true
        return
      case 'resumed':
        this.resumedAtMs = atMs
    }
  }

  /**
   * What counts of an asset since a time, but of one order: approved, or not decided and still open. What counts after now counts too: a clock that was put
   * back opens no limit.
   */
  usedSince(sinceMs: number, nowMs: number, { chain, contract }: Pick<Counted, 'chain' | 'contract'>, but: string): bigint {
    let used = 0n
    for (const [hash, { atMs, expiresAtMs, decision, counted }] of this.orders) {
      const counts = decision ? decision.decision === 'approve' : expiresAtMs >= nowMs
      if (hash === but || atMs < sinceMs || !counts) continue
      for (const each of counted) if (each.chain === chain && each.contract === contract) used += each.amount
    }
    return used
  }

  /** Lets go of what can neither be asked for nor count any more. */
  forget(nowMs: number): void {
    for (const [hash, { orderId, atMs, expiresAtMs }] of this.orders) {
      if (Math.max(atMs, expiresAtMs) + 2 * WINDOW_MS >= nowMs) continue
      this.orders.delete(hash)
      this.byOrder.delete(orderId)
    }
  }

  #follow({ version, hash }: Extract<JournalEvent, { kind: 'followed' }>): void {
    const isSame = this.policy !== null && version === this.policy.version && equalBytes(hash, this.policy.hash)
    if (this.policy && version <= this.policy.version && !isSame) throw new ImpossibleEvent(`version ${version} of the policy follows ${this.policy.version}`)
    this.policy = { version, hash }
  }

  #reserve({ intentHash, orderId, expiresAtMs, counted }: Extract<JournalEvent, { kind: 'reserved' }>, atMs: number): void {
    const [hash, id] = [toHex(intentHash), toHex(orderId)]
    if (this.orders.has(hash) || this.byOrder.has(id)) throw new ImpossibleEvent(`the order ${id} is begun twice`)
    this.orders.set(hash, { orderId: id, atMs, expiresAtMs: Number(expiresAtMs), counted, decision: null, isTold: false })
    this.byOrder.set(id, hash)
  }

  #decide({ intentHash, decision, reason, spoken }: Extract<JournalEvent, { kind: 'decided' }>): void {
    const order = this.#begun(intentHash)
    if (order.decision) throw new ImpossibleEvent(`the order ${order.orderId} is decided twice`)
    order.decision = { decision, reason, spoken }
  }

  #begun(intentHash: Uint8Array): Begun {
    const order = this.orders.get(toHex(intentHash))
    if (!order) throw new ImpossibleEvent('something is said of an order that was never begun')
    return order
  }
}
