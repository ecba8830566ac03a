import { BuildError, ChainError, type FeeTier, readNft, type TransferOrder } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at, known, last } from '@holdfast/units'
import { evmChainId } from '../codec/chain-number.ts'
import { readSignedAuthorization, type SignedAuthorization } from '../codec/set-code/authorization.ts'
import { AUTHORIZATION_GAS, contractCallOf, GAS_LIMIT_MAX, NATIVE_TRANSFER_GAS } from '../codec/transfer.ts'
import { array, hexData, quantity, record } from './answers.ts'
import type { RollupFee } from './rollup-fee.ts'
import { NodeRefused, type Rpc } from './rpc.ts'

/** The most gas that a transfer may need; a token that asks for more is broken or hostile. */
export const TRANSFER_GAS_MAX = 500_000n
/** Least tip in wei per gas: what block builders ask for by default (0.001 gwei). */
export const PRIORITY_FEE_MIN = 1_000_000n

const HISTORY_BLOCKS = 20
// Of the tips that a block's transactions paid: the cheap ones, the middle, the dear ones.
const PERCENTILES = [10, 50, 90]
// The base fee rises by at most an eighth a block: these last for 3, 5 and 9 full blocks. Only the base fee that holds is paid.
const BASE_FEE_HEADROOM_PERCENT = [150n, 200n, 300n]

type Wanted = Omit<TransferOrder, 'feeCap' | 'slot' | 'tier'>
/** What fees are asked by. */
export type FeeAsking = { rpc: Rpc; rollupFee: RollupFee }
type FeeMarket = { nextBaseFee: bigint; priorityFees: bigint[] }

/**
 * The three tiers for a transfer: `parameters` are gasLimit, maxFeePerGas and maxPriorityFeePerGas in gas and wei, `nextBaseFee`, which the next block asks for, and
 * on a rollup `surcharge`, which is taken besides and is in `feeMax`.
 */
export async function estimateFee({ rpc, rollupFee }: FeeAsking, wanted: Wanted): Promise<[FeeTier, FeeTier, FeeTier]> {
  const [gasLimit, { nextBaseFee, priorityFees }] = await Promise.all([estimateGas(rpc, wanted), readFeeMarket(rpc)])
  const beyond = await rollupFee(callOf(wanted).data?.length ?? 0, gasLimit)
  const tierOf = (tier: 0 | 1 | 2): FeeTier => {
    const maxPriorityFeePerGas = at(priorityFees, tier)
    const maxFeePerGas = (nextBaseFee * at(BASE_FEE_HEADROOM_PERCENT, tier)) / 100n + maxPriorityFeePerGas
    // What the underlying chain costs moves as its own base fee does.
    const surcharge = (beyond * at(BASE_FEE_HEADROOM_PERCENT, tier)) / 100n
    const parameters = { gasLimit, maxFeePerGas, maxPriorityFeePerGas, nextBaseFee, ...(surcharge > 0n && { surcharge }) }
    return { feeMax: gasLimit * maxFeePerGas + surcharge, parameters }
  }
  return [tierOf(0), tierOf(1), tierOf(2)]
}

type Call = { to: string; value: bigint; data?: Uint8Array }

function callOf(wanted: Wanted): Call {
  const made = contractCallOf(wanted)
  if (made) return { to: made.contract, value: made.value, data: made.data }
  const { to, amount, data } = wanted
  return { to, value: amount, ...(data ? { data } : {}) }
}

/**
 * What the node says that it takes, and a quarter more; of a plain payment that takes what every transaction does, just that. Rollups take more for the
 * same.
 */
