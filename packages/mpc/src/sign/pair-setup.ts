import { bytes, digest, equalBytes, type Infer, struct, text, uint } from '@holdfast/encoding'
import { answerBaseOts, CHOOSE_BYTES, chooseBaseOts, type Chosen, openBaseOts } from '../transfer/base-ot.ts'
import { CheatError, ProtocolFault } from '../round/errors.ts'
import { BASE_OT_CURVE, CURVE, LAMBDA_C, OT_KEY_BYTES, POINT_BYTES, PROTOCOL, RHO, XI } from '../round/parameters.ts'
import { checkedRandom, type Random } from '../round/randomness.ts'
import { awaitPeer, finish, type Round, type Step } from '../round/step.ts'
import { hashPrefix, onlyPeer, openSession, type ProtocolContext, type Session, writeMessage } from '../round/transcript.ts'

const KEYS_BYTES = LAMBDA_C * OT_KEY_BYTES

/**
 * What a party keeps for signing with one peer in one epoch. As secret as the key share, and to be burnt at the first CheatError of the pair.
 * `setupId` is the same at both parties and belongs to this run of the set-up. `bothKeys`: 128 pairs of base-OT keys, ours as their sender. `delta`: our
 * 128 choice bits as their receiver. `chosenKeys`: the keys we chose. `jointSeed`: 32 bytes that both parties know and neither chose, nor could try for.
 */
export type PairSeeds = Infer<typeof pairSeedsShape>
export const pairSeedsShape = struct('holdfast/mpc/pair-seeds/v1', {
  protocol: text(64),
  curve: text(64),
  genesis: bytes(32),
  keyId: bytes(32),
  epoch: uint(),
  party: uint(8),
  peer: uint(8),
  setupId: bytes(32),
  bothKeys: bytes(2 * KEYS_BYTES),
  delta: bytes(LAMBDA_C / 8),
  chosenKeys: bytes(KEYS_BYTES),
  jointSeed: bytes(32),
})

export const statementShape = struct('holdfast/mpc/pair-setup/statement/v3', {
  curve: text(64),
  baseOtCurve: text(64),
  baseOts: uint(32),
  extendedOts: uint(32),
  checks: uint(32),
})
export const openingShape = struct('holdfast/mpc/pair-setup/opening/v1', { session: bytes(32), party: uint(8), seed: bytes(32), salt: bytes(32) })
/** Both seeds were committed to in round 1, under a session id that was fixed before: who opens last can refuse to, and no more. */
export const jointSeedShape = struct('holdfast/mpc/pair-setup/joint-seed/v1', { session: bytes(32), low: bytes(32), high: bytes(32) })
export const setupIdShape = struct('holdfast/mpc/pair-setup/id/v1', { session: bytes(32), low: bytes(32), high: bytes(32) })
export const partShape = struct('holdfast/mpc/pair-setup/part/v1', { choose: bytes(undefined, 1 << 16), answer: bytes(undefined, 1 << 16) })

export const chooseShape = struct('holdfast/mpc/pair-setup/choose/v2', { commitment: bytes(32), points: bytes(CHOOSE_BYTES) })
export const answerShape = struct('holdfast/mpc/pair-setup/answer/v2', { answer: bytes(POINT_BYTES), seed: bytes(32), salt: bytes(32) })
export const confirmShape = struct('holdfast/mpc/pair-setup/confirm/v1', { setupId: bytes(32) })

export const chooseRound: Round<typeof chooseShape> = { number: 1, kind: 'direct', shape: chooseShape }
export const answerRound: Round<typeof answerShape> = { number: 2, kind: 'direct', shape: answerShape }
export const confirmRound: Round<typeof confirmShape> = { number: 3, kind: 'direct', shape: confirmShape }

type State = {
  session: Session
  peer: number
  chosen: Chosen
  opening: { seed: Uint8Array; salt: Uint8Array }
  chooseBody: Uint8Array
}

/**
 * Prepares two parties to sign with each other: 128 endemic base OTs in each direction and a joint seed. Three rounds, all messages direct and, because
 * they carry the joint seed, to be encrypted to the peer. Throws ProtocolFault or CheatError from `receive`.
 */
