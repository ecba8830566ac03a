import type { Client } from '@holdfast/contract'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { passkeyLogin, passkeyLoginOptions, passkeyRegister, passkeyRegisterOptions } from '../contract.ts'
import type { SignedIn } from './session-store.ts'

/** Signs in with a passkey. Rejects with a DOMException where the person or the device declines. */
export async function signInWithPasskey(client: Client): Promise<SignedIn> {
  const { challenge_id, options } = await client.call(passkeyLoginOptions, {})
  const response = await startAuthentication({ optionsJSON: options as never })
  return client.call(passkeyLogin, { challenge_id, response: response as never })
}

/** Registers a passkey by an invitation, and signs in. */
export async function registerPasskey(client: Client, invite: string, label: string): Promise<SignedIn> {
  const { challenge_id, options } = await client.call(passkeyRegisterOptions, { invite })
  const response = await startRegistration({ optionsJSON: options as never })
  return client.call(passkeyRegister, { invite, challenge_id, response: response as never, label })
}

/** Makes a passkey on this device for whoever is signed in, as one more way to sign in. */
export async function addPasskey(client: Client, label: string): Promise<void> {
  const { challenge_id, options } = await client.call(passkeyRegisterOptions, {})
  const response = await startRegistration({ optionsJSON: options as never })
  await client.call(passkeyRegister, { challenge_id, response: response as never, label })
}
