import { createSealer } from '@holdfast/features/session/server'
import type { World } from '../../../testing/test-world.ts'
import type { Side } from '../../contract.ts'
import { saveWebhookEndpoint } from '../change-endpoints.ts'
import { demandToldAsDescribed } from './told-as-described.ts'

/** Has an endpoint listen to what changes in an organisation. */
export function listen({ db, orgId, context: { ports }, members }: World, url: string, sides: Side[]): Promise<string> {
  const needs = { ports, sealer: createSealer([new Uint8Array(32)], ports.random) }
  return db.asOrganisation(orgId, (tx) => saveWebhookEndpoint(tx, needs, members[0].id, { url, sides, confirmations_step: 0, pause_after: 20 }))
}

/** What an endpoint was told, once the outbox has been told to its end. */
export async function toldTo({ db, context: { ports } }: World, endpointId: string): Promise<Record<string, unknown>[]> {
  for (;;) {
    const left = await db.asSystem((tx) => tx.selectFrom('outbox').select('sequence').where('published_at', 'is', null).limit(1).execute())
    if (left.length === 0) break
    await ports.timer.sleep(10)
  }
  const rows = await db.asSystem((tx) =>
    tx.selectFrom('webhook_delivery').select('body').where('endpoint_id', '=', endpointId).orderBy('created_at').orderBy('seq').execute(),
  )
  return rows.map(({ body }) => {
    const told = JSON.parse(body) as Record<string, unknown>
    demandToldAsDescribed(told)
    return told
  })
}
