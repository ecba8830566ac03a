import { encode, fromHex, toHex } from '@holdfast/encoding'
import { credentialShape } from '@holdfast/intent'
import { uuidToBytes } from '@holdfast/units'
import type { App } from '../app.ts'
import { makeDeviceKey } from './device-key.ts'
import type { KeyRecord } from './key-store.ts'
import { makePasskey } from './passkey.ts'

const CREDENTIAL_ID_BYTES = 32
const LABELS = { device: 'Browser key', webauthn: 'Passkey' } as const

type Owner = { personId: string; personName: string; organisation: string }

/** Makes an approval key for a person and keeps it here. Its public half is the answer, as the signer takes it. Throws PageError. */
export async function makeKey(
  app: App,
  { organisation, ...owner }: Owner,
  kind: KeyRecord['kind'],
  label?: string,
): Promise<{ key: KeyRecord; credential: string }> {
  const nowMs = app.clock.nowMs()
  const key =
    kind === 'device'
      ? await makeDeviceKey(owner, app.random.bytes(CREDENTIAL_ID_BYTES), nowMs)
      : await makePasskey({ owner, userHandle: uuidToBytes(owner.personId), organisation, rpId: app.rpId, challenge: app.random.bytes(32), nowMs })
  // Kept first: a key the signer knows and this browser has lost would lock its owner out.
  await app.keys.put(key)
  const credential = {
    id: fromHex(key.id),
    kind: key.kind,
    publicKey: fromHex(key.publicKey),
    backupEligible: key.backupEligible,
    label: label ?? LABELS[key.kind],
  }
  return { key, credential: toHex(encode(credentialShape, credential)) }
}
