import type { OrganisationTx } from '@holdfast/db'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { announceAll, type Announcement } from '@holdfast/jobs'
import { sql } from 'kysely'
import type { FollowNeeds } from './signer-order/follow-signer-order.ts'

const PARTIES = [1, 2, 3]

/** What one person said and every signer is to hear of: `told` are the parties that did. `shown`: what open pages are told, where one says how many that are. */
type Statement = {
  table: 'signing_freeze' | 'standing_stop' | 'delegation'
  orgId: string
  hash: Uint8Array
  told: readonly number[]
  shown?: Announcement
}

/** Whether a connected signer has not heard of a statement: what waits for one that is away must not keep the rest from being told. */
export const isUntold = ({ coSigners }: Pick<FollowNeeds, 'coSigners'>) => sql<boolean>`not told @> ${JSON.stringify(coSigners.online())}::jsonb`

/** Tells the connected signers that have not heard of a statement, and writes down who has. One that refuses it knows better, and is not asked again. */
export async function tellSigners(needs: FollowNeeds, { told, ...statement }: Statement, tell: (party: number) => Promise<unknown>): Promise<void> {
  const heard: number[] = []
  for (const party of PARTIES.filter((each) => !told.includes(each) && needs.coSigners.online().includes(each))) {
    try {
      await tell(party)
      heard.push(party)
    } catch (cause) {
      if (!(cause instanceof CoSignerError)) throw cause
      if (cause.kind === 'refused') heard.push(party)
    }
  }
  if (heard.length > 0) await needs.db.asOrganisation(statement.orgId, (tx) => writeTold(tx, needs, statement, heard))
}

async function writeTold(tx: OrganisationTx, { ports }: FollowNeeds, { table, hash, shown }: Omit<Statement, 'told'>, heard: readonly number[]): Promise<void> {
  const wanted = tx.selectFrom(table).select(['told', 'updated_at']).where('org_id', '=', tx.orgId).where('hash', '=', hash).forNoKeyUpdate()
  const row = await wanted.executeTakeFirst()
  if (!row) return
  const told = [...new Set([...(row.told as number[]), ...heard])].sort()
  await tx
    .updateTable(table)
    .set({ told: JSON.stringify(told), updated_at: Math.max(ports.clock.nowMs(), Number(row.updated_at)) })
    .where('org_id', '=', tx.orgId)
    .where('hash', '=', hash)
    .execute()
  if (shown) await announceAll(tx, ports, [shown])
}
