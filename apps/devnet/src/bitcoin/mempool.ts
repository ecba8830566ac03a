import { known } from '@holdfast/units'
import { type ChainState, checkTransaction, type Coin } from './chain-state.ts'
import { BLOCK_WEIGHT_MAX, dustLimit, INCREMENTAL_SAT_PER_KVB, type Refusal, refusal, RELAY_SAT_PER_KVB, REPLACED_MAX, WEIGHT_MAX } from './rules.ts'
import { type NetworkTransaction, type Outpoint, virtualSize } from './transaction.ts'

export type PoolEntry = { transaction: NetworkTransaction; fee: bigint; timeS: number }
type Acceptance = { fee: bigint; replaced: PoolEntry[] }

/** Transactions that wait, by the rules of Bitcoin Core's mempool: relay fee, dust, and replacement by BIP125 with every transaction replaceable (Core 28). */
export class Mempool {
  readonly entries = new Map<string, PoolEntry>()
  readonly #spenders = new Map<Outpoint, string>()
  readonly #chain: ChainState

  constructor(chain: ChainState) {
    this.#chain = chain
  }

  /** What would happen to a transaction, without doing it. */
  test(transaction: NetworkTransaction): Acceptance | Refusal {
    const { txid } = transaction
    if (this.entries.has(txid)) return refusal('txn-already-in-mempool', -27)
    if (transaction.outputs.some((_, i) => this.#chain.coins.has(`${txid}:${i}`))) return refusal('txn-already-known', -27)
    if (transaction.version < 1 || transaction.version > 2) return refusal('version')
    if (transaction.weight > WEIGHT_MAX) return refusal('tx-size')
    if (transaction.outputs.some(({ amount, script }) => amount < dustLimit(script))) return refusal('dust')
    const checked = checkTransaction(
      transaction,
      transaction.inputs.map(({ outpoint }) => this.coin(outpoint)),
      this.#chain.tip.height + 1,
    )
    if ('reason' in checked) return checked
    const size = BigInt(virtualSize(transaction))
    if (checked.fee * 1000n < size * RELAY_SAT_PER_KVB) return refusal('min relay fee not met', -26, `${checked.fee} < ${(size * RELAY_SAT_PER_KVB) / 1000n}`)
    return this.#testReplacement(transaction, checked.fee, size)
  }

  accept(transaction: NetworkTransaction, timeS: number): Refusal | undefined {
    const outcome = this.test(transaction)
    if ('reason' in outcome) return outcome
    for (const entry of outcome.replaced) this.#remove(entry)
    this.#insert({ transaction, fee: outcome.fee, timeS })
    return undefined
  }

  /** A coin as a pending transaction may spend it, of a block or of another waiting one. */
  coin(outpoint: Outpoint): Coin | undefined {
    const [txid, index] = outpoint.split(':') as [string, string]
    const output = this.entries.get(txid)?.transaction.outputs[Number(index)]
    if (output) return { ...output, height: this.#chain.tip.height + 1, isCoinbase: false }
    return this.#chain.coins.get(outpoint)
  }

  spenderOf(outpoint: Outpoint): string | undefined {
    return this.#spenders.get(outpoint)
  }

  /** All that wait on this one, itself first. */
  descendants(entry: PoolEntry): PoolEntry[] {
    return this.#related(entry, ({ transaction }) => transaction.outputs.map((_, i) => this.#spenders.get(`${transaction.txid}:${i}`)))
  }

  /** All that this one waits for, itself first. */
  ancestors(entry: PoolEntry): PoolEntry[] {
    return this.#related(entry, ({ transaction }) => transaction.inputs.map(({ txid }) => txid))
  }

  /** Takes up a block that has been connected: what is in it waits no more, and what conflicts with it is gone. */
  confirm(transactions: readonly NetworkTransaction[]): void {
    for (const { txid, inputs } of transactions) {
      const entry = this.entries.get(txid)
      if (entry) this.#remove(entry)
      for (const { outpoint } of inputs) {
        const other = this.entries.get(this.#spenders.get(outpoint) ?? '')
        if (other) for (const each of this.descendants(other)) this.#remove(each)
      }
    }
  }

  /** Judges everything that waits anew, after blocks were undone: with what came back from them first. */
  reconsider(returned: readonly NetworkTransaction[], timeS: number): void {
    const waiting = [...returned, ...[...this.entries.values()].map(({ transaction }) => transaction)]
    this.entries.clear()
    this.#spenders.clear()
    for (const transaction of waiting) this.accept(transaction, timeS)
  }

  /** What the next block takes: whole families by what they pay together, the best first, parents before children. */
  choose(): PoolEntry[] {
    const chosen = new Set<PoolEntry>()
    let weight = 0
    const rate = (family: PoolEntry[]) =>
      Number(family.reduce((sum, { fee }) => sum + fee, 0n)) / family.reduce((sum, { transaction }) => sum + transaction.weight, 0)
    const families = [...this.entries.values()].map((entry) => this.ancestors(entry)).toSorted((a, b) => rate(b) - rate(a))
    for (const family of families) {
      const fresh = family.filter((each) => !chosen.has(each)).toReversed()
      const added = fresh.reduce((sum, { transaction }) => sum + transaction.weight, 0)
      if (weight + added > BLOCK_WEIGHT_MAX) continue
      weight += added
      for (const each of fresh.toSorted((a, b) => this.ancestors(a).length - this.ancestors(b).length)) chosen.add(each)
    }
    return [...chosen]
  }

  #testReplacement(transaction: NetworkTransaction, fee: bigint, size: bigint): Acceptance | Refusal {
    const conflicts = new Set(transaction.inputs.map(({ outpoint }) => this.#spenders.get(outpoint)).filter((txid) => txid !== undefined))
    const direct = [...conflicts].map((txid) => known(this.entries.get(txid), `transaction ${txid}`))
    const replaced = [...new Set(direct.flatMap((entry) => this.descendants(entry)))]
    if (replaced.length === 0) return { fee, replaced }
    const insufficient = (details: string) => refusal('insufficient fee', -26, `rejecting replacement ${transaction.txid}; ${details}`)
    if (replaced.length > REPLACED_MAX) return refusal('too many potential replacements')
    if (transaction.inputs.some(({ txid }) => replaced.some((each) => each.transaction.txid === txid))) return refusal('bad-txns-spends-conflicting-tx')
    const spent = new Set(direct.flatMap((entry) => entry.transaction.inputs.map(({ txid }) => txid)))
    if (transaction.inputs.some(({ txid }) => this.entries.has(txid) && !spent.has(txid))) return refusal('replacement-adds-unconfirmed')
    const isCheaper = direct.some((entry) => fee * BigInt(virtualSize(entry.transaction)) <= entry.fee * size)
    if (isCheaper) return insufficient('new feerate is not higher than the old one')
    const old = replaced.reduce((sum, entry) => sum + entry.fee, 0n)
    if (fee < old) return insufficient(`less fees than conflicting txs; ${fee} < ${old}`)
    const relay = (size * INCREMENTAL_SAT_PER_KVB + 999n) / 1000n
    if (fee - old < relay) return insufficient(`not enough additional fees to relay; ${fee - old} < ${relay}`)
    return { fee, replaced }
  }

  #related(entry: PoolEntry, next: (entry: PoolEntry) => (string | undefined)[]): PoolEntry[] {
    const found = new Set([entry])
    for (const each of found)
      for (const txid of next(each)) {
        const related = txid !== undefined && this.entries.get(txid)
        if (related) found.add(related)
      }
    return [...found]
  }

  #insert(entry: PoolEntry): void {
    this.entries.set(entry.transaction.txid, entry)
    for (const { outpoint } of entry.transaction.inputs) this.#spenders.set(outpoint, entry.transaction.txid)
  }

  #remove({ transaction }: PoolEntry): void {
    this.entries.delete(transaction.txid)
    for (const { outpoint } of transaction.inputs) if (this.#spenders.get(outpoint) === transaction.txid) this.#spenders.delete(outpoint)
  }
}
