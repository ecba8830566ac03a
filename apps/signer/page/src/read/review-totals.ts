import { type Intent, isPayment } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'

/** What some orders pay together, coin by coin: `3.5 ETH (eip155:1)`. Orders that pay nothing count for nothing. */
export function totalsOf(intents: readonly Intent[]): string[] {
  const sums = new Map<string, { sum: bigint; text(sum: bigint): string }>()
  for (const intent of intents) {
    if (!isPayment(intent)) continue
    const { chain, contract, decimals, symbol } = intent.asset
    const key = JSON.stringify([chain, contract, symbol, Number(decimals)])
    const sum = (sums.get(key)?.sum ?? 0n) + intent.amount
    sums.set(key, { sum, text: (units) => `${formatAmount(units, Number(decimals))} ${symbol} (${chain})` })
  }
  return [...sums.values()].map(({ sum, text }) => text(sum))
}
