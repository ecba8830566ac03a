import { ChainError, createChainCheck, fetchWhole, type NodeLimits, nodeUrl, shorten } from '@holdfast/chain-core'
import { createPublicClient, http, HttpRequestError, RpcRequestError } from 'viem'
import { quantity } from './answers.ts'

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
  const url = nodeUrl(config.rpcUrl)
  const place = `the node at ${url.host}`
  const transport = http(config.rpcUrl, {
    fetchFn: (input, init) => fetchWhole(config, place, input, init),
    // The guards below wait and count by the ports; a retry is the caller's decision.
    timeout: 0,
    retryCount: 0,
    maxResponseBodySize: false,
  })
  const client = createPublicClient({ transport })

  const ask: Rpc = async (method, params) => {
    try {
      const answer: unknown = await client.request({ method, params } as never)
      // Only a spoken null says that there is no such thing; silence must not be taken for it.
      if (answer === undefined) throw new ChainError(`${place} answered ${method} with neither a result nor an error`)
      return answer
    } catch (cause) {
      const error = asChainError(cause, place, method, config.rpcUrl)
      if (!(error instanceof NodeRefused)) chainCheck.forget()
      throw error
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

function asChainError(cause: unknown, place: string, method: string, rpcUrl: string): ChainError {
  const chain = causes(cause)
  const ours = chain.find((error) => error instanceof ChainError)
  if (ours) return ours
  const hide = (text: string) => shorten(text.replaceAll(rpcUrl, place))
  const refusal = chain.find((error) => error instanceof RpcRequestError)
  if (refusal) {
    const reason = hide(typeof refusal.details === 'string' && refusal.details !== '' ? refusal.details : 'no reason given')
    return new NodeRefused(`${place} refused ${method}: ${reason}`, reason)
  }
  const status = chain.find((error) => error instanceof HttpRequestError)?.status
  if (status !== undefined) return new NodeStatusError(`${place} answered ${method} with HTTP status ${status}`, status)
  const innermost = chain.at(-1)
  return new ChainError(`${place} gave no usable answer to ${method}: ${hide(innermost?.message || innermost?.name || 'unknown reason')}`)
}

function causes(error: unknown): Error[] {
  const found: Error[] = []
  for (let next = error; next instanceof Error && found.length < 10; next = next.cause) found.push(next)
  return found
}
