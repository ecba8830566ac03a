import { bytes, digest, equalBytes, type Infer, list, struct, uint } from '@holdfast/encoding'
import { at, known } from '@holdfast/units'
import { confirmEcho, transcriptOf } from '../round/echo.ts'
import { CheatError, ProtocolFault } from '../round/errors.ts'
import { bytesToInteger, reduce } from '../group/group.ts'
import {
  checkKeyPublic,
  checkShareForm,
  evaluateCommitments,
  keyPublicDigest,
  keyPublicOf,
  type KeyPublic,
  keyPublicShape,
  type KeyShare,
  lagrange,
} from './key-share.ts'
import { PARTY_COUNT, POINT_BYTES_MAX, SCALAR_BYTES, THRESHOLD, WIDE_BYTES } from '../round/parameters.ts'
import { hedgedRandom, type Random } from '../round/randomness.ts'
import { type Scheme, schemeOf } from './scheme.ts'
import { awaitRound, type Received, type Round, type Step } from '../round/step.ts'
import { openSession, type ProtocolContext, type Session, writeMessage } from '../round/transcript.ts'

/**
 * `key` is what is public of the key in the old epoch, which is `context.epoch - 1`. `dealers` (two or three of its parties) hold shares of it; `share` is ours
 * where we are one of them. `context.parties` are all who take part: the dealers and the `receivers`, three, who hold the key from then on.
 */
export type ResharingInput = { context: ProtocolContext; key: KeyPublic; dealers: number[]; receivers: number[]; share: KeyShare | null }

export const statementShape = struct('holdfast/mpc/reshare/statement/v1', {
  key: keyPublicShape,
  dealers: list(uint(8), PARTY_COUNT),
  receivers: list(uint(8), PARTY_COUNT),
})
const point = bytes(undefined, POINT_BYTES_MAX)
export const commitShape = struct('holdfast/mpc/reshare/commit/v1', { commitment: bytes(32) })
export const revealShape = struct('holdfast/mpc/reshare/reveal/v1', { slope: point, salt: bytes(32) })
export const shareShape = struct('holdfast/mpc/reshare/share/v1', { share: bytes(SCALAR_BYTES) })
export const openingShape = struct('holdfast/mpc/reshare/opening/v1', { session: bytes(32), party: uint(8), reveal: revealShape })

export const commitRound: Round<typeof commitShape> = { number: 1, kind: 'broadcast', shape: commitShape }
export const revealRound: Round<typeof revealShape> = { number: 2, kind: 'broadcast', shape: revealShape }
export const shareRound: Round<typeof shareShape> = { number: 3, kind: 'direct', shape: shareShape }

type Reveal = Infer<typeof revealShape>
type Dealing = { constant: bigint; slope: bigint; reveal: Reveal; commitBody: Uint8Array; revealBody: Uint8Array }
type Broadcast = { slope: Uint8Array; transcript: Uint8Array }
type State = { session: Session; scheme: Scheme; input: ResharingInput; dealing: Dealing | null }

/**
 * Gives a key new shares without anybody learning it, and without changing it: each dealer shares its Lagrange-weighted share by a new random polynomial of
 * degree 1, and a receiver's new share is the sum of what it is dealt (Desmedt and Jajodia, "Redistributing secret shares to new access structures", 1997; with
 * the checks of Wong, Wang and Wing, "Verifiable secret redistribution", 2002). Shares of the old epoch fit those of the new one no more. One protocol
 * serves three needs: all three deal among themselves (refresh), two deal to all three (repair of a signer that lost its share), two or three deal
 * to other parties (handing over to new signers).
 *
 * Four rounds: dealers commit, dealers reveal, dealers send shares (round 3 is direct and must be encrypted), everybody confirms. A dealer's constant is not
 * sent: it must be its weighted verifying share, which all know, so nobody can deal anything else than its own share. The result is the new
 * share, or null for a dealer who is no receiver. Keep the old epoch until every receiver has said that it keeps the new one.
 * `receive` throws ProtocolFault or CheatError.
 */
export function startResharing(input: ResharingInput, random: Random): Step<KeyShare | null> {
  const state = openResharing(input, random)
  const { session, input: opened, dealing } = state
  const outgoing = dealing ? [writeMessage(session, commitRound.number, 0, commitShape, { commitment: commitmentOf(session, session.me, dealing.reveal) })] : []
  if (dealing) dealing.commitBody = at(outgoing, 0).body
  return awaitRound(session, outgoing, commitRound, (commits) => reveal(state, commits), othersOf(session, opened.dealers))
}

