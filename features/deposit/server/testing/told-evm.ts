import { hashOf, MethodMissing, type Question, ToldChain } from './told-chain.ts'

export type ToldLog = { address: string; topics: string[]; data: string; removed?: boolean; transactionHash?: string }
/** What a contract did inside a transaction, as reported by the call tracer. */
export type ToldCall = { type: string; from: string; to?: string; value?: string; input?: string; error?: string; calls?: ToldCall[] }
export type EvmTx = { hash: string; from: string; to: string; value: bigint; status: '0x0' | '0x1'; logs: ToldLog[]; calls?: ToldCall[] }

const hex = (value: bigint | number) => `0x${value.toString(16)}`

/** An EVM chain as reported by JSON-RPC. Parties are addresses in any case. */
export class ToldEvm extends ToldChain<EvmTx> {
  /** Coin that came to addresses without a transaction of its own, by the block from which it is there. */
  given: { to: string; amount: bigint; height: number }[] = []

  pay(to: string, value: bigint): EvmTx {
    const transaction: EvmTx = { hash: `0x${this.newId()}`, from: `0x${'51'.repeat(20)}`, to, value, status: '0x1', logs: [] }
    this.add(transaction)
    return transaction
  }

  protected blockHash(_: number, seed: string): string {
    return `0x${hashOf(seed)}`
  }

  protected questionOf(_: string, body: unknown): Question {
    const { method, params } = body as { method: string; params: unknown }
    return { name: method, params }
  }

  protected wrapped(result: unknown): unknown {
    return { jsonrpc: '2.0', id: 1, result }
  }

  protected answer({ name, params }: Question): unknown {
    const [first, full] = params as [string, boolean]
    if (name === 'eth_chainId') return '0x7a69'
    if (name === 'eth_blockNumber') return hex(this.tip.height)
    if (name === 'eth_getBlockByNumber') return this.#block(first === 'latest' ? this.tip.height : Number(first), full)
    if (name === 'eth_getBlockReceipts') return this.#receipts(first)
    if (name === 'debug_traceBlockByHash') return this.#traces(first)
    if (name === 'trace_block') throw new MethodMissing()
    if (name === 'eth_getBalance') return hex(this.balanceAt(first, Number((params as string[])[1])))
    throw new Error(`nobody should ask ${name}`)
  }

  /** What an address has at the end of a block: what transactions themselves sent, and what `given` brought. */
  balanceAt(holder: string, height: number): bigint {
    const is = (party: string) => party.toLowerCase() === holder.toLowerCase()
    const sent = this.blocks.slice(0, height + 1).flatMap(({ transactions }) => transactions)
    const native = sent.reduce((sum, { from, to, value }) => sum + (is(to) ? value : 0n) - (is(from) ? value : 0n), 0n)
    return this.given.filter((each) => is(each.to) && each.height <= height).reduce((sum, { amount }) => sum + amount, native)
  }

  #traces(blockHash: string): unknown {
    const block = this.blocks.find((each) => each.hash === blockHash)
    return block?.transactions.map(({ hash, from, to, value, status, calls = [] }) => ({
      txHash: hash,
      result: {
        type: 'CALL',
        from: from.toLowerCase(),
        to: to.toLowerCase(),
        value: hex(value),
        calls,
        ...(status === '0x0' && { error: 'execution reverted' }),
      },
    }))
  }

  #block(height: number, full: boolean): unknown {
    const block = this.blocks[height]
    if (!block) return null
    const transactions = block.transactions.map(({ hash, from, to, value }) =>
      full ? { hash, blockHash: block.hash, from: from.toLowerCase(), to: to.toLowerCase(), value: hex(value) } : hash,
    )
    return { number: hex(height), hash: block.hash, parentHash: block.parentHash, timestamp: hex(height), transactions }
  }

  #receipts(blockHash: string): unknown {
    const block = this.blocks.find((each) => each.hash === blockHash)
    return (
      block?.transactions.map(({ hash, status, logs }) => ({
        transactionHash: hash,
        blockHash,
        status,
        contractAddress: null,
        logs: logs.map((log) => ({ removed: false, transactionHash: hash, ...log, address: log.address.toLowerCase() })),
      })) ?? null
    )
  }
}
