import { ChainError } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import type { OrganisationTx, Schema } from '@holdfast/db'
import { bytes, encode, struct, text, uint } from '@holdfast/encoding'
import { appendToLog } from '@holdfast/features/evidence/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { closeProposal, noteWord, openProposal } from '@holdfast/features/proposal/server'
import { HELD_FOR_COMMENT } from '@holdfast/features/wallet/server'
import { normalComment, readComments } from '@holdfast/features/deposit-address/server'
import { announceAll, type Announcement } from '@holdfast/jobs'
import { ImpossibleLedger, findLedgerImbalances } from '@holdfast/ledger'
import { newId, uuidToBytes } from '@holdfast/units'
import type { Selectable } from 'kysely'
import { networkErrors } from '@holdfast/features/network/errors'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { depositErrors } from '../errors.ts'
import { readCursor, type ScanNeeds } from './reading/advance.ts'
import { bookDeposits, isSeenByAll } from './crediting/credit-deposits.ts'
import { endUntrue } from './crediting/end-untrue.ts'
import { finalAt } from './reading/final-now.ts'

/*
 * What becomes of a held payment. One person claims it for a payer, another one confirms, and it is credited in the transaction of the confirmation, to the
 * sub-wallet that has the address: the ledger has money where the chain has it. Locks are taken in this order: deposit, claim, ledger, log, outbox.
 */

/** Something waits for a person, or no longer does. */
const TO_DECIDE: Announcement = { topic: 'todo.changed', ids: {} }

type Held = Selectable<Schema['deposit']>
type Act = 'ask' | 'confirm' | 'refuse' | 'withdraw' | 'keep'
type Said = { personId: string; reason: string }

/** What the log says of a person's decision on a held payment. */
export const depositClaimShape = struct('holdfast/deposit-claim/v1', {
  person: bytes(16),
  deposit: bytes(16),
  chain: text(64),
  txid: text(128),
  act: text(16),
  comment: text(64),
  reason: text(800),
  atMs: uint(),
})

/** Claims a held payment. `memo` is a comment of its address, or empty. Throws `state_changed` if it is not held, or already waits for a decision. */
export async function askForClaim(tx: OrganisationTx, needs: ScanNeeds, { depositId, memo, ...said }: Said & { depositId: string; memo: string }) {
  const held = await readHeld(tx, depositId)
  if (await openClaim(tx, held.id)) throw new AppError('state_changed')
  const comment = normalComment(memo)
  const payment = { orgId: tx.orgId, address: held.address, memo: comment }
  const whyNot = comment === '' ? null : (await readComments(tx, held.chain, [payment]))(payment)
  if (whyNot !== null) throw new AppError('invalid_parameters', { details: { field: 'memo', reason: 'it must be a comment of the address that was paid' } })
  return insertClaim(tx, needs, held, { state: 'asked', comment: comment === '' ? null : comment, ...said })
}

/** Says why a payment stays held. */
export async function keepHeld(tx: OrganisationTx, needs: ScanNeeds, { depositId, ...said }: Said & { depositId: string }): Promise<void> {
  const held = await readHeld(tx, depositId)
  if (await openClaim(tx, held.id)) throw new AppError('state_changed')
  await insertClaim(tx, needs, held, { state: 'kept', comment: null, ...said })
}

/** Takes one's own claim back. Throws `resource_not_found` if it is somebody else's. */
export async function withdrawClaim(tx: OrganisationTx, needs: ScanNeeds, { claimId, personId }: { claimId: string; personId: string }): Promise<void> {
  const { claim, deposit } = await readClaim(tx, claimId)
  if (claim.asked_by !== personId) throw new AppError('resource_not_found')
  const said = { personId, reason: '' }
  await endClaim(tx, needs, claim, 'withdraw', said)
  await logWord(tx, needs, deposit, 'withdraw', { ...said, comment: claim.comment })
  await tell(tx, needs, deposit)
}

