import { encode, fromHex, toHex } from '@holdfast/encoding'
import { pushChallenge, pushShape } from '@holdfast/intent'
import type { App } from './app.ts'
import { signWith } from './decide.ts'
import { PageError } from './page-error.ts'
import type { Method } from './read/list-approvers.ts'

/** The one script that may become a worker of this page. */
const WORKER = '/sw.js'
/** Which keys of this browser are told here. What counts is the server's list; this is so that the page can say it. */
const REMEMBERED = 'told'

type Policies = { createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string } }

/** Whether this browser knows pushes at all; some know them only for a page that is on the home screen. */
export function pushesOffered(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
}

/** Under which name a key is remembered: a passkey may be on another device, and is known when it has signed. */
export const nameOf = (method: Method['method']): string => (method.kind === 'device' ? method.key.id : 'passkey')

/** The keys that are told on this device, by their names. */
export async function toldHere(): Promise<string[]> {
  if (!pushesOffered()) return []
  const subscription = await (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription()
  return subscription ? remembered() : []
}

/** Has the owner of a key told on this device that something waits, or no longer: signed with that key. Throws PageError. */
export async function switchPush(app: App, method: Method['method'], on: boolean): Promise<void> {
  // Browsers ask only in answer to a click, and this is the first thing after it.
  if (on && (await Notification.requestPermission()) !== 'granted') throw new PageError('pushBlocked')
  const serverKey = fromHex(await app.api.getPushKey())
  const subscription = await subscribe(serverKey)
  const others = remembered().filter((name) => name !== nameOf(method))
  try {
    const statement = { endpoint: subscription.endpoint, on, serverKey, atMs: BigInt(app.clock.nowMs()), nonce: app.random.bytes(32) }
    const assertion = await signWith(app, method, pushChallenge(statement))
    await app.api.setPush(toHex(encode(pushShape, { statement, assertion })))
    remember(on ? [...others, nameOf(method)] : others)
  } finally {
    if (remembered().length === 0) await subscription.unsubscribe().catch(() => false)
  }
}

/** The address at which the browser's push service takes pushes of this server. Throws PageError. */
async function subscribe(serverKey: Uint8Array): Promise<PushSubscription> {
  try {
    const registration = await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER, { scope: '/' })
    await navigator.serviceWorker.ready
    const kept = await registration.pushManager.getSubscription()
    const key = kept?.options.applicationServerKey
    if (kept && key && toHex(new Uint8Array(key)) === toHex(serverKey)) return kept
    await kept?.unsubscribe()
    return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey as Uint8Array<ArrayBuffer> })
  } catch (cause) {
    throw new PageError('noPush', '', { cause })
  }
}

const { trustedTypes } = globalThis as { trustedTypes?: Policies }

/** Browsers with Trusted Types let nothing become a worker but what this made: it knows the one address and refuses every other. */
const policy = trustedTypes?.createPolicy('holdfast-worker', { createScriptURL: onlyWorker })

function onlyWorker(url: string): string {
  if (url !== WORKER) throw new TypeError(`${url} is no worker of this page`)
  return url
}

function remembered(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(REMEMBERED) ?? '[]')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    // Storage may be switched off, and then nothing is remembered.
    return []
  }
}

function remember(names: readonly string[]): void {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(names))
  } catch {
    // As above.
  }
}
