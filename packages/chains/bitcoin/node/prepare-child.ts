import { type ChainId, ChainError, type TransferOrder } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { effectsOf } from '../codec/bitcoin-codec.ts'
import { draftChild, paysAlready } from '../codec/draft-child.ts'
import { checked, finishDraft } from '../codec/draft-transfer.ts'
import { networkOf } from '../codec/networks.ts'
import type { SpentCoin } from '../codec/psbt.ts'
import { MONEY_MAX } from '../codec/transaction.ts'
import { amount, count, hexData, record } from './answers.ts'
import { type Rates, readRates } from './estimate-fee.ts'
import { readWaitingFee } from './read-waiting.ts'
import type { Rpc } from './rpc.ts'

type Wanted = Pick<TransferOrder, 'from' | 'feeCap' | 'tier'> & { lifts: string }

/**
 * The unsigned bytes of a child that lifts a waiting coin of the paying address and spends nothing else. Where the tier asks for more than the cap, the next
 * slower one is bid. Throws ChainError where the coin waits no more, the cap does not suffice or no child is needed (PaysAlready).
 */
export async function prepareChild(rpc: Rpc, chain: ChainId, { from, lifts, feeCap, tier }: Wanted, fallback?: Rates): Promise<Uint8Array> {
  const network = networkOf(chain)
  const rates = await readRates(rpc, fallback)
  const coin = await readWaitingCoin(rpc, lifts)
  const stuck = await readWaitingFee(rpc, coin.txid)
  if (!stuck) throw new ChainError(`the transaction ${coin.txid} does not wait for a block any more`)
  const bid = (at: number) => draftChild({ chain, from, coin, stuck, satPerKvb: rates[at]!, feeCap: MONEY_MAX })
  let draft = bid(tier)
  for (let slower = tier - 1; slower >= 0 && effectsOf(network, draft).feeMax > feeCap && !paysAlready(stuck, rates[slower]!); slower--) draft = bid(slower)
  return finishDraft(checked(draft, feeCap), new Map())
}

async function readWaitingCoin(rpc: Rpc, outpoint: string): Promise<SpentCoin> {
  const [txid, vout] = outpoint.split(':')
  const index = Number(vout)
  const answer = await rpc('gettxout', txid, index, true)
  if (answer === null) throw new ChainError(`the coin ${outpoint} is not there to be spent: what made it waits no more, or something spends it`)
  const claim = record(answer, 'coin')
  if (count(claim.confirmations, 'confirmations of a coin') !== 0) throw new ChainError(`the coin ${outpoint} is in a block already`)
  const script = fromHex(hexData(record(claim.scriptPubKey, 'script').hex, 'script of a coin'))
  return { txid: txid!, index, amount: amount(claim.value, 'amount of a coin'), script }
}
