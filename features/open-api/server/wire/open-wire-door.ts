import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { AppError, parseForm, textFault } from '@holdfast/contract'
import {
  admitCall,
  type DoorTwoKeys,
  doorTwoKeys,
  type KeyOfCall,
  readPlatformKey,
  recordCall,
  type RefusedWhy,
  useNonces,
} from '@holdfast/features/api-key/server'
import type { ServerContext } from '@holdfast/features/context'
import type { Sealer } from '@holdfast/features/session/server'
import { createStrangerLimits, type HandledEndpoint, type IncomingCall, type WireAdmission, type WireDoor } from '@holdfast/http'
import { envelopeText, fingerprintOfKeys, isSignOf, marksOf, type Opened, openSegments, publicKeyText, sealSegments } from '@holdfast/open-wire'
import { partyOfMachine } from '@holdfast/policy'
import { bytesToUuid, known } from '@holdfast/units'
import { openApiErrors, openWireErrors } from '../../errors.ts'
import { SKEW_MS } from '../read-call.ts'
import type { Asking } from './asking.ts'
import { inOneSpelling } from './one-spelling.ts'
import { WIRE_CALLS, type WireCall } from './wire-calls.ts'

/** Where the wire begins: a client is given the address of the console with this behind it. */
export const WIRE_BASE = '/open/wire'
/** The longest `data` that is looked at: 64 segments and more hold every order there is. */
const DATA_MAX = 32_768
/** The calls of a network that are turned away: to look at one takes nearly a hundred operations with a key. */
const TURNED_AWAY = { burst: 20, perSecond: 2 }

type Needs = { handled: readonly HandledEndpoint[]; sealer: Sealer }
type Seen = { key: KeyOfCall; refused: Exclude<RefusedWhy, 'unknown'> | null; text: string }
/** What `data` was found to hold, and by which keys. */
type Read = { keys: DoorTwoKeys; opened: Opened }

/**
 * Door two: calls of programs that speak the wire of the field's SDKs, for keys that the policy names as such and whose settings ask for it. Whatever is wrong
 * with who calls, the answer and the work are the same. Weaker than the other door, to which none of its keys opens.
 */
export function openWireDoor(context: ServerContext, { handled, sealer }: Needs): WireDoor {
  const { db, ports } = context
  const seen = new WeakMap<IncomingCall, Seen>()
  const nobody = keysOfNobody()
  const strangers = createStrangerLimits(ports.clock, TURNED_AWAY)
  /** Whoever calls, the limit stands before the work, and whatever was wrong counts: it says nothing of a key. */
  const look = (address: string, data: string, keys: Owned): Read | undefined => {
    strangers.demand(address)
    const found = lookInto(data, keys, nobody)
    if (!found) strangers.spend(address)
    return found
  }
  return {
    paths: Object.keys(WIRE_CALLS).map((path) => `${WIRE_BASE}${path}`),
    admit: async (path, call) => {
      const wanted = known(WIRE_CALLS[path.slice(WIRE_BASE.length)], 'a call of the wire')
      strangers.demand(call.ip)
      const nowMs = ports.clock.nowMs()
      const { appId, data } = readRequest(call)
      let read: Read | undefined
      let isLookedAt = false
      const isSigned: Parameters<typeof admitCall>[1]['isSigned'] = (fingerprint, settings) => {
        isLookedAt = true
        read = look(call.ip, data, { fingerprint, settings })
        return read !== undefined
      }
      const admitted = await admitCall(context, { kinds: ['apiRsa'], keyId: appId, address: call.ip, permission: wanted.permission, nowMs, isSigned })
      if (!isLookedAt) look(call.ip, data, nobody)
      const { key, why } = admitted.kind === 'refused' ? { key: admitted.key, why: admitted.why } : { key: admitted, why: null }
      if (key && why !== 'unknown') seen.set(call, { key, refused: why, text: read?.opened.text ?? '' })
      const isKnown = why === null || why === 'permission' || why === 'rate'
      // What the key has sealed and is not let in for all that was not counted yet.
      if (read && !isKnown) strangers.spend(call.ip)
      if (!key || !read || !isKnown) throw new AppError('signature_check_failed')
      const platform = await db.readOrganisation(key.orgId, (tx) => readPlatformKey(tx, sealer, key.machineId))
      if (!platform) throw new AppError('signature_check_failed')
      const { keys, opened } = read
      const sealed: WireAdmission['seal'] = (envelope) => ({ data: sealSegments(envelopeText(envelope), platform) })
      if (admitted.kind === 'refused') return { seal: sealed, act: async () => Promise.reject(admitted.error) }
      return {
        seal: sealed,
        act: async (caller) => {
          const fields = fieldsOf(opened.text, nowMs)
          const mark = await takeOnce(context, wanted, { key, opened, nowMs })
          if (wanted.signs && !isSignOf(fields.sign, fields, wanted.signs, keys.sign)) throw new AppError(openWireErrors.order_not_signed)
          const requester = { machineId: key.machineId, partyId: bytesToUuid(partyOfMachine(admitted.machine)), subWallets: admitted.settings.wallets }
          const asking: Asking = { context, handled, caller: { ports, ...caller, orgId: key.orgId, requester }, fields, mark }
          return wanted.act(wanted.signs ? await inOneSpelling(asking) : asking)
        },
      }
    },
    record: async (call, { httpStatus, code, durationMs }) => {
      const { key, refused, text } = seen.get(call) ?? {}
      if (!key) return
      const { method, path, ip: address, requestId } = call
      const made = { key, method, path, body: text ?? '', requestId, address, httpStatus, code, refused: refused ?? null }
      await recordCall(context, { ...made, atMs: ports.clock.nowMs(), durationMs })
    },
  }
}

