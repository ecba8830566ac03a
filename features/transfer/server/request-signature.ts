import { decode, encode, equalBytes } from '@holdfast/encoding'
import type { OrganisationTx } from '@holdfast/db'
import { CoSignerFailure, type OnJoined } from '@holdfast/features/co-signer/server'
import { type CosignedCheckpoint, cosignedCheckpoint, type Logged, loggedAt, readApprovals } from '@holdfast/features/evidence/server'
import { bringSignersUp, currentPolicy, type PolicyInForce } from '@holdfast/features/strategy/server'
import { readWalletKey, type WalletKeyRow } from '@holdfast/features/wallet/server'
import { intentHash } from '@holdfast/intent'
import {
  openSigned,
  refusalStatementShape,
  requestHash,
  sessionRequestShape,
  type Signed,
  signatureResultShape,
  signatureStatementShape,
  type SignRequest,
  signedShape,
} from '@holdfast/protocol'
import type { Signature } from '@holdfast/chain-core'
import { buildRefusalEvidence, buildEvidence } from './build-evidence.ts'
import { type Attempt, chooseParties, isAgainstOrder, isUnclear } from './choose-parties.ts'
import { endLease } from './lease-slot.ts'
import { moveOrder, noteOrder, OrderMoved } from './move.ts'
import { type Order, readOrder } from './read-order.ts'
import { beginAttempt, endAttempt, handOver, readAttempts } from './read-attempts.ts'
import { type Refusal, refusalsOf } from './refusals.ts'
import { partiesBoundElsewhere } from './slot-bindings.ts'
import type { SignNeeds, SignOutcome } from './sign-order.ts'

/** How many pairs are asked one after another before the order waits for the next round. */
const TRIES_AT_ONCE = 3

/** Everything a request is made of, read in one transaction. */
type Work = { order: Order; inForce: PolicyInForce; key: WalletKeyRow; approvals: Uint8Array[]; sequences: number[]; attempts: Attempt[]; bound: Set<number> }

/** Has two signers sign the stored bytes, another pair where one fails, and stores what comes of it. */
export async function requestSignature(needs: SignNeeds, orgId: string, orderId: string): Promise<SignOutcome> {
  for (let tries = 0; tries < TRIES_AT_ONCE; tries++) {
    const outcome = await tryOnce(needs, orgId, orderId)
    if (outcome !== 'again') return outcome
  }
  return 'wait'
}

async function tryOnce(needs: SignNeeds, orgId: string, orderId: string): Promise<SignOutcome | 'again'> {
  const work = await needs.db.asOrganisation(orgId, (tx) => readWork(tx, orderId))
  if (!work) return 'ended'
  const { order, inForce } = work
  // A signer that has missed a version of the policy would refuse the order for good.
  const following = await bringSignersUp(needs, inForce)
  const checkpoint = await cosignedCheckpoint(needs, orgId, inForce).catch(() => undefined)
  const choice = chooseParties({ usable: checkpoint?.parties.filter((party) => following.includes(party)) ?? [], attempts: work.attempts, bound: work.bound })
  if (choice.kind === 'blocked') return raiseAlarm(needs, orgId, orderId, 'slot_blocked')
  if (choice.kind === 'wait' || !checkpoint) return waitForSigners(needs, orgId, orderId, 'waiting_co_signer')
  const logged = await loggedAt(needs, orgId, checkpoint.size, work.sequences)
  const request = requestOf(work, checkpoint, logged, choice.parties, needs.ports.random.bytes(32))
  const number = await needs.db.asOrganisation(orgId, (tx) => beginAttempt(tx, orderId, choice.parties, needs.ports.clock.nowMs()))
  let signed: Signatures
  try {
    signed = readResults(needs, work, choice.parties, await needs.coSigners.runSession(request, beforeStart(needs, order, number, inForce)))
  } catch (cause) {
    return needs.db.asOrganisation(orgId, (tx) => writeFailure(tx, needs, { orderId, number, request, inForce, cause }))
  }
  const evidence = buildEvidence({
    inForce,
    order,
    approvals: work.approvals,
    raw: signed.raw,
    keyStatements: work.key.statements,
    signatureStatements: signed.statements,
    checkpoint: checkpoint.note,
    logged,
  })
  return needs.db.asOrganisation(orgId, (tx) => writeSignature(tx, needs, { orderId, number, parties: choice.parties, signed, evidence }))
}

/**
 * What is done when all have joined and none has begun. A signer that knows less of the log than its peer would refuse after its
 * peer has bound the slot for good, so both are brought to the same size first. Then it is written that a signature may exist from
 * here on, unless the order was ended meanwhile.
 */
