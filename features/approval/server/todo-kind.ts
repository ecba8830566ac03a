import { contractFields } from '@holdfast/features/network/server'
import { CHILD, type OrderRow, STAKE, STAKE_CHANGE } from '@holdfast/features/transfer/server'
import type { OrderKind } from '../contract.ts'

const BY_ROW: Readonly<Record<string, OrderKind>> = { web3: 'contract_call', [STAKE]: 'stake', [STAKE_CHANGE]: 'stake', [CHILD]: 'deposit_lift' }

/** What an order asks its approvers for. One about a payment is of its own kind, whatever it is about. */
export function kindOfOrder({ replaces, kind, contract }: Pick<OrderRow, 'replaces' | 'kind' | 'contract'>): OrderKind {
  if (replaces !== null) return kind === 'cancel' ? 'cancel' : 'speed_up'
  return BY_ROW[kind] ?? (contractFields(contract).token_id === null ? 'transfer' : 'nft')
}
