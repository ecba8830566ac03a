import { at, known } from '@holdfast/units'
import type { FrostPublic, FrostSecret, NonceCommitments } from '@noble/curves/abstract/frost.js'
import { bytes, digest, equalBytes, type Infer, list, struct, text, uint } from '@holdfast/encoding'
import { type Child, PATH_LEVELS_MAX } from '../key/derive.ts'
import { CheatError, ProtocolFault } from '../round/errors.ts'
import { reduce } from '../group/group.ts'
import { checkShareForm, checkShareInSession, childOf, keyPublicDigest, type KeyShare } from '../key/key-share.ts'
import { PARTY_COUNT, POINT_BYTES_MAX, SCALAR_BYTES, THRESHOLD } from '../round/parameters.ts'
import { hedgedRandom, type Random } from '../round/randomness.ts'
import { type Scheme, schemeOf } from '../key/scheme.ts'
import { awaitPeer, finish, type Round, type Step } from '../round/step.ts'
import { onlyPeer, openSession, type ProtocolContext, type Session, writeMessage } from '../round/transcript.ts'

/** A Schnorr signature of 64 bytes (RFC 8032 or BIP340), and the child key it verifies under (32 bytes). */
export type SchnorrSignature = { signature: Uint8Array; publicKey: Uint8Array }

/** `message` is what is signed, as the verifier takes it; `path` leads from the key to the child. `context.parties` are the two signers. */
export type FrostInput = { context: ProtocolContext; share: KeyShare; path: number[]; message: Uint8Array }

/** The longest message that is signed, 64 KiB. */
export const MESSAGE_BYTES_MAX = 1 << 16

export const statementShape = struct('holdfast/mpc/frost/statement/v1', {
  protocol: text(64),
  key: bytes(32),
  path: list(uint(31), PATH_LEVELS_MAX),
  childPublicKey: bytes(32),
  message: bytes(undefined, MESSAGE_BYTES_MAX),
})
const point = bytes(undefined, POINT_BYTES_MAX)
export const nonceShape = struct('holdfast/mpc/frost/nonce/v1', { hiding: point, binding: point })
export const signatureShareShape = struct('holdfast/mpc/frost/share/v1', { share: bytes(SCALAR_BYTES) })

export const nonceRound: Round<typeof nonceShape> = { number: 1, kind: 'direct', shape: nonceShape }
export const shareRound: Round<typeof signatureShareShape> = { number: 2, kind: 'direct', shape: signatureShareShape }

type Frost = NonNullable<Scheme['frost']>
type Signing = {
  session: Session
  scheme: Scheme
  frost: Frost
  child: Child
  message: Uint8Array
  secret: FrostSecret
  key: FrostPublic
}

/**
 * Two parties sign a message with the child key along a path by FROST (RFC 9591; two rounds, all messages direct): ed25519, or BIP340 for taproot. Nonces are
 * made in this session, hedged, and never kept; the statement that every message is bound to names key, path and message before they exist.
 * `receive` throws ProtocolFault or CheatError. A signature is given only where it verifies.
 */
export function startFrostSigning(input: FrostInput, random: Random): Step<SchnorrSignature> {
  const signing = openSigning(input)
  const { session, frost, secret } = signing
  const draw = hedgedRandom(random, input.share.secretShare, session.id)
  const { nonces, commitments } = frost.commit(secret, (length) => Uint8Array.from(draw(length ?? SCALAR_BYTES)))
  const own = { hiding: commitments.hiding, binding: commitments.binding }
  const peer = onlyPeer(session)
  return awaitPeer(session, [writeMessage(session, nonceRound.number, peer, nonceShape, own)], nonceRound, ({ value }) => {
    const list = [commitments, peerCommitments(signing, peer, value)]
    const share = Uint8Array.from(frost.signShare(secret, signing.key, nonces, list, signing.message))
    const message = writeMessage(session, shareRound.number, peer, signatureShareShape, { share })
    return awaitPeer(session, [message], shareRound, ({ value: theirs }) => finish(combine(signing, list, share, theirs.share)))
  })
}

