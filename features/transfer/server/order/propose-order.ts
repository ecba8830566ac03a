import type { OrderKindName, OrganisationTx } from '@holdfast/db'
import type { OrderKind } from '@holdfast/features/proposal/contract'
import { contractFields } from '@holdfast/features/network/server'
import { openProposal, peopleAmong, type Quorum } from '@holdfast/features/proposal/server'
import type { SpendingIntent } from '@holdfast/intent'
import { evaluateOrder, machineOfParty, neededIn, type Policy } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import type { OrderRow } from './read-order.ts'

const BY_ROW: Record<OrderKindName, 'payment' | OrderKind> = {
  withdraw: 'payment',
  consolidate: 'payment',
  collect: 'payment',
  fuel: 'payment',
  rent: 'payment',
  brc20: 'payment',
  web3: 'contract_call',
  authorize: 'contract_call',
  stake: 'stake',
  stake_change: 'stake',
  deposit_child: 'deposit_lift',
  speed_up: 'speed_up',
  cancel: 'cancel',
}

/** What an order asks its approvers for. An order about a payment is a kind of its own, whatever it is about. */
export function kindOfOrder({ kind, contract }: Pick<OrderRow, 'kind' | 'contract'>): OrderKind {
  const asked = BY_ROW[kind]
  if (asked !== 'payment') return asked
  return contractFields(contract).token_id === null ? 'transfer' : 'nft'
}

/** Who may approve an order by a policy, and how many must, by the rule that is named or the first that may decide; nobody if the policy denies it. */
export function quorumOfOrder(intent: SpendingIntent, policy: Policy, by: string | null): Omit<Quorum, 'directory'> | undefined {
  const outcome = evaluateOrder(policy, intent, { by })
  return outcome.kind === 'deny' ? undefined : { steps: outcome.steps, eligible: outcome.mayStop, threshold: neededIn(outcome.steps) }
}

/** Proposes a new order to those who may approve it. */
export async function proposeOrder(tx: OrganisationTx, row: OrderRow, intent: SpendingIntent, policy: Policy): Promise<void> {
  await openProposal(tx, {
    subjectId: row.id,
    kind: kindOfOrder(row),
    rank: 'order',
    intentHash: row.intent_hash,
    initiator: row.initiator,
    walletId: row.wallet_id,
    // A person's name is found by the id.
    words: [row.address_to, row.symbol, row.remark, machineOfParty(policy, uuidToBytes(row.initiator))?.name ?? null],
    deciders: peopleAmong(policy, quorumOfOrder(intent, policy, row.rule_id)?.eligible ?? []),
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  })
}
