import { bytes, digest, equalBytes, type Infer, list, struct, text, toHex, uint } from '@holdfast/encoding'
import { recoverSecp256k1 } from '@holdfast/encoding/recover-secp256k1'
import { at } from '@holdfast/units'
import { type Child, PATH_LEVELS_MAX } from '../key/derive.ts'
import { CheatError, ProtocolFault } from '../round/errors.ts'
import {
  bytesToInteger,
  invert,
  ORDER,
  parsePoint,
  parseScalar,
  type Point,
  pointBytes,
  pointsToBytes,
  randomScalar,
  reduce,
  scalarBytes,
  wideScalar,
} from '../group/group.ts'
import { checkShareForm, checkShareInSession, childOf, keyPublicDigest, type KeyShare, lagrange } from '../key/key-share.ts'
import { multiplyGenerator, multiplySecret } from '../group/multiply-secret.ts'
import { COLUMNS_BYTES, extendAsSender, extensionPrefixes } from '../transfer/ot-extension.ts'
import { checkPairSeeds, type PairSeeds } from './pair-setup.ts'
import { CHECK_BITS, CURVE, POINT_BYTES, PROTOCOL, SCALAR_BYTES, WIDE_BYTES } from '../round/parameters.ts'
import { hedgedRandom, type Random } from '../round/randomness.ts'
import { answerAsAlice, type BobState, CORRECTIONS_BYTES, finishAsBob, gadgetVector, openVole, startAsBob } from '../transfer/rvole.ts'
import { awaitPeer, finish, type Round, type Step } from '../round/step.ts'
import { hashPrefix, hashWithPrefix, onlyPeer, openSession, type ProtocolContext, type Session, writeMessage } from '../round/transcript.ts'

/** An ECDSA signature. `r` and `s` have 32 bytes, `s` is the low one; `recovery` is 0..3; `publicKey` (33 bytes) is the child key it verifies under. */
export type EcdsaSignature = { r: Uint8Array; s: Uint8Array; recovery: number; publicKey: Uint8Array }

/** `digest` is the 32-byte hash to sign; `path` the non-hardened BIP32 path below the key. `context.parties` are the two signers. */
export type SigningInput = { context: ProtocolContext; share: KeyShare; seeds: PairSeeds; path: number[]; digest: Uint8Array }

export const statementShape = struct('holdfast/mpc/sign/statement/v2', {
  curve: text(64),
  key: bytes(32),
  setupId: bytes(32),
  path: list(uint(31), PATH_LEVELS_MAX),
  childPublicKey: bytes(POINT_BYTES),
  digest: bytes(32),
})
export const commitmentShape = struct('holdfast/mpc/sign/commitment/v1', {
  session: bytes(32),
  party: uint(8),
  noncePoint: bytes(POINT_BYTES),
  salt: bytes(32),
})

export const firstShape = struct('holdfast/mpc/sign/first/v2', {
  commitment: bytes(32),
  columns: bytes(COLUMNS_BYTES),
  choiceHash: bytes(CHECK_BITS / 8),
  columnCheck: bytes(32),
})
export const secondShape = struct('holdfast/mpc/sign/second/v1', {
  noncePoint: bytes(POINT_BYTES),
  salt: bytes(32),
  keyPoint: bytes(POINT_BYTES),
  gammaNonce: bytes(POINT_BYTES),
  gammaKey: bytes(POINT_BYTES),
  psi: bytes(SCALAR_BYTES),
  corrections: bytes(CORRECTIONS_BYTES),
  eta0: bytes(SCALAR_BYTES),
  eta1: bytes(SCALAR_BYTES),
  rowCheck: bytes(32),
})
export const thirdShape = struct('holdfast/mpc/sign/third/v1', { w: bytes(SCALAR_BYTES), u: bytes(SCALAR_BYTES) })

export const firstRound: Round<typeof firstShape> = { number: 1, kind: 'direct', shape: firstShape }
export const secondRound: Round<typeof secondShape> = { number: 2, kind: 'direct', shape: secondShape }
export const thirdRound: Round<typeof thirdShape> = { number: 3, kind: 'direct', shape: thirdShape }

type First = Infer<typeof firstShape>
type Second = Infer<typeof secondShape>

/** What stays the same through a session. */
type Signing = {
  session: Session
  peer: number
  share: KeyShare
  seeds: PairSeeds
  child: Child
  digest: Uint8Array
  gadget: bigint[]
  draw: Random
}
/** Our secrets of one signature: nonce share r_i, inversion mask phi_i, and Bob's side of the multiplication. */
type Nonce = { r: bigint; phi: bigint; noncePoint: Point; nonceBytes: Uint8Array; salt: Uint8Array; commitment: Uint8Array; chi: bigint; bob: BobState }
/** Nonce, with our masked key share sk_i, its point, and our shares c^u, c^v as Alice. */
type Multiplied = Nonce & { key: bigint; keyPoint: Point; cNonce: bigint; cKey: bigint }

