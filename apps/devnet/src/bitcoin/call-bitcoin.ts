import type { Ports } from '@holdfast/ports'
import { RpcError } from './rpc-methods.ts'

/** Asks a Bitcoin node of this machine. Rejects with RpcError if it answers with an error. */
export type CallBitcoin = (method: string, ...params: unknown[]) => Promise<unknown>

/** `url` may hold the name and password that Bitcoin Core asks for. */
export function callerOf(ports: Pick<Ports, 'fetch'>, url: string): CallBitcoin {
  const { username, password, host } = new URL(url)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (username !== '') headers.authorization = `Basic ${btoa(`${username}:${password}`)}`
  return async (method, ...params) => {
    const response = await ports.fetch(`http://${host}/`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }) })
    const { result, error } = (await response.json()) as { result: unknown; error: { code: number; message: string } | null }
    if (error) throw new RpcError(error.code, error.message)
    return result
  }
}
