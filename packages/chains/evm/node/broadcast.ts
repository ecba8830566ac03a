import { type ChainCodec, type ChainNode, ChainError, claimText, shorten } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { NodeRefused, type Rpc } from './rpc.ts'

// How nodes say that they hold these very bytes already: go-ethereum, erigon, nethermind, besu, anvil.
const ALREADY_THERE = /already known|alreadyknown|already_exists|known transaction|already imported/i

/**
 * Sends signed bytes as they are. Only an acceptance of exactly this transaction counts; a refusal, silence or any other
 * answer leaves open whether the chain will include it, and says so. Throws ChainError only for bytes that never left.
 */
export async function broadcast(rpc: Rpc, codec: ChainCodec, raw: Uint8Array): ReturnType<ChainNode['broadcast']> {
  const { txid } = codec.detach(raw)
  try {
    const answer = await rpc('eth_sendRawTransaction', [`0x${toHex(raw)}`])
    if (typeof answer === 'string' && answer.toLowerCase() === txid) return { outcome: 'accepted' }
    return { outcome: 'unknown', reason: shorten(`the node answered with another id than ${txid}: ${claimText(answer)}`) }
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    if (cause instanceof NodeRefused && ALREADY_THERE.test(cause.reason)) return { outcome: 'accepted' }
    return { outcome: 'unknown', reason: cause.message }
  }
}
