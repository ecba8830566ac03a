import type { Client } from '@holdfast/contract'
import { deviceLogin, deviceLoginOptions, deviceRegister, deviceRegisterOptions } from '../contract.ts'
import { deviceMessage } from '../device-message.ts'
import { type DeviceKey, fromBase64Url, keepDeviceKey, makeDeviceKey, signWithDeviceKey } from './device-keys.ts'
import type { SignedIn } from './session-store.ts'

/** Signs in with a key of this browser. */
export async function signInWithDevice(client: Client, key: DeviceKey, origin: string): Promise<SignedIn> {
  const { challenge_id, challenge } = await client.call(deviceLoginOptions, {})
  const message = deviceMessage('login', origin, fromBase64Url(challenge), fromBase64Url(key.publicKey))
  return client.call(deviceLogin, { challenge_id, public_key: key.publicKey, signature: await signWithDeviceKey(key, message) })
}

/** Makes a key in this browser, registers it by an invitation and signs in with it. The key is kept once the server has taken it. */
export async function registerDevice(
  client: Client,
  input: { invite: string; name: string; organisation: string; label: string },
  origin: string,
): Promise<SignedIn> {
  const { challenge_id, challenge } = await client.call(deviceRegisterOptions, { invite: input.invite })
  const key = await makeDeviceKey({ name: input.name, organisation: input.organisation })
  const message = deviceMessage('register', origin, fromBase64Url(challenge), fromBase64Url(key.publicKey))
  const signature = await signWithDeviceKey(key, message)
  const result = await client.call(deviceRegister, { invite: input.invite, challenge_id, public_key: key.publicKey, signature, label: input.label })
  await keepDeviceKey(key)
  return result
}
