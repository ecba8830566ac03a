import { toHex } from '@holdfast/encoding'
import { type Assertion, deviceMessage } from '@holdfast/intent'
import type { KeyRecord } from './key-store.ts'
import { PageError } from '../page-error.ts'
import { compressPoint } from './public-key.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** Makes a P-256 key that never leaves this browser. The caller stores the record before anybody hears of the key. */
export async function makeDeviceKey(owner: { personId: string; personName: string }, credentialId: Uint8Array, nowMs: number): Promise<KeyRecord> {
  if (!globalThis.crypto?.subtle) throw new PageError('noCrypto')
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  return {
    id: toHex(credentialId),
    ...owner,
    kind: 'device',
    publicKey: toHex(compressPoint(point)),
    backupEligible: false,
    privateKey: pair.privateKey,
    acceptedGenesis: null,
    createdAtMs: nowMs,
  }
}

/** Signs a challenge with a key of this browser. `origin` is the page's own. */
export async function signWithDeviceKey(key: KeyRecord, credentialId: Uint8Array, challenge: Uint8Array, origin: string): Promise<Assertion> {
  if (!key.privateKey) throw new PageError('unexpected')
  const message = deviceMessage(challenge, origin) as Uint8Array<ArrayBuffer>
  const signature = new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key.privateKey, message))
  return { kind: 'device', credentialId, origin, signature }
}
