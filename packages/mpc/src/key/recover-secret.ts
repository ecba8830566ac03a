import { equalBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { ProtocolFault } from '../round/errors.ts'
import { reduce } from '../group/group.ts'
import { checkKeyShare, keyPublicDigest, type KeyShare, lagrange } from './key-share.ts'
import { schemeOf } from './scheme.ts'

/** A key cannot be rebuilt. `party` names the share that does not fit, or is null if no single one can be blamed. */
export class RecoveryError extends Error {
  readonly party: number | null

  constructor(party: number | null, reason: string) {
    super(party === null ? reason : `share of party ${party}: ${reason}`)
    this.name = 'RecoveryError'
    this.party = party
  }
}

/**
 * Rebuilds the whole secret from two or three shares of one key and epoch, for the offline recovery tool. Each share is checked against its own
 * commitments, all against each other, and the secret against the public key. Returns the secret in 1..q-1. Throws RecoveryError.
 */
export function recoverSecret(shares: readonly KeyShare[]): bigint {
  if (shares.length < 2) throw new RecoveryError(null, 'two shares are needed')
  for (const share of shares) {
    try {
      checkKeyShare(share)
    } catch (cause) {
      if (cause instanceof ProtocolFault) throw new RecoveryError(Number(share.party), cause.reason)
      throw cause
    }
  }
  const [first, ...others] = shares as [KeyShare, ...KeyShare[]]
  if (new Set(shares.map((share) => share.party)).size !== shares.length) throw new RecoveryError(null, 'the same share was given twice')
  for (const share of others) {
    if (!equalBytes(share.genesis, first.genesis) || !equalBytes(share.keyId, first.keyId)) {
      throw new RecoveryError(Number(share.party), `of another key than the share of party ${first.party}`)
    }
    if (share.epoch !== first.epoch) {
      throw new RecoveryError(Number(share.party), `of epoch ${share.epoch}, but the share of party ${first.party} is of epoch ${first.epoch}`)
    }
    if (!equalBytes(keyPublicDigest(share), keyPublicDigest(first))) {
      throw new RecoveryError(Number(share.party), `its public part differs from that of party ${first.party}`)
    }
  }
  const { group } = schemeOf(first.protocol)
  const second = at(others, 0)
  const part = (share: KeyShare, peer: KeyShare): bigint =>
    lagrange(share.party, [peer.party], group.order) * group.parseScalar(share.secretShare, null, 'the secret share')
  const secret = reduce(part(first, second) + part(second, first), group.order)
  if (secret === 0n || !equalBytes(group.multiplyBase(secret), first.publicKey)) {
    throw new RecoveryError(null, 'the rebuilt secret does not give the public key')
  }
  return secret
}

/**
 * The secret of the child along `path` of a key of `protocol`, in 1..q-1. Of taproot it is the secret of the output key. Throws RangeError for a secret outside 1..q-1,
 * DerivationError as `derivePublicKey`.
 */
export function childSecret(protocol: string, secret: bigint, chainCode: Uint8Array, path: readonly number[]): bigint {
  const { group, deriveChild } = schemeOf(protocol)
  if (secret <= 0n || secret >= group.order) throw new RangeError('the secret is zero or not below the group order')
  const { factor, tweak } = deriveChild(group.multiplyBase(secret), chainCode, path)
  return reduce(factor * secret + tweak, group.order)
}
