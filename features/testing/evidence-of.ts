import { readEvidence } from '@holdfast/features/transfer/server'
import { known, type OrderId } from '@holdfast/units'
import type { World } from './test-world.ts'

/** The evidence bundle of an order that was signed: of its first signature, unless another one is named. */
export async function evidenceOf({ db, orgId }: Pick<World, 'db' | 'orgId'>, orderId: string, number?: number): Promise<Uint8Array> {
  return known(await db.asOrganisation(orgId, (tx) => readEvidence(tx, orderId as OrderId, number)), `the evidence of order ${orderId}`)
}
