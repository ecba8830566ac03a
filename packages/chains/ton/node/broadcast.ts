import { type ChainCodec, ChainError, type ChainNode } from '@holdfast/chain-core'
import { broadcastMessage } from '../codec/ton-codec.ts'
import { base64, record } from './answers.ts'
import type { Rpc } from './rpc.ts'

/**
 * Sends the message of a signed form. A refusal may mean that the chain has carried it out already, so that, as silence, it leaves
 * open what became of it. Throws ChainError only for bytes that never left.
 */
export async function broadcast(rpc: Rpc, codec: ChainCodec, chain: string, raw: Uint8Array): ReturnType<ChainNode['broadcast']> {
  codec.detach(raw)
  const boc = base64(broadcastMessage(raw, chain))
  try {
    const answer = record(await rpc('sendBoc', { boc }), 'answer to a broadcast')
    return answer['@type'] === 'ok' ? { outcome: 'accepted' } : { outcome: 'unknown', reason: 'the node did not say that it took the message' }
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    return { outcome: 'unknown', reason: cause.message }
  }
}
