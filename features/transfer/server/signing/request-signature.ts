import { decode, equalBytes } from '@holdfast/encoding'
import type { OrganisationTx } from '@holdfast/db'
import { CoSignerError, isSigningStopped, type OnJoined, signerAway } from '@holdfast/features/signer-link/server'
import { bringLogUp, type CosignedCheckpoint, cosignedCheckpoint, type Logged, loggedAt } from '@holdfast/features/evidence/server'
import { bringUpForSigning, currentPolicy, followedStandingOrders, type PolicyInForce } from '@holdfast/features/policy/server'
import { readWalletKey, type WalletKeyRow } from '@holdfast/features/key/server'
import { intentHash } from '@holdfast/intent'
import { openSigned, SET_UP_NEEDED, signatureResultShape, signatureStatementShape, type SignRequest, type Signed } from '@holdfast/protocol'
import { type ChainCodec, ChainError, type Signature } from '@holdfast/chain-core'
import { at, bytesToUuid, known, type OrderId, type OrganisationId } from '@holdfast/units'
import { awaitsScreening } from './await-screening.ts'
import { buildEvidence } from './build-evidence.ts'
import { type Attempt, chooseParties } from './choose-parties.ts'
import { OrderMovedError } from '../order/move.ts'
import { isFinal } from '../order/states.ts'
import { readCarried } from '../order/carried.ts'
import { ownPlaces, payingOf, type Proofs, proofsOf } from '../opening/known-destinations.ts'
import { type Order, readAllowing, readOrder } from '../order/read-order.ts'
import { beginAttempt, handOver, readAttempts } from './read-attempts.ts'
import { type Approved, readApproved } from './read-approved.ts'
import type { ApprovedBatch } from './read-batch.ts'
import { readCovering } from './read-covering.ts'
import { readStanding } from './read-standing.ts'
import { partiesBoundElsewhere } from './slot-bindings.ts'
import type { Awaited, Signatures, SignNeeds, SignOutcome } from './types.ts'
import { delayOf, tellOfQuorum } from './wait-out-delay.ts'
import { awaitingSignature, raiseAlarm, waitForSigners, writeFailure, writeSignature } from './write-outcome.ts'

/** How many pairs are asked one after another before the order waits for the next round. */
const TRIES_AT_ONCE = 3

/** Everything a request is made of, read in one transaction. */
type Work = Approved & {
  order: Order
  /** The order by which people allowed the transaction: itself, or one about it. */
  allowing: Order
  transaction: Awaited
  inForce: PolicyInForce
  key: WalletKeyRow
  attempts: Attempt[]
  bound: Set<number>
  proofs: Proofs
  /** The standing order that asks for the order, as signers name it; null if a person asks. */
  standingOrder: Uint8Array | null
  /** Whether a screener has not said yet what the rule demands, or too long ago. */
  isUnscreened: boolean
}

/**
 * The signers that follow a version of the policy, whether one of them says that all signing was stopped, and the log as they witnessed it; no checkpoint if
 * too few of them did.
 */
type Witnessed = { version: bigint; following: readonly number[]; isStopped: boolean; checkpoint: CosignedCheckpoint | undefined }

/** Has the signers follow the policy and witness the log as it stands. */
export async function witnessLog(needs: SignNeeds, orgId: OrganisationId, inForce: PolicyInForce): Promise<Witnessed> {
  // A signer that has missed a version of the policy would refuse the order for good.
  const brought = await bringUpForSigning(needs, inForce)
  return {
    version: inForce.policy.version,
    ...brought,
    checkpoint: await cosignedCheckpoint(needs, orgId, inForce).catch(() => undefined),
  }
}

/** Whether what was witnessed a moment ago, before the bytes were made, has everything that the signers will look up. */
const hasAll = ({ version, checkpoint }: Witnessed, { inForce, sequences }: Work): boolean =>
  version === inForce.policy.version && checkpoint !== undefined && sequences.every((sequence) => sequence < checkpoint.size)

/**
 * Has two signers sign the stored bytes of an order's current transaction, another pair if one fails, and stores the outcome. `witnessed`: what was witnessed
 * while the bytes were made.
 */
