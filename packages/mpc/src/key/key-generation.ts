import { at, known } from '@holdfast/units'
import type { DKG_Round1, DKG_Secret, Key } from '@noble/curves/abstract/frost.js'
import { bytes, digest, equalBytes, type Infer, list, struct, text, uint } from '@holdfast/encoding'
import { confirmEcho, transcriptOf } from '../round/echo.ts'
import { CheatError, ProtocolFault } from '../round/errors.ts'
import { evaluateCommitments, keyPublicDigest, type KeyShare } from './key-share.ts'
import { PARTY_COUNT, POINT_BYTES_MAX, SCALAR_BYTES, THRESHOLD } from '../round/parameters.ts'
import { checkedRandom, type Random } from '../round/randomness.ts'
import { type Scheme, schemeOf } from './scheme.ts'
import { awaitRound, type Received, type Round, type Step } from '../round/step.ts'
import { openSession, type ProtocolContext, type Session, writeMessage } from '../round/transcript.ts'

const SIGNERS = { min: THRESHOLD, max: PARTY_COUNT }

export const statementShape = struct('holdfast/mpc/key-generation/statement/v1', { curve: text(64), threshold: uint(8) })
export const commitShape = struct('holdfast/mpc/key-generation/commit/v1', { commitment: bytes(32) })
/** The library's round-1 package (commitments to both coefficients and the proof of knowledge of the first), our part of the chain code, and the salt. */
export const revealShape = struct('holdfast/mpc/key-generation/reveal/v1', {
  constant: bytes(undefined, POINT_BYTES_MAX),
  slope: bytes(undefined, POINT_BYTES_MAX),
  proof: bytes(undefined, POINT_BYTES_MAX + SCALAR_BYTES),
  chainCodePart: bytes(32),
  salt: bytes(32),
})
export const shareShape = struct('holdfast/mpc/key-generation/share/v1', { share: bytes(SCALAR_BYTES) })

export const openingShape = struct('holdfast/mpc/key-generation/opening/v1', { session: bytes(32), party: uint(8), reveal: revealShape })
export const chainCodeShape = struct('holdfast/mpc/key-generation/chain-code/v1', { session: bytes(32), parts: list(bytes(32), PARTY_COUNT) })

export const commitRound: Round<typeof commitShape> = { number: 1, kind: 'broadcast', shape: commitShape }
export const revealRound: Round<typeof revealShape> = { number: 2, kind: 'broadcast', shape: revealShape }
export const shareRound: Round<typeof shareShape> = { number: 3, kind: 'direct', shape: shareShape }

type Reveal = Infer<typeof revealShape>
/** What a party broadcast in rounds 1 and 2. */
type Broadcast = { reveal: Reveal; transcript: Uint8Array }
type State = { session: Session; scheme: Scheme; random: Random; secret: DKG_Secret; reveal: Reveal }

/**
 * Three parties make a key that none of them has; any two can sign with it later. Four rounds: commit, reveal, private shares (round 3 is direct and
 * must be encrypted to its receiver), confirm. The polynomial, the proof of knowledge and the share arithmetic are the library's FROST DKG (Pedersen's
 * DKG with proofs of knowledge, Komlo and Goldberg, eprint 2020/852, figure 1). Around it: commitments, so that nobody chooses after having seen the
 * others; the binding of everything to the session, which the library's proof does not have; and an echo, because a broadcast over point-to-point
 * links is none.
 * `receive` throws ProtocolFault or CheatError.
 */
export function startKeyGeneration(context: ProtocolContext, random: Random): Step<KeyShare> {
  const scheme = schemeOf(context.protocol)
  const { DKG, Identifier } = scheme.keyGeneration
  const session = openGeneration(context)
  const draw = checkedRandom(random)
  const round1 = DKG.round1(Identifier.fromNumber(session.me), SIGNERS, undefined, (length) => Uint8Array.from(draw(length ?? 32)))
  const [constant, slope] = round1.public.commitment as [Uint8Array, Uint8Array]
  const reveal = { constant, slope, proof: round1.public.proofOfKnowledge, chainCodePart: draw(32), salt: draw(32) }
  const state = { session, scheme, random: draw, secret: round1.secret, reveal }
  const commit = writeMessage(session, commitRound.number, 0, commitShape, { commitment: commitmentOf(session, session.me, reveal) })
  return awaitRound(session, [commit], commitRound, (commits) => revealPackage(state, commit.body, commits))
}

/** The session of a key generation. */
export function openGeneration(context: ProtocolContext): Session {
  return openSession(
    context,
    'key-generation',
    PARTY_COUNT,
    digest(statementShape, { curve: schemeOf(context.protocol).group.curve, threshold: BigInt(THRESHOLD) }),
  )
}

/** What a party commits to in round 1. */
export function commitmentOf(session: Session, party: number, reveal: Reveal): Uint8Array {
  return digest(openingShape, { session: session.id, party: BigInt(party), reveal })
}