const othersOf = (session: Session, parties: readonly number[]): number[] => parties.filter((party) => party !== session.me)

/** What a dealer commits to in round 1. */
export function commitmentOf(session: Session, party: number, opened: Reveal): Uint8Array {
  return digest(openingShape, { session: session.id, party: BigInt(party), reveal: opened })
}

function openResharing(given: ResharingInput, random: Random): State {
  const refuse = (reason: string): never => {
    throw new ProtocolFault(null, `resharing: ${reason}`)
  }
  const { context, share } = given
  const ascending = (parties: readonly number[]) => [...new Set(parties)].sort((a, b) => a - b)
  const [dealers, receivers] = [ascending(given.dealers), ascending(given.receivers)]
  const key = keyPublicOf(given.key)
  const scheme = schemeOf(context.protocol)
  checkKeyPublic(key)
  if (dealers.length < THRESHOLD || dealers.length !== given.dealers.length) refuse(`${THRESHOLD} or ${PARTY_COUNT} different dealers are needed`)
  if (receivers.length !== PARTY_COUNT || given.receivers.length !== PARTY_COUNT) refuse(`${PARTY_COUNT} different receivers are needed`)
  if (!dealers.every((dealer) => key.parties.includes(BigInt(dealer)))) refuse('a dealer holds no share of this key')
  const everybody = ascending([...dealers, ...receivers])
  if (!equalBytes(key.genesis, context.genesis) || !equalBytes(key.keyId, context.keyId) || key.protocol !== context.protocol) refuse('the key is another one')
  if (context.epoch < 1n) refuse('the new epoch is the old one plus one')
  const statement = digest(statementShape, { key, dealers: dealers.map(BigInt), receivers: receivers.map(BigInt) })
  const session = openSession(context, 'reshare', everybody.length, statement)
  if (!session.parties.every((party, i) => party === everybody[i])) refuse('the parties are not the dealers and receivers')
  if (dealers.includes(session.me) !== (share !== null)) refuse('a dealer needs its share of the old epoch, and nobody else has one')
  const input = { context, key, dealers, receivers, share }
  return { session, scheme, input, dealing: share ? deal(session, scheme, { ...input, share }, random) : null }
}

/** Our polynomial: the constant is our weighted share, the slope is drawn. */
function deal(session: Session, { group }: Scheme, { key, dealers, share }: ResharingInput & { share: KeyShare }, random: Random): Dealing {
  checkShareForm(share)
  const isOurs = share.party === BigInt(session.me) && share.epoch === session.context.epoch - 1n && equalBytes(keyPublicDigest(share), keyPublicDigest(key))
  if (!isOurs) throw new ProtocolFault(null, 'resharing: the share is not ours, or of another key or epoch')
  const draw = hedgedRandom(random, share.secretShare, session.id)
  const constant = reduce(weightOf(session.me, dealers, group.order) * group.parseScalar(share.secretShare, null, 'the secret share'), group.order)
  const slope = reduce(bytesToInteger(draw(WIDE_BYTES)), group.order)
  if (slope === 0n) throw new ProtocolFault(null, 'the random source gave a zero scalar')
  const none = new Uint8Array()
  return { constant, slope, reveal: { slope: group.multiplyBase(slope), salt: draw(32) }, commitBody: none, revealBody: none }
}

const weightOf = (dealer: number, dealers: readonly number[], order: bigint): bigint =>
  lagrange(BigInt(dealer), dealers.filter((each) => each !== dealer).map(BigInt), order)

function reveal(state: State, commits: Map<number, Received<Infer<typeof commitShape>>>): Step<KeyShare | null> {
  const { session, scheme, input, dealing } = state
  const outgoing = dealing ? [writeMessage(session, revealRound.number, 0, revealShape, dealing.reveal)] : []
  if (dealing) dealing.revealBody = at(outgoing, 0).body
  const next = (reveals: Map<number, Received<Reveal>>) => {
    const broadcasts = new Map<number, Broadcast>()
    if (dealing) {
      const transcript = transcriptOf(dealing.commitBody, dealing.revealBody)
      broadcasts.set(session.me, { slope: dealing.reveal.slope, transcript })
    }
    for (const [dealer, { value, body }] of reveals) {
      scheme.group.checkPoint(value.slope, dealer, 'the commitment to the slope')
      const { value: committed, body: commitBody } = known(commits.get(dealer), `the commitment of party ${dealer}`)
      if (!equalBytes(commitmentOf(session, dealer, value), committed.commitment))
        throw new CheatError(dealer, 'commitment to the new polynomial (F_Com before Wong, Wang and Wing 2002)')
      broadcasts.set(dealer, { slope: value.slope, transcript: transcriptOf(commitBody, body) })
    }
    return sendShares(state, broadcasts)
  }
  return awaitRound(session, outgoing, revealRound, next, othersOf(session, input.dealers))
}

