import { AppError, type Endpoint, type OpenApiDocument } from '@holdfast/contract'
import { admitCall, type KeyOfCall, recordCall, type RefusedWhy, useNonces } from '@holdfast/features/api-key/server'
import type { ServerContext } from '@holdfast/features/context'
import type { Proposals } from '@holdfast/features/proposal/server'
import type { Door, DoorEndpoint, HandledEndpoint, IncomingCall } from '@holdfast/http'
import type { ReadSignature } from '@holdfast/http-signatures'
import { algorithmOf, isSignedByKey } from '@holdfast/intent'
import { partyOfMachine } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { openApiErrors } from '../errors.ts'
import { type Names, OWN_CALLS, SHARED_CALLS } from '../open-contract.ts'
import { demandScope } from './demand-scope.ts'
import { ownCalls } from './own-calls.ts'
import { readCall, SKEW_MS } from './read-call.ts'

type Needs = { proposals: Proposals; handled: readonly HandledEndpoint[]; document: Pick<OpenApiDocument, 'paths'> }
type Seen = { key: KeyOfCall; refused: Exclude<RefusedWhy, 'unknown'> | null }

const NAMES = new Map<string, Names>(Object.values({ ...SHARED_CALLS, ...OWN_CALLS }).map(({ at, names }) => [at.path, names]))

/**
 * The door for programs: calls that are signed by a key of the policy in force (RFC 9421), each once. `handled` are the calls of the console; of them only
 * those are served that are handled for machines too, and that are listed.
 */
export function openDoor(context: ServerContext, { proposals, handled, document }: Needs): Door {
  const { db, ports, settings } = context
  const host = new URL(settings.consoleOrigin).host
  const seen = new WeakMap<IncomingCall, Seen>()
  return {
    document,
    endpoints: doorEndpoints(handled, ownCalls(context, proposals)),
    admit: async (endpoint, call) => {
      const nowMs = ports.clock.nowMs()
      const read = readCall(call, host, nowMs)
      const isSigned = (publicKey: Uint8Array) => isCallSigned(read, publicKey)
      const permission = endpoint.permission === 'member' ? null : endpoint.permission
      const admitted = await admitCall(context, { keyId: read.keyId, address: call.ip, permission, nowMs, isSigned })
      if (admitted.kind === 'refused') {
        if (admitted.key && admitted.why !== 'unknown') seen.set(call, { key: admitted.key, refused: admitted.why })
        throw admitted.error
      }
      const { orgId, machineId, machine, settings: inForce } = admitted
      seen.set(call, { key: { orgId, machineId }, refused: null })
      // A call is taken from this long before its time to as long after it.
      const used = { machineId, nonces: [read.nonce], overAtMs: nowMs + 2 * SKEW_MS + 1000 }
      if ((await db.asOrganisation(orgId, (tx) => useNonces(tx, used))).size === 0) throw new AppError(openApiErrors.call_replayed)
      const names = NAMES.get(endpoint.path) ?? 'organisation'
      return {
        orgId,
        requester: { machineId, partyId: bytesToUuid(partyOfMachine(machine)), subWallets: inForce.wallets },
        demand: (input) => demandScope(db, orgId, inForce.wallets, names, input),
      }
    },
    record: async (call, { httpStatus, code, durationMs }) => {
      const { key, refused } = seen.get(call) ?? {}
      if (!key) return
      const { method, path, ip: address, requestId } = call
      const body = method === 'GET' ? call.query : Buffer.from(call.body ?? []).toString('latin1')
      await recordCall(context, {
        key,
        method,
        path,
        body,
        requestId,
        address,
        httpStatus,
        code,
        refused: refused ?? null,
        atMs: ports.clock.nowMs(),
        durationMs,
      })
    },
  }
}

/** Whether a call is signed by a key, by the algorithm that the policy has of it: what the call says of that is only taken where it is the same. */
export const isCallSigned = ({ signature, base, algorithm }: ReadSignature, publicKey: Uint8Array): boolean =>
  (algorithm === null || algorithm === algorithmOf(publicKey)) && isSignedByKey(signature, new TextEncoder().encode(base), publicKey)

/** Every call of the door with what answers it. Throws where one is not handled for machines: that is a fault of the program. */
function doorEndpoints(handled: readonly HandledEndpoint[], own: readonly HandledEndpoint[]): DoorEndpoint[] {
  const handlerOf = (endpoint: object, among: readonly HandledEndpoint[]) => {
    const forAnybody = among.find((each) => each.endpoint === endpoint)?.forAnybody
    if (!forAnybody) throw new AppError('system_error', { cause: new Error('a call of the door is not handled for machines') })
    return forAnybody
  }
  return [
    ...Object.values(SHARED_CALLS).map(({ of, at }) => ({ endpoint: at as unknown as Endpoint, forAnybody: handlerOf(of, handled) })),
    ...Object.values(OWN_CALLS).map(({ at }) => ({ endpoint: at as unknown as Endpoint, forAnybody: handlerOf(at, own) })),
  ]
}
