import { bool, bytes, encode, equalBytes, type Infer, struct, text, union } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'
import { AssertionRefused } from './assertion-refused.ts'
import { verifyP256 } from './verify-p256.ts'
import { readAuthenticatorData, readClientData } from './webauthn-data.ts'

/** What an approver signs with: a passkey, or a key kept by a browser or a terminal of theirs. Public key: P-256, compressed. */
export const credentialShape = struct('holdfast/credential/v1', {
  id: bytes(undefined, 1024),
  kind: text(16),
  publicKey: bytes(33),
  backupEligible: bool(),
  label: text(200),
})

/** A place approvals may come from: the exact origin, and the relying party its passkeys belong to. */
export const originShape = struct('holdfast/approval-origin/v1', { origin: text(256), rpId: text(256) })

export const assertionShape = union({
  webauthn: struct('holdfast/assertion/webauthn/v1', {
    credentialId: bytes(undefined, 1024),
    authenticatorData: bytes(undefined, 4096),
    clientDataJson: bytes(undefined, 4096),
    signature: bytes(undefined, 128),
  }),
  device: struct('holdfast/assertion/device/v1', {
    credentialId: bytes(undefined, 1024),
    origin: text(256),
    signature: bytes(64),
  }),
})

const deviceMessageShape = struct('holdfast/device-assertion/v1', { challenge: bytes(32), origin: text(256) })

export type Credential = Infer<typeof credentialShape>
export type ApprovalOrigin = Infer<typeof originShape>
export type Assertion = Infer<typeof assertionShape>

/** The bytes a device key signs (ECDSA P-256 over their SHA-256, r and s concatenated). */
export function deviceMessage(challenge: Uint8Array, origin: string): Uint8Array {
  return encode(deviceMessageShape, { challenge, origin })
}

/**
 * Checks that `assertion` is the credential's signature over exactly this challenge, made at one of the allowed
 * origins. Throws AssertionRefused. The order of the passkey checks follows WebAuthn Level 3, section 7.2.
 */
export function verifyAssertion(input: { assertion: Assertion; credential: Credential; challenge: Uint8Array; origins: readonly ApprovalOrigin[] }): void {
  const { assertion, credential } = input
  if (!equalBytes(assertion.credentialId, credential.id)) throw new AssertionRefused({ code: 'assertion-other-credential' })
  if (assertion.kind !== credential.kind)
    throw new AssertionRefused({ code: 'assertion-other-kind', given: { credential: credential.kind, assertion: assertion.kind } })
  if (assertion.kind === 'device') return verifyDevice(assertion, input)
  return verifyWebAuthn(assertion, input)
}

type Checked = { credential: Credential; challenge: Uint8Array; origins: readonly ApprovalOrigin[] }

function verifyDevice(assertion: Extract<Assertion, { kind: 'device' }>, { credential, challenge, origins }: Checked): void {
  if (!origins.some((each) => each.origin === assertion.origin))
    throw new AssertionRefused({ code: 'assertion-other-origin', given: { origin: assertion.origin } })
  if (!verifyP256(assertion.signature, deviceMessage(challenge, assertion.origin), credential.publicKey, 'compact'))
    throw new AssertionRefused({ code: 'assertion-signature' })
}

function verifyWebAuthn(assertion: Extract<Assertion, { kind: 'webauthn' }>, { credential, challenge, origins }: Checked): void {
  const client = readClientData(assertion.clientDataJson)
  if (client.challenge !== base64Url(challenge)) throw new AssertionRefused({ code: 'assertion-other-challenge' })
  const origin = origins.find((each) => each.origin === client.origin)
  if (!origin) throw new AssertionRefused({ code: 'assertion-other-origin', given: { origin: client.origin } })
  const data = assertion.authenticatorData
  const { rpIdHash, backupEligible } = readAuthenticatorData(data)
  if (!equalBytes(rpIdHash, sha256(new TextEncoder().encode(origin.rpId)))) throw new AssertionRefused({ code: 'assertion-other-relying-party' })
  if (backupEligible !== credential.backupEligible) throw new AssertionRefused({ code: 'assertion-backup-changed' })
  const message = new Uint8Array(data.length + 32)
  message.set(data)
  message.set(sha256(assertion.clientDataJson), data.length)
  if (!verifyP256(assertion.signature, message, credential.publicKey, 'der')) throw new AssertionRefused({ code: 'assertion-signature' })
}

/** How often the authenticator says it has signed, or 0 if it does not count, as synced passkeys and keys of a browser. Of a verified assertion. */
export function counterOf(assertion: Assertion): number {
  return assertion.kind === 'webauthn' ? readAuthenticatorData(assertion.authenticatorData).counter : 0
}

function base64Url(value: Uint8Array): string {
  return btoa(String.fromCharCode(...value))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
