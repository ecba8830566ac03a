import type { OrganisationTx } from '@holdfast/db'
import { sql } from 'kysely'
import { readEntries } from './book-rows.ts'

/** Which of these addresses are on the whitelist at a time, with which memo, and on which of its lists: as this server knows it. Signers go by their own. */
export async function listedPlaces(
  tx: OrganisationTx,
  nowMs: number,
  { chain, addresses }: { chain: string; addresses: readonly string[] },
): Promise<{ address: string; memo: string; lists: readonly string[] }[]> {
  const rows = await readEntries(tx, nowMs, sql`status in ('active', 'deleting') and address = any(${[...addresses]}::text[]) and chains ? ${chain}`)
  return rows.map(({ address, memo, group_name: group }) => ({ address, memo, lists: group === null ? [] : [group] }))
}
