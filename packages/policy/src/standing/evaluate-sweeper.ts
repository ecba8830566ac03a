import { ChainError } from '@holdfast/chain-core'
import { DEPLOYER, readCollect, sweeper } from '@holdfast/chain-evm/collect'
import { type AuthorizationIntent, type ContractCallIntent, ENDS_DELEGATION, type StandingOrderIntent } from '@holdfast/intent'
import { faultOfTaken } from './evaluate-collector.ts'
import type { Carried, OwnPlace } from './evaluate-standing.ts'

type Facts = { addressAt(place: OwnPlace): string | undefined }

/** Where the contract of a standing order moves to on a network, as whoever decides derives it; undefined if it is about no contract there. */
function targetOn({ does }: StandingOrderIntent, chain: string, { addressAt }: Facts): string | undefined {
  if (does.kind !== 'authorize' && does.kind !== 'take') return undefined
  const place = does.to.find((target) => target.chain === chain)
  return place && addressAt(place)
}

const NO_TARGET = 'the standing order names no address on this network that its contract could move to'

/**
 * Why a standing order does not cover an authorization; undefined if it does. The one contract that may run in the name of an address is the sweeper
 * whose target is the own address that people named: any other code could do with the account whatever it likes. To end that is within every bound.
 */
export function faultOfAuthorization(order: StandingOrderIntent, { asset, from, to }: AuthorizationIntent, facts: Facts): string | undefined {
  const target = targetOn(order, asset.chain, facts)
  if (target === undefined) return NO_TARGET
  if (order.never.includes(from)) return `the standing order never touches ${from}`
  if (to === ENDS_DELEGATION) return undefined
  if (from === target) return 'the target of the contract has no need to let it take anything'
  return to === sweeper.addressOf(target) ? undefined : `the authorization is for ${to}, which is not the sweeper of ${target}`
}

/**
 * Why a standing order about the sweeper does not cover a call, with the authorizations that its transaction carries; undefined if it does. A call without data
 * does nothing but carry them.
 */
export function faultOfTake(
  order: StandingOrderIntent,
  { asset, from, to, amount, data }: ContractCallIntent,
  feeCap: bigint,
  { carried, ...facts }: Facts & { carried: readonly Carried[] },
): string | undefined {
  const { fees, never } = order
  const target = targetOn(order, asset.chain, facts)
  if (target === undefined) return NO_TARGET
  if (never.includes(from)) return `the standing order never touches ${from}`
  const fee = fees.find((each) => each.asset.chain === asset.chain)
  if (!fee || feeCap > fee.max) return `the fee can reach ${feeCap}, and the standing order allows ${fee?.max ?? 0n}`
  const fault = faultOfCarried(carried, sweeper.addressOf(target), { from, target, never })
  if (fault !== undefined) return fault
  const call = { contract: to, value: amount, data }
  try {
    if (to === DEPLOYER) return sweeper.readDeployment(call) === target ? undefined : 'the contract that would be deployed moves to another address'
    const isCarrier = carried.length > 0 && data.length === 0 && amount === 0n && to === sweeper.addressOf(target)
    return isCarrier ? undefined : faultOfTaken(order, readCollect(call, target), 'sweeper', asset.chain)
  } catch (cause) {
    if (cause instanceof ChainError) return cause.message
    throw cause
  }
}

type Parties = { from: string; target: string; never: readonly string[] }

/** Only addresses of the organisation, and only the one contract, or its end: never the address that pays, or the one that receives. */
function faultOfCarried(carried: readonly Carried[], contract: string, { from, target, never }: Parties): string | undefined {
  for (const { authority, delegate, isOwn } of carried) {
    if (delegate !== '' && delegate !== contract)
      return `the transaction lets ${delegate} run in the name of ${authority}, which is not the sweeper of ${target}`
    if (!isOwn) return `nothing shows that ${authority}, which the transaction carries an authorization of, is an address of the organisation`
    if (authority === from || authority === target) return `the transaction carries an authorization of ${authority}, which pays or receives`
    if (never.includes(authority)) return `the standing order never touches ${authority}`
  }
  return undefined
}
