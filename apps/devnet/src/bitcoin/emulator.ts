import { fromHex, toHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import { headerBytes, type NetworkBlock, readHeader } from './block.ts'
import { ChainState, checkTransaction, type Coin } from './chain-state.ts'
import { Mempool } from './mempool.ts'
import type { BitcoinNetwork, Refusal } from './rules.ts'
import { hashId, type NetworkTransaction, readTransaction } from './transaction.ts'

/** A Bitcoin node as far as a wallet meets one: blocks, coins, waiting transactions, reorganisations. Not Bitcoin Core: an emulator. */
export class Emulator {
  readonly network: BitcoinNetwork
  readonly chain: ChainState
  readonly mempool: Mempool
  readonly #clock: Ports['clock']

  constructor(network: BitcoinNetwork, clock: Ports['clock']) {
    this.network = network
    this.chain = new ChainState(network)
    this.mempool = new Mempool(this.chain)
    this.#clock = clock
  }

  get timeS(): number {
    return Math.floor(this.#clock.nowMs() / 1000)
  }

  /** Mines blocks of what waits; `timeS` for a chain that shall be the same each time it is made. */
  mine(blocks: number, script: Uint8Array, timeS = this.timeS): string[] {
    return Array.from({ length: blocks }, () => {
      const chosen = this.mempool.choose()
      const fees = chosen.reduce((sum, { fee }) => sum + fee, 0n)
      const transactions = chosen.map(({ transaction }) => transaction)
      const { hash } = this.chain.mine(transactions, fees, script, timeS)
      this.mempool.confirm(transactions)
      return hash
    })
  }

  /** Mines one block of exactly these transactions, whatever relay rules say of them; consensus is checked. */
  mineExactly(transactions: readonly NetworkTransaction[], script: Uint8Array): string | Refusal {
    const made = new Map<string, Coin>()
    let fees = 0n
    for (const transaction of transactions) {
      const spent = transaction.inputs.map(({ outpoint }) => made.get(outpoint) ?? this.chain.coins.get(outpoint))
      const checked = checkTransaction(transaction, spent, this.chain.tip.height + 1)
      if ('reason' in checked) return checked
      fees += checked.fee
      for (const { outpoint } of transaction.inputs) made.delete(outpoint)
      for (const [i, output] of transaction.outputs.entries())
        made.set(`${transaction.txid}:${i}`, { ...output, height: this.chain.tip.height + 1, isCoinbase: false })
    }
    const { hash } = this.chain.mine(transactions, fees, script, this.timeS)
    this.mempool.confirm(transactions)
    return hash
  }

  judge(hash: string, isInvalid: boolean): void {
    const returned = this.chain.judge(hash, isInvalid)
    this.mempool.reconsider(returned, this.timeS)
  }

  /** Everything that is needed to be the same again: the best chain's blocks and what waits. Branches that lost are forgotten. */
  save(): Uint8Array {
    const blocks = Array.from({ length: this.chain.tip.height }, (_, i) => savedBlock(known(this.chain.at(i + 1), `block ${i + 1}`)))
    const waiting = [...this.mempool.entries.values()].map(({ transaction }) => toHex(transaction.raw))
    return new TextEncoder().encode(JSON.stringify({ network: this.network, blocks, waiting }))
  }

  /** Takes up what `save` wrote. Throws where it is not a chain of this network. */
  load(saved: Uint8Array): void {
    const { network, blocks, waiting } = JSON.parse(new TextDecoder().decode(saved)) as { network: string; blocks: SavedBlock[]; waiting: string[] }
    if (network !== this.network) throw new Error(`the saved chain is one of ${network}`)
    for (const block of blocks) this.chain.add(readBlock(block, this.chain.tip))
    for (const hex of waiting) this.mempool.accept(readTransaction(fromHex(hex)), this.timeS)
  }
}

type SavedBlock = { header: string; transactions: string[] }

/** A block never changes, and all of them are saved with each new one. */
const savedBlocks = new WeakMap<NetworkBlock, SavedBlock>()

function savedBlock(block: NetworkBlock): SavedBlock {
  const former = savedBlocks.get(block)
  if (former) return former
  const saved = { header: toHex(headerBytes(block.header)), transactions: block.transactions.map(({ raw }) => toHex(raw)) }
  savedBlocks.set(block, saved)
  return saved
}

function readBlock(saved: SavedBlock, parent: NetworkBlock): NetworkBlock {
  const header = readHeader(fromHex(saved.header))
  const transactions = saved.transactions.map((hex) => readTransaction(fromHex(hex)))
  return { hash: hashId(fromHex(saved.header)), height: parent.height + 1, header, transactions }
}
