import type { OrganisationTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import type { Side } from '../contract.ts'
import { endEndpoint } from './change-endpoints.ts'
import type { Listening } from './tell-endpoints.ts'
import { writeChange } from './write-change.ts'

/** Where an API key is called back, of what, and since when that is so. */
export type MachineEndpoint = { machineId: string; url: string; sides: readonly Side[]; sinceMs: number }

type Needs = { ports: Pick<Ports, 'clock' | 'random'> }
const PAUSE_AFTER = 20

/**
 * Makes the endpoints of API keys those that are given, and answers them as they listen now. One that is given no more is ended, and goes on where it is given
 * again: what is numbered in a record never begins anew.
 */
export async function placeMachineEndpoints(tx: OrganisationTx, needs: Needs, given: readonly MachineEndpoint[]): Promise<Map<string, Listening>> {
  const rows = await tx.selectFrom('webhook_endpoint').selectAll().where('org_id', '=', tx.orgId).where('machine_id', 'is not', null).forNoKeyUpdate().execute()
  for (const row of rows) {
    if (row.removed_at !== null || given.some(({ machineId }) => machineId === row.machine_id)) continue
    await endEndpoint(tx, needs, row)
    await writeChange(tx, needs.ports, { endpointId: row.id, personId: null, action: 'remove', detail: { url: row.url, app_id: row.machine_id } })
  }
  const listening = new Map<string, Listening>()
  for (const each of given) {
    const present = rows.find(({ machine_id: id }) => id === each.machineId)
    listening.set(each.machineId, present ? await renew(tx, needs, present, each) : await add(tx, needs, each))
  }
  return listening
}

async function add(tx: OrganisationTx, { ports }: Needs, { machineId, url, sides, sinceMs }: MachineEndpoint): Promise<Listening> {
  const nowMs = ports.clock.nowMs()
  const id = newId(nowMs, ports.random)
  const since = Object.fromEntries(sides.map((side) => [side, sinceMs]))
  const none = { paused_at: null, pause_reason: null, failures: 0, failing_since_at: null, removed_at: null }
  const row = { id, machine_id: machineId, url, sides: JSON.stringify(since), confirmations_step: 0, pause_after: PAUSE_AFTER, ...none }
  await tx
    .insertInto('webhook_endpoint')
    .values({ org_id: tx.orgId, ...row, created_at: nowMs, updated_at: nowMs })
    .execute()
  await writeChange(tx, ports, { endpointId: id, personId: null, action: 'add', detail: { url, app_id: machineId, sides } })
  return { id, sides: since, confirmationsStep: 0 }
}

type Row = { id: string; url: string; sides: Record<string, number>; updated_at: bigint; removed_at: bigint | null }

async function renew(tx: OrganisationTx, { ports }: Needs, row: Row, { machineId, url, sides, sinceMs }: MachineEndpoint): Promise<Listening> {
  const before = row.removed_at === null ? row.sides : {}
  const since = Object.fromEntries(sides.map((side) => [side, before[side] ?? sinceMs]))
  const isSame = row.removed_at === null && row.url === url && sides.length === Object.keys(before).length && sides.every((side) => Object.hasOwn(before, side))
  const listening = { id: row.id, sides: since, confirmationsStep: 0 }
  if (isSame) return listening
  // Another address has not failed yet, and neither has one that begins again.
  const isFresh = row.removed_at !== null || row.url !== url
  await tx
    .updateTable('webhook_endpoint')
    .set({
      ...{ url, sides: JSON.stringify(since), removed_at: null },
      ...(isFresh && { failures: 0, failing_since_at: null, paused_at: null, pause_reason: null }),
      updated_at: Math.max(ports.clock.nowMs(), Number(row.updated_at)),
    })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
  await writeChange(tx, ports, { endpointId: row.id, personId: null, action: 'save', detail: { url, app_id: machineId, sides, old: { url: row.url } } })
  return listening
}