type Owned = { fingerprint: Uint8Array; settings: Parameters<typeof doorTwoKeys>[0] }
type Nobody = Owned & { request: KeyObject }

/** Keys whose private half nobody has. What names no key is looked at with these, so that it takes as long. */
function keysOfNobody(): Nobody {
  const { publicKey: request } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const text = publicKeyText(request)
  return { request, fingerprint: fingerprintOfKeys(request, request), settings: { door_two: { request_key: text, sign_key: text, callback: null } } }
}

/** What is in `data`, where the key that has these settings has put it there. */
function lookInto(data: string, { fingerprint, settings }: Owned, nobody: Nobody): Read | undefined {
  const keys = doorTwoKeys(settings, fingerprint)
  const opened = openSegments(data, keys?.request ?? nobody.request)
  return keys && opened && { keys, opened }
}

type Taken = { key: KeyOfCall; opened: Opened; nowMs: number }

/**
 * Remembers a request, and answers what it is known by. Throws AppError where it makes something and was seen before, whatever was asked with it then. A signed
 * order is known by all of its bytes: two of one millisecond are two, and one that was put together of both carries the `request_id` of one of them.
 */
async function takeOnce({ db }: ServerContext, { makes, signs }: WireCall, { key: { orgId, machineId }, opened, nowMs }: Taken): Promise<string> {
  const { whole, timed } = marksOf(opened)
  const used = { machineId, nonces: [whole, timed], overAtMs: nowMs + 2 * SKEW_MS + 1000 }
  const fresh = await db.asOrganisation(orgId, (tx) => useNonces(tx, used))
  if (makes && !fresh.has(signs ? whole : timed)) throw new AppError(openApiErrors.call_replayed)
  return timed
}

/** Who says that they call, and what they say. Whatever is no such request says nothing. */
function readRequest({ method, query, body }: IncomingCall): { appId: string; data: string } {
  try {
    const { app_id: appId = '', data = '' } = parseForm(method === 'GET' ? query : Buffer.from(body ?? []).toString('latin1'))
    return data.length > DATA_MAX ? { appId, data: '' } : { appId, data }
  } catch (cause) {
    if (cause instanceof AppError) return { appId: '', data: '' }
    throw cause
  }
}

/** The fields of a request, whose time is now. Throws AppError. */
function fieldsOf(text: string, nowMs: number): Record<string, unknown> {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid_parameters', { cause, details: { field: 'data', reason: 'it must be JSON text' } })
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new AppError('invalid_parameters', { details: { field: 'data', reason: 'it must be JSON text' } })
  const fields = read as Record<string, unknown>
  for (const [field, value] of Object.entries(fields)) {
    const reason = typeof value === 'string' ? textFault(value) : undefined
    if (reason !== undefined) throw new AppError('invalid_parameters', { details: { field, reason } })
  }
  const time = Number(fields.time)
  if (fields.time === undefined || !(Math.abs(time - nowMs) <= SKEW_MS))
    throw new AppError(openApiErrors.clock_differs, { details: { server_time: new Date(nowMs).toISOString(), server_time_ms: Math.floor(nowMs) } })
  return fields
}