function beforeStart(
  needs: SignNeeds,
  { row: { org_id: orgId, id: orderId, unsigned_tx: unsigned } }: Order,
  number: number,
  inForce: PolicyInForce,
): OnJoined {
  return async (joins) => {
    if (new Set(joins.map(({ logSize }) => logSize)).size > 1) await cosignedCheckpoint(needs, orgId, inForce)
    await needs.db.asOrganisation(orgId, async (tx) => {
      const order = await readOrder(tx, orderId, true)
      const isSame = order?.row.unsigned_tx && unsigned && equalBytes(order.row.unsigned_tx, unsigned)
      if (order?.state !== 'signing' || !isSame) throw new OrderMoved(`order ${orderId} was ended before its signers began`)
      await handOver(tx, orderId, number, needs.ports.clock.nowMs())
    })
  }
}

async function readWork(tx: OrganisationTx, orderId: string): Promise<Work | undefined> {
  const order = await readOrder(tx, orderId)
  if (order?.state !== 'signing') return undefined
  const key = await readWalletKey(tx, order.row.wallet_id)
  if (!key || !equalBytes(key.keyId, order.intent.keyId)) throw new Error(`the key of order ${orderId} is not there`)
  const approvals = (await readApprovals(tx, order.row.intent_hash)).filter((each) => each.approval.decision === 'approve')
  const places = await tx
    .selectFrom('order_log_place')
    .select(['sequence', 'person_id'])
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', orderId)
    .execute()
  const placeOf = (personId: string | null) => {
    const place = places.find((each) => each.person_id === personId)
    if (!place) throw new Error(`order ${orderId} has an entry whose place in the log is not known`)
    return Number(place.sequence)
  }
  return {
    order,
    inForce: await currentPolicy(tx),
    key,
    approvals: approvals.map((each) => each.bytes),
    sequences: [placeOf(null), ...approvals.map((each) => placeOf(each.personId))],
    attempts: await readAttempts(tx, orderId),
    bound: await partiesBoundElsewhere(tx, order),
  }
}

function requestOf(
  { order, inForce, key, approvals }: Work,
  checkpoint: CosignedCheckpoint,
  logged: Logged[],
  parties: readonly number[],
  nonce: Uint8Array,
): SignRequest {
  return {
    kind: 'sign',
    genesis: inForce.fingerprint,
    keyId: key.keyId,
    epoch: key.epoch,
    parties: parties.map(BigInt),
    intent: order.row.intent,
    approvals,
    unsigned: order.row.unsigned_tx!,
    checkpoint: checkpoint.note,
    logged,
    nonce,
  }
}

type Signatures = { raw: Uint8Array; txid: string; statements: Signed[] }

/** Puts the signature on and believes it only after the chain's own codec finds the paying address in it, and the stored bytes under it. */
function readResults({ networks }: SignNeeds, { order, inForce }: Work, parties: readonly number[], results: ReadonlyMap<number, Uint8Array>): Signatures {
  const { row, intent } = order
  const codec = networks.find(row.chain)!.codec
  const given = parties.map((party) => decode(signatureResultShape, results.get(party)!))
  const signatures: Signature[] = given[0]!.signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
  const { raw, txid } = codec.attach(row.unsigned_tx!, signatures)
  const read = codec.detach(raw)
  if (read.from !== row.address_from || read.txid !== txid || !equalBytes(read.unsigned, row.unsigned_tx!))
    throw new Error("the signature is not the paying address's over the stored bytes")
  const statements = given.map(({ statement }, i) => {
    const signer = inForce.signers.find((each) => each.party === BigInt(parties[i]!))
    const opened = signer && statement.party === signer.party ? openSigned(signatureStatementShape, statement, signer.signKey) : undefined
    if (!opened || !equalBytes(opened.intentHash, intentHash(intent)) || !equalBytes(opened.unsigned, row.unsigned_tx!))
      throw new Error(`signer ${parties[i]} does not say that it signed this order`)
    return statement
  })
  return { raw, txid, statements }
}

type Written = { orderId: string; number: number; parties: readonly number[]; signed: Signatures; evidence: Uint8Array }

/** Stores the signed bytes with their proof. Only then may they be sent, and no others ever. */
async function writeSignature(tx: OrganisationTx, needs: SignNeeds, { orderId, number, parties, signed, evidence }: Written): Promise<SignOutcome> {
  const nowMs = needs.ports.clock.nowMs()
  const order = await readOrder(tx, orderId, true)
  await endAttempt(tx, orderId, number, { outcome: 'signed', nowMs })
  // Another server may have been given a signature over the same bytes first; its bytes are the ones that are sent.
  if (order?.state !== 'signing' && order?.state !== 'alarmed') return 'signed'
  await endLease(tx, order.row, 'used', nowMs)
  await tx.insertInto('evidence').values({ org_id: tx.orgId, order_id: orderId, bundle: evidence, created_at: nowMs }).execute()
  await moveOrder(tx, needs, order, {
    event: 'sign',
    actor: `signers ${parties.join(', ')}`,
    set: { raw_tx: signed.raw, txid: signed.txid },
    log: signed.statements.map((statement) => ({ type: 'signature', body: encode(signedShape, statement) })),
  })
  return 'signed'
}

