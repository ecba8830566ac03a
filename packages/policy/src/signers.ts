import { bytes, encode, equalBytes, type Infer, struct, text, toHex, uint } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import type { Policy } from './policy.ts'

/** One of the three signers: who runs it, and the key that everything it says is signed with. */
export const signerShape = struct('holdfast/signer-identity/v1', {
  /** 1, 2, 3: the index of this party in every protocol. */
  party: uint(8),
  name: text(200),
  operator: text(200),
  /** Ed25519: signs messages, statements and checkpoints. */
  signKey: bytes(32),
})
export type SignerIdentity = Infer<typeof signerShape>

/** Why three identities cannot be the signers of an organisation; undefined if they can. */
export function faultOfSigners(signers: readonly SignerIdentity[]): string | undefined {
  if (signers.length !== 3) return 'needs three signers of which two sign'
  if (signers.some(({ party }, i) => party !== BigInt(i + 1))) return 'signers are numbered 1, 2, 3 in this order'
  return new Set(signers.map(({ signKey }) => toHex(signKey))).size === 3 ? undefined : 'two signers share a key'
}

/** The signers while a version of the policy is in force: those it names, or those of the founding where no signer was replaced so far. */
export function signersOf({ signers }: { signers: SignerIdentity[] }, policy: Policy): SignerIdentity[] {
  return namedIn(policy) ?? signers
}

/** The signers that a version of the policy names itself; undefined if it names none. */
export function namedIn(policy: Policy): SignerIdentity[] | undefined {
  if (policy.kind === 'foundingSigners') return undefined
  return policy.kind !== 'namedSigners' && policy.signers.length === 0 ? undefined : policy.signers
}

/** A version of the policy that names these signers, in the form it has; in the second one, if it has the first. */
export function withSigners(policy: Policy, signers: SignerIdentity[]): Policy {
  return policy.kind === 'foundingSigners' ? { ...policy, kind: 'namedSigners', signers } : { ...policy, signers }
}

/** The signers of the later list whose key is another than before: those that took the place of one. */
export function replacedSigners(before: readonly SignerIdentity[], after: readonly SignerIdentity[]): SignerIdentity[] {
  return after.filter(({ party, signKey }) => !before.some((each) => each.party === party && equalBytes(each.signKey, signKey)))
}

/**
 * Why one list of signers, each fit by itself, cannot follow another: one at most is replaced, and nothing else is said of those that stay. What
 * two of three sign together can then be believed on both sides of the change. Undefined if it can.
 */
export function faultOfReplacement(before: readonly SignerIdentity[], after: readonly SignerIdentity[]): string | undefined {
  const replaced = replacedSigners(before, after)
  if (replaced.length > 1) return 'replaces more than one signer: give each its own version of the policy'
  const [newcomer] = replaced
  const isSame = (signer: SignerIdentity, i: number) => equalBytes(encode(signerShape, signer), encode(signerShape, at(before, i)))
  return after.every((signer, i) => signer === newcomer || isSame(signer, i)) ? undefined : 'renames a signer that keeps its key'
}
