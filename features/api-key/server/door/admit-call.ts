import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import { findMachine, type Machine, type Policy } from '@holdfast/policy'
import { addressRanges } from '@holdfast/ports/address-ranges'
import { createTokenBuckets, type TokenBuckets } from '@holdfast/ports/token-buckets'
import { isUuid, type OrganisationId } from '@holdfast/units'
import { apiKeyErrors } from '../../errors.ts'
import type { KeySettings } from '../../settings-contract.ts'
import { settingsOf } from '../settings.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>

export type AskedCall = {
  /** The id by which a program names its key: `keyid` of its signature. */
  keyId: string
  /** Where the call comes from. */
  address: string
  /** The right that the call needs; null for what any key may ask, such as to be switched off. */
  permission: string | null
  nowMs: number
  /** The kinds of key that call at this door; `apiRsa` at door two. No key calls at both. */
  kinds?: readonly string[]
  /** Whether the call is signed by this key. Asked before anything else is said of the key. */
  isSigned(publicKey: Uint8Array, settings: KeySettings | undefined): boolean | Promise<boolean>
}

/** Whose key it is. */
export type KeyOfCall = { orgId: OrganisationId; machineId: string }
export type RefusedWhy = 'unknown' | 'signature' | 'off' | 'expired' | 'address' | 'permission' | 'rate'
export type AdmittedCall = KeyOfCall & { kind: 'admitted'; keyId: string; machine: Machine; policy: Policy; policyHash: Uint8Array; settings: KeySettings }
/** `key` is null where nobody knows whose key it is. `error` is what the program is told. */
export type RefusedCall = { kind: 'refused'; why: RefusedWhy; key: KeyOfCall | null; error: AppError }

/** A screener calls at door one, as keys do that ask there. */
const DOOR_ONE: readonly string[] = ['api', 'screener']

/** The seconds whose calls a key can make at once. */
const BURST_S = 10

/** The id by which programs name a key, unlike that of any other key of the installation: its organisation, and its name in the policy of that. */
export const keyIdOf = ({ orgId, machineId }: KeyOfCall): string => `${orgId}.${machineId}`

/** Whose key an id names; undefined where there is no such organisation. */
async function keyOf({ db }: Needs, keyId: string): Promise<KeyOfCall | undefined> {
  const [, orgId = '', machineId = ''] = /^([^.]{36})\.(.{1,64})$/.exec(keyId) ?? []
  if (!isUuid(orgId)) return undefined
  const founded = await db.readSystem((tx) => tx.selectFrom('policy_version').select('org_id').where('org_id', '=', orgId).limit(1).executeTakeFirst())
  return founded && { orgId, machineId }
}

/**
 * Whether a call that a program makes with its key is let in: signed by a key of the policy in force that has not expired and is on, from an address of its
 * list, with the permission that the call needs, and not too often. Nothing of it opens an order by itself: the signers judge that by the policy alone.
 */
export async function admitCall(context: Needs, asked: AskedCall): Promise<AdmittedCall | RefusedCall> {
  const key = await keyOf(context, asked.keyId)
  const unknown: RefusedCall = { kind: 'refused', why: 'unknown', key: null, error: new AppError('signature_check_failed') }
  if (!key) return unknown
  const refuse = (why: RefusedWhy, error: AppError): RefusedCall => ({ kind: 'refused', why, key, error })
  const { orgId, machineId } = key
  const [{ policy, hash }, inForce] = await context.db.readOrganisation(orgId, (tx) => Promise.all([currentPolicy(tx), settingsOf(tx, machineId)]))
  const machine = findMachine(policy, machineId)
  if (!machine || !(asked.kinds ?? DOOR_ONE).includes(machine.kind)) return unknown
  if (!(await asked.isSigned(machine.publicKey, inForce?.settings))) return refuse('signature', new AppError('signature_check_failed'))
  if (machine.expiresAtMs <= BigInt(Math.floor(asked.nowMs))) return refuse('expired', new AppError(apiKeyErrors.key_expired))
  const { settings } = inForce ?? {}
  if (!settings?.is_on || settings.addresses.length === 0) return refuse('off', new AppError(apiKeyErrors.key_off))
  if (!addressRanges(settings.addresses).has(asked.address)) return refuse('address', new AppError('invalid_ip'))
  const { permission } = asked
  if (permission !== null && !settings.permissions.some((each) => each === permission))
    return refuse('permission', new AppError(apiKeyErrors.key_not_permitted, { details: { permission } }))
  const retryAfter = bucketsOf(context, settings.per_minute).take(`${orgId} ${machineId}`)
  if (retryAfter > 0) return refuse('rate', new AppError('rate_limited', { details: { retry_after: retryAfter } }))
  return { kind: 'admitted', ...key, keyId: asked.keyId, machine, policy, policyHash: hash, settings }
}

/** Rates of this process, by its database and by how many calls a minute a key may make. */
const rates = new WeakMap<object, Map<number, TokenBuckets>>()

function bucketsOf({ db, ports }: Needs, perMinute: number): TokenBuckets {
  const own = rates.get(db) ?? new Map<number, TokenBuckets>()
  rates.set(db, own)
  const buckets = own.get(perMinute) ?? createTokenBuckets(ports.clock, { burst: Math.max(1, (perMinute * BURST_S) / 60), perSecond: perMinute / 60 })
  own.set(perMinute, buckets)
  return buckets
}
