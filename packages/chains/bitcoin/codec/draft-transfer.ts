import { BuildError, type ChainId, ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { requireScript } from './address.ts'
import { effectsOf } from './bitcoin-codec.ts'
import { networkOf } from './networks.ts'
import type { InscribedTransfer } from './prove-inscription.ts'
import { assertRoom, needsPrevious, type OrderedOutput, serializePsbt, type SpentCoin, type UnsignedTransaction, withoutProof } from './psbt.ts'
import { nameOf, selectCoins } from './select-coins.ts'
import { dustLimit } from './size.ts'
import { sizing } from './steps.ts'
import { outpointBytes, withoutWitnesses } from './transaction.ts'

export type TransferDraftOrder = {
  chain: ChainId
  from: string
  /** One payment, or several in one transaction. Amounts in satoshi. */
  payments: readonly { to: string; amount: bigint }[]
  /** Coins of `from` that may be spent. */
  coins: readonly SpentCoin[]
  /**
   * Coins of `from` that are spent in any case, first and in this order. Then change comes last, so that the parts of these coins go to the payments in their
   * order.
   */
  required?: readonly SpentCoin[]
  /** The BRC-20 transfer that is made on the way and goes with the first payment (`stepsOf`). */
  inscribes?: InscribedTransfer
  satPerKvb: bigint
  /** The most that may be paid as fee; none higher is drafted. */
  feeCap: bigint
  /** Where change goes, with the path from the key's root; without it, back to `from`. */
  change?: { address: string; path: number[] }
}

/**
 * The transaction for an order, without the proofs that `finishDraft` adds. Its anchor is the first input. Throws ChainError if the coins or the fee cap
 * do not suffice, or a payment is dust.
 */
export function draftTransfer(order: TransferDraftOrder): UnsignedTransaction {
  const network = networkOf(order.chain)
  const script = requireScript(network, order.from)
  const payments = order.payments.map(({ to, amount }) => ({ script: requireScript(network, to), amount }))
  if (payments.length === 0) throw new ChainError('the order pays nobody')
  const dust = payments.find((payment) => payment.amount < dustLimit(payment.script))
  if (dust) throw dustError(dust)
  const { required = [], inscribes } = order
  assertOwn([...required, ...order.coins], script)
  const changePath = order.change?.path ?? []
  const changeScript = order.change ? requireScript(network, order.change.address) : script
  const wanted = { script, coins: order.coins, required, payments, changeScript, satPerKvb: order.satPerKvb }
  const { coins, change } = selectCoins(inscribes ? { ...wanted, sizeOf: sizing(script, inscribes) } : wanted)
  const rest = { script: changeScript, amount: change, changePath }
  const isInOrder = required.length > 0 || inscribes !== undefined
  const outputs = change === 0n ? payments : isInOrder ? [...payments, rest] : placeChange(coins, payments, rest)
  return checked({ chain: order.chain, inputs: coins, outputs, ...(inscribes && { inscribes }) }, order.feeCap)
}

/**
 * Coins of an address joined into one of `amount` at the same address; what is left of them is the fee. Throws ChainError if that is above the cap, or
 * nothing.
 */
export function draftJoin({
  chain,
  from,
  amount,
  coins,
  feeCap,
}: Pick<TransferDraftOrder, 'chain' | 'from' | 'coins' | 'feeCap'> & { amount: bigint }): UnsignedTransaction {
  const script = requireScript(networkOf(chain), from)
  assertOwn(coins, script)
  return checked({ chain, inputs: coins.map(withoutProof), outputs: [{ script, amount }] }, feeCap)
}

/**
 * The unsigned bytes of a draft. `previous` are the transactions that made its coins, as nodes have them, by their ids. Throws ProofsTooLargeError if those are
 * so large that nobody would read the whole.
 */
export function finishDraft(draft: UnsignedTransaction, previous: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const known = new Map([...previous, ...draft.inputs.flatMap(({ txid, previous: own }) => (own ? [[txid, own] as const] : []))])
  const shown = new Set<string>()
  const inputs = draft.inputs.map((proven): SpentCoin => {
    const coin = withoutProof(proven)
    if (proven.inscription) coin.inscription = proven.inscription
    if (!needsPrevious(coin.script, draft.inputs.length) || shown.has(coin.txid)) return coin
    shown.add(coin.txid)
    const made = known.get(coin.txid)
    if (!made) throw new ChainError(`the transaction ${coin.txid} that made a coin is missing`)
    return { ...coin, previous: withoutWitnesses(made) }
  })
  const unsigned = serializePsbt({ ...draft, inputs })
  assertRoom(unsigned, inputs.length)
  return unsigned
}

/** The ids of the transactions that `finishDraft` needs. */
export function previousNeeded({ inputs }: UnsignedTransaction): string[] {
  const known = new Set(inputs.flatMap(({ txid, previous }) => (previous ? [txid] : [])))
  return [...new Set(inputs.filter(({ txid, script }) => !known.has(txid) && needsPrevious(script, inputs.length)).map(({ txid }) => txid))]
}

/** Throws ChainError if a draft is none that the codec would read, or pays more than the cap. */
export function checked(draft: UnsignedTransaction, feeCap: bigint): UnsignedTransaction {
  const { feeMax } = effectsOf(networkOf(draft.chain), draft)
  if (feeMax > feeCap) {
    const words = `the fee cap of ${feeCap} satoshi cannot be met: this takes ${feeMax}; raise the cap, or choose a slower tier`
    throw new BuildError(words, { kind: 'fee_cap', cap: feeCap, needed: feeMax })
  }
  return draft
}

function dustError({ amount, script }: { amount: bigint; script: Uint8Array }): BuildError {
  const least = dustLimit(script)
  return new BuildError(`${amount} satoshi are dust; nodes relay ${least} or more to this address`, { kind: 'dust', amount, least })
}

export function assertOwn(coins: readonly SpentCoin[], script: Uint8Array): void {
  const other = coins.find((coin) => !equalBytes(coin.script, script))
  if (other) throw new ChainError(`the coin ${nameOf(other)} is not one of the paying address`)
}

/**
 * Puts change where the digest of coins and payments says: change that is always last would tell everybody which output it is.
 * Nobody has to draw anything, and the same order makes the same bytes.
 */
function placeChange(coins: readonly SpentCoin[], payments: OrderedOutput[], change: OrderedOutput): OrderedOutput[] {
  const digest = sha256(concatBytes(...coins.map(outpointBytes), ...payments.map(({ script }) => script)))
  const place = at(digest, 0) % (payments.length + 1)
  return payments.toSpliced(place, 0, change)
}
