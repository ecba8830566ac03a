import { createHash } from 'node:crypto'
import type { Database } from '@holdfast/db'
import { insertSampleRows } from '@holdfast/db/test'

export const COIN = { chain: 'eip155:31337', contract: null }
export const TOKEN = { chain: 'eip155:31337', contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }
export const NOW_MS = 1_750_000_000_000

export type TestLedger = { orgId: string; subWallets: string[] }

/** An id derived from a name, so that a failing test can be repeated. */
export function idOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

/** For tests: an organisation with empty sub-wallets. */
export async function openTestLedger(db: Database, name: string, subWalletCount = 2): Promise<TestLedger> {
  const { orgId, walletId } = await insertSampleRows(db, name)
  const subWallets = Array.from({ length: subWalletCount }, (_, i) => idOf(`${name}/sub wallet ${i}`))
  await db.asOrganisation(orgId, (tx) =>
    tx
      .insertInto('sub_wallet')
      .values(
        subWallets.map((id, i) => ({ org_id: orgId, id, wallet_id: walletId, number: i + 1, name: `Sub-wallet ${i + 1}`, hidden: false, created_at: NOW_MS })),
      )
      .execute(),
  )
  return { orgId, subWallets }
}
