import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { sha256 } from '@noble/hashes/sha2.js'
import * as contract from '../contract.ts'
import { removeDevice } from './page-calls.ts'

/** A member's own devices that are told. They are switched on on the approval page, with the approval key; off here too. */
export function pushEndpoints({ db }: Pick<ServerContext, 'db'>): HandledEndpoint[] {
  return [
    handle(contract.listDevices, async ({ orgId, personId }) => {
      const devices = await db.asOrganisation(orgId, (tx) => readDevices(tx, personId))
      return {
        list: devices.map((device) => ({
          id: idOf(device.endpoint),
          service: new URL(device.endpoint).host,
          since: Number(device.created_at),
          last_told_at: lastToldMs(device),
          failing: device.failures > 0,
        })),
      }
    }),
    handle(contract.removeDevice, async ({ orgId, personId }, { id }) => {
      const devices = await db.asOrganisation(orgId, (tx) => readDevices(tx, personId))
      const device = devices.find(({ endpoint }) => idOf(endpoint) === id)
      if (!device) throw new AppError('resource_not_found')
      await removeDevice(db, { orgId, personId, endpoint: device.endpoint })
      return null
    }),
  ]
}

/** The address of a device is its own affair: whoever has it can be taken for a push service's customer. */
const idOf = (endpoint: string): string => toHex(sha256(new TextEncoder().encode(endpoint)))

/** A device that was last told before this was noted was told when what it heard of began to wait. */
function lastToldMs({ created_at, told_at, last_told_at }: { created_at: bigint; told_at: bigint; last_told_at: bigint | null }): number | null {
  const toldAt = last_told_at ?? (told_at > created_at ? told_at : null)
  return toldAt === null ? null : Number(toldAt)
}

const readDevices = (tx: OrganisationTx, personId: string) =>
  tx
    .selectFrom('push_subscription')
    .select(['endpoint', 'created_at', 'told_at', 'last_told_at', 'failures'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .orderBy('created_at', 'desc')
    .orderBy('endpoint')
    .execute()