function sendShares(state: State, broadcasts: Map<number, Broadcast>): Step<KeyShare | null> {
  const { session, scheme, input, dealing } = state
  const { group } = scheme
  const isReceiver = input.receivers.includes(session.me)
  const shareFor = ({ constant, slope }: Dealing, party: number) => reduce(constant + slope * BigInt(party), group.order)
  const outgoing = dealing
    ? othersOf(session, input.receivers).map((receiver) =>
        writeMessage(session, shareRound.number, receiver, shareShape, { share: group.scalarBytes(shareFor(dealing, receiver)) }),
      )
    : []
  const next = (received: Map<number, Received<Infer<typeof shareShape>>>) => {
    const key = newKey(state, broadcasts)
    if (!isReceiver) return confirm(state, broadcasts, key, null)
    let secret = dealing ? shareFor(dealing, session.me) : 0n
    for (const [dealer, { value }] of received) {
      const share = group.parseScalar(value.share, dealer, 'the dealt share')
      const constant = weightedShare(state, dealer)
      const { slope } = known(broadcasts.get(dealer), `the broadcast of party ${dealer}`)
      if (!equalBytes(group.multiplyBase(share), evaluateCommitments(group, [constant, slope], BigInt(session.me)))) {
        throw new CheatError(dealer, 'dealt share against its commitments (Wong, Wang and Wing 2002, SHARES-VALID)')
      }
      secret += share
    }
    secret = reduce(secret, group.order)
    if (secret === 0n) throw new ProtocolFault(null, 'our new share is zero: start again')
    return confirm(state, broadcasts, key, group.scalarBytes(secret))
  }
  return awaitRound(session, outgoing, shareRound, next, isReceiver ? othersOf(session, input.dealers) : [])
}

/** G times a dealer's constant: its verifying share of the old epoch, weighted. */
function weightedShare({ scheme, input }: State, dealer: number): Uint8Array {
  const { key, dealers } = input
  const verifyingShare = at(key.verifyingShares, key.parties.indexOf(BigInt(dealer)))
  return known(scheme.group.sum([{ point: verifyingShare, by: weightOf(dealer, dealers, scheme.group.order) }]), 'a share of the key that is not zero')
}

/** What is public of the key from now on. Its public key comes out the same, which is checked and not assumed. */
function newKey(state: State, broadcasts: Map<number, Broadcast>): KeyPublic {
  const { scheme, input } = state
  const { group } = scheme
  const constant = group.sum(input.dealers.map((dealer) => ({ point: weightedShare(state, dealer), by: 1n })))
  const slope = group.sum(input.dealers.map((dealer) => ({ point: known(broadcasts.get(dealer), `the broadcast of party ${dealer}`).slope, by: 1n })))
  if (!constant || !equalBytes(constant, input.key.publicKey)) throw new ProtocolFault(null, 'the weighted verifying shares do not give the public key')
  if (!slope) throw new ProtocolFault(null, 'the new polynomial has degree 0: start again')
  const commitments = [constant, slope]
  const parties = input.receivers.map(BigInt)
  return { ...input.key, parties, commitments, verifyingShares: parties.map((party) => evaluateCommitments(group, commitments, party)) }
}

/** Our new share must fit the new commitments before we say in the echo round that all is well. */
function confirm(state: State, broadcasts: Map<number, Broadcast>, key: KeyPublic, secretShare: Uint8Array | null): Step<KeyShare | null> {
  const { session, scheme } = state
  const result = secretShare ? { ...key, epoch: session.context.epoch, party: BigInt(session.me), secretShare } : null
  if (result && !equalBytes(scheme.group.multiplyBase(scheme.group.parseScalar(result.secretShare, null, 'our new share')), verifyingShareOf(result))) {
    throw new ProtocolFault(null, 'our new share does not fit the new commitments')
  }
  return confirmEcho(session, new Map([...broadcasts].map(([dealer, { transcript }]) => [dealer, transcript])), keyPublicDigest(key), result)
}

const verifyingShareOf = (share: KeyShare): Uint8Array => at(share.verifyingShares, share.parties.indexOf(share.party))
