import { browserPorts } from '@holdfast/ports/browser'

/** A key this browser keeps and cannot show, with the name of the person it signs in. */
export type DeviceKey = {
  /** The uncompressed point, base64url; also the key's id. */
  publicKey: string
  privateKey: CryptoKey
  name: string
  organisation: string
  createdAtMs: number
}

const DATABASE = 'holdfast-console'
const STORE = 'device-keys'
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** Text of bytes in base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** Bytes of base64url text. */
export function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE, { keyPath: 'publicKey' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no database for this page'))
  })
}

async function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: 'strict' })
      const request = work(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('the browser did not keep the key'))
    })
  } finally {
    database.close()
  }
}

/** The keys this browser holds; none if it cannot keep any. */
export async function listDeviceKeys(): Promise<DeviceKey[]> {
  const keys = await inStore('readonly', (store) => store.getAll() as IDBRequest<DeviceKey[]>).catch(() => [])
  return keys.toSorted((a, b) => a.createdAtMs - b.createdAtMs)
}

/** A new key that cannot leave this browser. It is kept only by `keepDeviceKey`, once the server has taken it. */
export async function makeDeviceKey(owner: { name: string; organisation: string }): Promise<DeviceKey> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
  const publicKey = toBase64Url(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
  return { publicKey, privateKey: pair.privateKey, ...owner, createdAtMs: browserPorts.clock.nowMs() }
}

export async function keepDeviceKey(key: DeviceKey): Promise<void> {
  await inStore('readwrite', (store) => store.put(key))
}

export async function forgetDeviceKey(publicKey: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(publicKey))
}

/** The signature of a message: r and s, 64 bytes, base64url. */
export async function signWithDeviceKey(key: DeviceKey, message: Uint8Array): Promise<string> {
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key.privateKey, new Uint8Array(message))
  return toBase64Url(new Uint8Array(signature))
}
