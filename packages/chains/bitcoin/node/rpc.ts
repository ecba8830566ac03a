import { ChainError, type ChainId, createChainCheck, fetchWhole, type NodeLimits, shorten, type WholeAnswer } from '@holdfast/chain-core'
import { innermost, nodeAddress } from '@holdfast/chain-core/node-address'
import { networkOf } from '../codec/networks.ts'
import { id, record } from './answers.ts'
import { AT_ONCE, openGate } from './take-turns.ts'

/** Asks the node one question by Bitcoin Core's JSON-RPC. What it answers is a claim in any shape whatever until it is parsed. */
export type Rpc = (method: string, ...params: unknown[]) => Promise<unknown>

export type RpcConfig = NodeLimits & {
  chain: ChainId
  /** May hold the name and password that Core asks for: `http://name:password@host:8332`. */
  rpcUrl: string
}

/** The node understood the question and answered with an error; `code` and `reason` are its own (Core's rpc/protocol.h). */
export class NodeRefused extends ChainError {
  override name = 'NodeRefused'
  readonly code: number
  readonly reason: string

  constructor(message: string, code: number, reason: string) {
    super(message)
    this.code = code
    this.reason = reason
  }
}

/** Core's code for what it does not have. */
const NOT_FOUND = -5

/**
 * Opens a node. Its first block is asked for before the first question, and again after every answer that failed to arrive, because another node may
 * answer after a reconnection. `AT_ONCE` questions are under way at once, the rest wait. Every failure is a ChainError that names the node by its host only: the rest of a URL often holds a key.
 */
export function openRpc(config: RpcConfig): Rpc {
  const { url, headers, place } = nodeAddress(config.rpcUrl)
  const { genesisHash, chain } = networkOf(config.chain)
  const gate = openGate(AT_ONCE)
  let questions = 0

  const ask: Rpc = async (method, ...params) => {
    try {
      const body = JSON.stringify({ jsonrpc: '1.0', id: ++questions, method, params })
      const response = await gate(() => fetchWhole(config, place, url, { method: 'POST', headers, body }))
      return resultOf(response, place, method)
    } catch (cause) {
      if (cause instanceof NodeRefused) throw cause
      chainCheck.forget()
      if (cause instanceof ChainError) throw cause
      throw new ChainError(`${place} gave no usable answer to ${method}: ${shorten(hide(innermost(cause), config.rpcUrl, place))}`)
    }
  }
  const chainCheck = createChainCheck(async () => {
    const first = id(await ask('getblockhash', 0), 'hash of the first block')
    if (first !== genesisHash) throw new ChainError(`${place} serves chain bip122:${first.slice(0, 32)}, not ${chain}; check its URL`)
  })

  return async (method, ...params) => {
    await chainCheck.pass()
    return ask(method, ...params)
  }
}

/** Core answers an error with status 500 or 404 and says what it is in the body. */
function resultOf({ status, text }: WholeAnswer, place: string, method: string): unknown {
  let answer: Record<string, unknown>
  try {
    answer = record(JSON.parse(text), 'answer')
  } catch {
    throw new ChainError(`${place} answered ${method} with HTTP status ${status} and no JSON-RPC answer`)
  }
  if (answer.error !== null && answer.error !== undefined) {
    if (typeof answer.error !== 'object') throw new ChainError(`${place} answered ${method} with HTTP status ${status} and an error of no known shape`)
    const { code, message } = answer.error as { code?: unknown; message?: unknown }
    const reason = shorten(typeof message === 'string' && message !== '' ? message : 'no reason given')
    throw new NodeRefused(`${place} refused ${method}: ${reason}`, typeof code === 'number' ? code : 0, reason)
  }
  // Only a spoken null says that there is no such thing; silence must not be taken for it.
  if (status !== 200 || answer.result === undefined)
    throw new ChainError(`${place} answered ${method} with HTTP status ${status} and neither a result nor an error`)
  return answer.result
}

function hide(words: string, rpcUrl: string, place: string): string {
  return words.replaceAll(rpcUrl, place).replaceAll(new URL(rpcUrl).href, place)
}

export function isNotFound(error: unknown): boolean {
  return error instanceof NodeRefused && error.code === NOT_FOUND
}

/** What was asked for, or undefined if the node says that there is no such thing. */
export async function orUndefined(asking: Promise<unknown>): Promise<unknown> {
  try {
    return await asking
  } catch (cause) {
    if (isNotFound(cause)) return undefined
    throw cause
  }
}
