import { AppError } from '@holdfast/contract'
import type { Database, OrganisationTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { BLOCKS_MAX } from '../contract.ts'

type Needs = { db: Database; ports: Pick<Ports, 'clock' | 'random'> }
/** Without `toHeight` as many blocks as one request may have read, or up to the last that was read. */
type Asked = { chain: string; fromHeight: bigint; toHeight: bigint | undefined; personId: string }

/**
 * Has blocks read again, for what a source may have left out. The reader of the chain does it, a part at a time. Returns the request's id. Throws
 * `state_changed`
 * where the organisation has one open on this chain, and `invalid_parameters` for blocks that were not read yet.
 */
export async function askForReading({ db, ports }: Needs, orgId: string, asked: Asked): Promise<string> {
  const cursor = await db.asSystem((tx) => tx.selectFrom('chain_cursor').select('height').where('chain', '=', asked.chain).executeTakeFirst())
  const isRead = (height: bigint) => cursor !== undefined && height <= cursor.height
  const most = asked.fromHeight + BigInt(BLOCKS_MAX) - 1n
  const toHeight = asked.toHeight ?? (isRead(most) ? most : (cursor?.height ?? 0n))
  const unread = !isRead(asked.fromHeight) ? 'from_height' : isRead(toHeight) ? undefined : 'to_height'
  if (unread) throw new AppError('invalid_parameters', { details: { field: unread, reason: 'this block was not read yet' } })
  return db.asOrganisation(orgId, (tx) => insertReading(tx, ports, { ...asked, toHeight }))
}

type Bounded = Asked & { toHeight: bigint }

async function insertReading(tx: OrganisationTx, { clock, random }: Needs['ports'], { chain, fromHeight, toHeight, personId }: Bounded): Promise<string> {
  const id = newId(clock.nowMs(), random)
  const made = await tx
    .insertInto('block_reading')
    .values({ org_id: tx.orgId, id, chain, from_height: fromHeight, to_height: toHeight, asked_by: personId, asked_at: clock.nowMs() })
    .onConflict((conflict) => conflict.columns(['org_id', 'chain']).where('done_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new AppError('state_changed')
  return id
}

/** The last request of an organisation for each chain. */
export async function lastReadings(tx: OrganisationTx) {
  const rows = await tx
    .selectFrom('block_reading')
    .selectAll()
    .distinctOn('chain')
    .where('org_id', '=', tx.orgId)
    .orderBy('chain')
    .orderBy('asked_at', 'desc')
    .execute()
  return new Map(
    rows.map((row) => [
      row.chain,
      {
        from_height: String(row.from_height),
        to_height: String(row.to_height),
        read_height: row.read_height === null ? null : String(row.read_height),
        found: row.found,
        done_at: row.done_at === null ? null : Number(row.done_at),
      },
    ]),
  )
}
