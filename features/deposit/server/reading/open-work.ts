import { at } from '@holdfast/units'
import { sql } from 'kysely'
import type { ScanNeeds } from './advance.ts'

/** What of a chain waits to be posted or to be ended: whether there is any. */
type OpenWork = Record<'readings' | 'deposits' | 'tokens' | 'charges' | 'spends' | 'halt', boolean>

/** Most blocks have nothing of ours, so one question comes before those that each kind of work asks. */
export async function findOpenWork({ db }: Pick<ScanNeeds, 'db'>, chain: string): Promise<OpenWork> {
  return db.readSystem(async (tx) => {
    const { rows } = await sql<OpenWork>`select
      exists (select from block_reading where chain = ${chain} and done_at is null) as readings,
      exists (select from deposit where chain = ${chain} and state in ('unconfirmed', 'confirmed')) as deposits,
      exists (select from added_token where chain = ${chain} and state = 'open' and from_height is not null and opened_height is not null) as tokens,
      exists (select from chain_charge where chain = ${chain} and booked_at is null) as charges,
      exists (select from token_pull where chain = ${chain} and booked_at is null and reversed_at is null) as spends,
      exists (select from chain_halt where chain = ${chain}) as halt`.execute(tx)
    return at(rows, 0)
  })
}
