import { bytes, digest, equalBytes, type Infer, list, struct, text, uint } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { invert } from '@noble/curves/abstract/modular.js'
import { type Child, DerivationError } from './derive.ts'
import { ProtocolFault } from '../round/errors.ts'
import { type Group, reduce } from '../group/group.ts'
import { PARTY_COUNT, POINT_BYTES_MAX, SCALAR_BYTES, THRESHOLD } from '../round/parameters.ts'
import { recentChild, schemeOf } from './scheme.ts'
import type { Session } from '../round/transcript.ts'

const point = bytes(undefined, POINT_BYTES_MAX)
const publicFields = {
  protocol: text(64),
  curve: text(64),
  genesis: bytes(32),
  keyId: bytes(32),
  parties: list(uint(8), PARTY_COUNT),
  threshold: uint(8),
  publicKey: point,
  verifyingShares: list(point, PARTY_COUNT),
  commitments: list(point, THRESHOLD),
  chainCode: bytes(32),
}

/**
 * What is public of a key in one epoch, the same at every party. `commitments` are G times the two coefficients of the polynomial f of degree 1 with f(0) the secret
 * nobody has; `publicKey` is the first of them, `verifyingShares` are G * f(i) for each of `parties`, in their (ascending) order.
 */
export type KeyPublic = Infer<typeof keyPublicShape>
export const keyPublicShape = struct('holdfast/mpc/key-public/v1', publicFields)

/** One party's share of a key: `secretShare` is f(party). */
export type KeyShare = Infer<typeof keyShareShape>
export const keyShareShape = struct('holdfast/mpc/key-share/v1', { ...publicFields, epoch: uint(), party: uint(8), secretShare: bytes(SCALAR_BYTES) })

/** The public part of a share. */
export function keyPublicOf(share: KeyPublic): KeyPublic {
  const { protocol, curve, genesis, keyId, parties, threshold, publicKey, verifyingShares, commitments, chainCode } = share
  return { protocol, curve, genesis, keyId, parties, threshold, publicKey, verifyingShares, commitments, chainCode }
}

/** Digest of what is public of a key: the same at every party of it. */
export const keyPublicDigest = (key: KeyPublic): Uint8Array => digest(keyPublicShape, keyPublicOf(key))

/** G * f(party) from the commitments to f. Throws ProtocolFault (no peer) where a commitment is no point or the result is infinity. */
export function evaluateCommitments(group: Group, commitments: readonly Uint8Array[], party: bigint): Uint8Array {
  const value = group.sum(commitments.map((commitment, power) => ({ point: commitment, by: party ** BigInt(power) })))
  if (!value) throw new ProtocolFault(null, `the commitments give party ${party} the share zero`)
  return value
}

/** Shamir's coefficient of `party` among itself and `others`, at 0: the product of other / (other - party). All differ and lie in 1..255. */
export function lagrange(party: bigint, others: readonly bigint[], order: bigint): bigint {
  const product = (factors: readonly bigint[]) => factors.reduce((all, factor) => reduce(all * factor, order), 1n)
  return reduce(product(others) * invert(product(others.map((other) => reduce(other - party, order))), order), order)
}

/** Throws ProtocolFault (no peer) unless the public part of a key is of a known protocol and well formed. Looks at lengths and membership only. */
export function checkKeyForm(key: KeyPublic): void {
  const refuse = (reason: string): never => {
    throw new ProtocolFault(null, `key share: ${reason}`)
  }
  const { group } = schemeOf(key.protocol)
  if (key.curve !== group.curve || key.threshold !== BigInt(THRESHOLD)) refuse('not of this protocol')
  if (key.parties.length !== PARTY_COUNT || key.verifyingShares.length !== PARTY_COUNT || key.commitments.length !== THRESHOLD) {
    refuse('wrong number of parties or commitments')
  }
  const points = [key.publicKey, ...key.verifyingShares, ...key.commitments]
  if (!points.every((each) => each.length === group.pointBytes)) refuse('a point of the wrong length')
  if (!key.parties.every((party, i) => party > (i === 0 ? 0n : at(key.parties, i - 1)))) refuse('the parties are not in ascending order')
  if (!equalBytes(key.publicKey, at(key.commitments, 0))) refuse('its public key is not its first commitment')
}

/** Throws ProtocolFault (no peer) unless the share is well formed and of one of its parties. */
export function checkShareForm(share: KeyShare): void {
  checkKeyForm(share)
  if (!share.parties.includes(share.party)) throw new ProtocolFault(null, 'key share: its party is not among the parties')
}

/** Throws ProtocolFault (no peer) unless commitments, verifying shares and public key fit together. */
export function checkKeyPublic(key: KeyPublic): void {
  checkKeyForm(key)
  const { group } = schemeOf(key.protocol)
  key.parties.forEach((party, i) => {
    group.checkPoint(at(key.verifyingShares, i), null, `key share: the verifying share of party ${party}`)
    if (!equalBytes(evaluateCommitments(group, key.commitments, party), at(key.verifyingShares, i))) {
      throw new ProtocolFault(null, `key share: the verifying share of party ${party} does not fit the commitments`)
    }
  })
}

/**
 * Throws ProtocolFault (no peer) unless everything in the share fits together: secret share, commitments, verifying shares, public key.
 * For use when a share is read from a vault or a backup.
 */
export function checkKeyShare(share: KeyShare): void {
  checkShareForm(share)
  checkKeyPublic(share)
  const { group } = schemeOf(share.protocol)
  const secret = group.parseScalar(share.secretShare, null, 'the secret share')
  if (!equalBytes(group.multiplyBase(secret), at(share.verifyingShares, share.parties.indexOf(share.party)))) {
    throw new ProtocolFault(null, `key share: the secret share of party ${share.party} does not fit its commitments`)
  }
}

/** Throws ProtocolFault (no peer) unless the share is ours and of the session's key and epoch, and the peers hold shares of it. */
export function checkShareInSession(session: Session, share: KeyShare, epoch: bigint = session.context.epoch): void {
  const { protocol, genesis, keyId } = session.context
  if (!equalBytes(share.genesis, genesis) || !equalBytes(share.keyId, keyId) || share.epoch !== epoch) {
    throw new ProtocolFault(null, 'the key share belongs to another key or epoch')
  }
  if (share.protocol !== protocol) throw new ProtocolFault(null, 'the key share belongs to another protocol')
  if (share.party !== BigInt(session.me)) throw new ProtocolFault(null, 'the key share belongs to another party')
  if (!session.parties.every((party) => share.parties.includes(BigInt(party)))) {
    throw new ProtocolFault(null, 'a party of the session holds no share of this key')
  }
}

/** The child of a share's key along a path. Throws ProtocolFault (no peer) where there is none. */
export function childOf(share: KeyShare, path: readonly number[]): Child {
  try {
    return recentChild(share.protocol, share.publicKey, share.chainCode, path)
  } catch (cause) {
    if (cause instanceof DerivationError) throw new ProtocolFault(null, cause.message)
    throw cause
  }
}
