import assert from 'node:assert/strict'
import { decode } from '@holdfast/encoding'
import { intentShape } from '@holdfast/intent'
import { followSignerOrder } from '../policy/server/signer-order/follow-signer-order.ts'
import { approvalOn, approveAs, type World } from './test-world.ts'

/** Orders that signers follow, approved by everybody but the first member, and followed. */
export async function approveSignerOrders(world: World, pending: readonly { trade_no: string }[]): Promise<void> {
  for (const { trade_no: id } of pending) {
    const row = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('signer_order').select('intent').where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirstOrThrow(),
    )
    const intent = decode(intentShape, new Uint8Array(row.intent))
    for (const member of world.members.slice(1)) await approveAs(world, approvalOn(world, intent, member, 'approve'))
    assert.equal(await followSignerOrder(world.context, world.orgId, id), 'followed')
  }
}
