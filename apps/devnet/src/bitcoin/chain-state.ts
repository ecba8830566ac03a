import { at, known, last } from '@holdfast/units'
import { findBlock, genesisOf, merkleRoot, type NetworkBlock } from './block.ts'
import { type BitcoinNetwork, isMature, type Refusal, refusal, SUBSIDY_HALVING_BLOCKS } from './rules.ts'
import { coinbaseOf, type NetworkTransaction, type Outpoint, type Output } from './transaction.ts'
import { ScriptRefused, verifyInput } from './verify-input.ts'

export type Coin = Output & { height: number; isCoinbase: boolean }

/**
 * Blocks and the coins that the best of them leave. The best chain is the longest whose blocks are all valid and not called invalid; of equally long ones
 * the first seen.
 */
export class ChainState {
  readonly blocks = new Map<string, NetworkBlock>()
  readonly coins = new Map<Outpoint, Coin>()
  readonly #active: NetworkBlock[]
  readonly #places = new Map<string, NetworkBlock>()
  readonly #spent = new Map<string, Map<Outpoint, Coin>>()
  readonly #invalid = new Set<string>()

  constructor(network: BitcoinNetwork) {
    const genesis = genesisOf(network)
    this.blocks.set(genesis.hash, genesis)
    this.#active = [genesis]
  }

