import type { OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import { latestPrices, priceKey } from '@holdfast/features/price/server'
import { readOpenChange } from '@holdfast/features/strategy/server'
import { readTokenWallets } from '@holdfast/chain-core'
import { inThirdForm, readsValues } from '@holdfast/policy'
import { formatAmount } from '@holdfast/units'
import { type listValuation, SOON_DAYS } from '../contract.ts'

/** The table counts millionths of a dollar; prices count 10^-24 of one. */
export const USD_DECIMALS = 6
const MICRO_OF_PRICE = 10n ** 18n
const DAY_MS = 86_400_000

type View = OutputOf<typeof listValuation>
type Entry = View['entries'][number]

/** Every asset that the policy pins, with what the table says of it and what the market says now. */
export async function valuationOf(tx: OrganisationTx, { networks, ports }: Pick<ServerContext, 'networks' | 'ports'>): Promise<View> {
  const nowMs = ports.clock.nowMs()
  const [{ policy }, open] = [await currentPolicy(tx), await readOpenChange(tx)]
  const { valuation, rules } = inThirdForm(policy)
  const assets = policy.assets.filter(({ contract }) => readTokenWallets(contract ?? '') === undefined)
  const prices = await latestPrices(tx, assets, nowMs, 'USD')
  const entries = assets.map(({ chain, contract, symbol }): Entry => {
    const asset = contract ?? ''
    const said = valuation.find((each) => each.chain === chain && each.asset === asset)
    const quote = prices.get(priceKey({ chain, contract }))
    // Rounded up, as the server counts it where it makes a rule stricter.
    const live = quote && (quote.price + MICRO_OF_PRICE - 1n) / MICRO_OF_PRICE
    const untilMs = said && Number(said.validUntilMs)
    return {
      chain,
      asset,
      network: networks.find(chain)?.name ?? chain,
      symbol,
      usd: said ? formatAmount(said.microUsd, USD_DECIMALS) : null,
      valid_until: untilMs ?? null,
      state: untilMs === undefined ? 'none' : untilMs <= nowMs ? 'expired' : untilMs <= nowMs + SOON_DAYS * DAY_MS ? 'soon' : 'valid',
      live: live === undefined ? null : formatAmount(live, USD_DECIMALS),
      deviation: said && live !== undefined ? Number(((live - said.microUsd) * 1000n) / said.microUsd) / 10 : null,
    }
  })
  return { base_version: Number(policy.version), open_change_id: open?.row.id ?? null, is_read: rules.some(readsValues), entries }
}
