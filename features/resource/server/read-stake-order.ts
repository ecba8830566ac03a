import type { AccountResources, StakeOrder } from '@holdfast/chain-core'
import { AppError, type InputOf, type Language } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { amountOf } from '@holdfast/http'
import { isDelegation, stakeFault } from '@holdfast/intent'
import { formatAmount, known } from '@holdfast/units'
import type { checkStakeOrder } from '../contract.ts'
import { type StakePlace, stakeNetwork } from './read-resources.ts'

/** An order about stake as it was asked for, in the network's own terms. */
export type StakeInput = StakePlace & { stake: StakeOrder }

/** Reads what was typed. Throws AppError if the network has no stake, an address or amount is none, or the parts do not fit together. */
export function readStakeOrder(context: Pick<ServerContext, 'networks'>, input: InputOf<typeof checkStakeOrder>): StakeInput {
  const place = stakeNetwork(context, input.chain)
  const { codec } = place.network
  const { action, resource = null, lock_blocks: lockBlocks } = input
  const receiver = input.receiver === '' ? null : codec.canonicalAddress(input.receiver)
  if (receiver === undefined) throw new AppError(networkErrors.invalid_transfer_address)
  const stake: StakeOrder = { action, resource, amount: amountOf(input.amount, place.coin), receiver, lockBlocks: BigInt(lockBlocks) }
  const asset = { chain: place.network.chain, contract: null, symbol: place.coin.symbol, decimals: BigInt(place.coin.decimals) }
  const fault = stakeFault({ ...stake, asset, from: '', to: receiver ?? '' })
  if (fault !== undefined || (receiver !== null && !isDelegation(action)))
    throw new AppError(transferErrors.build_failed, { details: { reason: fault ?? 'nobody else is in this order' } })
  return { ...place, stake }
}

const WORDS = {
  en_US: {
    inactive: 'The network has no account at this address yet: pay it something first, which costs 1.1 TRX.',
    receiverInactive: 'The network has no account at the address that is to receive: pay it something first, which costs 1.1 TRX.',
    contract: 'The network delegates nothing to contracts.',
    self: 'An address cannot delegate to itself.',
    least: (unit: string) => `The network takes 1 ${unit} at the least.`,
    staked: (amount: string) => `Only ${amount} is staked for this and not delegated.`,
    delegatable: (amount: string) => `Only the resource of ${amount} is not used now and can be delegated.`,
    delegated: (amount: string) => `Only ${amount} is delegated to this address and not locked.`,
    nothing: 'Nothing can be taken back now.',
    nothingWaits: 'No end of a stake waits.',
    tooMany: 'So many ends of stakes wait that the network takes no other one.',
  },
  zh_CN: {
    inactive: '该地址在网络上尚未激活：请先向其付款，激活费用为 1.1 TRX。',
    receiverInactive: '接收地址在网络上尚未激活：请先向其付款，激活费用为 1.1 TRX。',
    contract: '网络不允许向合约代理资源。',
    self: '地址不能代理给自己。',
    least: (unit: string) => `网络要求至少 1 ${unit}。`,
    staked: (amount: string) => `为此质押且未代理的仅有 ${amount}。`,
    delegatable: (amount: string) => `当前未使用、可代理的仅有 ${amount} 的资源。`,
    delegated: (amount: string) => `代理给该地址且未锁定的仅有 ${amount}。`,
    nothing: '当前没有可提取的质押。',
    nothingWaits: '没有等待中的解除质押。',
    tooMany: '等待中的解除质押过多，网络不再接受新的解除。',
  },
} as const

type Around = { from: string; resources: AccountResources; receiver: { isActive: boolean; isContract: boolean } | null; language: Language }

/** Why the network would not take an order now, as far as its own state says; undefined if it would. That the coin is there the ledger says. */
export function obstacleTo({ stake, coin }: Pick<StakeInput, 'stake' | 'coin'>, { from, resources, receiver, language }: Around): string | undefined {
  const words = WORDS[language]
  const { action, resource, amount } = stake
  const shown = (value: bigint) => `${formatAmount(value, coin.decimals)} ${coin.symbol}`
  const isLittle = amount < 10n ** BigInt(coin.decimals)
  if (!resources.isActive) return words.inactive
  if (stake.receiver === from) return words.self
  switch (action) {
    case 'stake':
      return isLittle ? words.least(coin.symbol) : undefined
    case 'unstake': {
      const { own } = resources.stakes[known(resource, `the resource to ${action}`)]
      if (amount > own) return words.staked(shown(own))
      return resources.unstakesLeft > 0n ? undefined : words.tooMany
    }
    case 'withdraw':
      return resources.withdrawable > 0n ? undefined : words.nothing
    case 'cancel-unstake':
      return resources.unstaking.length > 0 || resources.withdrawable > 0n ? undefined : words.nothingWaits
    case 'delegate': {
      const { delegatable } = resources.stakes[known(resource, `the resource to ${action}`)]
      if (receiver?.isActive === false) return words.receiverInactive
      if (receiver?.isContract) return words.contract
      if (isLittle) return words.least(coin.symbol)
      return amount > delegatable ? words.delegatable(shown(delegatable)) : undefined
    }
    case 'undelegate': {
      const found = resources.delegations.filter((each) => each.to === stake.receiver && each.resource === resource && each.lockedUntilMs === null)
      const free = found.reduce((sum, each) => sum + each.amount, 0n)
      return amount > free ? words.delegated(shown(free)) : undefined
    }
  }
}
