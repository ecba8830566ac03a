import type { OrganisationTx } from '@holdfast/db'
import { accountOfRow } from './account.ts'
import { LedgerError } from './ledger-error.ts'
import type { Posting } from './post.ts'

type ReadTransfer = Required<Pick<Posting, 'kind' | 'entries' | 'nowMs' | 'fromOwn'>> & Pick<Posting, 'address'>

/** A posted transfer with its entries in their order. Throws LedgerError if there is none. */
export async function readTransfer(tx: OrganisationTx, id: string): Promise<ReadTransfer> {
  const rows = await tx
    .selectFrom('ledger_transfer')
    .innerJoin('ledger_entry', (join) =>
      join.onRef('ledger_entry.org_id', '=', 'ledger_transfer.org_id').onRef('ledger_entry.transfer_id', '=', 'ledger_transfer.id'),
    )
    .innerJoin('ledger_account', (join) =>
      join.onRef('ledger_account.org_id', '=', 'ledger_entry.org_id').onRef('ledger_account.id', '=', 'ledger_entry.account_id'),
    )
    .select([
      'ledger_transfer.kind as transfer_kind',
      'ledger_transfer.created_at',
      'ledger_transfer.from_own',
      'ledger_transfer.address',
      'ledger_entry.amount',
      'ledger_account.kind',
      'ledger_account.sub_wallet_id',
      'ledger_account.chain',
      'ledger_account.contract',
    ])
    .where('ledger_transfer.org_id', '=', tx.orgId)
    .where('ledger_transfer.id', '=', id)
    .orderBy('ledger_entry.position')
    .execute()
  const [first] = rows
  if (!first) throw new LedgerError(`there is no transfer ${id}`)
  const { transfer_kind: kind, created_at: createdAt, from_own: fromOwn, address } = first
  return {
    kind,
    fromOwn,
    address: address ?? undefined,
    nowMs: Number(createdAt),
    entries: rows.map((row) => ({ account: accountOfRow(row), amount: row.amount })),
  }
}
