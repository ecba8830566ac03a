import { BuildError, type ChainCodec, ChainError, type FeeTier, leftOf, type TransferOrder } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { addressBytes } from '../codec/address.ts'
import { buildStake, buildTransfer, type Frame } from '../codec/build.ts'
import { ACTIVATION_FEE, BANDWIDTH_PRICE, FEE_LIMIT_MAX } from '../codec/effects.ts'
import { encodeTransferCall } from '../codec/trc20-call.ts'
import { count, isNothing, list, record } from './answers.ts'
import { readMeters } from './read-resources.ts'
import type { Rpc } from './rpc.ts'

/** The most energy that a transfer may need; a token that asks for more is broken or hostile. */
export const TRANSFER_ENERGY_MAX = 1_000_000n
// A transaction's place in line cannot be bought here. What the tiers differ in is how much dearer the token's work may become, by the
// chain's own rule for contracts in great demand or by another first holder, before the transfer runs out of energy and fails.
const ENERGY_HEADROOM_PERCENT = [110n, 130n, 160n]

export type Wanted = Omit<TransferOrder, 'feeCap' | 'slot' | 'tier'>

/**
 * The three tiers for a transfer or an order about stake. `parameters`: what it uses (`bandwidth`, `energy`), what the payer has of these without burning coin
 * (`bandwidthAvailable`, `energyAvailable`), `feeLimit`, of which it needs `feeLimitLeast` now, `activation` (paid where the recipient's account has yet to be made), and
 * `feeExpected`, which is what would be taken now; `feeMax` is what could be taken if nothing were covered.
 */
export async function estimateFee(rpc: Rpc, codec: ChainCodec, wanted: Wanted, frame: Frame): Promise<[FeeTier, FeeTier, FeeTier]> {
  const [prices, meters, activation] = await Promise.all([readPrices(rpc), readMeters(rpc, wanted.from), activationOf(rpc, wanted)])
  const energy = await estimateEnergy(rpc, wanted)
  const feeLimitLeast = energy * prices.energy
  const tierOf = (tier: 0 | 1 | 2): FeeTier => {
    const feeLimit = (feeLimitLeast * at(ENERGY_HEADROOM_PERCENT, tier)) / 100n
    if (feeLimit > FEE_LIMIT_MAX) throw new ChainError('the transfer would need more energy than the chain sells to one transaction')
    const { feeMax, feeParameters } = codec.decode(buildOrder(wanted, frame, feeLimit))
    const { bandwidth } = feeParameters as { bandwidth: bigint }
    const [bandwidthFree, bandwidthStaked, energyAvailable] = [leftOf(meters.free), leftOf(meters.bandwidth), leftOf(meters.energy)]
    const isCovered = bandwidthStaked >= bandwidth || (activation === 0n && bandwidthFree >= bandwidth)
    const forBytes = isCovered || activation > 0n ? 0n : bandwidth * prices.bandwidth
    const missing = energy > energyAvailable ? energy - energyAvailable : 0n
    const feeExpected = activation + forBytes + missing * prices.energy
    const bandwidthAvailable = bandwidthStaked > bandwidthFree ? bandwidthStaked : bandwidthFree
    return { feeMax, parameters: { bandwidth, bandwidthAvailable, energy, energyAvailable, feeLimit, feeLimitLeast, activation, feeExpected } }
  }
  return [tierOf(0), tierOf(1), tierOf(2)]
}

/** The unsigned bytes of an order: about stake, or a transfer. */
export function buildOrder({ from, to, asset, amount, stake }: Wanted, frame: Frame, feeLimit: bigint): Uint8Array {
  return stake ? buildStake({ ...frame, owner: from, ...stake }) : buildTransfer({ ...frame, from, to, asset, amount, feeLimit })
}

/** What the chain burns for a unit of energy and a byte of bandwidth that nobody has. */
export async function readPrices(rpc: Rpc): Promise<{ energy: bigint; bandwidth: bigint }> {
  const answer = record(await rpc('wallet/getchainparameters', {}), 'chain parameters')
  const parameters = list(answer.chainParameter, 'list of chain parameters').map((each) => record(each, 'chain parameter'))
  const priceOf = (key: string) => {
    const price = count(parameters.find((each) => each.key === key)?.value, `price ${key}`)
    if (price === 0n) throw new ChainError(`the node does not say what ${key} is`)
    return price
  }
  const energy = priceOf('getEnergyFee')
  const bandwidth = priceOf('getTransactionFee')
  const activation = priceOf('getCreateAccountFee') + priceOf('getCreateNewAccountFeeInSystemContract')
  // The codec bounds every fee by these prices. Were the chain's higher, the bound that people approve would not hold.
  if (bandwidth > BANDWIDTH_PRICE || activation > ACTIVATION_FEE) throw new ChainError("the chain's prices have risen above what this version knows: update it")
  return { energy, bandwidth }
}

async function activationOf(rpc: Rpc, { to, asset, stake }: Wanted): Promise<bigint> {
  if (asset.contract !== null || stake) return 0n
  return isNothing(await rpc('wallet/getaccount', { address: toHex(addressBytes(to)) })) ? ACTIVATION_FEE : 0n
}

/** Energy that the transfer of a token uses, by having the node try it. */
async function estimateEnergy(rpc: Rpc, { from, to, asset, amount }: Wanted): Promise<bigint> {
  if (asset.contract === null) return 0n
  const data = toHex(encodeTransferCall(addressBytes(to), amount))
  const question = { owner_address: toHex(addressBytes(from)), contract_address: toHex(addressBytes(asset.contract)), data }
  const answer = record(await rpc('wallet/triggerconstantcontract', question), 'trial of a transfer')
  const result = record(answer.result, 'result of a trial')
  if (result.result !== true || result.message !== undefined)
    throw new BuildError('the token refuses the transfer: look whether the balance is there', { kind: 'token_refuses' })
  const energy = count(answer.energy_used, 'energy used')
  if (energy === 0n || energy > TRANSFER_ENERGY_MAX) throw new ChainError(`the transfer would need ${energy} energy, which no honest transfer does`)
  return energy
}
