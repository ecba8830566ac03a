import { type ChainId, ChainError, type TransferOrder } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { effectsOf, readUnsigned } from '../codec/bitcoin-codec.ts'
import { draftCpfp, paysAlready } from '../codec/draft-cpfp.ts'
import { checked, finishDraft } from '../codec/draft-transfer.ts'
import { networkOf } from '../codec/networks.ts'
import { replacementFee } from '../codec/replace-transfer.ts'
import { nameOf } from '../codec/select-coins.ts'
import { sizeOf } from '../codec/steps.ts'
import type { SpentCoin } from '../codec/psbt.ts'
import { MONEY_MAX } from '../codec/transaction.ts'
import { amount, count, hexData, record } from './answers.ts'
import { type Rates, readRates } from './estimate-fee.ts'
import { readReplacementFee } from './prepare-transfer.ts'
import { readPendingFee } from './read-pending.ts'
import type { Rpc } from './rpc.ts'

type Wanted = Pick<TransferOrder, 'from' | 'feeCap' | 'tier' | 'replaces'> & { cpfpFor: string }

/** What waits for nothing any more: a block has it. */
const IN_BLOCK = { fee: 0n, size: 0n }

/**
 * The unsigned bytes of a child (CPFP) that speeds up a pending coin of the paying address and spends nothing else. If the tier asks for more than the cap, the
 * next slower one is taken. With `replaces`, a child that takes the place of that one and pays at least what nodes ask of it, also where a block has the deposit by
 * now. Throws ChainError if the coin waits no more, the cap does not suffice or no child is needed (CpfpNeedlessError).
 */
export async function prepareCpfp(rpc: Rpc, chain: ChainId, { from, cpfpFor, feeCap, tier, replaces }: Wanted, fallback?: Rates): Promise<Uint8Array> {
  const network = networkOf(chain)
  const rates = await readRates(rpc, fallback)
  const before = replaces && (await readCpfp(rpc, replaces, cpfpFor))
  const coin = before?.coin ?? (await readPendingCoin(rpc, cpfpFor))
  const stuck = (await readPendingFee(rpc, coin.txid)) ?? (before && IN_BLOCK)
  if (!stuck) throw new ChainError(`the transaction ${coin.txid} does not wait for a block any more`)
  const asked = { chain, from, coin, stuck, feeCap: MONEY_MAX, ...(before && { feeMin: before.feeMin }) }
  const draftAt = (place: number) => draftCpfp({ ...asked, satPerKvb: at(rates, place) })
  const isEnough = (place: number) => !before && paysAlready(stuck, at(rates, place))
  let draft = draftAt(tier)
  for (let slower = tier - 1; slower >= 0 && effectsOf(network, draft).feeMax > feeCap && !isEnough(slower); slower--) draft = draftAt(slower)
  return finishDraft(checked(draft, feeCap), new Map())
}

/** The coin that a child spends which is to be replaced, and the least that what takes its place has to pay. */
async function readCpfp(rpc: Rpc, replaces: Uint8Array, cpfpFor: string): Promise<{ coin: SpentCoin; feeMin: bigint }> {
  const before = readUnsigned(replaces)
  const [coin, ...more] = before.inputs
  if (!coin || more.length > 0 || nameOf(coin) !== cpfpFor) throw new ChainError(`what is to be replaced does not spend ${cpfpFor} alone`)
  return { coin, feeMin: replacementFee(before, await readReplacementFee(rpc, replaces), sizeOf(before)) }
}

async function readPendingCoin(rpc: Rpc, outpoint: string): Promise<SpentCoin> {
  const [txid = '', vout] = outpoint.split(':')
  const index = Number(vout)
  const answer = await rpc('gettxout', txid, index, true)
  if (answer === null) throw new ChainError(`the coin ${outpoint} is not there to be spent: what made it waits no more, or something spends it`)
  const claim = record(answer, 'coin')
  if (count(claim.confirmations, 'confirmations of a coin') !== 0) throw new ChainError(`the coin ${outpoint} is in a block already`)
  const script = fromHex(hexData(record(claim.scriptPubKey, 'script').hex, 'script of a coin'))
  return { txid, index, amount: amount(claim.value, 'amount of a coin'), script }
}