async function estimateGas(rpc: Rpc, wanted: Wanted): Promise<bigint> {
  const { to, value, data } = callOf(wanted)
  const carried = (wanted.authorizations ?? []).map((raw) => readSignedAuthorization(raw).signed)
  const ask = async (sent: bigint) => {
    const call = {
      ...{ from: wanted.from, to, ...(sent > 0n && { value: `0x${sent.toString(16)}` }), ...(data ? { data: `0x${toHex(data)}` } : {}) },
      ...(carried.length > 0 && { authorizationList: carried.map(authorizationAsked) }),
    }
    return quantity(await rpc('eth_estimateGas', [call]), 'gas estimate')
  }
  const { contract } = wanted.asset
  const isToken = contract !== null && !readNft(contract) && !wanted.data && !wanted.payments
  const used = await ask(value).catch(async (cause: unknown) => {
    if (isToken && cause instanceof NodeRefused && /revert/i.test(cause.reason))
      throw new BuildError('the token refuses the transfer: look whether the balance is there', { kind: 'token_refuses' }, { cause })
    // A payment that is not covered is refused; without code at its end it takes the same gas whatever its amount.
    if (!(cause instanceof NodeRefused) || data || hexData(await rpc('eth_getCode', [to, 'latest']), 'code') !== '0x') throw cause
    return ask(0n)
  })
  // A node that does not know of authorizations counts as if there were none.
  if (used < NATIVE_TRANSFER_GAS + AUTHORIZATION_GAS * BigInt(carried.length) && carried.length > 0)
    throw new ChainError(`the node says that ${used} gas is enough, which leaves the authorizations of ${carried.length} accounts out`)
  if (used === NATIVE_TRANSFER_GAS && !data) return NATIVE_TRANSFER_GAS
  // What a transfer needs can change between now and its block, for instance when the recipient first holds the token.
  const limit = (used * 5n) / 4n
  const isLarge = wanted.data !== undefined || wanted.payments !== undefined
  if (isLarge && limit > GAS_LIMIT_MAX) throw new ChainError(`the call would need ${used} gas, which no block takes from one transaction`)
  if (used < NATIVE_TRANSFER_GAS || (!isLarge && limit > TRANSFER_GAS_MAX))
    throw new ChainError(`the transfer would need ${used} gas, which no honest transfer does`)
  return limit
}

const quantityText = (value: bigint): string => `0x${value.toString(16)}`

/** An authorization as nodes are asked about a transaction that carries it. */
const authorizationAsked = ({ chain, delegate, nonce, signature: { yParity, r, s } }: SignedAuthorization) => ({
  ...{ chainId: quantityText(known(evmChainId(chain), `the number of ${chain}`)), address: delegate ?? NOBODY, nonce: quantityText(nonce) },
  ...{ yParity: quantityText(yParity), r: quantityText(r), s: quantityText(s) },
})
const NOBODY = `0x${'00'.repeat(20)}`

/** The question about the market that each node has not answered yet. */
const asking = new WeakMap<Rpc, Promise<FeeMarket>>()

/** The market as the node tells it; whoever asks while it is being asked gets the same answer. */
function readFeeMarket(rpc: Rpc): Promise<FeeMarket> {
  const asked = asking.get(rpc)
  if (asked) return asked
  const market = askFeeMarket(rpc).finally(() => asking.delete(rpc))
  asking.set(rpc, market)
  return market
}

async function askFeeMarket(rpc: Rpc): Promise<FeeMarket> {
  const history = record(await rpc('eth_feeHistory', [`0x${HISTORY_BLOCKS.toString(16)}`, 'latest', PERCENTILES]), 'fee history')
  const baseFees = array(history.baseFeePerGas, 'list of base fees').map((fee) => quantity(fee, 'base fee'))
  const used = array(history.gasUsedRatio, 'list of gas used')
  const rewards = array(history.reward, 'list of tips').map((block) => array(block, 'tips of a block').map((tip) => quantity(tip, 'tip')))
  const fits = baseFees.length >= 2 && rewards.length === baseFees.length - 1 && used.length === rewards.length
  if (!fits) throw new ChainError('the node gave a fee history that does not fit together')
  // An empty block has no tips; the node writes zeros for it, which say nothing about the market.
  const told = rewards.filter((tips, i) => used[i] !== 0 && tips.length === PERCENTILES.length)
  const known = told.length > 0 ? told : [await suggestedTips(rpc)]
  const priorityFees = PERCENTILES.map((_, tier) => atLeast(PRIORITY_FEE_MIN * BigInt(tier + 1), median(known.map((tips) => at(tips, tier)))))
  return { nextBaseFee: last(baseFees), priorityFees }
}

/**
 * What the node itself would tip where all recent blocks are empty: nodes remember what was paid before those, so that what was told a moment ago still
 * holds. Nothing if the node has no such call.
 */
async function suggestedTips(rpc: Rpc): Promise<bigint[]> {
  const tip = await rpc('eth_maxPriorityFeePerGas', []).then(
    (answer) => quantity(answer, 'tip'),
    () => 0n,
  )
  return PERCENTILES.map(() => tip)
}

function median(values: bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[sorted.length >> 1] ?? 0n
}

function atLeast(least: bigint, value: bigint): bigint {
  return value < least ? least : value
}
