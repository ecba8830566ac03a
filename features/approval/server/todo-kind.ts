import { contractFields } from '@holdfast/features/network/server'
import type { OrderKindName } from '@holdfast/db'
import type { OrderRow } from '@holdfast/features/transfer/server'
import type { OrderKind } from '../contract.ts'

const BY_ROW: Record<OrderKindName, 'payment' | OrderKind> = {
  withdraw: 'payment',
  consolidate: 'payment',
  collect: 'payment',
  brc20: 'payment',
  web3: 'contract_call',
  stake: 'stake',
  stake_change: 'stake',
  deposit_child: 'deposit_lift',
  speed_up: 'speed_up',
  cancel: 'cancel',
}

/** What an order asks its approvers for. One about a payment is of its own kind, whatever it is about. */
export function kindOfOrder({ kind, contract }: Pick<OrderRow, 'kind' | 'contract'>): OrderKind {
  const asked = BY_ROW[kind]
  if (asked !== 'payment') return asked
  return contractFields(contract).token_id === null ? 'transfer' : 'nft'
}
