import { askAlong, type OrganisationTx } from '@holdfast/db'
import { encode, equalBytes } from '@holdfast/encoding'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import type { PolicyInForce } from '@holdfast/features/policy/server'
import { openSigned, refusalStatementShape, requestHash, sessionRequestShape, type Signed, signedShape, type SignRequest } from '@holdfast/protocol'
import type { OrderId, OrganisationId } from '@holdfast/units'
import { buildRefusalEvidence } from './build-evidence.ts'
import { isAgainstOrder, isUnclear } from './choose-parties.ts'
import { endLease } from '../slot/lease-slot.ts'
import { subjectKind } from '../order/kinds/index.ts'
import { moveOrder, noteOrder } from '../order/move.ts'
import { endOpenTransaction, openTransaction, signedTransactions, storeSigned } from '../order/order-transactions.ts'
import { type Order, readAllowing, readOrder } from '../order/read-order.ts'
import { endAttempt, readAttempts } from './read-attempts.ts'
import { type Refusal, refusalsOf } from '../order/refusals.ts'
import type { Awaited, Signatures, SignNeeds, SignOutcome } from './types.ts'
import { canMove, isOnItsWay } from '../order/states.ts'

const isReplacement = (order: Order): boolean => signedTransactions(order).length > 0

/** What signers still have to sign for an order: its first transaction while it is signed, and a replacement while the old one is pending. */
export function awaitingSignature(order: Order): Awaited | undefined {
  const open = openTransaction(order)
  const isAwaited = isReplacement(order) ? isOnItsWay(order) : order.state === 'signing'
  return isAwaited && open?.unsigned_tx ? { ...open, unsigned_tx: open.unsigned_tx } : undefined
}

type Written = { transaction: Awaited; number: number; parties: readonly number[]; signed: Signatures; evidence: Uint8Array }

/** Stores the signed bytes with their proof. Only then may they be sent. */
export async function writeSignature(tx: OrganisationTx, needs: SignNeeds, { transaction, number, parties, signed, evidence }: Written): Promise<SignOutcome> {
  const nowMs = needs.ports.clock.nowMs()
  const { order_id: orderId } = transaction
  const order = await readOrder(tx, orderId, true)
  await endAttempt(tx, orderId, number, { outcome: 'signed', nowMs })
  const isStored = order?.transactions.find((each) => each.number === transaction.number)?.raw_tx !== null
  // Another server may have been given a signature over the same bytes first; its bytes are the ones that are sent.
  if (!order || isStored || !(isReplacement(order) || order.state === 'signing' || order.state === 'alarmed')) return 'signed'
  await endLease(tx, order.row, 'used', nowMs)
  const proof = { org_id: tx.orgId, order_id: orderId, bundle: evidence, created_at: nowMs }
  if (isReplacement(order)) askAlong(tx, tx.insertInto('replacement_evidence').values({ ...proof, number: transaction.number }))
  else askAlong(tx, tx.insertInto('evidence').values(proof))
  await storeSigned(tx, transaction, signed, nowMs)
  const story = {
    actor: `signers ${parties.join(', ')}`,
    log: signed.statements.map((statement) => ({ type: 'signature' as const, body: encode(signedShape, statement) })),
  }
  const isCarried = subjectKind(order.payment).isCarried === true
  if (!isReplacement(order))
    await moveOrder(tx, needs, order, { event: 'sign', ...story, ...(isCarried && { subStatus: WAITS_FOR_CARRIER }), set: { txid: signed.txid } })
  else if (isOnItsWay(order)) await moveOrder(tx, needs, order, { event: 'replace', ...story, set: { txid: signed.txid } })
  // The transaction that it was to replace is in a block meanwhile. It is kept all the same: it exists, and a reorganisation may need it.
  else await noteOrder(tx, needs, order, { subStatus: order.row.sub_status ?? '', ...story, set: {} })
  if (transaction.allowed_by !== null) {
    const allowing = await readAllowing(tx, order, transaction, true)
    if (canMove(allowing.state, 'sign')) await moveOrder(tx, needs, allowing, { event: 'sign', actor: story.actor, set: { txid: signed.txid } })
  }
  return 'signed'
}

/** What is signed and no transaction, until another one carries it. */
const WAITS_FOR_CARRIER = 'waiting_carrier'

type Failed = { transaction: Awaited; number: number; request: SignRequest; inForce: PolicyInForce; cause: unknown; isStopped: boolean }

export async function writeFailure(tx: OrganisationTx, needs: SignNeeds, failed: Failed): Promise<SignOutcome | 'again'> {
  const { transaction, number, cause } = failed
  const { order_id: orderId } = transaction
  const nowMs = needs.ports.clock.nowMs()
  const reason = cause instanceof Error ? cause.message : String(cause)
  const order = await readOrder(tx, orderId, true)
  const refusal = cause instanceof CoSignerError && cause.kind === 'refused' ? openRefusal(failed, cause, nowMs) : undefined
  const cheat = cause instanceof CoSignerError && cause.kind === 'cheat'
  const outcome = refusal ? 'refused' : cheat ? 'cheat' : 'unclear'
  await endAttempt(tx, orderId, number, {
    outcome,
    reason,
    nowMs,
    ...(cause instanceof CoSignerError ? { party: cause.party } : {}),
    ...(refusal ? { failedCheck: refusal.check } : {}),
  })
  if (!order || awaitingSignature(order)?.number !== transaction.number) return 'ended'
  if (refusal && failed.isStopped) return noteStopped(tx, needs, order, refusal)
  if (refusal) return writeRefusal(tx, needs, order, refusal)
  const actor = cause instanceof CoSignerError ? `signer-${cause.party}` : 'server'
  if (cheat) {
    if (isReplacement(order)) return endReplacement(tx, needs, order, { actor, reason })
    await moveOrder(tx, needs, order, { event: 'alarm', actor, reason, subStatus: 'cheat_detected' })
    return 'ended'
  }
  if (!isReplacement(order)) await noteOrder(tx, needs, order, { subStatus: 'co_signer_fault', actor, reason })
  return 'again'
}

