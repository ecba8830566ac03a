import { type CancelOrder, BuildError, type ChainId, type TransferOrder } from '@holdfast/chain-core'
import { known } from '@holdfast/units'
import { type LeastFee, leastCancellation, leastReplacement } from '../codec/replace-transfer.ts'
import { encodeAuthorization, readSignedAuthorization } from '../codec/set-code/authorization.ts'
import { buildTransfer } from '../codec/transfer.ts'
import { estimateFee, type FeeAsking } from './estimate-fee.ts'

/**
 * The unsigned bytes for an order. Where the tier asks for more than the cap, it offers what the cap allows, as long as the next
 * block would take it with the economy tip; below that it throws ChainError and says what is needed now. An order that replaces offers at
 * least what nodes ask of a replacement, whatever the tier. An authorization offers nothing: whoever carries it pays.
 */
export async function prepareTransfer(asking: FeeAsking, order: TransferOrder): Promise<Uint8Array> {
  if (order.authorizes) return encodeAuthorization({ chain: order.asset.chain, delegate: order.authorizes.delegate, nonce: order.slot })
  const least = order.replaces ? leastReplacement(order, order.replaces) : { gasLimit: 0n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const { asset, from, to, amount, data, payments, authorizations = [], slot } = order
  const carried = authorizations.map((raw) => readSignedAuthorization(raw).signed)
  return buildTransfer({
    ...{ asset, from, to, amount, ...(data && { data }), ...(payments && { payments }) },
    ...(carried.length > 0 && { authorizations: carried }),
    ...{ nonce: slot, ...(await feeFor(asking, order, least)) },
  })
}

/** The unsigned bytes that take the slot of others and pay nobody: one wei goes to the paying address itself, since the codec knows no transfer of nothing. */
export async function prepareCancel(asking: FeeAsking, chain: ChainId, order: CancelOrder): Promise<Uint8Array> {
  const { slot, ...least } = leastCancellation(chain, order)
  const { from } = order
  const toItself = { asset: { chain, contract: null }, from, to: from, amount: 1n }
  return buildTransfer({ ...toItself, nonce: slot, ...(await feeFor(asking, { ...order, ...toItself }, least)) })
}

type Wanted = Pick<TransferOrder, 'asset' | 'from' | 'to' | 'amount' | 'data' | 'payments' | 'authorizations' | 'tier' | 'feeCap' | 'quoted'>

/** What the tier asks for and nodes ask for at least, as far as the cap allows; what a rollup takes besides has to fit under it as well. */
async function feeFor(asking: FeeAsking, order: Wanted, least: LeastFee): Promise<LeastFee> {
  const tiers = order.quoted ?? (await estimateFee(asking, order))
  const { surcharge = 0n, ...offered } = tiers[order.tier].parameters
  const { nextBaseFee, ...wanted } = offered as LeastFee & { nextBaseFee: bigint }
  if (surcharge >= order.feeCap) {
    const words = `the fee cap of ${order.feeCap} wei cannot be met: the chain underneath may cost ${surcharge} wei alone; raise the cap or wait`
    throw new BuildError(words, { kind: 'fee_cap', cap: order.feeCap, needed: surcharge + wanted.gasLimit * wanted.maxFeePerGas })
  }
  const feeCap = order.feeCap - surcharge
  const gasLimit = most(wanted.gasLimit, least.gasLimit)
  const maxFeePerGas = lesser(most(wanted.maxFeePerGas, least.maxFeePerGas), feeCap / gasLimit)
  assertTaken(maxFeePerGas, gasLimit, feeCap, nextBaseFee + known(tiers[0].parameters.maxPriorityFeePerGas, 'the tip of the lowest fee'))
  if (maxFeePerGas < least.maxFeePerGas) {
    const needed = least.maxFeePerGas * gasLimit
    const words = `the fee cap of ${order.feeCap} wei cannot be met: a replacement can cost ${needed} wei at least; raise the cap or wait`
    throw new BuildError(words, { kind: 'fee_cap', cap: order.feeCap, needed })
  }
  const maxPriorityFeePerGas = most(lesser(wanted.maxPriorityFeePerGas, maxFeePerGas - nextBaseFee), least.maxPriorityFeePerGas)
  return { gasLimit, maxFeePerGas, maxPriorityFeePerGas }
}

function assertTaken(offered: bigint, gasLimit: bigint, feeCap: bigint, needed: bigint): void {
  if (offered >= needed) return
  const words = `the fee cap of ${feeCap} wei cannot be met: the next block asks for at least ${needed * gasLimit} wei; raise the cap or wait`
  throw new BuildError(words, { kind: 'fee_cap', cap: feeCap, needed: needed * gasLimit })
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