export async function requestSignature(needs: SignNeeds, orgId: OrganisationId, orderId: OrderId, witnessed?: Promise<Witnessed>): Promise<SignOutcome> {
  let before = await witnessed
  for (let tries = 0; tries < TRIES_AT_ONCE; tries++) {
    const outcome = await tryOnce(needs, orgId, orderId, before)
    if (outcome !== 'again') return outcome
    before = undefined
  }
  return 'wait'
}

async function tryOnce(needs: SignNeeds, orgId: OrganisationId, orderId: OrderId, before: Witnessed | undefined): Promise<SignOutcome | 'again'> {
  const work = await needs.db.readOrganisationInTurns(orgId, (tx) => readWork(tx, needs, orderId))
  if (!work) return 'ended'
  const { transaction, inForce } = work
  // A signer that was told since to sign nothing refuses to begin, by itself.
  const { following, isStopped, checkpoint } = before && hasAll(before, work) ? before : await witnessLog(needs, orgId, inForce)
  const ready = await readyParties(needs, orgId, work, following)
  const choice = chooseParties({ usable: checkpoint?.parties.filter((party) => ready.includes(party)) ?? [], attempts: work.attempts, bound: work.bound })
  if (choice.kind === 'blocked') return raiseAlarm(needs, orgId, orderId, 'slot_blocked')
  if (choice.kind === 'wait' || !checkpoint) return waitForSigners(needs, orgId, orderId, 'waiting_co_signer')
  if (isStopped) return waitForSigners(needs, orgId, orderId, 'waiting_freeze')
  if (work.isUnscreened) return waitForSigners(needs, orgId, orderId, 'waiting_screening')
  if (await isWordMissing(needs, inForce, following, choice.parties)) return waitForSigners(needs, orgId, orderId, 'waiting_third_signer')
  const [logged, batch] = await Promise.all([
    loggedAt(needs, orgId, checkpoint.size, work.sequences),
    work.batch && loggedBatch(needs, orgId, checkpoint, work.batch),
  ])
  const nonce = needs.ports.random.bytes(32)
  const request = requestOf(work, { checkpoint, logged, batch: batch ?? null, parties: choice.parties, nonce })
  const number = await needs.db.asOrganisation(orgId, (tx) => beginAttempt(tx, transaction, choice.parties, needs.ports.clock.nowMs()))
  let signed: Signatures
  let words: readonly Signed[] = []
  try {
    const onJoined = beforeStart(needs, work, number)
    const heard: OnJoined = (states, given) => {
      words = given
      return onJoined(states, given)
    }
    signed = readResults(needs, work, choice.parties, await needs.coSigners.runSession(request, heard))
  } catch (cause) {
    if (cause instanceof CoSignerError && cause.check === SET_UP_NEEDED) await setUpAgain(needs, orgId, request, inForce)
    // Somebody stopped all signing while this session began: that says nothing against the order, which waits like any other.
    const isStoppedNow = cause instanceof CoSignerError && cause.check === 'c6' && (await isSigningStopped(needs, inForce.fingerprint))
    return needs.db.asOrganisation(orgId, (tx) => writeFailure(tx, needs, { transaction, number, request, inForce, cause, isStopped: isStoppedNow }))
  }
  const { order, standingOrder: hash } = work
  const covering = hash ? await readCovering(needs, orgId, { order, hash, checkpoint }) : undefined
  const evidence = buildEvidence({
    covering,
    batch,
    order: work.allowing,
    approvals: work.approvals,
    raw: signed.raw,
    keyStatements: work.key.statements,
    signatureStatements: signed.statements,
    ...(await readStanding(needs, { orgId, signers: inForce.signers, checkpoint, words, statements: signed.statements })),
    checkpoint: checkpoint.note,
    logged,
  })
  return needs.db.asOrganisation(orgId, (tx) => writeSignature(tx, needs, { transaction, number, parties: choice.parties, signed, evidence }))
}

