import type { Database } from '../open-database.ts'
import type { SampleIds } from './sample-rows.ts'

type Given = { nowMs: number; chain: string; contract: string; id: (part: string) => string }

/** A credit and its reversal, and what the wallet's sum and the day say of both. */
export async function insertLedgerRows(db: Database, { orgId, walletId, subWalletId }: SampleIds, { nowMs, chain, contract, id }: Given): Promise<void> {
  const amount = 2n ** 256n - 1n
  await db.asOrganisation(orgId, async (tx) => {
    const account = { org_id: orgId, chain, contract }
    const idOf = (part: string) => id(`ledger ${part}`)
    const [outside, available, first, second] = [idOf('outside'), idOf('available'), idOf('first'), idOf('second')]
    await tx
      .insertInto('ledger_account')
      .values([
        { ...account, id: outside, kind: 'external', sub_wallet_id: null, balance: null },
        { ...account, id: available, kind: 'available', sub_wallet_id: subWalletId, balance: 0n },
      ])
      .execute()
    // The reversal is written before the id order would have it, as a restore must also manage.
    await tx
      .insertInto('ledger_transfer')
      .values({ org_id: orgId, id: first, kind: 'credit', reference: 'deposit 1', closes: null, created_at: nowMs })
      .execute()
    await tx.insertInto('ledger_transfer').values({ org_id: orgId, id: second, kind: 'reversal', reference: first, closes: first, created_at: nowMs }).execute()
    await tx
      .insertInto('ledger_entry')
      .values([
        { org_id: orgId, transfer_id: first, position: 0, account_id: outside, amount: -amount },
        { org_id: orgId, transfer_id: first, position: 1, account_id: available, amount },
        { org_id: orgId, transfer_id: second, position: 0, account_id: outside, amount },
        { org_id: orgId, transfer_id: second, position: 1, account_id: available, amount: -amount },
      ])
      .execute()
    const ofWallet = { org_id: orgId, wallet_id: walletId, chain, contract }
    await tx
      .insertInto('wallet_change')
      .values({ ...ofWallet, transfer_id: second, amount: -amount })
      .execute()
    const nothing = { amount_in: 0n, amount_out: 0n, fee: 0n, from_own: 0n }
    await tx
      .insertInto('daily_flow')
      .values({ org_id: orgId, sub_wallet_id: subWalletId, day: Math.floor(nowMs / 86_400_000), chain, contract, ...nothing })
      .execute()
  })
  await db.asOrganisation(orgId, (tx) =>
    tx
      .insertInto('address_balance')
      .values({ org_id: orgId, chain, address: 'address', contract, sub_wallet_id: subWalletId, available: 0n, held: 0n })
      .execute(),
  )
  await db.asSystem((tx) => tx.insertInto('wallet_sum').values({ org_id: orgId, wallet_id: walletId, chain, contract, amount }).execute())
}
