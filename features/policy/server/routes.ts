import { handle, type HandledEndpoint } from '@holdfast/http'
import type { ServerContext } from '@holdfast/features/context'
import { listOwnStrategies as ownEndpoint } from '../contract.ts'
import { listOwnStrategies } from './list-own-strategies.ts'

/** The rules that somebody asks or approves under. */
export function strategyEndpoints({ db, networks }: ServerContext): HandledEndpoint[] {
  return [
    handle(ownEndpoint, ({ orgId, personId, language }, input) =>
      db.asOrganisation(orgId, (tx) => listOwnStrategies({ tx, networks, personId, language }, input)),
    ),
  ]
}
