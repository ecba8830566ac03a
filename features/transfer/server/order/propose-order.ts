import type { OrganisationTx } from '@holdfast/db'
import type { OrderKind } from '@holdfast/features/approval/contract'
import { contractFields } from '@holdfast/features/network/server'
import { openProposal } from '@holdfast/features/proposal/server'
import type { SpendingIntent } from '@holdfast/intent'
import { evaluateOrder, type Policy } from '@holdfast/policy'
import { CHILD, STAKE, STAKE_CHANGE } from './order-money.ts'
import { intentOf, type OrderRow } from './read-order.ts'

const BY_ROW: Readonly<Record<string, OrderKind>> = { web3: 'contract_call', [STAKE]: 'stake', [STAKE_CHANGE]: 'stake', [CHILD]: 'deposit_lift' }

/** What an order asks its approvers for. One about a payment is of its own kind, whatever it is about. */
export function kindOfOrder({ replaces, kind, contract }: Pick<OrderRow, 'replaces' | 'kind' | 'contract'>): OrderKind {
  if (replaces !== null) return kind === 'cancel' ? 'cancel' : 'speed_up'
  return BY_ROW[kind] ?? (contractFields(contract).token_id === null ? 'transfer' : 'nft')
}

/** Who may approve an order by a policy, and how many of them must; nobody where the policy denies it. */
export function quorumOfOrder(intent: SpendingIntent, policy: Policy): { eligible: Uint8Array[]; threshold: number } | undefined {
  const outcome = evaluateOrder(policy, intent)
  return outcome.kind === 'deny' ? undefined : outcome
}

/** Puts a new order before those who may approve it. */
export async function proposeOrder(tx: OrganisationTx, row: OrderRow, policy: Policy): Promise<void> {
  await openProposal(tx, {
    subjectId: row.id,
    kind: kindOfOrder(row),
    rank: 'order',
    intentHash: row.intent_hash,
    initiator: row.initiator,
    walletId: row.wallet_id,
    words: [row.address_to, row.symbol, row.remark],
    deciders: quorumOfOrder(intentOf(row), policy)?.eligible ?? [],
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  })
}
