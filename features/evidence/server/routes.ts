import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { exportLog as endpoint, listLog as listEndpoint } from '../contract.ts'
import { exportLog } from './export-log.ts'
import { listLog } from './list-log.ts'

/** The log, for anybody of the organisation who checks it offline. */
export function evidenceEndpoints({ db }: Pick<ServerContext, 'db'>): HandledEndpoint[] {
  return [
    handle(endpoint, ({ orgId }, { from }) => db.asOrganisation(orgId, (tx) => exportLog(tx, from))),
    handle(listEndpoint, ({ orgId }, asked) => db.asOrganisation(orgId, (tx) => listLog(tx, asked))),
  ]
}
