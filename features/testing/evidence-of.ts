import type { World } from './test-world.ts'

/** The evidence bundle of an order that was signed. */
export async function evidenceOf({ db, orgId }: Pick<World, 'db' | 'orgId'>, orderId: string): Promise<Uint8Array> {
  const { bundle } = await db.asOrganisation(orgId, (tx) =>
    tx.selectFrom('evidence').select('bundle').where('org_id', '=', tx.orgId).where('order_id', '=', orderId).executeTakeFirstOrThrow(),
  )
  return bundle
}
