import type { CallInput, OutputOf } from '@holdfast/contract'
import type { getRules } from '@holdfast/features/strategy/contract'
import type { Who } from '@holdfast/features/rule-draft/contract'
import type { MachineCalls, MachineRule, saveMachine } from '../../contract.ts'
import { fingerprintOf, pastedBytes } from '@holdfast/open-wire/fingerprint'
import { type KeyFault, readPublicKey } from './read-public-key.ts'
import { ADDRESSES_MAX, keySettings, type KeySettings } from '../../settings-contract.ts'

/** What rules can name. */
export type Known = OutputOf<typeof getRules>
export type Kind = 'api' | 'apiRsa' | 'coSigner' | 'screener'
/** Whether a machine of a kind asks for orders, under a rule of its own; a screener only calls. */
export const asksFor = (kind: Kind): boolean => kind === 'api' || kind === 'apiRsa'

const DAY_MS = 86_400_000

/** What the policy says of a machine, as it is typed; `publicKey` in any of its forms, `expires` a day. */
export type MachineTyped = { name: string; purpose: string; publicKey: string; expires: string }
/** What a key may ask of the server, as it is typed: an address a line. */
export type SettingsTyped = {
  permissions: KeySettings['permissions']
  wallets: string[] | null
  addresses: string
  rate: string
  doorTwo: KeySettings['door_two']
}
/** The rule that only the key asks under. `caps` and `fees` are amounts by `chain asset` and by chain. */
export type RuleTyped = {
  caps: Record<string, string>
  fees: Record<string, string>
  ordersADay: string
  from: string[]
  to: MachineRule['to']
  by: MachineRule['by']
  need: number
  who: Who[]
  coSigner: string | undefined
}

/** The end of a day of UTC. */
export const endOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) + DAY_MS - 1
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The public key that the policy has of a key that calls at door two: the fingerprint of its RSA keys. Empty where they are none. */
export function fingerprintText({ request_key: request, sign_key: sign }: NonNullable<KeySettings['door_two']>): string {
  const [first, second] = [pastedBytes(request), sign === null ? pastedBytes(request) : pastedBytes(sign)]
  return first && second ? [...fingerprintOf(first, second)].map((byte) => byte.toString(16).padStart(2, '0')).join('') : ''
}

export const newMachine = (nowMs: number, kind: Kind): MachineTyped => ({
  name: '',
  purpose: '',
  publicKey: '',
  expires: dayOf(nowMs + (asksFor(kind) ? 90 : 366) * DAY_MS),
})

/** What a screener begins with. */
export const SCREENER_PERMISSIONS: SettingsTyped['permissions'] = ['kyt.read', 'kyt.write']
export const NEW_SETTINGS: SettingsTyped = { permissions: ['wallet.read', 'transaction.read'], wallets: null, addresses: '', rate: '60', doorTwo: null }
/** Settings with the permission to ask for contract calls, or without: a rule for them lets none in where the server takes none. */
export const withCalls = (typed: SettingsTyped, isOn: boolean): SettingsTyped => {
  const others = typed.permissions.filter((each) => each !== 'web3.create')
  return { ...typed, permissions: isOn ? [...others, 'web3.create'] : others }
}

export const NEW_RULE: RuleTyped = { caps: {}, fees: {}, ordersADay: '100', from: [], to: 'own_or_listed', by: 'people', need: 1, who: [], coSigner: undefined }

/** What a key that calls at door two begins with. */
export const NO_RSA_KEYS: NonNullable<KeySettings['door_two']> = { request_key: '', sign_key: null, callback: null }

export const settingsTyped = ({ permissions, wallets, addresses, per_minute: rate, door_two: doorTwo }: KeySettings): SettingsTyped => ({
  permissions,
  wallets,
  addresses: addresses.join('\n'),
  rate: String(rate),
  doorTwo,
})

export type SettingsFault = 'addresses' | 'rate' | 'wallets' | 'callback'

