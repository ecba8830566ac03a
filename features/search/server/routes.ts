import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { search } from '../contract.ts'
import { searchEverything } from './search.ts'

/** What the command palette finds. */
export function searchEndpoints({ db, networks, ports }: Pick<ServerContext, 'db' | 'networks' | 'ports'>): HandledEndpoint[] {
  return [
    handle(search, ({ orgId, personId, language, session: { permissions } }, { keyword }) =>
      db.asOrganisation(orgId, (tx) => searchEverything({ tx, networks, language, nowMs: ports.clock.nowMs(), fiat: 'USD', personId, permissions }, keyword)),
    ),
  ]
}
