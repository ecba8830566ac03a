import { ChainError, type ContractCall } from '@holdfast/chain-core'
import { at } from '@holdfast/units'
import { parseSignature } from '../abi-type.ts'
import { decodeFunctionCall, encodeFunctionCall } from '../abi-value.ts'
import { addressBytes, checksumAddress } from '../address.ts'
import { selectorOf } from '../call-data.ts'
import { ANY_SUPPLY } from '../read-call.ts'
import { collector, sweeper } from './pinned-contracts.ts'

/** What is taken from one address, in base units of the token: that much, or nothing. */
export type Pull = { source: string; amount: bigint }

/**
 * A collection of one token, or of the chain's own coin (`token` null), from many addresses. `isWhole`: all of it or nothing; otherwise a source that cannot give
 * is passed over.
 */
export type Collect = { token: string | null; pulls: Pull[]; isWhole: boolean }

/** Sources of one call: as many as call data that is read has room for (`CALL_DATA_MAX_BYTES`), and within the gas of one transaction (EIP-7825). */
export const PULLS_MAX = 500

const COLLECT = parseSignature('collect(address,address[],uint256[])')
const COLLECT_WHOLE = parseSignature('collectWhole(address,address[],uint256[])')
const APPROVE = parseSignature('approve(address,uint256)')
const COIN = '0x0000000000000000000000000000000000000000'

/** Call data for the collector or the sweeper. Throws ChainError for what `decodeCollect` would refuse. */
export function encodeCollect({ token, pulls, isWhole }: Collect): Uint8Array {
  const data = encodeFunctionCall(isWhole ? COLLECT_WHOLE : COLLECT, [token ?? COIN, pulls.map(({ source }) => source), pulls.map(({ amount }) => amount)])
  decodeCollect(data)
  return data
}

/** The call by which the collector or the sweeper (`by`) of `target` takes tokens from addresses. Throws ChainError for what `readCollect` would refuse. */
export function collectCall(by: typeof collector, target: string, { from, ...what }: Omit<Collect, 'pulls'> & { from: Pull[] }): ContractCall {
  const call = { contract: by.addressOf(target), value: 0n, data: encodeCollect({ ...what, pulls: from }) }
  readCollect(call, target)
  return call
}

/**
 * What call data of the collector or the sweeper takes, and from whom, addresses in EIP-55. Throws ChainError unless it is exactly one of their calls in its
 * canonical form, with 1 to PULLS_MAX sources, each named once and with an amount. Where it goes stands in the contract, not in the call: `readCollect`.
 */
export function decodeCollect(data: Uint8Array): Collect {
  const isWhole = selectorOf(data) === COLLECT_WHOLE.selector
  const [token, sources, amounts] = decodeFunctionCall(isWhole ? COLLECT_WHOLE : COLLECT, data) as [string, string[], bigint[]]
  if (sources.length !== amounts.length) throw new ChainError(`the collection names ${sources.length} addresses and ${amounts.length} amounts`)
  if (sources.length === 0 || sources.length > PULLS_MAX) throw new ChainError(`a collection is from 1 to ${PULLS_MAX} addresses, not ${sources.length}`)
  const pulls = sources.map((source, i) => ({ source, amount: at(amounts, i) }))
  const empty = pulls.find(({ amount }) => amount === 0n)
  if (empty) throw new ChainError(`the collection takes nothing from ${empty.source}; leave it out`)
  const twice = sources.find((source, i) => sources.indexOf(source) < i)
  if (twice !== undefined) throw new ChainError(`the collection names ${twice} twice; add its amounts up`)
  return { token: token === COIN ? null : token, pulls, isWhole }
}

/**
 * A call that collects to `target`: by which of the two contracts, what and from whom. Throws ChainError unless it calls the pinned contract with this very
 * target, sends nothing along, and takes from somebody else than the target.
 */
export function readCollect(call: ContractCall, target: string): Collect & { by: 'collector' | 'sweeper' } {
  const by = call.contract === collector.addressOf(target) ? 'collector' : call.contract === sweeper.addressOf(target) ? 'sweeper' : undefined
  if (by === undefined) throw new ChainError(`the call is of ${call.contract}, which is neither collector nor sweeper of ${target}`)
  if (call.value !== 0n) throw new ChainError(`a collection sends nothing along, and this one sends ${call.value}`)
  const collect = decodeCollect(call.data)
  if (by === 'collector' && collect.token === null) throw new ChainError("the collector takes tokens; the chain's own coin is collected by the sweeper")
  if (collect.pulls.some(({ source }) => source.toLowerCase() === target.toLowerCase())) throw new ChainError('the target itself is named as a source')
  return { by, ...collect }
}

/**
 * The call by which an address lets the collector of `target` take up to `amount` of a token; 0 takes the right back. Throws ChainError for an amount that
 * bounds nothing. Tokens that ask for it, as USDT does, take a new amount only after 0.
 */
export function allowanceCall({ token, target, amount }: { token: string; target: string; amount: bigint }): ContractCall {
  const call = { contract: checksumAddress(addressBytes(token)), value: 0n, data: encodeFunctionCall(APPROVE, [collector.addressOf(target), amount]) }
  readAllowance(call, target)
  return call
}

/** The token and the amount of a call that lets the collector of `target` take a token; 0 takes the right back. Throws ChainError for every other call. */
export function readAllowance({ contract, value, data }: ContractCall, target: string): { token: string; amount: bigint } {
  const [spender, amount] = decodeFunctionCall(APPROVE, data) as [string, bigint]
  if (spender !== collector.addressOf(target)) throw new ChainError(`the allowance is for ${spender}, which is not the collector of ${target}`)
  if (value !== 0n) throw new ChainError(`an allowance sends nothing along, and this one sends ${value}`)
  if (amount >= ANY_SUPPLY) throw new ChainError('the allowance has no bound: name the most that may be taken')
  return { token: contract, amount }
}