/**
 * Two parties sign a digest with the child key along a path: DKLs23 (eprint 2023/765) Protocol 3.6 for t = 2, three rounds, all messages direct.
 * The statement that every message is bound to names key, seeds, path, child key and digest before the nonce is known, so that nothing made here can
 * serve another signature.
 * `receive` throws ProtocolFault (session over) or CheatError (burn the pair's seeds first). The signature is verified before it is given.
 */
export function startSigning(input: SigningInput, random: Random): Step<EcdsaSignature> {
  const signing = openSigning(input, random)
  const { session, peer, draw } = signing
  // Protocol 3.6, steps 4 and 5: sample, commit to R_i, and start the multiplication in which we are Bob.
  const r = randomScalar(draw)
  const phi = randomScalar(draw)
  const salt = draw(32)
  const noncePoint = multiplyGenerator(r, draw)
  const nonceBytes = pointBytes(noncePoint)
  const commitment = commitmentOf(session, session.me, nonceBytes, salt)
  const { chi, state } = startAsBob(extensionPrefixes(session, session.me, peer, commitment), signing.gadget, signing.seeds.bothKeys, draw)
  const message = writeMessage(session, firstRound.number, peer, firstShape, { commitment, ...state.message })
  const nonce = { r, phi, noncePoint, nonceBytes, salt, commitment, chi, bob: state }
  return awaitPeer(session, [message], firstRound, ({ value }) => multiplyInputs(signing, nonce, value))
}

function openSigning(input: SigningInput, random: Random): Signing {
  const { share, seeds, path } = input
  if (!(input.digest instanceof Uint8Array) || input.digest.length !== 32) throw new ProtocolFault(null, 'the digest to sign must have 32 bytes')
  const digestToSign = Uint8Array.from(input.digest)
  checkShareForm(share)
  if (share.protocol !== PROTOCOL) throw new ProtocolFault(null, `the key share is of ${share.protocol}, which does not sign by ECDSA`)
  const child = childOf(share, path)
  const statement = digest(statementShape, {
    curve: CURVE,
    key: keyPublicDigest(share),
    setupId: seeds.setupId,
    path: path.map(BigInt),
    childPublicKey: child.publicKey,
    digest: digestToSign,
  })
  const session = openSession(input.context, 'sign', 2, statement)
  checkShareInSession(session, share)
  checkPairSeeds(session, seeds)
  const gadget = gadgetVector(seeds.jointSeed)
  const draw = hedgedRandom(random, share.secretShare, session.id)
  return { session, peer: onlyPeer(session), share, seeds, child, digest: digestToSign, gadget, draw }
}

function commitmentOf(session: Session, party: number, noncePoint: Uint8Array, salt: Uint8Array): Uint8Array {
  return digest(commitmentShape, { session: session.id, party: BigInt(party), noncePoint, salt })
}

/** Protocol 3.6, step 7: with the peer's OT extension, multiply r_i and sk_i by the peer's chi, and send what lets the peer check both. */
function multiplyInputs(signing: Signing, nonce: Nonce, first: First): Step<EcdsaSignature> {
  const { session, peer, seeds, gadget, draw } = signing
  const key = maskedKeyShare(signing)
  const rows = extendAsSender(extensionPrefixes(session, peer, session.me, first.commitment), seeds.delta, seeds.chosenKeys, first, peer)
  const vole = openVole(session, peer, session.me, { bob: first.commitment, alice: nonce.commitment })
  const answer = answerAsAlice(vole, gadget, rows, seeds.delta, [nonce.r, key], draw)
  const [cNonce, cKey] = answer.shares
  const points = [key, cNonce, cKey].map((scalar) => multiplyGenerator(scalar, draw))
  const [keyPoint, gammaNonce, gammaKey] = pointsToBytes(points) as [Uint8Array, Uint8Array, Uint8Array]
  const message = writeMessage(session, secondRound.number, peer, secondShape, {
    noncePoint: nonce.nonceBytes,
    salt: nonce.salt,
    keyPoint,
    gammaNonce,
    gammaKey,
    psi: scalarBytes(reduce(nonce.phi - nonce.chi)),
    ...answer.message,
  })
  const multiplied = { ...nonce, key, keyPoint: at(points, 0), cNonce, cKey }
  return awaitPeer(session, [message], secondRound, ({ value }) => checkAndCombine(signing, multiplied, first, value))
}

/** sk_i of Protocol 3.6, step 6: the Lagrange-weighted child share plus our share of zero (F_Zero), for which the pair's joint seed serves. */
function maskedKeyShare(signing: Signing): bigint {
  const { session, peer, share, seeds, child } = signing
  const zero = wideScalar(hashWithPrefix(WIDE_BYTES, hashPrefix(session, 'zero-share', 0, 0, seeds.jointSeed)))
  const childShare = bytesToInteger(share.secretShare) + child.tweak
  return reduce(lagrange(BigInt(session.me), [BigInt(peer)], ORDER) * childShare + (session.me < peer ? zero : -zero))
}