/** Refuses another person's claim: the payment stays held. Throws `own_claim`. */
export async function refuseClaim(tx: OrganisationTx, needs: ScanNeeds, { claimId, ...said }: Said & { claimId: string }): Promise<void> {
  const { claim, deposit } = await readClaim(tx, claimId)
  assertOther(claim, said.personId)
  await endClaim(tx, needs, claim, 'refuse', said)
  await logWord(tx, needs, deposit, 'refuse', { ...said, comment: claim.comment })
  await tell(tx, needs, deposit)
}

/**
 * Confirms another person's claim and credits the payment, in one transaction that proves the ledger of the asset. Throws `own_claim`, `state_changed`,
 * `deposit_not_final`, `node_unavailable` if the sources do not show it now, and `crediting_halted`.
 */
export async function confirmClaim(needs: ScanNeeds, orgId: string, { claimId, ...said }: Said & { claimId: string }): Promise<void> {
  const { db, networks } = needs
  const { deposit } = await db.asOrganisation(orgId, async (tx) => {
    const found = await readClaim(tx, claimId)
    assertOther(found.claim, said.personId)
    return found
  })
  const network = networks.find(deposit.chain)
  if (!network) throw new AppError(networkErrors.unsupported_coin)
  await assertFinal(needs, deposit)
  await db.asOrganisation(orgId, async (tx) => {
    const { claim } = await readClaim(tx, claimId)
    const held = await readHeld(tx, claim.deposit_id)
    // Its block may have gone and come back since the sources were asked.
    if (held.block_hash !== deposit.block_hash) throw new AppError('state_changed')
    await endClaim(tx, needs, claim, 'confirm', said)
    await tx.updateTable('deposit').set({ sub_status: null }).where('org_id', '=', tx.orgId).where('id', '=', held.id).execute()
    const news = await bookDeposits(tx, needs, network, [held.id])
    if (!news) throw new AppError(depositErrors.crediting_halted)
    const broken = await findLedgerImbalances(tx, { chain: held.chain, contract: held.contract === '' ? null : held.contract })
    if (broken.length > 0) throw new ImpossibleLedger(broken.map(({ fault }) => fault).join('; '))
    await logWord(tx, needs, held, 'confirm', { ...said, comment: claim.comment })
    await announceAll(tx, needs.ports, [...news, TO_DECIDE])
  })
}

/** A held payment may be old: the chain is asked for it now, as for a payment that is credited when it becomes final. */
async function assertFinal(needs: ScanNeeds, deposit: Held): Promise<void> {
  const network = needs.networks.require(deposit.chain)
  try {
    const cursor = await readCursor(needs, deposit.chain)
    const final = cursor && (await finalAt(needs, network, cursor))
    if (!final || deposit.height > final.height) throw new AppError(depositErrors.deposit_not_final)
    if (final.sources.length < 2 || (await isSeenByAll(needs, final, deposit))) return
    await needs.db.asOrganisation(deposit.org_id, (tx) => endUntrue(tx, needs, network, deposit.id))
    throw new AppError('state_changed')
  } catch (cause) {
    if (cause instanceof ChainError) throw new AppError(networkErrors.node_unavailable, { cause })
    throw cause
  }
}

/** A payment that is held now, locked. Throws `order_not_found` and `state_changed`. */
async function readHeld(tx: OrganisationTx, id: string): Promise<Held> {
  const row = await tx.selectFrom('deposit').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw new AppError(proposalErrors.order_not_found)
  if ((row.state !== 'unconfirmed' && row.state !== 'confirmed') || !HELD_FOR_COMMENT.includes(row.sub_status ?? '')) throw new AppError('state_changed')
  return row
}

type Claim = Selectable<Schema['deposit_claim']>

/** A claim that waits for a decision, with its payment, both locked. Throws `resource_not_found` and `state_changed`. */
async function readClaim(tx: OrganisationTx, id: string): Promise<{ claim: Claim; deposit: Held }> {
  const wanted = tx.selectFrom('deposit_claim').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id)
  const known = await wanted.executeTakeFirst()
  if (!known) throw new AppError('resource_not_found')
  const deposit = await tx
    .selectFrom('deposit')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('id', '=', known.deposit_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const claim = await wanted.forNoKeyUpdate().executeTakeFirstOrThrow()
  if (claim.state !== 'asked') throw new AppError('state_changed')
  return { claim, deposit }
}

