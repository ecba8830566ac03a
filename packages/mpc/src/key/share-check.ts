import { bytes, digest, equalBytes, struct, uint } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { CheatError } from '../round/errors.ts'
import { bytesToInteger, reduce } from '../group/group.ts'
import { checkKeyShare, checkShareInSession, keyPublicDigest, type KeyShare } from './key-share.ts'
import { PARTY_COUNT, POINT_BYTES_MAX, SCALAR_BYTES, WIDE_BYTES } from '../round/parameters.ts'
import { hedgedRandom, type Random } from '../round/randomness.ts'
import { schemeOf } from './scheme.ts'
import { awaitRound, finish, type Round, type Step } from '../round/step.ts'
import { hashPrefix, hashWithPrefix, openSession, type ProtocolContext, type Session, writeMessage } from '../round/transcript.ts'

/** `context.parties` are all three parties of the share's key and epoch. */
export type ShareCheckInput = { context: ProtocolContext; share: KeyShare }

export const statementShape = struct('holdfast/mpc/share-check/statement/v1', { key: bytes(32), epoch: uint() })
export const proofShape = struct('holdfast/mpc/share-check/proof/v1', { nonce: bytes(undefined, POINT_BYTES_MAX), response: bytes(SCALAR_BYTES) })
export const challengeShape = struct('holdfast/mpc/share-check/challenge/v1', {
  verifyingShare: bytes(undefined, POINT_BYTES_MAX),
  nonce: bytes(undefined, POINT_BYTES_MAX),
})

export const proofRound: Round<typeof proofShape> = { number: 1, kind: 'broadcast', shape: proofShape }

/**
 * Three parties prove to each other that each still has its share of a key, without signing anything and without weakening it: Schnorr's proof of knowledge of the
 * logarithm of one's verifying share, whose challenge is bound to a session nobody chose alone. That the three verifying shares are points of one line
 * through the public key each party has checked before. The result is what is public of the key. `receive` throws ProtocolFault, or CheatError for a
 * party whose share no longer fits.
 */
export function startShareCheck({ context, share }: ShareCheckInput, random: Random): Step<Uint8Array> {
  checkKeyShare(share)
  const { group } = schemeOf(share.protocol)
  const key = keyPublicDigest(share)
  const session = openSession(context, 'share-check', PARTY_COUNT, digest(statementShape, { key, epoch: share.epoch }))
  checkShareInSession(session, share)
  const verifyingShare = (party: number) => at(share.verifyingShares, share.parties.indexOf(BigInt(party)))
  const draw = hedgedRandom(random, share.secretShare, session.id)
  const k = reduce(bytesToInteger(draw(WIDE_BYTES)), group.order - 1n) + 1n
  const nonce = group.multiplyBase(k)
  const secret = group.parseScalar(share.secretShare, null, 'the secret share')
  const response = reduce(k + challengeOf(session, session.me, verifyingShare(session.me), nonce, group.order) * secret, group.order)
  const proof = writeMessage(session, proofRound.number, 0, proofShape, { nonce, response: group.scalarBytes(response) })
  return awaitRound(session, [proof], proofRound, (proofs) => {
    for (const [party, { value }] of proofs) {
      group.checkPoint(value.nonce, party, "the proof's nonce")
      const answered = group.parseScalar(value.response, party, "the proof's response")
      const expected = group.sum([
        { point: value.nonce, by: 1n },
        { point: verifyingShare(party), by: challengeOf(session, party, verifyingShare(party), value.nonce, group.order) },
      ])
      const given = group.sum([{ point: group.generator, by: answered }])
      if (!expected || !given || !equalBytes(expected, given))
        throw new CheatError(party, 'proof that it has its share of the key (Schnorr, RFC 8235 section 3.3)')
    }
    return finish(key)
  })
}

function challengeOf(session: Session, party: number, verifyingShare: Uint8Array, nonce: Uint8Array, order: bigint): bigint {
  const prefix = hashPrefix(session, 'share-check', party, 0, digest(challengeShape, { verifyingShare, nonce }))
  return reduce(bytesToInteger(hashWithPrefix(WIDE_BYTES, prefix)), order)
}
