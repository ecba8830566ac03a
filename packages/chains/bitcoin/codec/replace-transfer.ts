import { ChainError } from '@holdfast/chain-core'
import { readUnsigned } from './bitcoin-codec.ts'
import { assertOwn, checked } from './draft-transfer.ts'
import { type OrderedOutput, payingScript, type SpentCoin, type UnsignedTransaction, withoutProof } from './psbt.ts'
import { selectCoins, sum } from './select-coins.ts'
import { dustLimit, feeFor, virtualSize } from './size.ts'
import { sizeOf } from './steps.ts'

export type ReplacementOrder = {
  /** The unsigned bytes that wait and are to be replaced. */
  replaces: Uint8Array
  /** The rate that is wished for. */
  satPerKvb: bigint
  feeCap: bigint
  /** Confirmed coins of the same address that may be added where the change does not suffice (BIP125 rule 2 allows no others). */
  coins?: readonly SpentCoin[]
  /** What waiting transactions that spend outputs of the replaced one pay; they fall with it and must be paid for too (rule 3). */
  descendantFees?: bigint
  /** The rate of the node at which the replacement itself is relayed (rule 4); less than most nodes ask for is taken for that (INCREMENTAL_SAT_PER_KVB). */
  incrementalSatPerKvb?: bigint
}

// Bitcoin Core asks for 1,000, from version 30 for 100. What only the newest nodes relay would not reach the miners.
const INCREMENTAL_SAT_PER_KVB = 1000n

/**
 * The same payments in the same slot for a higher fee. All inputs stay, the anchor first; the fee comes out of the change, or of further coins.
 * Throws ChainError if BIP125's rules cannot be kept under the cap.
 */
export function speedUpTransfer(order: ReplacementOrder): UnsignedTransaction {
  const before = readReplaced(order)
  const script = payingScript(before)
  assertOwn(order.coins ?? [], script)
  const payments = before.outputs.filter(({ changePath }) => !changePath)
  const oldChange = before.outputs.find(({ changePath }) => changePath)
  const required = before.inputs
  const common = { script, coins: order.coins ?? [], required, payments, changeScript: oldChange?.script ?? script }
  const floor = higherRate(before, order.satPerKvb)
  // What rule 4 asks for depends on the size, which depends on the coins that the fee makes necessary: it settles after a round or two.
  let feeMin = replacementFee(before, order, sizeOf(before))
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { coins, change } = selectCoins({ ...common, satPerKvb: floor, feeMin })
    const outputs = replaceChange(before, oldChange, change)
    const after = { chain: before.chain, inputs: coins, outputs }
    const needed = replacementFee(before, order, sizeOf(after))
    if (feeOf(after) >= needed) return checked(after, order.feeCap)
    feeMin = needed
  }
  throw new ChainError('no replacement was found that nodes would relay; raise the rate')
}

/**
 * Gives the coins back to the paying address in the same slot, so that what waits can never be paid. Spends the anchor alone where it
 * can bear the fee, else all coins of the replaced transaction. The amount that comes back is the one transfer of the draft.
 */
export function cancelTransfer(order: ReplacementOrder): UnsignedTransaction {
  const before = readReplaced(order)
  const script = payingScript(before)
  const rate = higherRate(before, order.satPerKvb)
  for (const inputs of [before.inputs.slice(0, 1), before.inputs]) {
    const size = virtualSize(script, inputs.length, [script])
    const needed = replacementFee(before, order, size)
    const wished = feeFor(size, rate)
    const amount = sum(inputs) - (wished > needed ? wished : needed)
    // What comes back with the coins is no transfer to anybody, so nothing is shown of it.
    const proven = inputs.map((coin) => ({ ...withoutProof(coin), ...(inputs.length > 1 && coin.previous && { previous: coin.previous }) }))
    if (amount >= dustLimit(script)) return checked({ chain: before.chain, inputs: proven, outputs: [{ script, amount }] }, order.feeCap)
  }
  throw new ChainError('the coins of the transaction cannot bear the fee that cancelling it takes; it can only be waited for')
}

/** What is to be replaced. Of several transactions the first may be in a block when their replacement arrives, so those are not. */
function readReplaced({ replaces }: ReplacementOrder): UnsignedTransaction {
  const before = readUnsigned(replaces)
  if (before.inscribes) throw new ChainError('transactions that make an inscription on the way are not replaced')
  return before
}

/** The least fee of a replacement of `size`: all that falls with it, and its own relay (BIP125 rules 3 and 4). */
export function replacementFee(before: UnsignedTransaction, order: Pick<ReplacementOrder, 'descendantFees' | 'incrementalSatPerKvb'>, size: bigint): bigint {
  const { descendantFees = 0n, incrementalSatPerKvb = INCREMENTAL_SAT_PER_KVB } = order
  const relay = incrementalSatPerKvb > INCREMENTAL_SAT_PER_KVB ? incrementalSatPerKvb : INCREMENTAL_SAT_PER_KVB
  return feeOf(before) + descendantFees + feeFor(size, relay)
}

const ROUNDS_MAX = 8

/** Miners gain nothing by a lower rate, and nodes refuse it: a replacement pays more for each vbyte than what it replaces. */
function higherRate(before: UnsignedTransaction, wished: bigint): bigint {
  const least = (feeOf(before) * 1000n) / sizeOf(before) + 1n
  return wished > least ? wished : least
}

/** Change keeps its place; new change, where further coins leave some, comes back to the paying address. */
function replaceChange(before: UnsignedTransaction, oldChange: OrderedOutput | undefined, amount: bigint): OrderedOutput[] {
  const script = payingScript(before)
  if (!oldChange) return amount > 0n ? [...before.outputs, { script, amount, changePath: [] }] : before.outputs
  return before.outputs.flatMap((output) => (output !== oldChange ? [output] : amount > 0n ? [{ ...output, amount }] : []))
}

function feeOf({ inputs, outputs }: UnsignedTransaction): bigint {
  return sum(inputs) - sum(outputs)
}
