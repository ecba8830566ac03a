import { ChainError, createChainCheck, fetchWhole, type NodeLimits, nodeUrl, shorten } from '@holdfast/chain-core'
import { array, record, whole } from './answers.ts'

/** Asks the node one question of toncenter's second interface. What it answers is a claim until it is parsed. */
export type Rpc = (method: string, params: Record<string, unknown>) => Promise<unknown>

export type RpcConfig = NodeLimits & { chain: string; globalId: number; rpcUrl: string }

/** The node understood the question and said no. */
export class NodeRefused extends ChainError {
  override name = 'NodeRefused'
}

/**
 * Opens a node. The number of its network, which every block carries, is asked before the first question, and again after every answer
 * that failed to arrive, because another node may answer after a reconnection. Every failure is a ChainError that names the node by its
 * host only: the rest of a URL often holds a key.
 */
export function openRpc(config: RpcConfig): Rpc {
  const { href, host } = nodeUrl(config.rpcUrl)
  const place = `the node at ${host}`
  const hidden = (words: string) => shorten(words.replaceAll(config.rpcUrl, place).replaceAll(href, place))

  const ask: Rpc = async (method, params) => {
    try {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await fetchWhole(config, place, config.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return resultOf(response.status, response.text, place, method, hidden)
    } catch (cause) {
      if (cause instanceof NodeRefused) throw cause
      chainCheck.forget()
      if (cause instanceof ChainError) throw cause
      throw new ChainError(`${place} gave no usable answer to ${method}: ${hidden(cause instanceof Error ? cause.message : String(cause))}`)
    }
  }
  const chainCheck = createChainCheck(async () => {
    const last = record(record(await ask('getMasterchainInfo', {}), 'masterchain info').last, 'last block')
    const { workchain, shard, seqno } = last
    const header = record(await ask('getBlockHeader', { workchain, shard, seqno }), 'block header')
    const claimed = `ton:${whole(header.global_id, 'number of the network')}`
    if (claimed !== config.chain) throw new ChainError(`${place} serves chain ${claimed}, not ${config.chain}; check its URL`)
  })
  return async (method, params) => {
    await chainCheck.pass()
    return ask(method, params)
  }
}

function resultOf(status: number, body: string, place: string, method: string, hidden: (words: string) => string): unknown {
  let answer: Record<string, unknown>
  try {
    answer = record(JSON.parse(body), 'answer')
  } catch {
    throw new ChainError(`${place} answered ${method} with HTTP status ${status} and something else than a JSON object`)
  }
  if (answer.ok === false && typeof answer.error === 'string') throw new NodeRefused(`${place} refused ${method}: ${hidden(answer.error)}`)
  if (status !== 200 || answer.ok !== true || answer.result === undefined)
    throw new ChainError(`${place} answered ${method} with HTTP status ${status} and no result`)
  return answer.result
}

/** What a method of a contract answers, as the cells and numbers on its stack. Throws ChainError if the contract has no such method. */
export async function callMethod(rpc: Rpc, address: string, method: string, stack: [string, string][]): Promise<unknown[]> {
  const answer = record(await rpc('runGetMethod', { address, method, stack }), `answer of ${method}`)
  const exit = whole(answer.exit_code, 'exit code')
  if (exit !== 0 && exit !== 1) throw new ChainError(`the contract ${address} has no ${method}: it ended with ${exit}`)
  return array(answer.stack, `answer of ${method}`)
}
