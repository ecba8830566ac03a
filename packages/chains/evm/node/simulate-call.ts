import { type AssetRef, ChainError, type ContractCall, shorten, type Simulation } from '@holdfast/chain-core'
import { fromHex, toHex } from '@holdfast/encoding'
import { parseSignature } from '../codec/abi-type.ts'
import { decodeFunctionCall } from '../codec/abi-value.ts'
import { array, hexData, quantity, record } from './answers.ts'
import { NodeRefused, type Rpc } from './rpc.ts'
import { movedBy, type TokenKind, tokenLogOf } from './token-logs.ts'

/** The "contract" by which `eth_simulateV1` logs movements of the chain's own coin, where it is asked to trace them. */
const COIN = `0x${'e'.repeat(40)}`
const KINDS: readonly TokenKind[] = ['erc20', 'erc721', 'erc1155']
const ERROR = parseSignature('Error(string)')
const UNSUPPORTED = /not (found|supported|available|exist)|unsupported|unknown method|does not exist/i

/**
 * What the node says a call would do in the next block. `eth_simulateV1` tells which tokens and coin would move; a node without it is asked with `eth_call`
 * whether the call would fail, and the changes stay unknown.
 */
export async function simulateCall(rpc: Rpc, chain: string, from: string, call: ContractCall): Promise<Simulation> {
  const request = { from, to: call.contract, value: `0x${call.value.toString(16)}`, data: `0x${toHex(call.data)}` }
  try {
    const answer = await rpc('eth_simulateV1', [{ blockStateCalls: [{ calls: [request] }], traceTransfers: true }, 'latest'])
    return simulated(answer, chain, from)
  } catch (cause) {
    if (!(cause instanceof NodeRefused) || !UNSUPPORTED.test(cause.reason)) throw cause
  }
  try {
    await rpc('eth_call', [request, 'latest'])
    return { fails: null, changes: null }
  } catch (cause) {
    if (cause instanceof NodeRefused) return { fails: cause.reason }
    throw cause
  }
}

function simulated(answer: unknown, chain: string, from: string): Simulation {
  const [result] = array(record(array(answer, 'simulated blocks')[0], 'simulated block').calls, 'simulated calls')
  const { status, returnData, logs, error } = record(result, 'simulated call')
  if (quantity(status, 'status of a simulated call') !== 1n) return { fails: reasonOf(hexData(returnData, 'returned data'), error) }
  const sums = new Map<string, { asset: AssetRef; delta: bigint }>()
  for (const claim of array(logs, 'logs of a simulated call')) {
    const log = tokenLogOf(claim)
    const isCoin = log.contract.toLowerCase() === COIN
    for (const moved of KINDS.flatMap((kind) => movedBy(log, kind, chain) ?? [])) {
      const asset = isCoin ? { chain, contract: null } : moved.asset
      const delta = (moved.to === from ? moved.amount : 0n) - (moved.from === from ? moved.amount : 0n)
      const key = asset.contract ?? ''
      sums.set(key, { asset, delta: (sums.get(key)?.delta ?? 0n) + delta })
    }
  }
  return { fails: null, changes: [...sums.values()].filter(({ delta }) => delta !== 0n) }
}

/** What the contract said when it gave up: a stranger's words. */
function reasonOf(returned: string, error: unknown): string {
  const data = fromHex(returned)
  try {
    const [told] = decodeFunctionCall(ERROR, data)
    return shorten(String(told))
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
  }
  const { message } = typeof error === 'object' && error !== null ? (error as { message?: unknown }) : {}
  const words = typeof message === 'string' ? shorten(message) : 'it fails'
  return data.length >= 4 ? `${words} (0x${toHex(data.subarray(0, 4))})` : words
}
