import { ChainError, type ChainId, type ChainNode, claimText, shorten } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { bitcoinCodec, networkBytes } from '../codec/bitcoin-codec.ts'
import { array, id, record, text } from './answers.ts'
import { NodeRefusal, type Rpc } from './rpc.ts'

// How Core says that it holds this very transaction already, waiting or in a block.
const ALREADY_THERE = /^(txn-already-in-mempool|txn-already-known|transaction already in block chain|transaction outputs already in utxo set)/i

/**
 * Sends a signed transaction as it is, once the node has said that it would take it. Only an acceptance of exactly this transaction counts; a refusal, silence
 * or any other answer leaves open whether the chain will include it, and says so. Throws ChainError only for bytes that never left.
 */
export async function broadcast(rpc: Rpc, chain: ChainId, raw: Uint8Array): ReturnType<ChainNode['broadcast']> {
  const { txid } = bitcoinCodec({ chain }).detach(raw)
  const hex = toHex(networkBytes(chain, raw))
  try {
    const refused = await whyRefused(rpc, hex, txid)
    if (refused !== undefined)
      return ALREADY_THERE.test(refused) ? { outcome: 'accepted' } : { outcome: 'unknown', reason: `the node would not take it: ${refused}` }
    const answer = await rpc('sendrawtransaction', hex)
    if (answer === txid) return { outcome: 'accepted' }
    return { outcome: 'unknown', reason: shorten(`the node answered with another id than ${txid}: ${claimText(answer)}`) }
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    if (cause instanceof NodeRefusal && ALREADY_THERE.test(cause.reason)) return { outcome: 'accepted' }
    return { outcome: 'unknown', reason: cause.message }
  }
}

async function whyRefused(rpc: Rpc, hex: string, txid: string): Promise<string | undefined> {
  const [claim] = array(await rpc('testmempoolaccept', [hex]), 'test of a transaction')
  const verdict = record(claim, 'test of a transaction')
  if (id(verdict.txid, 'transaction id') !== txid) throw new ChainError(`the node tested another transaction than ${txid}`)
  if (verdict.allowed === true) return undefined
  return shorten(text(verdict['reject-reason'] ?? 'no reason given', 'reason of a refusal'))
}
