import { equalBytes, toHex } from '@holdfast/encoding'
import type { Assertion } from '@holdfast/intent'
import type { KeyRecord } from './key-store.ts'
import { PageError } from '../page-error.ts'
import { compressedFromSpki } from './public-key.ts'

const ES256 = -7
const PROMPT_TIMEOUT_MS = 300_000

/** Whether this browser offers passkeys to this page. */
export function passkeysOffered(): boolean {
  return typeof PublicKeyCredential === 'function' && typeof navigator.credentials?.create === 'function'
}

type Owner = { personId: string; personName: string }
type NewPasskey = { owner: Owner; userHandle: Uint8Array; organisation: string; rpId: string; challenge: Uint8Array; nowMs: number }

/**
 * Asks the person's authenticator for a new ES256 passkey that verifies its user. The challenge of a registration
 * without attestation proves nothing and is only required by the interface. Throws PageError.
 */
export async function makePasskey(input: NewPasskey): Promise<KeyRecord> {
  const created = await prompt(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: input.rpId, name: input.organisation },
        user: { id: buffer(input.userHandle), name: `${input.owner.personName}, ${input.organisation}`, displayName: input.owner.personName },
        challenge: buffer(input.challenge),
        pubKeyCredParams: [{ type: 'public-key', alg: ES256 }],
        attestation: 'none',
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        timeout: PROMPT_TIMEOUT_MS,
      },
    }),
  )
  const response = created.response as AuthenticatorAttestationResponse
  const spki = response.getPublicKey()
  if (!spki || response.getPublicKeyAlgorithm() !== ES256) throw new PageError('passkeyUnusable')
  const { backupEligible } = await readAuthenticatorData(new Uint8Array(response.getAuthenticatorData()), input.rpId)
  return {
    id: toHex(new Uint8Array(created.rawId)),
    ...input.owner,
    kind: 'webauthn',
    publicKey: toHex(compressedFromSpki(new Uint8Array(spki))),
    backupEligible,
    privateKey: null,
    acceptedGenesis: null,
    createdAtMs: input.nowMs,
  }
}

/** Asks for a signature of one of these passkeys over the challenge. Throws PageError. */
export async function signWithPasskey(credentialIds: readonly Uint8Array[], challenge: Uint8Array, rpId: string): Promise<Assertion> {
  const got = await prompt(() =>
    navigator.credentials.get({
      publicKey: {
        rpId,
        challenge: buffer(challenge),
        allowCredentials: credentialIds.map((id) => ({ type: 'public-key', id: buffer(id) })),
        userVerification: 'required',
        timeout: PROMPT_TIMEOUT_MS,
      },
    }),
  )
  const response = got.response as AuthenticatorAssertionResponse
  return {
    kind: 'webauthn',
    credentialId: new Uint8Array(got.rawId),
    authenticatorData: new Uint8Array(response.authenticatorData),
    clientDataJson: new Uint8Array(response.clientDataJSON),
    signature: new Uint8Array(response.signature),
  }
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08

/** Checks the head of authenticator data (WebAuthn Level 3, section 6.1) and reads its flags. Throws PageError. */
export async function readAuthenticatorData(data: Uint8Array, rpId: string): Promise<{ backupEligible: boolean }> {
  const rpIdHash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(rpId)))
  const flags = data[32] ?? 0
  const verified = (flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0
  if (data.length < 37 || !equalBytes(data.subarray(0, 32), rpIdHash) || !verified) throw new PageError('passkeyUnusable')
  return { backupEligible: (flags & BACKUP_ELIGIBLE) !== 0 }
}

async function prompt(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null
  try {
    credential = await ask()
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : ''
    throw new PageError(name === 'NotSupportedError' || name === 'ConstraintError' ? 'passkeyUnusable' : 'passkeyClosed', '', { cause })
  }
  if (!(credential instanceof PublicKeyCredential)) throw new PageError('passkeyClosed')
  return credential
}

function buffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}