export function startPairSetup(context: ProtocolContext, random: Random): Step<PairSeeds> {
  if (context.protocol !== PROTOCOL) throw new ProtocolFault(null, `only keys of ${PROTOCOL} have a set-up of pairs`)
  const statement = digest(statementShape, {
    curve: CURVE,
    baseOtCurve: BASE_OT_CURVE,
    baseOts: BigInt(LAMBDA_C),
    extendedOts: BigInt(XI),
    checks: BigInt(RHO),
  })
  const session = openSession(context, 'pair-setup', 2, statement)
  const peer = onlyPeer(session)
  const draw = checkedRandom(random)
  const opening = { seed: draw(32), salt: draw(32) }
  const chosen = chooseBaseOts(directionPrefix(session, session.me, peer), draw(LAMBDA_C / 8), draw)
  const message = writeMessage(session, chooseRound.number, peer, chooseShape, {
    commitment: commitmentOf(session, session.me, opening),
    points: chosen.message,
  })
  const state = { session, peer, chosen, opening, chooseBody: message.body }
  return awaitPeer(session, [message], chooseRound, ({ value, body }) => answer(state, draw, value, body))
}

/** The session id of the base OTs in which `receiver` chooses. */
const directionPrefix = (session: Session, receiver: number, sender: number): Uint8Array => hashPrefix(session, 'base-ot', receiver, sender)

function commitmentOf(session: Session, party: number, opening: { seed: Uint8Array; salt: Uint8Array }): Uint8Array {
  return digest(openingShape, { session: session.id, party: BigInt(party), ...opening })
}

function answer(state: State, draw: Random, choose: Infer<typeof chooseShape>, peerChooseBody: Uint8Array): Step<PairSeeds> {
  const { session, peer, opening } = state
  const sender = answerBaseOts(directionPrefix(session, peer, session.me), choose.points, peer, draw)
  const message = writeMessage(session, answerRound.number, peer, answerShape, { answer: sender.answer, ...opening })
  return awaitPeer(session, [message], answerRound, ({ value, body }) => {
    // F_Com of DKLs23 Protocol 3.6's initialisation: neither party chooses the joint seed after having seen the other's part.
    const { seed, salt } = value
    if (!equalBytes(commitmentOf(session, peer, { seed, salt }), choose.commitment)) {
      throw new CheatError(peer, 'commitment to the joint seed (DKLs23 Protocol 3.6, F_Com)')
    }
    const chosenKeys = openBaseOts(directionPrefix(session, session.me, peer), state.chosen, value.answer, peer)
    const mine = digest(partShape, { choose: state.chooseBody, answer: message.body })
    const theirs = digest(partShape, { choose: peerChooseBody, answer: body })
    const inOrder = (ours: Uint8Array, of: Uint8Array) => (session.me < peer ? { low: ours, high: of } : { low: of, high: ours })
    const setupId = digest(setupIdShape, { session: session.id, ...inOrder(mine, theirs) })
    const { protocol, genesis, keyId, epoch } = session.context
    return confirm(session, peer, {
      protocol,
      curve: CURVE,
      genesis,
      keyId,
      epoch,
      party: BigInt(session.me),
      peer: BigInt(peer),
      setupId,
      bothKeys: sender.keys,
      delta: state.chosen.choices,
      chosenKeys,
      jointSeed: digest(jointSeedShape, { session: session.id, ...inOrder(opening.seed, seed) }),
    })
  })
}

/** Both parties must have seen the same messages before either keeps seeds. */
function confirm(session: Session, peer: number, seeds: PairSeeds): Step<PairSeeds> {
  const message = writeMessage(session, confirmRound.number, peer, confirmShape, { setupId: seeds.setupId })
  return awaitPeer(session, [message], confirmRound, ({ value }) => {
    if (!equalBytes(value.setupId, seeds.setupId))
      throw new CheatError(peer, 'confirmation of the set-up transcript (eprint 2019/706, both saw the same messages)')
    return finish(seeds)
  })
}

/** Throws ProtocolFault (no peer) unless the seeds are ours, for this peer, of the session's key and epoch. */
export function checkPairSeeds(session: Session, seeds: PairSeeds): void {
  const { genesis, keyId, epoch } = session.context
  const kind = seeds.protocol === PROTOCOL && seeds.curve === CURVE
  if (!kind || !equalBytes(seeds.genesis, genesis) || !equalBytes(seeds.keyId, keyId) || seeds.epoch !== epoch) {
    throw new ProtocolFault(null, 'the pair seeds belong to another key or epoch')
  }
  if (seeds.party !== BigInt(session.me) || seeds.peer !== BigInt(onlyPeer(session))) throw new ProtocolFault(null, 'the pair seeds belong to another pair')
}