/** The signers that follow the policy and would sign an order now, where its rule has them wait first. */
async function readyParties(needs: SignNeeds, orgId: OrganisationId, work: Work, following: readonly number[]): Promise<readonly number[]> {
  const { order, allowing, inForce } = work
  if (allowing !== order || delayOf(order, inForce.policy) === 0) return following
  const { told } = await tellOfQuorum(needs, orgId, order.row.id, inForce)
  return told.filter(({ party, isSignable }) => isSignable && following.includes(party)).map(({ party }) => party)
}

/** Whether the signer that takes no part cannot give its word, and people have not said that it is away. No session begins without it. */
async function isWordMissing(needs: SignNeeds, inForce: PolicyInForce, following: readonly number[], parties: readonly number[]): Promise<boolean> {
  const missing = [1, 2, 3].filter((party) => !parties.includes(party) && !following.includes(party))
  if (missing.length === 0) return false
  const away = await signerAway(needs, inForce.fingerprint)
  return missing.some((party) => party !== away)
}

/**
 * Has two signers whose set-up is used up or gone make another, so that their next attempt finds it. If they do not, another pair is asked, and these
 * two again later.
 */
async function setUpAgain(
  { ports, coSigners, ...needs }: SignNeeds,
  orgId: OrganisationId,
  { genesis, keyId, epoch, parties }: SignRequest,
  inForce: PolicyInForce,
) {
  const request = { kind: 'pairSetup' as const, genesis, keyId, epoch, parties, nonce: ports.random.bytes(32) }
  await coSigners.runSession(request, bringLogUp({ ports, coSigners, ...needs }, orgId, inForce)).catch(() => {})
}

/**
 * Runs when all have joined and none has begun. A signer that knows less of the log than its peer would refuse after its
 * peer has bound the slot for good, so both are brought to the same size first. Then it is written that a signature may exist from
 * here on, unless the order was ended meanwhile.
 */
function beforeStart(needs: SignNeeds, { order: { row }, transaction, inForce }: Work, number: number): OnJoined {
  const { org_id: orgId, id: orderId } = row
  return async (states) => {
    await bringLogUp(needs, orgId, inForce)(states)
    await needs.db.asOrganisation(orgId, async (tx) => {
      const order = await readOrder(tx, orderId, true)
      const awaited = order && awaitingSignature(order)
      const isAwaited = awaited?.number === transaction.number && equalBytes(awaited.unsigned_tx, transaction.unsigned_tx)
      if (!order || !isAwaited || isFinal((await readAllowing(tx, order, transaction)).state))
        throw new OrderMovedError(`order ${orderId} was ended before its signers began`)
      await handOver(tx, orderId, number, needs.ports.clock.nowMs())
    })
  }
}

async function readWork(tx: OrganisationTx, { ports }: SignNeeds, orderId: OrderId): Promise<Work | undefined> {
  const [order, inForce, ofOrder] = await Promise.all([readOrder(tx, orderId), currentPolicy(tx), readAttempts(tx, orderId)])
  const transaction = order && awaitingSignature(order)
  if (!transaction) return undefined
  const attempts = ofOrder.filter((each) => each.transaction_number === transaction.number)
  const allowing = await readAllowing(tx, order, transaction)
  const isStanding = order.row.standing_order_id !== null
  const [key, approved, bound, proofs, standingOrder, isUnscreened] = await Promise.all([
    readWalletKey(tx, order.row.wallet_id, order.payment.keyId),
    readApproved(tx, allowing),
    partiesBoundElsewhere(tx, order),
    shownOf(tx, inForce, order, isStanding),
    isStanding ? standingHash(tx, order) : null,
    awaitsScreening(tx, inForce.policy, allowing, ports.clock.nowMs()),
  ])
  if (!key) throw new Error(`the key of order ${orderId} is not there`)
  return { order, allowing, transaction, inForce, key, ...approved, attempts, bound, proofs, standingOrder, isUnscreened }
}

/** What proves of the addresses that an order pays what signers may ask, and that the accounts whose authorizations it carries are the organisation's own. */
async function shownOf(tx: OrganisationTx, { policy }: PolicyInForce, { row, payment }: Order, isStanding: boolean): Promise<Proofs> {
  const [proofs, carried] = await Promise.all([proofsOf(tx, policy, payingOf(payment), isStanding), readCarried(tx, row)])
  if (carried.length === 0) return proofs
  const accounts = carried.map(({ address }) => address)
  return { ...proofs, own: [...proofs.own, ...(await ownPlaces(tx, row.chain, accounts))] }
}

