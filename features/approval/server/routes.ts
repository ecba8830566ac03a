import type { Language } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import type { Fiat } from '@holdfast/features/price/contract'
import { openView, readHeights, type ViewContext } from '@holdfast/features/transaction/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { listTodo as endpoint, remindApprovers as remindEndpoint } from '../contract.ts'
import { listTodo } from './list-todo.ts'
import { remindApprovers } from './remind-approvers.ts'

type Viewer = { orgId: string; personId: string; language: Language }

/** What waits for people. */
export function approvalEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  const withView = async <T>({ orgId, personId, language }: Viewer, act: (view: ViewContext) => Promise<T>, fiat: Fiat = 'USD'): Promise<T> => {
    const heights = await readHeights(db)
    return db.asOrganisation(orgId, async (tx) => act(await openView(tx, { networks, language, nowMs: ports.clock.nowMs(), fiat, personId, heights })))
  }
  return [
    handle(endpoint, (viewer, input) => withView(viewer, (view) => listTodo(context, view, viewer.personId, input), input.fiat)),
    handle(remindEndpoint, (viewer, { item_id }) =>
      withView(viewer, (view) => remindApprovers(view, context, { orderId: item_id, personId: viewer.personId })),
    ),
  ]
}
