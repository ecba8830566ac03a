import type { ServerContext } from '@holdfast/features/context'
import type { OrganisationId } from '@holdfast/units'
import { sql } from 'kysely'

/** So many are looked at for each organisation, and in all: organisations take turns, so that none waits because another has many. */
const OF_ORGANISATION_MAX = 200
const IN_ALL_MAX = 5_000

const TURN = sql<bigint>`row_number() over (partition by org_id order by updated_at, id)`

/** Orders that a stopped batch may take back: all others find their ends by themselves. */
const TAKEN_BACK = ['approving', 'approved', 'signing'] as const

/**
 * The batches that can be taken further now, those of each organisation in their turn. One that waits for people or for the ends of its orders is not among
 * them, nor is one of those that are put off: nothing would be written of it, so that it would be looked at first for ever.
 */
export async function dueBatches(
  { db, ports }: Pick<ServerContext, 'db' | 'ports'>,
  putOff: readonly string[],
): Promise<{ orgId: OrganisationId; id: string }[]> {
  const nowMs = BigInt(ports.clock.nowMs())
  const rows = await db.readSystem((tx) =>
    tx
      .selectFrom((all) =>
        all
          .selectFrom('batch_transfer')
          .select(['org_id', 'id', 'updated_at'])
          .select(TURN.as('turn'))
          .where(sql<boolean>`id <> all(${putOff}::uuid[])`)
          .where((row) => {
            const openOrders = row
              .selectFrom('transfer_order')
              .select('transfer_order.id')
              .whereRef('transfer_order.org_id', '=', 'batch_transfer.org_id')
              .whereRef('transfer_order.batch_id', '=', 'batch_transfer.id')
              .where('transfer_order.is_final', '=', false)
            const isSettled = row.not(row.exists(openOrders))
            const isReplaced = row.exists(
              row
                .selectFrom('policy_version')
                .select('version')
                .whereRef('policy_version.org_id', '=', 'batch_transfer.org_id')
                .whereRef('policy_version.version', '>', 'batch_transfer.policy_version'),
            )
            return row.or([
              row.and([
                row('is_final', '=', sql.lit(false)),
                row.or([
                  row.and([row('state', 'in', ['approving', 'approved']), row.or([row('expires_at', '<', nowMs), isReplaced])]),
                  row.and([row('state', '=', 'approved'), row.or([row('opened', '<', row.ref('parts')), isSettled])]),
                  row.and([row('state', '=', 'stopped'), row.or([row.exists(openOrders.where('transfer_order.state', 'in', TAKEN_BACK)), isSettled])]),
                ]),
              ]),
              row.and([row('is_final', '=', sql.lit(true)), row('told_at', 'is', null), row('intent', 'is not', null)]),
            ])
          })
          .as('due'),
      )
      .select(['org_id', 'id'])
      .where('turn', '<=', sql.lit(BigInt(OF_ORGANISATION_MAX)))
      .orderBy('turn')
      .orderBy('updated_at')
      .orderBy('id')
      .limit(sql.lit(IN_ALL_MAX))
      .execute(),
  )
  return rows.map(({ org_id: orgId, id }) => ({ orgId, id }))
}
