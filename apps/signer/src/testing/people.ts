import { concatBytes, equalBytes, toHex } from '@holdfast/encoding'
import {
  type Acceptance,
  acceptGenesisChallenge,
  type Approval,
  approvalChallenge,
  type Assertion,
  type Credential,
  type DelegatedApproval,
  type Delegation,
  delegationHash,
  type DelegationStatement,
  deviceMessage,
  type Intent,
  intentHash,
  type Locale,
  renderFor,
  renderHash,
  renderIntent,
  voteChallenge,
} from '@holdfast/intent'
import { approvalContext, type Person, type Policy, policyHash } from '@holdfast/policy'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'

export const ORIGIN = 'http://approve.localhost:24000'
export const RP_ID = 'approve.localhost'

export type Key = { credential: Credential; secretKey: Uint8Array }
/** A person of a test organisation, with a browser key and a passkey. */
export type Member = { person: Person; keys: [device: Key, passkey: Key] }

const seeded = (...parts: string[]): Uint8Array => sha256(new TextEncoder().encode(parts.join('/')))

/** The same name gives the same person and keys. */
export function makeMember(name: string): Member {
  const keyOf = (kind: 'device' | 'webauthn'): Key => {
    const secretKey = seeded(name, kind, 'key')
    return {
      secretKey,
      credential: {
        id: seeded(name, kind, 'id').slice(0, 16),
        kind,
        publicKey: p256.getPublicKey(secretKey),
        backupEligible: false,
        label: `${name}'s ${kind} key`,
      },
    }
  }
  const keys: Member['keys'] = [keyOf('device'), keyOf('webauthn')]
  return { keys, person: { id: seeded(name, 'id').slice(0, 16), name, credentials: keys.map((key) => key.credential) } }
}

/** What an authenticator may be made to say otherwise than it should. */
export type Twist = { origin?: string; rpId?: string; flags?: number; type?: string; crossOrigin?: boolean; challenge?: Uint8Array; counter?: number }

const PRESENT_AND_VERIFIED = 0x05

/** A key's signature over a challenge, as a browser or an authenticator makes it. The same asked again costs nothing. */
export function assertWith(key: Key, challenge: Uint8Array, twist: Twist = {}): Assertion {
  const asked = [toHex(key.secretKey), toHex(challenge), JSON.stringify({ ...twist, challenge: twist.challenge && toHex(twist.challenge) })].join()
  const made = known.get(asked) ?? makeAssertion(key, challenge, twist)
  known.set(asked, made)
  return made
}

const known = new Map<string, Assertion>()

function makeAssertion(key: Key, challenge: Uint8Array, twist: Twist): Assertion {
  const { origin = ORIGIN, rpId = RP_ID, flags = PRESENT_AND_VERIFIED, type = 'webauthn.get', crossOrigin = false, counter = 0 } = twist
  const signed = twist.challenge ?? challenge
  const credentialId = key.credential.id
  if (key.credential.kind === 'device') return { kind: 'device', credentialId, origin, signature: p256.sign(deviceMessage(signed, origin), key.secretKey) }
  const authenticatorData = concatBytes(sha256(new TextEncoder().encode(rpId)), Uint8Array.of(flags, 0, 0, 0, counter))
  const clientDataJson = new TextEncoder().encode(JSON.stringify({ type, challenge: Buffer.from(signed).toString('base64url'), origin, crossOrigin }))
  const signature = p256.sign(concatBytes(authenticatorData, sha256(clientDataJson)), key.secretKey, { format: 'der' })
  return { kind: 'webauthn', credentialId, authenticatorData, clientDataJson, signature }
}

export function accept(member: Member, genesis: Uint8Array): Acceptance {
  return { genesis, person: member.person.id, assertion: assertWith(member.keys[0], acceptGenesisChallenge(genesis, member.person.id)) }
}

export type ApprovalOptions = { key?: Key; decision?: string; locale?: Locale; twist?: Twist; changes?: Partial<Omit<Approval, 'assertion'>> }

/** A person's word on an intent. `changes` are made before the signature: the person signs them. */
export function approve(member: Member, intent: Intent, policy: Policy, options: ApprovalOptions = {}): Approval {
  const locale = options.locale ?? 'en-US'
  const statement = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: policyHash(policy),
    person: member.person.id,
    decision: options.decision ?? 'approve',
    locale,
    renderHash: renderHash(renderIntent(intent, approvalContext(policy), locale)),
    signedAtMs: intent.notBeforeMs + 1000n,
    ...options.changes,
  }
  return { ...statement, assertion: assertWith(options.key ?? member.keys[0], approvalChallenge(statement), options.twist) }
}

/** What one person signs so that another decides in their place, from an hour ago and for a day; or what ends it, with `untilMs` 0. */
export function delegate(
  by: Member,
  to: Member,
  genesis: Uint8Array,
  { nowMs, key, ...changes }: Partial<DelegationStatement> & { nowMs: number; key?: Key },
): Delegation {
  const times = { fromMs: BigInt(nowMs - 3_600_000), untilMs: BigInt(nowMs + 86_400_000) }
  const named = { genesis, delegator: by.person.id, delegate: to.person.id }
  const statement = { ...named, ...times, sequence: 1n, nonce: new Uint8Array(32).fill(3), ...changes }
  return { statement, assertion: assertWith(key ?? by.keys[0], delegationHash(statement)) }
}

/** A person's word on an intent, in the place of whoever signed the statement. */
export function approveFor(
  member: Member,
  away: Member,
  delegation: Delegation,
  intent: Intent,
  policy: Policy,
  options: ApprovalOptions = {},
): DelegatedApproval {
  const { assertion: _, ...own } = approve(member, intent, policy, { ...options, key: member.keys[0], twist: {} })
  const shown = renderFor(renderIntent(intent, approvalContext(policy), options.locale ?? 'en-US'), away.person.name)
  const statement = { ...own, renderHash: renderHash(shown), ...options.changes, delegation }
  return { ...statement, assertion: assertWith(options.key ?? member.keys[0], voteChallenge(statement), options.twist) }
}

export const memberOf = (members: readonly Member[], id: Uint8Array): Member => members.find((member) => equalBytes(member.person.id, id))!
