import { type Intent, isPayment, judgedAs } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'

/** What some orders pay together, coin by coin: `3.5 ETH (eip155:1)`. Orders that pay nothing count for nothing. */
export function totalsOf(intents: readonly Intent[]): string[] {
  const sums = new Map<string, { sum: bigint; text(sum: bigint): string }>()
  for (const intent of intents) {
    const paid = intent.kind === 'batch' ? judgedAs(intent) : intent
    if (!isPayment(paid)) continue
    const { chain, contract, decimals, symbol } = paid.asset
    const key = JSON.stringify([chain, contract, symbol, Number(decimals)])
    const sum = (sums.get(key)?.sum ?? 0n) + paid.amount
    sums.set(key, { sum, text: (units) => `${formatAmount(units, Number(decimals))} ${symbol} (${chain})` })
  }
  return [...sums.values()].map(({ sum, text }) => text(sum))
}