/** Protocol 3.6, step 8: every check of the peer's second message, and our half of the signature. */
function checkAndCombine(signing: Signing, nonce: Multiplied, first: First, second: Second): Step<EcdsaSignature> {
  const { session, peer, child } = signing
  // Form first, whatever our secrets are.
  const noncePoint = parsePoint(second.noncePoint, peer, 'the nonce point')
  const keyPoint = parsePoint(second.keyPoint, peer, 'the key point')
  const gammaNonce = parsePoint(second.gammaNonce, peer, 'gamma of the nonce')
  const gammaKey = parsePoint(second.gammaKey, peer, 'gamma of the key')
  const psi = parseScalar(second.psi, peer, 'psi')
  if (!equalBytes(commitmentOf(session, peer, second.noncePoint, second.salt), first.commitment)) {
    throw new CheatError(peer, 'commitment to the nonce point (DKLs23 Protocol 3.6, F_Com)')
  }
  const vole = openVole(session, session.me, peer, { bob: nonce.commitment, alice: first.commitment })
  const [dNonce, dKey] = finishAsBob(vole, signing.gadget, nonce.bob, second)
  // chi R_j - Gamma^u = d^u G: the nonce multiplied is the nonce committed to.
  if (!multiplySecret(noncePoint, nonce.chi, signing.draw).subtract(gammaNonce).equals(multiplyGenerator(dNonce, signing.draw))) {
    throw new CheatError(peer, 'nonce consistency (DKLs23 Protocol 3.6, step 8)')
  }
  // chi pk_j - Gamma^v = d^v G: the key share multiplied is the one of the key point.
  if (!multiplySecret(keyPoint, nonce.chi, signing.draw).subtract(gammaKey).equals(multiplyGenerator(dKey, signing.draw))) {
    throw new CheatError(peer, 'key share consistency (DKLs23 Protocol 3.6, step 8)')
  }
  // pk_i + pk_j = pk: the key points are those of the child key.
  if (!nonce.keyPoint.add(keyPoint).equals(parsePoint(child.point, null, 'the child key')))
    throw new CheatError(peer, 'sum of the key points (DKLs23 Protocol 3.6, step 8)')

  const sum = noncePoint.add(nonce.noncePoint)
  if (sum.is0()) throw new CheatError(peer, 'sum of the nonce points is not infinity (DKLs23 Protocol 3.6, step 8)')
  const { x, y } = sum.toAffine()
  const r = x % ORDER
  const mask = reduce(nonce.phi + psi)
  const u = reduce(nonce.r * mask + nonce.cNonce + dNonce)
  const v = reduce(nonce.key * mask + nonce.cKey + dKey)
  const w = reduce(bytesToInteger(signing.digest) * nonce.phi + r * v)
  const message = writeMessage(session, thirdRound.number, peer, thirdShape, { w: scalarBytes(w), u: scalarBytes(u) })
  const recovery = Number(y & 1n) + (x >= ORDER ? 2 : 0)
  return awaitPeer(session, [message], thirdRound, ({ value }) => finish(assemble(signing, { r, recovery, w, u }, value)))
}

/** Protocol 3.6, step 9: s = sum of w / sum of u, made low; the key is recovered from it. */
function assemble(signing: Signing, own: { r: bigint; recovery: number; w: bigint; u: bigint }, third: Infer<typeof thirdShape>): EcdsaSignature {
  const { peer, child } = signing
  const w = reduce(own.w + parseScalar(third.w, peer, 'w'))
  const u = reduce(own.u + parseScalar(third.u, peer, 'u'))
  if (w === 0n || u === 0n || own.r === 0n) throw new CheatError(peer, 'signature is not zero (DKLs23 Protocol 3.6, step 9)')
  const s = reduce(w * invert(u))
  const high = s > ORDER >> 1n
  const signature = {
    r: scalarBytes(own.r),
    s: scalarBytes(high ? ORDER - s : s),
    recovery: high ? own.recovery ^ 1 : own.recovery,
    publicKey: child.publicKey,
  }
  // Nothing that does not verify is ever given out. A wrong half can only come from a peer that left the protocol. The halves are not committed to: who sends
  // its own after having seen ours can turn s into its opposite, which verifies all the same, but under the recovery id of the other nonce point.
  if (!recoversTo(child.publicKey, signature, signing.digest)) {
    throw new CheatError(peer, 'verification of the signature (DKLs23 Protocol 3.6, step 9)')
  }
  return signature
}

/**
 * Whether the public key that follows from the signature, its recovery id and the digest is `publicKey` (SEC 1, section 4.1.6): more than that it verifies
 * under it, at the price of that. Networks that find the payer by the recovery id ask for no less.
 */
function recoversTo(publicKey: Uint8Array, { r, s, recovery }: EcdsaSignature, digestSigned: Uint8Array): boolean {
  try {
    return recoverSecp256k1(digestSigned, { r: bytesToInteger(r), s: bytesToInteger(s), recovery }) === toHex(publicKey)
  } catch {
    // The library refuses an id without a point, and a key at infinity.
    return false
  }
}
