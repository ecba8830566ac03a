import { addressBytes } from '@holdfast/chain-tron/codec'
import { toHex } from '@holdfast/encoding'
import { hashOf, type Question, ToldChain } from './told-chain.ts'

/** A log; `address` and parties in topics are 20 bytes in hexadecimal. */
export type TronLog = { address: string; topics: string[]; data: string }
/** `ret` is the outcome by the block, `receipt` and `result` the outcome by the virtual machine. */
export type TronTx = {
  txID: string
  type: string
  value: Record<string, unknown>
  ret: string
  receipt?: { result: string }
  result?: 'FAILED'
  logs?: TronLog[]
  internal?: unknown[]
}

/** A TRON chain as reported by a node's HTTP interface. */
export class ToldTron extends ToldChain<TronTx> {
  pay(to: string, amount: bigint): TronTx {
    const value = { owner_address: `41${'51'.repeat(20)}`, to_address: toHex(addressBytes(to)), amount: Number(amount) }
    const transaction = { txID: this.newId(), type: 'TransferContract', value, ret: 'SUCCESS' }
    this.add(transaction)
    return transaction
  }

  get chain(): string {
    return `tron:0x${this.blocks[0]!.hash.slice(-8)}`
  }

  protected blockHash(height: number, seed: string): string {
    return height.toString(16).padStart(16, '0') + hashOf(seed).slice(16)
  }

  protected questionOf(input: string, params: unknown): Question {
    return { name: new URL(input).pathname.slice(1), params }
  }

  protected wrapped(truth: unknown): unknown {
    return truth
  }

  protected answer({ name, params }: Question): unknown {
    const { num } = params as { num: number }
    if (name === 'wallet/getnowblock' || name === 'walletsolidity/getnowblock') return this.#block(this.tip.height)
    if (name === 'wallet/getblockbynum') return this.#block(num)
    if (name === 'wallet/gettransactioninfobyblocknum') return this.#infos(num)
    throw new Error(`nobody should ask ${name}`)
  }

  #block(height: number): unknown {
    const block = this.blocks[height]
    if (!block) return {}
    return {
      blockID: block.hash,
      block_header: { raw_data: { number: height, timestamp: height * 3_000, parentHash: block.parentHash } },
      transactions: block.transactions.map(({ txID, type, value, ret }) => ({
        txID,
        ret: [{ contractRet: ret }],
        raw_data: { contract: [{ type, parameter: { value, type_url: `type.googleapis.com/protocol.${type}` } }] },
      })),
    }
  }

  #infos(height: number): unknown {
    return this.blocks[height]!.transactions.map(({ txID, receipt, result, logs, internal }) => ({
      id: txID,
      blockNumber: height,
      receipt: receipt ?? {},
      ...(result && { result }),
      ...(logs && { log: logs }),
      ...(internal && { internal_transactions: internal }),
    }))
  }
}
