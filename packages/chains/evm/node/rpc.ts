import { ChainError, createChainCheck, fetchWhole, type NodeLimits, shorten, type WholeAnswer } from '@holdfast/chain-core'
import { innermost, nodeAddress } from '@holdfast/chain-core/node-address'
import { quantity, record } from './answers.ts'

/** Asks the node one JSON-RPC question. What it answers is a claim in any shape whatever until it is parsed. */
export type Rpc = (method: string, params: unknown[]) => Promise<unknown>

export type RpcConfig = NodeLimits & { chainId: bigint; rpcUrl: string }

/** The node understood the question and answered with an error; `reason` is its own text, shortened. */
export class NodeRefused extends ChainError {
  override name = 'NodeRefused'
  readonly reason: string

  constructor(message: string, reason: string) {
    super(message)
    this.reason = reason
  }
}

/** The node, or what stands before it, answered with an HTTP status and no JSON-RPC. */
export class NodeStatusError extends ChainError {
  override name = 'NodeStatusError'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/**
 * Opens a node. Its chain id is asked before the first question, and again after every answer that failed to arrive,
 * because another node may answer after a reconnection. Every failure is a ChainError that names the node by its host
 * only: the rest of a URL often holds a key.
 */
export function openRpc(config: RpcConfig): Rpc {
  const { url, headers, place } = nodeAddress(config.rpcUrl)
  const hide = (text: string) => shorten(text.replaceAll(config.rpcUrl, place).replaceAll(url, place))
  let questions = 0

  const ask: Rpc = async (method, params) => {
    try {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++questions, method, params })
      return resultOf(await fetchWhole(config, place, url, { method: 'POST', headers, body }), { place, method, hide })
    } catch (cause) {
      if (cause instanceof NodeRefused) throw cause
      chainCheck.forget()
      if (cause instanceof ChainError) throw cause
      throw new ChainError(`${place} gave no usable answer to ${method}: ${hide(innermost(cause))}`)
    }
  }
  const chainCheck = createChainCheck(async () => {
    const claimed = quantity(await ask('eth_chainId', []), 'chain id')
    if (claimed !== config.chainId) throw new ChainError(`${place} serves chain eip155:${claimed}, not eip155:${config.chainId}; check its URL`)
  })

  return async (method, params) => {
    await chainCheck.pass()
    return ask(method, params)
  }
}

type Asked = { place: string; method: string; hide: (text: string) => string }

function resultOf({ status, ok, text }: WholeAnswer, { place, method, hide }: Asked): unknown {
  const answer = answerOf(text)
  const refusal = answer?.error
  // An error may come with any status. With a bad one, what is no error of JSON-RPC comes from whoever stands before the node.
  if (refusal !== undefined && refusal !== null && (ok || isRefusal(refusal))) {
    const { message } = refusal as { message?: unknown }
    const reason = hide(typeof message === 'string' && message !== '' ? message : 'no reason given')
    throw new NodeRefused(`${place} refused ${method}: ${reason}`, reason)
  }
  if (!ok) throw new NodeStatusError(`${place} answered ${method} with HTTP status ${status}`, status)
  if (!answer) throw new ChainError(`${place} answered ${method} with something else than a JSON object`)
  // Only a spoken null says that there is no such thing; silence must not be taken for it.
  if (answer.result === undefined) throw new ChainError(`${place} answered ${method} with neither a result nor an error`)
  return answer.result
}

const isRefusal = (refusal: unknown): boolean => {
  const { code, message } = refusal as { code?: unknown; message?: unknown }
  return typeof code === 'number' && typeof message === 'string'
}

function answerOf(text: string): Record<string, unknown> | undefined {
  try {
    return record(JSON.parse(text), 'answer')
  } catch {
    return undefined
  }
}
