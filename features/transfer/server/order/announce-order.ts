import type { Announcement } from '@holdfast/jobs'
import type { OrderRow } from './read-order.ts'

/** The hint to open pages when an order moved: that it did, and where it can be seen. */
export function orderAnnouncements(row: Pick<OrderRow, 'id' | 'wallet_id' | 'sub_wallet_id'>, moved: { balance: boolean; todo: boolean }): Announcement[] {
  const ids = { order_id: row.id, wallet_id: row.wallet_id, sub_wallet_id: row.sub_wallet_id }
  return [
    { topic: 'order.changed', ids },
    ...(moved.balance ? [{ topic: 'balance.changed' as const, ids: { wallet_id: row.wallet_id, sub_wallet_id: row.sub_wallet_id } }] : []),
    ...(moved.todo ? [{ topic: 'todo.changed' as const, ids: { order_id: row.id } }] : []),
  ]
}