type Failed = { orderId: string; number: number; request: SignRequest; inForce: PolicyInForce; cause: unknown }

async function writeFailure(tx: OrganisationTx, needs: SignNeeds, failed: Failed): Promise<SignOutcome | 'again'> {
  const { orderId, number, cause } = failed
  const nowMs = needs.ports.clock.nowMs()
  const reason = cause instanceof Error ? cause.message : String(cause)
  const order = await readOrder(tx, orderId, true)
  const refusal = cause instanceof CoSignerFailure && cause.kind === 'refused' ? openRefusal(failed, cause, nowMs) : undefined
  const cheat = cause instanceof CoSignerFailure && cause.kind === 'cheat'
  const outcome = refusal ? 'refused' : cheat ? 'cheat' : 'unclear'
  await endAttempt(tx, orderId, number, {
    outcome,
    reason,
    nowMs,
    ...(cause instanceof CoSignerFailure ? { party: cause.party } : {}),
    ...(refusal ? { failedCheck: refusal.check } : {}),
  })
  if (order?.state !== 'signing') return 'ended'
  if (refusal) return writeRefusal(tx, needs, order, refusal)
  if (cheat) {
    await moveOrder(tx, needs, order, { event: 'alarm', actor: `signer-${cause.party}`, reason, subStatus: 'cheat_detected' })
    return 'ended'
  }
  await noteOrder(tx, needs, order, { subStatus: 'co_signer_fault', actor: cause instanceof CoSignerFailure ? `signer-${cause.party}` : 'server', reason })
  return 'again'
}

/** The refusal with the signer's own signed words, or undefined where they are not its words about this request. */
function openRefusal(
  { request, inForce }: Failed,
  { party, check, statement }: CoSignerFailure,
  atMs: number,
): (Refusal & { statement: Signed; bundle: Uint8Array }) | undefined {
  const signer = inForce.signers.find((each) => each.party === BigInt(party))
  const opened = signer && statement && statement.party === signer.party ? openSigned(refusalStatementShape, statement, signer.signKey) : undefined
  if (!signer || !statement || !opened || !equalBytes(opened.requestHash, requestHash(request)) || opened.check !== check) return undefined
  const bundle = buildRefusalEvidence({ inForce, request: encode(sessionRequestShape, request), statement })
  return { party, signer: signer.name, check, reason: opened.reason, atMs, statement, bundle }
}

async function writeRefusal(
  tx: OrganisationTx,
  needs: SignNeeds,
  order: Order,
  refusal: Refusal & { statement: Signed; bundle: Uint8Array },
): Promise<SignOutcome | 'again'> {
  const known = refusalsOf(order.row)
  const { statement, bundle, ...words } = refusal
  const told = known.some((each) => each.party === words.party && each.check === words.check)
  const log = [{ type: 'refusal' as const, body: encode(signedShape, statement) }]
  const set = told ? {} : { refusal: JSON.stringify([...known, { ...words, bundle: Buffer.from(bundle).toString('base64') }]) }
  const actor = `signer-${words.party}`
  const reason = `${words.check}: ${words.reason}`
  if (!isAgainstOrder(words.check)) {
    await noteOrder(tx, needs, order, { subStatus: 'co_signer_not_ready', actor, reason, ...(told ? {} : { set, log }) })
    return 'again'
  }
  // A session before this one may have given a signature that we never saw; then the refusal does not end the order.
  if ((await readAttempts(tx, order.row.id)).some(isUnclear)) {
    await moveOrder(tx, needs, order, { event: 'alarm', actor, reason, subStatus: 'signature_unclear', set, log })
    return 'ended'
  }
  await endLease(tx, order.row, 'released', needs.ports.clock.nowMs())
  await moveOrder(tx, needs, order, { event: 'refuse', actor, reason, set, log })
  return 'ended'
}

async function waitForSigners(needs: SignNeeds, orgId: string, orderId: string, subStatus: string): Promise<'wait'> {
  await needs.db.asOrganisation(orgId, async (tx) => {
    const order = await readOrder(tx, orderId, true)
    if (order?.state === 'signing') await noteOrder(tx, needs, order, { subStatus, actor: 'server' })
  })
  return 'wait'
}

async function raiseAlarm(needs: SignNeeds, orgId: string, orderId: string, subStatus: string): Promise<'ended'> {
  await needs.db.asOrganisation(orgId, async (tx) => {
    const order = await readOrder(tx, orderId, true)
    if (order?.state === 'signing') await moveOrder(tx, needs, order, { event: 'alarm', actor: 'server', subStatus })
  })
  return 'ended'
}
