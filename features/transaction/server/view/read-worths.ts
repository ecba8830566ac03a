import type { OutputOf } from '@holdfast/contract'
import { formatWorth, priceKey, type Quote, recentPrices, worthAt } from '@holdfast/features/price/server'
import { at, parseAmount } from '@holdfast/units'
import type { listTransactions } from '../../contract.ts'
import type { Shown } from './describe-transactions.ts'
import type { Facts } from './read-facts.ts'
import type { ViewContext } from './view-context.ts'

export type Worth = NonNullable<OutputOf<typeof listTransactions>['list'][number]['worth']>

type Priced = { chain: string; contract: string | null; decimals: number }

/**
 * What payments and deposits were worth: at the time the chain took them (or they were asked for, where it has not yet), and
 * now. Unknown is null and never nothing; null altogether where no price of the coin is known at all. `facts` say when that was.
 */
export async function readWorths(view: ViewContext, rows: readonly Shown[], facts: ReadonlyMap<string, Facts>): Promise<(Worth | null)[]> {
  const times = rows.map((row) => timeOf(row, facts.get(row.id)?.inBlockMs))
  // The coin of the payment and the one its fee was paid in, of each row, as far as they are known here.
  const coins = rows.map((row) => ({ asset: assetOf(view, row), coin: coinOf(view, row) }))
  const nameOf = (asset: Priced, i: number) => `${priceKey(asset)} ${at(times, i).ms}`
  const wanted = new Map(
    coins.flatMap(({ asset, coin }, i) => [asset, coin].flatMap((each) => (each ? [[nameOf(each, i), momentOf(each, at(times, i).ms)] as const] : []))),
  )
  const [{ now }, past] = await Promise.all([recentPrices(view.tx, view.networks, view.nowMs, view.fiat), view.ask('quotes', [...wanted.values()])])
  const then = new Map([...wanted.keys()].map((name, i) => [name, past[i]]))
  return rows.map((row, i) => {
    const { asset, coin } = at(coins, i)
    if (!asset || !coin) return null
    const hasAmount = !('replaces' in row) || row.replaces === null
    const worth = {
      currency: view.fiat,
      at_time: hasAmount ? valueOf(row.amount, asset, then.get(nameOf(asset, i))) : null,
      at: at(times, i).at,
      now: hasAmount ? valueOf(row.amount, asset, now.get(priceKey(asset))) : null,
      fee: row.real_fee === null ? null : valueOf(row.real_fee, coin, then.get(nameOf(coin, i))),
    }
    return worth.at_time === null && worth.now === null && worth.fee === null ? null : worth
  })
}

const momentOf = ({ chain, contract }: Priced, atMs: number) => ({ asset: { chain, contract }, atMs })

function valueOf(amount: string, { decimals }: Priced, quote: Quote | undefined): string | null {
  return quote ? formatWorth(worthAt(parseAmount(amount, decimals), decimals, quote.price)) : null
}

function assetOf({ networks }: ViewContext, row: Shown): Priced | undefined {
  return networks.find(row.chain)?.assets.find((each) => each.contract === row.contract_address)
}

function coinOf({ networks }: ViewContext, row: Shown): Priced | undefined {
  return networks.find(row.chain)?.assets.find((each) => each.contract === null)
}

/** When the chain had a payment in a block; when the others were asked for or seen. */
function timeOf(row: Shown, inBlockMs: number | undefined): { ms: number; at: Worth['at'] } {
  const paidMs = row.type === 'withdraw' && row.tx_height !== null ? inBlockMs : undefined
  if (paidMs !== undefined) return { ms: paidMs, at: 'in_block' }
  return { ms: row.created_at, at: row.type === 'withdraw' ? 'asked' : 'seen' }
}