function revealPackage(state: State, ownCommit: Uint8Array, commits: Map<number, Received<Infer<typeof commitShape>>>): Step<KeyShare> {
  const { session, scheme, reveal } = state
  const { group } = scheme
  const message = writeMessage(session, revealRound.number, 0, revealShape, reveal)
  return awaitRound(session, [message], revealRound, (reveals) => {
    const broadcasts = new Map<number, Broadcast>()
    broadcasts.set(session.me, { reveal, transcript: transcriptOf(ownCommit, message.body) })
    for (const [party, { value, body }] of reveals) {
      const { value: committed, body: commitBody } = known(commits.get(party), `the commitment of party ${party}`)
      group.checkPoint(value.constant, party, 'the commitment to the constant')
      group.checkPoint(value.slope, party, 'the commitment to the slope')
      group.checkPoint(value.proof.subarray(0, group.pointBytes), party, "the proof's point")
      group.parseScalar(value.proof.subarray(group.pointBytes), party, "the proof's scalar")
      if (!equalBytes(commitmentOf(session, party, value), committed.commitment))
        throw new CheatError(party, 'commitment to the key package (F_Com before eprint 2020/852 figure 1)')
      broadcasts.set(party, { reveal: value, transcript: transcriptOf(commitBody, body) })
    }
    return sendShares(state, broadcasts)
  })
}

const packageOf = ({ keyGeneration }: Scheme, party: number, reveal: Reveal): DKG_Round1 => ({
  identifier: keyGeneration.Identifier.fromNumber(party),
  commitment: [Uint8Array.from(reveal.constant), Uint8Array.from(reveal.slope)],
  proofOfKnowledge: Uint8Array.from(reveal.proof),
})

function sendShares(state: State, broadcasts: Map<number, Broadcast>): Step<KeyShare> {
  const { session, scheme, secret } = state
  const { DKG, Identifier } = scheme.keyGeneration
  const packages = session.peers.map((party) => packageOf(scheme, party, known(broadcasts.get(party), `the broadcast of party ${party}`).reveal))
  const shares = checkProofs(state, packages, () => DKG.round2(secret, packages))
  const messages = session.peers.map((peer) =>
    writeMessage(session, shareRound.number, peer, shareShape, {
      share: known(shares[Identifier.fromNumber(peer)], `the share of party ${peer}`).signingShare,
    }),
  )
  return awaitRound(session, messages, shareRound, (received) => {
    const round2 = session.peers.map((party) => {
      const { share } = known(received.get(party), `the share of party ${party}`).value
      checkShare(scheme, session.me, party, share, known(broadcasts.get(party), `the broadcast of party ${party}`).reveal)
      return { identifier: Identifier.fromNumber(party), signingShare: share }
    })
    const share = keyShareOf(
      session,
      scheme,
      broadcasts,
      combineShares(() => DKG.round3(secret, packages, round2)),
    )
    return confirmEcho(session, new Map([...broadcasts].map(([party, { transcript }]) => [party, transcript])), keyPublicDigest(share), share)
  })
}

/** All was checked before, so what the library still refuses (a sum at infinity) cannot be laid on one party. */
function combineShares(combine: () => Key): Key {
  try {
    return combine()
  } catch (cause) {
    throw new ProtocolFault(null, `the key parts do not make a key: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Runs the library's check of all proofs of knowledge (eprint 2020/852 figure 1, round 1 step 5) and, where it fails, finds whose proof it was. */
function checkProofs<T>(state: State, packages: DKG_Round1[], check: () => T): T {
  try {
    return check()
  } catch {
    const { session, scheme, random } = state
    const { DKG, Identifier } = scheme.keyGeneration
    session.peers.forEach((party, i) => {
      // The library names no one, so each package is checked alone, in a key generation of two parties that is thrown away.
      const alone = DKG.round1(Identifier.fromNumber(session.me), { min: THRESHOLD, max: THRESHOLD }, undefined, (length) =>
        Uint8Array.from(random(length ?? 32)),
      )
      try {
        DKG.round2(alone.secret, [at(packages, i)])
      } catch {
        throw new CheatError(party, 'proof of knowledge of the key part (eprint 2020/852 figure 1, round 1 step 5)')
      }
    })
    throw new ProtocolFault(null, 'the key packages were refused, each alone being right')
  }
}

/** Feldman's check: share * G = constant + me * slope (eprint 2020/852 figure 1, round 2 step 2). */
function checkShare({ group }: Scheme, me: number, party: number, share: Uint8Array, { constant, slope }: Reveal): void {
  const scalar = group.parseScalar(share, party, 'the private share')
  if (!equalBytes(group.multiplyBase(scalar), evaluateCommitments(group, [constant, slope], BigInt(me)))) {
    throw new CheatError(party, 'private share against its commitments (eprint 2020/852 figure 1, round 2 step 2)')
  }
}

function keyShareOf(session: Session, scheme: Scheme, broadcasts: Map<number, Broadcast>, key: Key): KeyShare {
  const { genesis, keyId, epoch } = session.context
  const commitments = key.public.commitments.map((point) => Uint8Array.from(point))
  return {
    protocol: scheme.protocol,
    curve: scheme.group.curve,
    genesis,
    keyId,
    epoch,
    party: BigInt(session.me),
    parties: session.parties.map(BigInt),
    threshold: BigInt(THRESHOLD),
    secretShare: Uint8Array.from(key.secret.signingShare),
    publicKey: at(commitments, 0),
    verifyingShares: session.parties.map((party) =>
      Uint8Array.from(known(key.public.verifyingShares[scheme.keyGeneration.Identifier.fromNumber(party)], `the verifying share of party ${party}`)),
    ),
    commitments,
    chainCode: digest(chainCodeShape, {
      session: session.id,
      parts: session.parties.map((party) => known(broadcasts.get(party), `the broadcast of party ${party}`).reveal.chainCodePart),
    }),
  }
}
