import { bitcoinChain, networkOf, requireScript } from '@holdfast/chain-bitcoin/codec'
import { toHex } from '@holdfast/encoding'
import { hashOf, type Question, ToldChain } from './told-chain.ts'

/** A script in hexadecimal, what the node calls it, and an amount in satoshi. */
export type ToldOutput = { script: string; called?: string; amount: bigint }
export type BitcoinTx = { txid: string; coinbase?: true; spent: ToldOutput; outputs: ToldOutput[]; witness: string[] }

const network = networkOf(bitcoinChain('regtest'))
const OUT_OF_RANGE = { error: { code: -8, message: 'Block height out of range' } }
/** A stranger's coin. */
const STRANGER: ToldOutput = { script: `0014${'51'.repeat(20)}`, amount: 1_000_000_000n }
const REWARD: ToldOutput = { script: '51', amount: 5_000_000_000n }

/** A regtest chain as reported by Bitcoin Core's JSON-RPC. */
export class ToldBitcoin extends ToldChain<BitcoinTx> {
  pay(to: string, amount: bigint): BitcoinTx {
    const outputs = [{ script: toHex(requireScript(network, to)), called: to, amount }]
    const transaction = { txid: this.newId(), spent: STRANGER, outputs, witness: ['30', '02'] }
    this.add(transaction)
    return transaction
  }

  protected blockHash(height: number, seed: string): string {
    return height === 0 ? network.genesisHash : hashOf(seed)
  }

  protected questionOf(_: string, body: unknown): Question {
    const { method, params } = body as { method: string; params: unknown }
    return { name: method, params }
  }

  protected wrapped(truth: unknown): unknown {
    return truth === OUT_OF_RANGE ? { id: 1, result: null, ...OUT_OF_RANGE } : { id: 1, result: truth, error: null }
  }

  protected answer({ name, params }: Question): unknown {
    const [first] = params as [string | number]
    if (name === 'getblockchaininfo') return { blocks: this.tip.height, bestblockhash: this.tip.hash }
    if (name === 'getblockhash') return this.blocks[first as number]?.hash ?? OUT_OF_RANGE
    if (name === 'getblock') return this.#block(first as string)
    throw new Error(`nobody should ask ${name}`)
  }

  #block(hash: string): unknown {
    const { height, parentHash, transactions } = this.blocks.find((each) => each.hash === hash)!
    const first: BitcoinTx = { txid: hashOf(`reward of ${hash}`), coinbase: true, spent: REWARD, outputs: [REWARD], witness: [] }
    const tx = (transactions[0]?.coinbase ? transactions : [first, ...transactions]).map(toldOf)
    return { hash, height, time: 1_700_000_000 + height, previousblockhash: parentHash, tx }
  }
}

function toldOf({ txid, coinbase, spent, outputs, witness }: BitcoinTx): unknown {
  const input = coinbase ? { coinbase: '00' } : { txid: hashOf(`spent by ${txid}`), vout: 0, prevout: outputOf(spent), txinwitness: witness }
  return { txid, vin: [input], vout: outputs.map((each, n) => ({ n, ...outputOf(each) })) }
}

function outputOf({ script, called, amount }: ToldOutput): Record<string, unknown> {
  return { value: Number(amount) / 1e8, scriptPubKey: { hex: script, ...(called && { address: called }) } }
}
