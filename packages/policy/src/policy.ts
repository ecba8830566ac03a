import { bytes, decode, digest, equalBytes, type Infer, list, struct, text, uint, union } from '@holdfast/encoding'
import { assetShape, credentialShape, originShape } from '@holdfast/intent'
import { partShape } from './parts.ts'
import { groupShape } from './people/groups.ts'
import { machineShape } from './people/machines.ts'
import { firstRuleShape, type Rule, ruleShape } from './rules/rule-shapes.ts'
import { signerShape } from './signers.ts'
import { WHO_MAX, whoShape } from './people/who.ts'
import { valuationShape } from './rules/valuation.ts'

/** A member of the organisation. A person is not a credential: quorums count people. */
const personShape = struct('holdfast/person/v1', {
  id: bytes(16),
  name: text(200),
  credentials: list(credentialShape, 16),
})

/**
 * The age recipients of one signer's recovery share: officers of the organisation. Any one of them opens it (`single`), or `threshold` of them together
 * (`quorum`).
 */
const recoveryShape = union({
  single: struct('holdfast/recovery-recipients/v1', { party: uint(8), recipients: list(text(4096), 16) }),
  quorum: struct('holdfast/recovery-recipients/v2', { party: uint(8), threshold: uint(8), recipients: list(text(4096), 16) }),
})

const policyFields = {
  /** Hash of the genesis document; 32 zero bytes in version 1, which the genesis document itself contains. */
  genesis: bytes(32),
  version: uint(),
  /** Hash of the version before; 32 zero bytes in version 1. */
  previous: bytes(32),
  issuedAtMs: uint(),
  expiresAtMs: uint(),
  people: list(personShape, 256),
  origins: list(originShape, 16),
  assets: list(assetShape, 1024),
  rules: list(firstRuleShape, 256),
  /** Who signs the next version of the policy. */
  governance: struct('holdfast/governance/v1', { approvers: list(bytes(16), 256), threshold: uint(8) }),
  /** age recipients to which each signer seals its recovery share; a signer without recipients makes no key. */
  recovery: list(recoveryShape, 16),
}

const namedRulesFields = {
  ...policyFields,
  rules: list(ruleShape, 256),
  signers: list(signerShape, 3),
  groups: list(groupShape, 64),
  machines: list(machineShape, 64),
  valuation: list(valuationShape, 256),
  parts: list(partShape, 16),
  looseningDelayMs: uint(53),
}

/**
 * A version of the policy: of the signers in the genesis document (`foundingSigners`), or, once one of them was replaced, of those it names itself. The third form
 * (`namedRules`) has groups of people, machines, rules with names, conditions and steps, what assets are worth at most, and parts of the workspace with approvers of
 * their own; it names signers where one was replaced, and else none. A version that loosens it waits `looseningDelayMs` at each signer.
 * `namedCooling` is the third form that also says how long an address of the whitelist waits (`listingCoolingMs`); by those before it waits for a day.
 * `namedDeputies` says besides who may stand in for somebody who is away (ADR 53); by all others nobody may.
 */
export const policyShape = union({
  foundingSigners: struct('holdfast/policy/v1', policyFields),
  namedSigners: struct('holdfast/policy/v2', { ...policyFields, signers: list(signerShape, 3) }),
  namedRules: struct('holdfast/policy/v3', namedRulesFields),
  namedCooling: struct('holdfast/policy/v4', { ...namedRulesFields, listingCoolingMs: uint(53) }),
  namedDeputies: struct('holdfast/policy/v5', { ...namedRulesFields, listingCoolingMs: uint(53), deputies: list(whoShape, WHO_MAX) }),
})

export type Policy = Infer<typeof policyShape>
/** A policy that has groups, machines, parts and rules with names, whatever it says besides. */
export type ThirdForm = Extract<Policy, { kind: 'namedRules' | 'namedCooling' | 'namedDeputies' }>
export type Person = Infer<typeof personShape>
export type RecoveryRecipients = Infer<typeof recoveryShape>

/** Whether a policy has groups, machines, parts and rules with names. */
export const hasThirdForm = (policy: Policy): policy is ThirdForm => 'parts' in policy

/** The rules of a policy, of whatever form it is. */
export const rulesOf = ({ rules }: Policy): readonly Rule[] => rules

export const FIRST_VERSION = 1n
export const NO_HASH = new Uint8Array(32)

/** Why a policy document cannot stand. The message says what to change. */
export class PolicyRefused extends Error {
  override name = 'PolicyRefused'
}

/** A policy is hashed once: it has hundreds of people, and every order, word and approval names it. It is never changed after that. */
const hashes = new WeakMap<Policy, Uint8Array>()

/** SHA-256 of the policy's canonical bytes. */
export function policyHash(policy: Policy): Uint8Array {
  const hash = hashes.get(policy) ?? digest(policyShape, policy)
  hashes.set(policy, hash)
  return hash
}

/** A version is read once from the bytes of an order, by which it is then checked, told in words and hashed. They are never changed after that. */
const policies = new WeakMap<Uint8Array, Policy>()

/** The policy in canonical bytes. Throws EncodingFault. */
export function readPolicy(bytes: Uint8Array): Policy {
  const policy = policies.get(bytes) ?? decode(policyShape, bytes)
  policies.set(bytes, policy)
  return policy
}

export function findPerson(policy: Policy, id: Uint8Array): Person | undefined {
  return policy.people.find((person) => equalBytes(person.id, id))
}