/** The newest version of the standing order that asks for an order, as signers know it. */
async function standingHash(tx: OrganisationTx, { row }: Order): Promise<Uint8Array> {
  const found = (await followedStandingOrders(tx)).find(({ intent }) => bytesToUuid(intent.id) === row.standing_order_id)
  return known(found, `the standing order of order ${row.id}`).hash
}

/** The batch that people approved, with its entry in the log. */
async function loggedBatch(
  needs: SignNeeds,
  orgId: OrganisationId,
  { size }: Pick<CosignedCheckpoint, 'size'>,
  { intent, place }: ApprovedBatch,
): Promise<NonNullable<SignRequest['batch']>> {
  return { intent, logged: at(await loggedAt(needs, orgId, size, [place]), 0) }
}

type Asking = { checkpoint: CosignedCheckpoint; logged: Logged[]; batch: SignRequest['batch']; parties: readonly number[]; nonce: Uint8Array }

function requestOf(
  { allowing, transaction, inForce, key, approvals, proofs, standingOrder }: Work,
  { checkpoint, logged, batch, parties, nonce }: Asking,
): SignRequest {
  return {
    kind: 'sign',
    genesis: inForce.fingerprint,
    keyId: key.keyId,
    epoch: key.epoch,
    parties: parties.map(BigInt),
    intent: allowing.row.intent,
    approvals,
    unsigned: transaction.unsigned_tx,
    checkpoint: checkpoint.note,
    logged,
    rule: allowing.row.rule_id,
    standingOrder,
    batch,
    ...proofs,
    nonce,
  }
}

/** The signatures that make the stored bytes a transaction of the order's address, from any signer that gives them: one that lies stops nothing. */
function readResults(
  { networks }: SignNeeds,
  { order: { row }, allowing, transaction: { unsigned_tx: unsigned }, inForce }: Work,
  parties: readonly number[],
  results: ReadonlyMap<number, Uint8Array>,
): Signatures {
  const codec = networks.require(row.chain).codec
  const given = parties.map((party) => decode(signatureResultShape, known(results.get(party), `the result of signer ${party}`)))
  const tried = given.map(({ signatures }) => attachChecked(codec, { unsigned, from: row.address_from }, signatures))
  const whole = tried.find((each) => each.isRight)
  if (!whole?.isRight) throw at(tried, 0).cause
  const { raw, txid } = whole
  const statements = given.map(({ statement }, i) => {
    const signer = inForce.signers.find((each) => each.party === BigInt(at(parties, i)))
    const opened = signer && statement.party === signer.party ? openSigned(signatureStatementShape, statement, signer.signKey) : undefined
    if (!opened || !equalBytes(opened.intentHash, intentHash(allowing.intent)) || !equalBytes(opened.unsigned, unsigned))
      throw new Error(`signer ${parties[i]} does not say that it signed this order`)
    return statement
  })
  return { raw, txid, statements }
}

type Attached = { isRight: true; raw: Uint8Array; txid: string; cause?: undefined } | { isRight: false; cause: unknown }

/** Puts signatures on and believes them only after the chain's own codec finds the paying address in them, and the stored bytes under them. */
function attachChecked(
  codec: ChainCodec,
  { unsigned, from }: { unsigned: Uint8Array; from: string | null },
  given: readonly { r: Uint8Array; s: Uint8Array; recovery: bigint }[],
): Attached {
  try {
    const signatures: Signature[] = given.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
    const { raw, txid } = codec.attach(unsigned, signatures)
    const read = codec.detach(raw)
    if (read.from === from && read.txid === txid && equalBytes(read.unsigned, unsigned)) return { isRight: true, raw, txid }
    return { isRight: false, cause: new Error("the signature is not the paying address's over the stored bytes") }
  } catch (cause) {
    if (cause instanceof ChainError) return { isRight: false, cause }
    throw cause
  }
}