  get tip(): NetworkBlock {
    return last(this.#active)
  }

  at(height: number): NetworkBlock | undefined {
    return Number.isInteger(height) && height >= 0 ? this.#active[height] : undefined
  }

  isActive(block: NetworkBlock): boolean {
    return this.#active[block.height] === block
  }

  /** The block in which a transaction stands; after a reorganisation the last one in which it stood, as an index of Core's has it. */
  blockOf(txid: string): NetworkBlock | undefined {
    return this.#places.get(txid)
  }

  /** What the inputs of a transaction of a block spent. */
  spentBy(block: NetworkBlock, transaction: NetworkTransaction): (Coin | undefined)[] {
    const undo = this.#spent.get(block.hash)
    return transaction.inputs.map(({ outpoint }) => undo?.get(outpoint))
  }

  /** The ends of all branches that are not the best chain. */
  otherTips(): { block: NetworkBlock; isInvalid: boolean; branch: number }[] {
    const parents = new Set([...this.blocks.values()].map(({ header }) => header.parent))
    return [...this.blocks.values()]
      .filter((block) => !parents.has(block.hash) && !this.isActive(block))
      .map((block) => ({ block, isInvalid: this.#isInvalid(block), branch: this.#branchLength(block) }))
  }

  /** Makes the next block of these transactions, on the best chain. `timeS` is the clock's; blocks are later than those before. */
  mine(transactions: readonly NetworkTransaction[], fees: bigint, script: Uint8Array, timeS: number): NetworkBlock {
    const parent = this.tip
    const coinbase = coinbaseOf(parent.height + 1, this.blocks.size, subsidy(parent.height + 1) + fees, script)
    const block = findBlock(parent, Math.max(timeS, parent.header.timeS + 1), [coinbase, ...transactions])
    this.add(block)
    return block
  }

  /** Takes a block up. It becomes the best chain's end where it makes it longer. Throws where it is not valid. */
  add(block: NetworkBlock): void {
    if (this.blocks.has(block.hash)) return
    if (!this.blocks.has(block.header.parent)) throw new Error('prev-blk-not-found')
    if (merkleRoot(block.transactions.map(({ txid }) => txid)) !== block.header.merkleRoot) throw new Error('bad-txnmrklroot')
    this.blocks.set(block.hash, block)
    // The usual case, without looking at every block there is.
    if (block.header.parent === this.tip.hash && !this.#isInvalid(block)) this.#connect(block)
    else this.settle()
  }

  /** Calls a block, and all that stand on it, invalid or valid again. Returns the transactions that lost their blocks. */
  judge(hash: string, isInvalid: boolean): NetworkTransaction[] {
    if (isInvalid) this.#invalid.add(hash)
    else this.#invalid.delete(hash)
    return this.settle()
  }

  /** Moves to the best chain. Returns the transactions of blocks that are no longer part of it. */
  settle(): NetworkTransaction[] {
    const undone: NetworkTransaction[] = []
    while (this.#isInvalid(this.tip)) undone.push(...this.#disconnect())
    let best = this.tip
    for (const block of this.blocks.values()) if (block.height > best.height && !this.#isInvalid(block)) best = block
    const path: NetworkBlock[] = []
    for (let block = best; !this.isActive(block); block = known(this.blocks.get(block.header.parent), `block ${block.header.parent}`)) path.unshift(block)
    if (path.length > 0) while (this.tip.hash !== at(path, 0).header.parent) undone.push(...this.#disconnect())
    for (const block of path) this.#connect(block)
    return undone.filter(({ isCoinbase }) => !isCoinbase)
  }

  #connect(block: NetworkBlock): void {
    const undo = new Map<Outpoint, Coin>()
    for (const transaction of block.transactions) {
      for (const { outpoint } of transaction.isCoinbase ? [] : transaction.inputs) {
        const coin = this.coins.get(outpoint)
        if (!coin) throw new Error(`bad-txns-inputs-missingorspent: ${outpoint}`)
        undo.set(outpoint, coin)
        this.coins.delete(outpoint)
      }
      const { txid, isCoinbase } = transaction
      // Nobody can ever spend the outputs that begin with OP_RETURN, so nobody keeps them.
      for (const [i, output] of transaction.outputs.entries())
        if (output.script[0] !== 0x6a) this.coins.set(`${txid}:${i}`, { ...output, height: block.height, isCoinbase })
      this.#places.set(txid, block)
    }
    this.#spent.set(block.hash, undo)
    this.#active.push(block)
  }

  #disconnect(): NetworkTransaction[] {
    const block = known(this.#active.pop(), 'a block to take back')
    for (const { txid, outputs } of block.transactions.toReversed()) for (const i of outputs.keys()) this.coins.delete(`${txid}:${i}`)
    const made = new Set(block.transactions.map(({ txid }) => txid))
    for (const [outpoint, coin] of known(this.#spent.get(block.hash), `what block ${block.hash} spent`))
      if (!made.has(outpoint.slice(0, 64))) this.coins.set(outpoint, coin)
    return block.transactions
  }

  #isInvalid(block: NetworkBlock): boolean {
    if (this.#invalid.size === 0) return false
    for (let each: NetworkBlock | undefined = block; each; each = this.blocks.get(each.header.parent)) if (this.#invalid.has(each.hash)) return true
    return false
  }

  #branchLength(block: NetworkBlock): number {
    let length = 0
    for (let each = block; !this.isActive(each); each = known(this.blocks.get(each.header.parent), `block ${each.header.parent}`)) length++
    return length
  }
}

function subsidy(height: number): bigint {
  return 5_000_000_000n >> BigInt(Math.floor(height / SUBSIDY_HALVING_BLOCKS))
}

/**
 * What consensus asks of a transaction whose coins are known: amounts, maturity, scripts and signatures. Returns its fee, or why it is refused.
 */
export function checkTransaction(transaction: NetworkTransaction, spent: readonly (Coin | undefined)[], height: number): { fee: bigint } | Refusal {
  const MONEY_MAX = 2_100_000_000_000_000n
  if (transaction.isCoinbase) return refusal('coinbase')
  if (transaction.inputs.length === 0 || transaction.outputs.length === 0) return refusal('bad-txns-vin-empty')
  if (new Set(transaction.inputs.map(({ outpoint }) => outpoint)).size !== transaction.inputs.length) return refusal('bad-txns-inputs-duplicate')
  if (spent.some((coin) => !coin)) return refusal('bad-txns-inputs-missingorspent', -25)
  const coins = spent as Coin[]
  if (coins.some((coin) => !isMature(coin, height))) return refusal('bad-txns-premature-spend-of-coinbase')
  if (transaction.outputs.some(({ amount }) => amount < 0n || amount > MONEY_MAX)) return refusal('bad-txns-vout-toolarge')
  const sum = (amounts: readonly { amount: bigint }[]) => amounts.reduce((total, { amount }) => total + amount, 0n)
  const fee = sum(coins) - sum(transaction.outputs)
  if (fee < 0n) return refusal('bad-txns-in-belowout')
  try {
    for (const i of transaction.inputs.keys()) verifyInput(transaction, i, coins)
  } catch (cause) {
    const reason = cause instanceof ScriptRefused ? cause.message : 'Witness program could not be read'
    return refusal(`mandatory-script-verify-flag-failed (${reason})`)
  }
  return { fee }
}
