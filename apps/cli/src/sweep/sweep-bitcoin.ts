import { draftSweep, finishDraft, networkOf, requireScript, type SpentCoin } from '@holdfast/chain-bitcoin/codec'
import { fromHex } from '@holdfast/encoding'
import { UsageError } from '../command.ts'
import { type BuiltSweep, type Fields, type SweepPlan, type SweepSource, unsignedOf } from './sweep-plan.ts'

type Coin = { coin: SpentCoin; made: Uint8Array | undefined }

/**
 * Empties Bitcoin addresses: of each all coins that the plan lists, in as many transactions as they need. Where one of P2WPKH spends several coins, each comes
 * with the transaction that made it, which proves what it holds.
 */
export function buildBitcoinSweep(plan: SweepPlan): BuiltSweep {
  const satPerKvb = plan.fields.amount('satPerKvb')
  const built = plan.sources.map((source) => emptyAddress(plan, source, satPerKvb))
  return { steps: built.flatMap(({ steps }) => steps), left: built.flatMap(({ left }) => left) }
}

function emptyAddress({ chain, destination: to }: SweepPlan, { address: from, fields }: SweepSource, satPerKvb: bigint): BuiltSweep {
  const script = requireScript(networkOf(chain), from)
  const coins = fields.list('coins').map((each) => readCoin(from, each, script))
  if (coins.length === 0) throw new UsageError(`the plan lists no "coins" of ${from}`)
  const previous = new Map(coins.flatMap(({ coin, made }) => (made ? [[coin.txid, made] as const] : [])))
  const { drafts, left } = unsignedOf(from, () => draftSweep({ chain, from, to, coins: coins.map(({ coin }) => coin), satPerKvb }))
  return {
    steps: drafts.map((draft) => ({ from, unsigned: unsignedOf(from, () => finishDraft(draft, previous)), symbol: null, decimals: null })),
    left: left.map(({ amount }) => ({ address: from, amount })),
  }
}

function readCoin(from: string, fields: Fields, script: Uint8Array): Coin {
  const txid = fields.text('txid')
  if (!/^[0-9a-f]{64}$/.test(txid)) throw new UsageError(`a coin of ${from} has the "txid" ${JSON.stringify(txid)}: write 64 digits 0-9 and a-f`)
  const index = fields.amount('index')
  if (index > 0xffff_ffffn) throw new UsageError(`a coin of ${from} has the "index" ${index}, which none can have`)
  const made = fields.optionalText('transaction')
  if (made !== null && !/^([0-9a-f]{2})+$/.test(made))
    throw new UsageError(`the "transaction" that made the coin ${txid}:${index} is not in hexadecimal digits`)
  return { coin: { txid, index: Number(index), amount: fields.amount('amount'), script }, made: made === null ? undefined : fromHex(made) }
}
