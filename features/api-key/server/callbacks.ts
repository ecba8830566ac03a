import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { checkEndpoint, type LocalHosts } from '@holdfast/features/notification/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { findMachine } from '@holdfast/policy'
import type { Ports } from '@holdfast/ports'
import type { KeySettings } from '../settings-contract.ts'
import { keyIdOf } from './door/admit-call.ts'
import { doorTwoKeys } from './door-two.ts'
import { allSettings } from './settings.ts'

/** Where a key of door two is called back now. `wallets`: the sub-wallets of which it may hear; null for all. */
export type CallbackInForce = NonNullable<NonNullable<KeySettings['door_two']>['callback']> & {
  machineId: string
  keyId: string
  wallets: readonly string[] | null
  /** Since when its settings are in force. */
  sinceMs: number
}

/** The keys that are called back: those that could read the same by a call of their own, but for where that comes from and how often. */
export async function callbacksInForce(tx: OrganisationTx, nowMs: number): Promise<CallbackInForce[]> {
  const wanted = [...(await allSettings(tx))].flatMap(([machineId, { settings, sinceMs }]) => {
    const { callback } = settings.door_two ?? {}
    const mayRead = settings.is_on && settings.addresses.length > 0 && settings.permissions.includes('wallet.read')
    return callback && mayRead ? [{ machineId, settings, sinceMs, callback }] : []
  })
  if (wanted.length === 0) return []
  const { policy } = await currentPolicy(tx)
  return wanted.flatMap(({ machineId, settings, sinceMs, callback }) => {
    const machine = findMachine(policy, machineId)
    const isItsOwn = machine?.kind === 'apiRsa' && machine.expiresAtMs > BigInt(Math.floor(nowMs)) && doorTwoKeys(settings, machine.publicKey) !== undefined
    return isItsOwn ? [{ ...callback, machineId, keyId: keyIdOf({ orgId: tx.orgId, machineId }), wallets: settings.wallets, sinceMs }] : []
  })
}

/** Settings whose address for callbacks is one that may be called, in its plain spelling. One that is in force stays as it is. Throws AppError. */
export async function withCheckedCallback(
  { ports, localHosts }: { ports: Pick<Ports, 'net'>; localHosts: LocalHosts },
  settings: KeySettings,
  present: KeySettings | undefined,
): Promise<KeySettings> {
  const { door_two: door } = settings
  if (!door?.callback || door.callback.url === present?.door_two?.callback?.url) return settings
  if (!settings.permissions.includes('wallet.read'))
    throw new AppError('invalid_parameters', { details: { field: 'permissions', reason: 'whoever is called back needs the permission to read wallets' } })
  const url = await checkEndpoint(ports, door.callback.url, localHosts)
  return { ...settings, door_two: { ...door, callback: { ...door.callback, url } } }
}
