import type { ServerContext } from '@holdfast/features/context'
import type { Proposals } from '@holdfast/features/proposal/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { listInbox, markInboxRead } from '../contract.ts'
import { markRead, readInbox } from './read-inbox.ts'

/** What needs a person, and what happened. */
export function inboxEndpoints({ db, networks, ports }: Pick<ServerContext, 'db' | 'networks' | 'ports'>, proposals: Proposals): HandledEndpoint[] {
  return [
    handle(listInbox, ({ orgId, personId, session: { permissions } }) =>
      db.asOrganisation(orgId, (tx) => readInbox(tx, { personId, permissions, nowMs: ports.clock.nowMs(), networks, proposals })),
    ),
    handle(markInboxRead, async ({ orgId, personId }, { until }) => {
      await db.asOrganisation(orgId, (tx) => markRead(tx, personId, Math.min(until, ports.clock.nowMs())))
      return null
    }),
  ]
}
