import type { ServerContext } from '@holdfast/features/context'
import { openView } from '@holdfast/features/transaction/server'
import { listTodo } from './list-todo.ts'

/** How much waits for one person's decision; for the badges of the console. */
export async function countWaiting(context: ServerContext, orgId: string, personId: string): Promise<number> {
  return context.db.asOrganisation(orgId, async (tx) => {
    const view = await openView(tx, { networks: context.networks, language: 'en_US', nowMs: context.ports.clock.nowMs(), heights: new Map() })
    const { counts } = await listTodo(context, view, personId, { state: 'wait', page_no: 1, page_size: 1 })
    return counts.wait
  })
}
