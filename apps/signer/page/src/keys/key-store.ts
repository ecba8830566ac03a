import { PageError } from '../page-error.ts'

/**
 * A key this browser made for a person: a key of its own (with the private half, which no script can read out), or a
 * passkey (known here only by what is public). Bytes are hex; `personId` is the id's canonical text.
 */
export type KeyRecord = {
  id: string
  personId: string
  personName: string
  kind: 'device' | 'webauthn'
  publicKey: string
  backupEligible: boolean
  privateKey: CryptoKey | null
  /** Fingerprint of the organisation this key has accepted, once it has. */
  acceptedGenesis: string | null
  createdAtMs: number
}

export type KeyStore = {
  all(): Promise<KeyRecord[]>
  put(record: KeyRecord): Promise<void>
}

const DATABASE = 'holdfast-approval'
const STORE = 'keys'

/** Opens the keys of this origin in IndexedDB. Throws PageError `noKeyStore` where the browser has none for us. */
export async function openKeyStore(): Promise<KeyStore> {
  const database = await open()
  return {
    all: () => settle(database.transaction(STORE).objectStore(STORE).getAll()) as Promise<KeyRecord[]>,
    put: async (record) => {
      const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
      const committed = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(new PageError('noKeyStore'))
      })
      transaction.objectStore(STORE).put(record)
      await committed
    },
  }
}

async function open(): Promise<IDBDatabase> {
  try {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
    return await settle(request)
  } catch (cause) {
    throw new PageError('noKeyStore', '', { cause })
  }
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