type Refused = Refusal & { statement: Signed; bundle: Uint8Array; policyVersion: number }

/** The refusal with the signer's own signed words, or undefined if they are not its words about this request. */
function openRefusal({ request, inForce }: Failed, { party, check, statement }: CoSignerError, atMs: number): Refused | undefined {
  const signer = inForce.signers.find((each) => each.party === BigInt(party))
  const opened = signer && statement && statement.party === signer.party ? openSigned(refusalStatementShape, statement, signer.signKey) : undefined
  if (!signer || !statement || !opened || !equalBytes(opened.requestHash, requestHash(request)) || opened.check !== check) return undefined
  const bundle = buildRefusalEvidence({ request: encode(sessionRequestShape, request), statement })
  return { party, signer: signer.name, check, reason: opened.reason, atMs, statement, bundle, policyVersion: Number(inForce.policy.version) }
}

async function writeRefusal(tx: OrganisationTx, needs: SignNeeds, order: Order, refusal: Refused): Promise<SignOutcome | 'again'> {
  const known = refusalsOf(order.row)
  const { statement, bundle, ...words } = refusal
  const told = known.some((each) => each.party === words.party && each.check === words.check)
  const log = [{ type: 'refusal' as const, body: encode(signedShape, statement) }]
  const set = told ? {} : { refusal: JSON.stringify([...known, { ...words, bundle: Buffer.from(bundle).toString('base64') }]) }
  const actor = `signer-${words.party}`
  const reason = `${words.check}: ${words.reason}`
  // For a slot that is the order's own, a signer says for good that it does not accept these bytes.
  if (isReplacement(order) && (words.check === 'c10' || isAgainstOrder(words.check))) return endReplacement(tx, needs, order, { actor, reason, set, log })
  if (!isAgainstOrder(words.check)) {
    if (!isReplacement(order)) await noteOrder(tx, needs, order, { subStatus: 'co_signer_not_ready', actor, reason, ...(told ? {} : { set, log }) })
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

/** An order that met a freeze goes on when it is lifted, by the approvals it has, if they still count then. */
async function noteStopped(tx: OrganisationTx, needs: SignNeeds, order: Order, { statement, party, reason }: Refused): Promise<'wait'> {
  const log = [{ type: 'refusal' as const, body: encode(signedShape, statement) }]
  if (!isReplacement(order)) await noteOrder(tx, needs, order, { subStatus: 'waiting_freeze', actor: `signer-${party}`, reason, log, set: {} })
  return 'wait'
}

type Ending = { actor: string; reason: string; set?: { refusal?: string }; log?: { type: 'refusal'; body: Uint8Array }[] }

/** Gives up a replacement. The old transaction stays: it is on its way, and the chain decides. */
export async function endReplacement(tx: OrganisationTx, needs: SignNeeds, order: Order, { actor, reason, set = {}, log = [] }: Ending): Promise<'ended'> {
  const open = openTransaction(order)
  await endOpenTransaction(tx, order.row.id, reason, needs.ports.clock.nowMs())
  const allowing = open && open.allowed_by !== null ? await readAllowing(tx, order, open, true) : undefined
  // The log entry comes first: the log is locked before the outbox.
  await noteOrder(tx, needs, order, { subStatus: 'replacement_failed', actor, reason, set, log })
  if (allowing && canMove(allowing.state, 'refuse')) await moveOrder(tx, needs, allowing, { event: 'refuse', actor, reason, subStatus: 'replacement_failed' })
  return 'ended'
}

export async function waitForSigners(needs: SignNeeds, orgId: OrganisationId, orderId: OrderId, subStatus: string): Promise<'wait'> {
  await needs.db.asOrganisation(orgId, async (tx) => {
    const order = await readOrder(tx, orderId, true)
    if (order?.state === 'signing') await noteOrder(tx, needs, order, { subStatus, actor: 'server' })
  })
  return 'wait'
}

/** Has a person look at an order that no pair of signers can sign; a replacement waits, since the old transaction is on its way. */
export async function raiseAlarm(needs: SignNeeds, orgId: OrganisationId, orderId: OrderId, subStatus: string): Promise<'ended' | 'wait'> {
  return needs.db.asOrganisation(orgId, async (tx) => {
    const order = await readOrder(tx, orderId, true)
    if (order?.state !== 'signing') return order && awaitingSignature(order) ? 'wait' : 'ended'
    await moveOrder(tx, needs, order, { event: 'alarm', actor: 'server', subStatus })
    return 'ended'
  })
}
