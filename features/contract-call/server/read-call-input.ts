import type { ChainNode } from '@holdfast/chain-core'
import { AppError, type InputOf } from '@holdfast/contract'
import { fromHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { amountOf } from '@holdfast/http'
import type { checkCall } from '../contract.ts'

export type ContractNetwork = Network & { node: ChainNode & Required<Pick<ChainNode, 'contracts'>> }
/** A call as it was asked for, in the network's own terms. */
export type CallInput = { network: ContractNetwork; coin: NetworkAsset; contract: string; value: bigint; data: Uint8Array; signature: string | null }

/** Reads what was typed. Throws AppError if the network has no calls, or an address or amount is none. */
export function readCallInput({ networks }: Pick<ServerContext, 'networks'>, input: InputOf<typeof checkCall>): CallInput {
  const network = networks.find(input.chain)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network || !coin || !network.node.contracts) throw new AppError(networkErrors.unsupported_coin)
  const contract = network.codec.canonicalAddress(input.interactive_contract)
  if (contract === undefined) throw new AppError(networkErrors.invalid_transfer_address)
  const signature = input.function.trim() === '' ? null : input.function.trim()
  return { network: network as ContractNetwork, coin, contract, value: amountOf(input.amount, coin), data: fromHex(input.input_data), signature }
}