/** What settings say, or which field is wrong. */
export function settingsOf(typed: SettingsTyped, isOn: boolean): { settings: KeySettings } | { fault: SettingsFault } {
  const addresses = typed.addresses.split(/[\s,]+/).filter(Boolean)
  if (addresses.length === 0 || addresses.length > ADDRESSES_MAX || !keySettings.shape.addresses.safeParse(addresses).success) return { fault: 'addresses' }
  const rate = Number(typed.rate)
  if (!/^\d{1,4}$/.test(typed.rate) || !keySettings.shape.per_minute.safeParse(rate).success) return { fault: 'rate' }
  if (typed.wallets?.length === 0) return { fault: 'wallets' }
  const callback = typed.doorTwo?.callback
  if (callback && (callback.sides.length === 0 || !/^https?:\/\/[!-~]+$/.test(callback.url) || !typed.permissions.includes('wallet.read')))
    return { fault: 'callback' }
  return { settings: { permissions: typed.permissions, wallets: typed.wallets, addresses, per_minute: rate, is_on: isOn, door_two: typed.doorTwo } }
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** What is wrong with the public key of a machine of a kind; undefined where nothing is. A co-signer is known by its key on its link, which is of Ed25519. */
export function faultOfKey(publicKey: string, kind: Kind): KeyFault | 'kind' | undefined {
  const read = readPublicKey(publicKey)
  if ('fault' in read) return read.fault
  return kind === 'api' || kind === 'screener' || read.algorithm === 'Ed25519' ? undefined : 'kind'
}

/** The first thing that is wrong with a machine; undefined where nothing is. */
export function faultOfMachine({ name, purpose, publicKey, expires }: MachineTyped, nowMs: number, kind: Kind): keyof MachineTyped | undefined {
  if (name.trim() === '' || bytesOf(name.trim()) > 64) return 'name'
  if (purpose.trim() === '' || bytesOf(purpose.trim()) > 200) return 'purpose'
  if (faultOfKey(publicKey, kind)) return 'publicKey'
  return endOfDay(expires) > nowMs ? undefined : 'expires'
}

const isPositive = (text: string) => /^\d{1,30}(\.\d{1,30})?$/.test(text) && /[1-9]/.test(text)

/** The parts of a network and an asset that a cap names. */
export const capKey = ({ chain, asset }: { chain: string; asset: string }): string => `${chain} ${asset}`
export const needsFees = ({ by }: Pick<RuleTyped, 'by'>): boolean => by === 'nobody' || by === 'co_signer'
export const needsPeople = ({ by }: Pick<RuleTyped, 'by'>): boolean => by === 'people' || by === 'people_and_co_signer'
export const needsCoSigner = ({ by }: Pick<RuleTyped, 'by'>): boolean => by === 'co_signer' || by === 'people_and_co_signer'
/** The networks that a rule lets pay on. */
export const chainsOf = ({ caps }: Pick<RuleTyped, 'caps'>): string[] => [...new Set(Object.keys(caps).map((key) => key.split(' ')[0] ?? ''))]

/** The first thing that is wrong with a rule; undefined where nothing is. */
export function faultOfRule(typed: RuleTyped): 'caps' | 'ordersADay' | 'who' | 'coSigner' | 'fees' | 'to' | undefined {
  const caps = Object.values(typed.caps)
  if (caps.length === 0 || !caps.every(isPositive)) return 'caps'
  if (!/^[1-9]\d{0,4}$/.test(typed.ordersADay)) return 'ordersADay'
  if (typed.by === 'nobody' && typed.to === 'any') return 'to'
  if (needsPeople(typed) && (typed.who.length === 0 || typed.need < 1)) return 'who'
  if (needsCoSigner(typed) && typed.coSigner === undefined) return 'coSigner'
  return needsFees(typed) && !chainsOf(typed).every((chain) => isPositive(typed.fees[chain] ?? '')) ? 'fees' : undefined
}

/** The rule as the call takes it. */
export function ruleOf(typed: RuleTyped, { sources }: Pick<Known, 'sources'>): MachineRule {
  const { by, to, caps, fees } = typed
  return {
    a_day: Object.entries(caps).map(([key, max]) => ({ chain: key.split(' ')[0] ?? '', asset: key.split(' ')[1] ?? '', max })),
    orders_a_day: Number(typed.ordersADay),
    from: sources.filter((each) => typed.from.includes(each.sub_wallet_id)).map(({ name, key_id, path }) => ({ name: fitted(name), key_id, path })),
    to,
    by,
    need: typed.need,
    who: needsPeople(typed) ? typed.who : [],
    co_signer: needsCoSigner(typed) ? (typed.coSigner ?? null) : null,
    fees: needsFees(typed) ? chainsOf(typed).map((chain) => ({ chain, max: fees[chain] ?? '' })) : [],
  }
}

/** The rule that a key has, as it would be typed; undefined where it pays from what the page does not know. */
export function ruleTyped(
  { a_day, orders_a_day, from, to, by, need, who, co_signer, fees }: MachineRule,
  { sources }: Pick<Known, 'sources'>,
): RuleTyped | undefined {
  const ids = from.map(({ key_id, path }) => sources.find((each) => each.key_id === key_id && each.path.join() === path.join())?.sub_wallet_id)
  const known = ids.flatMap((id) => id ?? [])
  if (known.length < ids.length) return undefined
  return {
    caps: Object.fromEntries(a_day.map((each) => [capKey(each), each.max])),
    fees: Object.fromEntries(fees.map(({ chain, max }) => [chain, max])),
    ordersADay: String(orders_a_day),
    from: known,
    to,
    by,
    need,
    who,
    coSigner: co_signer ?? undefined,
  }
}

/** A name as far as there is room for it in what is signed. */
const fitted = (name: string): string => (bytesOf(name) <= 64 ? name : fitted([...name].slice(0, -1).join('')))

/** An id for a machine by its name: letters and digits of it, and one that nothing else has. */
export function appIdFor(name: string, taken: readonly string[], unlike: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 32)
  const id = plain === '' ? `key-${unlike.slice(0, 8)}` : plain
  return taken.includes(id) ? `${id}-${unlike.slice(0, 8)}` : id
}

/** What is sent of a machine. */
export const draftOf = (
  kind: Kind,
  { name, purpose, publicKey, expires }: MachineTyped,
  appId: string,
  { rule, calls }: { rule: MachineRule | null; calls?: MachineCalls | undefined },
  baseVersion: number,
): CallInput<typeof saveMachine>['draft'] => {
  const read = readPublicKey(publicKey)
  return {
    base_version: baseVersion,
    app_id: appId,
    kind,
    name: name.trim(),
    purpose: purpose.trim(),
    public_key: 'hex' in read ? read.hex : '',
    expire_at: endOfDay(expires),
    rule,
    ...(calls && { calls }),
  }
}
