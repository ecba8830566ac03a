import { type ChainId, SIGNATURES_MAX } from '@holdfast/chain-core'
import { requireScript } from './address.ts'
import { assertOwn, checked } from './draft-transfer.ts'
import { networkOf } from './networks.ts'
import { type SpentCoin, type UnsignedTransaction, withoutProof } from './psbt.ts'
import { sum } from './select-coins.ts'
import { dustLimit, feeFor, inputWeight, virtualSize } from './size.ts'

export type SweepOrder = { chain: ChainId; from: string; to: string; coins: readonly SpentCoin[]; satPerKvb: bigint }

/** Coins that are not moved, because each is worth less than spending it costs, or all of them together are. */
export type SweepDraft = { drafts: UnsignedTransaction[]; left: SpentCoin[] }

/**
 * Everything that coins of an address hold, to another address, in as many transactions as signers' limit asks for; the fee comes out of it. The largest coins
 * first. Throws ChainError for coins of others.
 */
export function draftSweep({ chain, from, to, coins, satPerKvb }: SweepOrder): SweepDraft {
  const network = networkOf(chain)
  const script = requireScript(network, from)
  const paid = requireScript(network, to)
  assertOwn(coins, script)
  const inputCost = feeFor(BigInt(Math.ceil(inputWeight(script) / 4)), satPerKvb)
  const useful = coins.filter((coin) => coin.amount > inputCost).toSorted((a, b) => (a.amount > b.amount ? -1 : 1))
  const drafts: UnsignedTransaction[] = []
  const left = coins.filter((coin) => coin.amount <= inputCost)
  for (let at = 0; at < useful.length; at += SIGNATURES_MAX) {
    const inputs = useful.slice(at, at + SIGNATURES_MAX).map(withoutProof)
    const amount = sum(inputs) - feeFor(virtualSize(script, inputs.length, [paid]), satPerKvb)
    if (amount < dustLimit(paid)) left.push(...inputs)
    else drafts.push(checked({ chain, inputs, outputs: [{ script: paid, amount }] }, sum(inputs)))
  }
  return { drafts, left }
}
