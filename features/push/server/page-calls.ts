import type { Database, OrganisationTx } from '@holdfast/db'
import { decode, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { approvalRefused } from '@holdfast/features/evidence/server'
import { EndpointRefused, readEndpoint } from '@holdfast/features/notification/server'
import { actForAsker } from '@holdfast/features/proposal/server'
import type { PageCalls, ServerServices } from '@holdfast/features/server-feature'
import { type PushStatement, pushShape } from '@holdfast/intent'
import { checkPush } from '@holdfast/policy'
import { readPushKey } from './push-key.ts'
import * as z from 'zod'

const setBody = z.object({ genesis: z.string().regex(/^[0-9a-f]{64}$/), push: z.string().regex(/^([0-9a-f]{2}){1,16384}$/) })

/** A person with more devices than these hears of it on the youngest. */
export const DEVICES_MAX = 10

type Needs = Pick<ServerContext, 'db' | 'ports'>
type Services = Pick<ServerServices, 'proposals' | 'sealer' | 'localHosts'>
type Device = { orgId: string; personId: string; endpoint: string }

/** The calls of the approval page about devices that are told. Their owner's approval key proves who asks, so there is no session here. */
export function pushPageCalls({ db, ports }: Needs, { proposals, sealer, localHosts }: Services): PageCalls {
  return {
    'push.key': async () => ({ key: toHex((await readPushKey({ db, ports, sealer })).publicKey) }),
    'push.set': async (body) => {
      const { genesis, push } = setBody.parse(body)
      const encoded = fromHex(push)
      const { publicKey } = await readPushKey({ db, ports, sealer })
      const prove = (policy: Parameters<typeof checkPush>[1], nowMs: number) => checkPush(decode(pushShape, encoded), policy, nowMs)
      const device = await actForAsker({ db, ports }, proposals, { genesis: fromHex(genesis), prove }, async (tx, personId) => {
        const { statement } = decode(pushShape, encoded)
        if (!equalBytes(statement.serverKey, publicKey)) throw approvalRefused('the device takes pushes of another server: switch it on again')
        const device = { orgId: tx.orgId, personId, endpoint: readAddress(statement, localHosts) }
        if (statement.on) await addDevice(tx, device, ports.clock.nowMs())
        return { ...device, on: statement.on }
      })
      await (device.on ? keepYoungest(db, device) : removeDevice(db, device))
      return { on: device.on }
    },
  }
}

/** The same rules as for webhook endpoints; whether it leads to a public address is asked when something is sent. */
function readAddress({ endpoint }: PushStatement, localHosts: ServerServices['localHosts']): string {
  try {
    return readEndpoint(endpoint, localHosts).url
  } catch (cause) {
    if (cause instanceof EndpointRefused) throw approvalRefused(`the address of the push service cannot be used: ${cause.message}`, cause)
    throw cause
  }
}

async function addDevice(tx: OrganisationTx, { orgId, personId, endpoint }: Device, nowMs: number): Promise<void> {
  await tx
    .insertInto('push_subscription')
    // What waits already is on the page that asks: told is what begins to wait from now on.
    .values({ org_id: orgId, person_id: personId, endpoint, created_at: nowMs, told_at: nowMs, next_at: nowMs, failures: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function keepYoungest(db: Database, { orgId, personId }: Device): Promise<void> {
  await db.asSystem(async (tx) => {
    const older = await tx
      .selectFrom('push_subscription')
      .select('endpoint')
      .where('org_id', '=', orgId)
      .where('person_id', '=', personId)
      .orderBy('created_at', 'desc')
      .orderBy('endpoint')
      .offset(DEVICES_MAX)
      .execute()
    if (older.length === 0) return
    const endpoints = older.map(({ endpoint }) => endpoint)
    await tx.deleteFrom('push_subscription').where('org_id', '=', orgId).where('person_id', '=', personId).where('endpoint', 'in', endpoints).execute()
  })
}

/** Tells a device nothing any more. */
export async function removeDevice(db: Database, { orgId, personId, endpoint }: Device): Promise<void> {
  await db.asSystem((tx) =>
    tx.deleteFrom('push_subscription').where('org_id', '=', orgId).where('person_id', '=', personId).where('endpoint', '=', endpoint).execute(),
  )
}
