import { type ChainCodec, ChainError, type ChainNode, shorten } from '@holdfast/chain-core'
import { fromHex, toHex } from '@holdfast/encoding'
import { record } from './answers.ts'
import type { Rpc } from './rpc.ts'

// The node holds these very bytes already, in its pool or in a block.
const ALREADY_THERE = 'DUP_TRANSACTION_ERROR'

/**
 * Sends signed bytes as they are. Only an acceptance of exactly this transaction counts; a refusal, silence or any other
 * answer leaves open whether the chain will include it, and says so. Throws ChainError only for bytes that never left.
 */
export async function broadcast(rpc: Rpc, codec: ChainCodec, raw: Uint8Array): ReturnType<ChainNode['broadcast']> {
  const { txid } = codec.detach(raw)
  try {
    const answer = record(await rpc('wallet/broadcasthex', { transaction: toHex(raw) }), 'answer to a broadcast')
    const isThis = answer.txid === undefined || String(answer.txid).toLowerCase() === txid
    if (isThis && (answer.result === true || answer.code === ALREADY_THERE)) return { outcome: 'accepted' }
    return { outcome: 'unknown', reason: shorten(`the node answered ${String(answer.code)}: ${textOf(answer.message)}`) }
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    return { outcome: 'unknown', reason: cause.message }
  }
}

/** Nodes write their reasons in hexadecimal. */
function textOf(message: unknown): string {
  const isHex = typeof message === 'string' && /^(?:[0-9a-f]{2})+$/i.test(message)
  return isHex ? new TextDecoder().decode(fromHex(message)) : String(message)
}