function peerCommitments({ scheme }: Signing, peer: number, { hiding, binding }: Infer<typeof nonceShape>): NonceCommitments {
  scheme.group.checkPoint(hiding, peer, 'the hiding nonce')
  scheme.group.checkPoint(binding, peer, 'the binding nonce')
  return { identifier: scheme.keyGeneration.Identifier.fromNumber(peer), hiding: Uint8Array.from(hiding), binding: Uint8Array.from(binding) }
}

/** RFC 9591 section 5.3: the sum is verified; where it fails, section 5.4's check of the peer's share tells whose fault it was. */
function combine(signing: Signing, commitments: NonceCommitments[], own: Uint8Array, theirs: Uint8Array): SchnorrSignature {
  const { session, scheme, frost, key, message, child } = signing
  const peer = onlyPeer(session)
  scheme.group.parseScalar(theirs, peer, 'the signature share')
  const [me, other] = [session.me, peer].map((party) => scheme.keyGeneration.Identifier.fromNumber(party)) as [string, string]
  const failed = (check: string) => new CheatError(peer, check)
  const refused = 'verification of the signature (RFC 9591 section 5.3)'
  let signature: Uint8Array
  try {
    signature = Uint8Array.from(frost.aggregate(key, commitments, message, { [me]: own, [other]: theirs }))
  } catch {
    throw failed(frost.verifyShare(key, commitments, message, other, theirs) ? refused : 'signature share against its verifying share (RFC 9591 section 5.4)')
  }
  if (!scheme.verify(signature, message, child.publicKey)) throw failed(refused)
  return { signature, publicKey: child.publicKey }
}

function openSigning({ context, share, path, message }: FrostInput): Signing {
  const scheme = schemeOf(context.protocol)
  const { frost, keyGeneration, group } = scheme
  if (!frost) throw new ProtocolFault(null, `${context.protocol} does not sign by FROST`)
  if (!(message instanceof Uint8Array) || message.length > MESSAGE_BYTES_MAX) throw new ProtocolFault(null, `a message has at most ${MESSAGE_BYTES_MAX} bytes`)
  checkShareForm(share)
  const child = childOf(share, path)
  const statement = {
    protocol: scheme.protocol,
    key: keyPublicDigest(share),
    path: path.map(BigInt),
    childPublicKey: child.publicKey,
    message: Uint8Array.from(message),
  }
  const session = openSession(context, 'frost-sign', THRESHOLD, digest(statementShape, statement))
  checkShareInSession(session, share)
  const secretShare = group.parseScalar(share.secretShare, null, 'the secret share')
  const childShare = reduce(child.factor * secretShare + child.tweak, group.order)
  if (childShare === 0n) throw new ProtocolFault(null, 'our share of this child is zero: use another path')
  const identifier = (party: number) => keyGeneration.Identifier.fromNumber(party)
  const key: FrostPublic = {
    signers: { min: THRESHOLD, max: PARTY_COUNT },
    commitments: [Uint8Array.from(child.point), moved(scheme, at(share.commitments, 1), child.factor, 0n)],
    verifyingShares: Object.fromEntries(
      share.parties.map((party, i) => [identifier(Number(party)), moved(scheme, at(share.verifyingShares, i), child.factor, child.tweak)]),
    ),
  }
  const secret = { identifier: identifier(session.me), signingShare: Uint8Array.from(group.scalarBytes(childShare)) }
  if (!equalBytes(group.multiplyBase(childShare), known(key.verifyingShares[secret.identifier], 'our verifying share')))
    throw new ProtocolFault(null, 'our share does not fit the public key')
  return { session, scheme, frost, child, message: statement.message, secret, key }
}

/** factor * point + tweak * G: what a child's parts are made of. */
function moved({ group }: Scheme, encoded: Uint8Array, factor: bigint, tweak: bigint): Uint8Array<ArrayBuffer> {
  const sum = group.sum([
    { point: encoded, by: factor },
    { point: group.generator, by: tweak },
  ])
  if (!sum) throw new ProtocolFault(null, 'a part of this child is infinity: use another path')
  return Uint8Array.from(sum)
}
