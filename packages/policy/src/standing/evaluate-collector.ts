import { ChainError, type ContractCall } from '@holdfast/chain-core'
import { collector, DEPLOYER, readAllowance, readCollect } from '@holdfast/chain-evm/collect'
import type { ContractCallIntent, StandingOrderIntent } from '@holdfast/intent'
import type { OwnPlace } from './evaluate-standing.ts'

/**
 * Why a standing order about the collector does not cover a call, in words; undefined if it does. The contract's address and code follow from its target, an own
 * address that whoever decides derives: so no other spender, function, target, token or code can be meant, whatever a network says.
 */
export function faultOfCollectorCall(
  order: StandingOrderIntent,
  { asset, from, to, amount, data }: ContractCallIntent,
  feeCap: bigint,
  { addressAt }: { addressAt(place: OwnPlace): string | undefined },
): string | undefined {
  const { does, fees, never } = order
  if (does.kind !== 'allow' && does.kind !== 'collect') return 'the standing order calls no contract'
  const place = does.to.find(({ chain }) => chain === asset.chain)
  const target = place && addressAt(place)
  if (target === undefined) return 'the standing order names no address on this network that its contract could move to'
  if (never.includes(from)) return `the standing order never touches ${from}`
  const fee = fees.find((each) => each.asset.chain === asset.chain)
  if (!fee || feeCap > fee.max) return `the fee can reach ${feeCap}, and the standing order allows ${fee?.max ?? 0n}`
  const call = { contract: to, value: amount, data }
  try {
    return does.kind === 'allow' ? faultOfAllowance(order, call, { chain: asset.chain, from, target }) : faultOfCollect(order, call, asset.chain, target)
  } catch (cause) {
    if (cause instanceof ChainError) return cause.message
    throw cause
  }
}

/** An allowance of zero is within every bound: it takes the right back. */
function faultOfAllowance(
  { assets }: StandingOrderIntent,
  call: ContractCall,
  { chain, from, target }: { chain: string; from: string; target: string },
): string | undefined {
  const { token, amount } = readAllowance(call, target)
  if (from === target) return 'the target of the contract has no need to let it take anything'
  const allowed = assets.find(({ asset }) => asset.chain === chain && asset.contract === token)
  if (!allowed) return 'the standing order allows nothing of this token'
  return amount > allowed.atMost ? `the standing order lets at most ${allowed.atMost} base units be allowed, not ${amount}` : undefined
}

function faultOfCollect(order: StandingOrderIntent, call: ContractCall, chain: string, target: string): string | undefined {
  if (call.contract === DEPLOYER) return collector.readDeployment(call) === target ? undefined : 'the contract that would be deployed moves to another address'
  return faultOfTaken(order, readCollect(call, target), 'collector', chain)
}

/** Whether the contract is the one that people approved, the token too, and each amount within its bounds. */
export function faultOfTaken(
  { assets, never }: StandingOrderIntent,
  { by, token, pulls }: ReturnType<typeof readCollect>,
  wanted: 'collector' | 'sweeper',
  chain: string,
): string | undefined {
  // The network's own coin has no contract here, and no standing order about a contract of ours names it as taken.
  const taken = assets.find(({ asset }) => asset.chain === chain && asset.contract !== null && asset.contract === token)
  if (by !== wanted || !taken) return 'the standing order collects nothing of this token'
  const barred = pulls.find(({ source }) => never.includes(source))
  if (barred) return `the standing order never touches ${barred.source}`
  const odd = pulls.find(({ amount }) => amount < taken.atLeast || amount > taken.atMost)
  return odd && `the standing order takes ${taken.atLeast} to ${taken.atMost} base units of an address in one call, not ${odd.amount}`
}
