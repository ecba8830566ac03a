import { ChainError, type ChainId, type ChainNode, claimText, shorten } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { networkTransactions } from '../codec/bitcoin-codec.ts'
import { array, id, record, text } from './answers.ts'
import { NodeRefused, type Rpc } from './rpc.ts'

// How Core says that it holds this very transaction already, waiting or in a block.
const ALREADY_THERE = /^(txn-already-in-mempool|txn-already-known|transaction already in block chain|transaction outputs already in utxo set)/i

type Outcome = Awaited<ReturnType<ChainNode['broadcast']>>

/**
 * Sends a signed transaction as it is, once the node has said that it would take it; where it is several, one after another. Only an acceptance of exactly the
 * last one counts, which pays: a node that has those before it, and that others have been spent by since, knows them no more. A refusal, silence or any other
 * answer leaves open whether the chain will include it, and says so. Throws ChainError only for bytes that never left.
 */
export async function broadcast(rpc: Rpc, chain: ChainId, raw: Uint8Array): ReturnType<ChainNode['broadcast']> {
  const refused: string[] = []
  let last: Outcome = { outcome: 'unknown', reason: 'there is nothing to send' }
  for (const { txid, bytes } of networkTransactions(chain, raw)) {
    last = await send(rpc, txid, toHex(bytes))
    if (last.outcome === 'unknown') refused.push(last.reason)
  }
  // What stopped the first of them stops all that come after it.
  return last.outcome === 'accepted' ? last : { outcome: 'unknown', reason: at(refused, 0) }
}

async function send(rpc: Rpc, txid: string, hex: string): Promise<Outcome> {
  try {
    const refused = await whyRefused(rpc, hex, txid)
    if (refused !== undefined)
      return ALREADY_THERE.test(refused) ? { outcome: 'accepted' } : { outcome: 'unknown', reason: `the node would not take it: ${refused}` }
    const answer = await rpc('sendrawtransaction', hex)
    if (answer === txid) return { outcome: 'accepted' }
    return { outcome: 'unknown', reason: shorten(`the node answered with another id than ${txid}: ${claimText(answer)}`) }
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    if (cause instanceof NodeRefused && ALREADY_THERE.test(cause.reason)) return { outcome: 'accepted' }
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
