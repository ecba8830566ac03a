import type { ServerContext } from '@holdfast/features/context'

/** When each member was last active, by their sessions. */
export async function lastSeen({ db }: Pick<ServerContext, 'db'>, orgId: string): Promise<Map<string, number>> {
  const rows = await db.asSystem((tx) =>
    tx
      .selectFrom('session')
      .select((row) => ['person_id', row.fn.max('last_seen_at').as('at')])
      .where('org_id', '=', orgId)
      .groupBy('person_id')
      .execute(),
  )
  return new Map(rows.map((each) => [each.person_id, Number(each.at)]))
}