function assertOther({ asked_by }: Claim, personId: string): void {
  if (asked_by === personId) throw new AppError(depositErrors.own_claim)
}

async function openClaim(tx: OrganisationTx, depositId: string): Promise<boolean> {
  const open = await tx
    .selectFrom('deposit_claim')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('deposit_id', '=', depositId)
    .where('state', '=', 'asked')
    .executeTakeFirst()
  return open !== undefined
}

type NewClaim = Said & { state: 'asked' | 'kept'; comment: string | null }

async function insertClaim(tx: OrganisationTx, needs: ScanNeeds, held: Held, { state, comment, personId, reason }: NewClaim): Promise<string> {
  const { ports } = needs
  const nowMs = ports.clock.nowMs()
  const id = newId(nowMs, ports.random)
  await tx
    .insertInto('deposit_claim')
    .values({ org_id: tx.orgId, id, deposit_id: held.id, state, comment, reason, asked_by: personId, asked_at: nowMs })
    .execute()
  if (state === 'asked') await proposeClaim(tx, held, { id, comment, personId, reason, nowMs })
  await logWord(tx, needs, held, state === 'asked' ? 'ask' : 'keep', { comment, personId, reason })
  await tell(tx, needs, held)
  return id
}

type Proposed = Said & { id: string; comment: string | null; nowMs: number }

async function proposeClaim(tx: OrganisationTx, held: Held, { id, comment, personId, reason, nowMs }: Proposed): Promise<void> {
  const { wallet_id: walletId } = await tx
    .selectFrom('sub_wallet')
    .select('wallet_id')
    .where('org_id', '=', tx.orgId)
    .where('id', '=', held.sub_wallet_id)
    .executeTakeFirstOrThrow()
  await openProposal(tx, {
    subjectId: id,
    kind: 'deposit_claim',
    rank: 'held',
    intentHash: null,
    initiator: personId,
    walletId,
    words: [held.txid, held.address, held.symbol, comment, reason],
    deciders: [],
    expiresAt: null,
    createdAt: BigInt(nowMs),
  })
}

const STATE_AFTER = { confirm: 'confirmed', refuse: 'refused', withdraw: 'withdrawn' } as const

async function endClaim(tx: OrganisationTx, needs: ScanNeeds, claim: Claim, act: keyof typeof STATE_AFTER, { personId, reason }: Said): Promise<void> {
  const nowMs = Math.max(needs.ports.clock.nowMs(), Number(claim.asked_at))
  await tx
    .updateTable('deposit_claim')
    .set({ state: STATE_AFTER[act], decided_by: personId, decided_at: nowMs, decision_reason: reason === '' ? null : reason })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', claim.id)
    .execute()
  await closeProposal(tx, claim.id)
  if (act !== 'withdraw') await noteWord(tx, claim.id, { personId, atMs: nowMs })
}

/** Writes every decision to the organisation's log. */
async function logWord(
  tx: OrganisationTx,
  { ports }: ScanNeeds,
  { id, chain, txid }: Held,
  act: Act,
  { comment, personId, reason }: Said & { comment: string | null },
): Promise<void> {
  const atMs = ports.clock.nowMs()
  const { fingerprint } = await currentPolicy(tx)
  const word = { person: uuidToBytes(personId), deposit: uuidToBytes(id), chain, txid, act, comment: comment ?? '', reason, atMs: BigInt(atMs) }
  await appendToLog(tx, { genesis: fingerprint, type: 'deposit-claim', body: encode(depositClaimShape, word), atMs })
}

/** Tells open pages; the last act of a transaction. */
async function tell(tx: OrganisationTx, { ports }: ScanNeeds, { id, sub_wallet_id }: Held): Promise<void> {
  await announceAll(tx, ports, [{ topic: 'deposit.changed', ids: { deposit_id: id, sub_wallet_id } }, TO_DECIDE])
}
