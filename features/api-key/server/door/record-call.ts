import type { ServerContext } from '@holdfast/features/context'
import { createTokenBuckets, type TokenBuckets } from '@holdfast/ports/token-buckets'
import { newId } from '@holdfast/units'
import type { KeyOfCall, RefusedWhy } from './admit-call.ts'
import { keptText, maskBody } from './mask-body.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>

export type MadeCall = {
  key: KeyOfCall
  method: string
  path: string
  /** What was sent, as it came; secrets are masked before it is kept. */
  body: string
  requestId: string | null
  address: string
  httpStatus: number
  /** Of the answer; `0` where all went well. */
  code: string
  /** Why the door did not let it in; null where it did. */
  refused: Exclude<RefusedWhy, 'unknown'> | null
  atMs: number
  durationMs: number
}

/** Calls without a signature of the key of which one is kept a minute, and how many at once: anybody can make those. */
const UNSIGNED = { burst: 20, perSecond: 1 / 60 }

/** Writes a call into the log of calls of its organisation, and that the key was used. */
export async function recordCall(context: Needs, call: MadeCall): Promise<void> {
  const { orgId, machineId } = call.key
  const isSigned = call.refused !== 'signature'
  if (!isSigned && unsignedOf(context).take(`${orgId} ${machineId}`) > 0) return
  const atMs = Math.floor(call.atMs)
  await context.db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('machine_call')
      .values({
        org_id: orgId,
        id: newId(atMs, context.ports.random),
        machine_id: machineId,
        at: atMs,
        method: keptText(call.method, 8),
        path: keptText(call.path, 200),
        request_id: call.requestId === null ? null : keptText(call.requestId, 200),
        address: call.address.slice(0, 64),
        http_status: call.httpStatus,
        code: call.code.slice(0, 16),
        refused: call.refused,
        duration_ms: Math.max(0, Math.round(call.durationMs)),
        body: maskBody(call.body),
      })
      .execute()
    if (!isSigned) return
    const used = { used_at: atMs, used_from: call.address.slice(0, 64) }
    const written = tx.insertInto('machine_use').values({ org_id: orgId, machine_id: machineId, ...used })
    await written.onConflict((conflict) => conflict.columns(['org_id', 'machine_id']).doUpdateSet(used)).execute()
  })
}

const unsigned = new WeakMap<object, TokenBuckets>()

function unsignedOf({ db, ports }: Needs): TokenBuckets {
  const buckets = unsigned.get(db) ?? createTokenBuckets(ports.clock, UNSIGNED)
  unsigned.set(db, buckets)
  return buckets
}
