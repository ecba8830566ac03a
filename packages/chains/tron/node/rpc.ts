import { ChainError, createChainCheck, fetchWhole, type NodeLimits, nodeUrl, shorten } from '@holdfast/chain-core'
import { hash, parseExactly, record } from './answers.ts'

/** Asks the node one question of its HTTP interface, such as `wallet/getnowblock`. What it answers is a claim until it is parsed. */
export type Rpc = (path: string, question: Record<string, unknown>) => Promise<unknown>

export type RpcConfig = NodeLimits & { chain: string; rpcUrl: string }

/**
 * Opens a node. Its chain, which the id of its first block names, is asked before the first question, and again after every answer that
 * failed to arrive, because another node may answer after a reconnection. Every failure is a ChainError that names the node by its host
 * only: the rest of a URL often holds a key.
 */
export function openRpc(config: RpcConfig): Rpc {
  const url = nodeUrl(config.rpcUrl)
  const place = `the node at ${url.host}`
  const base = config.rpcUrl.replace(/\/$/, '')

  const ask: Rpc = async (path, question) => {
    try {
      return await answerOf(config, place, `${base}/${path}`, path, question)
    } catch (cause) {
      chainCheck.forget()
      if (cause instanceof ChainError) throw cause
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new ChainError(`${place} gave no usable answer to ${path}: ${shorten(reason.replaceAll(base, place))}`)
    }
  }
  const chainCheck = createChainCheck(async () => {
    const first = record(await ask('wallet/getblockbynum', { num: 0 }), 'first block')
    const claimed = `tron:0x${hash(first.blockID, 'id of the first block').slice(-8)}`
    if (claimed !== config.chain) throw new ChainError(`${place} serves chain ${claimed}, not ${config.chain}; check its URL`)
  })
  return async (path, question) => {
    await chainCheck.pass()
    return ask(path, question)
  }
}

async function answerOf(config: RpcConfig, place: string, url: string, path: string, question: object): Promise<unknown> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(question) }
  const response = await fetchWhole(config, place, url, request)
  if (response.status !== 200) throw new ChainError(`${place} answered ${path} with HTTP status ${response.status}`)
  let answer: unknown
  try {
    answer = parseExactly(response.text)
  } catch {
    throw new ChainError(`${place} answered ${path} with something else than JSON`)
  }
  if (typeof answer !== 'object' || answer === null) throw new ChainError(`${place} answered ${path} with neither an object nor a list`)
  const { Error: refusal } = answer as { Error?: unknown }
  if (refusal !== undefined) throw new ChainError(`${place} refused ${path}: ${shorten(String(refusal))}`)
  return answer
}
