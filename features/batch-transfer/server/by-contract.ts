import { ChainError } from '@holdfast/chain-core'
import { PAYOUTS } from '@holdfast/chain-evm/codec'
import type { OrganisationTx } from '@holdfast/db'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import type { BatchRow } from './move-batch.ts'

/*
 * Lines that a contract pays, many by one transaction: of coin the sum is sent along, of a token the contract takes what it was allowed by the paying address.
 * What is signed is the same in both cases: an order to pay several, which the codec writes as a call of the contract.
 */

/** Whether a network has the contract that pays many, or could have it. */
export const hasPayouts = ({ family, node }: Pick<Network, 'family' | 'node'>): boolean => family === 'evm' && node.contracts !== undefined

export type Readiness = { readiness: 'ready' | 'not_deployed' | 'allowance_low' | 'untold'; allowance: bigint | null }

/** Whether the contract could pay so much of a coin for an address now, by the word of the network's node. */
export async function readReadiness({ node }: Network, asset: NetworkAsset, from: string, total: bigint): Promise<Readiness> {
  const { contract } = asset
  try {
    const [stands, allowance = null] = await Promise.all([
      node.isContract(PAYOUTS),
      contract === null ? undefined : node.contracts?.allowance(from, PAYOUTS, contract),
    ])
    if (!stands) return { readiness: 'not_deployed', allowance }
    if (contract === null) return { readiness: 'ready', allowance }
    return { readiness: allowance === null ? 'untold' : allowance < total ? 'allowance_low' : 'ready', allowance }
  } catch (cause) {
    if (cause instanceof ChainError) return { readiness: 'untold', allowance: null }
    throw cause
  }
}

/** Whether another batch is being paid through the contract of the same coin and sub-wallet: both would spend one allowance. */
export async function isAllowanceInUse(tx: OrganisationTx, { id, chain, contract, sub_wallet_id: subWalletId }: BatchRow): Promise<boolean> {
  if (contract === '') return false
  const other = await tx
    .selectFrom('batch_transfer')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId)
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .where('mode', '=', 'contract')
    .where('is_final', '=', false)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
