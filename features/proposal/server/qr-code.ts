import { AppError, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { readApprovals } from '@holdfast/features/evidence/server'
import { findPerson, keyOriginOf } from '@holdfast/policy'
import { newId, uuidToBytes } from '@holdfast/units'
import { type generateQr, type getQrStatus, QR_STATUS } from '../contract.ts'
import { proposalErrors } from '../errors.ts'
import type { Proposals } from './proposal-kind.ts'

/** What a code says of itself is true for so long: the page that shows it makes another one. */
const LIFE_MS = 5 * 60_000

type Needs = Pick<ServerContext, 'ports' | 'settings'>
type Whose = { personId: string; subjectId: string }

/**
 * A code that opens the approval page at a proposal, for one person. It carries the hash of what is decided and nothing else: whoever photographs it can
 * read the item, as anybody can who is told the hash, and decides nothing without a key of their own. The one before, of the same person and proposal, is
 * over. Throws AppError `order_not_found`, also where there is nothing to sign.
 */
export async function makeQrCode(tx: OrganisationTx, { ports, settings }: Needs, { personId, subjectId }: Whose): Promise<OutputOf<typeof generateQr>> {
  const nowMs = ports.clock.nowMs()
  const proposal = await tx
    .selectFrom('proposal')
    .select('intent_hash')
    .where('org_id', '=', tx.orgId)
    .where('subject_id', '=', subjectId)
    .where('is_open', '=', true)
    .executeTakeFirst()
  const hash = proposal?.intent_hash
  if (!hash) throw new AppError(proposalErrors.order_not_found)
  const id = newId(nowMs, ports.random)
  const expiresAtMs = nowMs + LIFE_MS
  const code = { id, created_at: nowMs, expires_at: expiresAtMs, opened_at: null }
  await tx
    .insertInto('qr_code')
    .values({ org_id: tx.orgId, person_id: personId, subject_id: subjectId, intent_hash: hash, ...code })
    .onConflict((conflict) => conflict.columns(['org_id', 'person_id', 'subject_id']).doUpdateSet(code))
    .execute()
  return { qr_id: id, qr_content: approvalUrl({ settings }, hash), expire_at: expiresAtMs }
}

/** How far a code of the caller's own has come, by what reached this server: the item was read for an approval page, or the caller's decision came in. */
export async function readQrCode(
  tx: OrganisationTx,
  { ports, proposals }: Pick<Needs, 'ports'> & { proposals: Proposals },
  { id, personId }: { id: string; personId: string },
): Promise<OutputOf<typeof getQrStatus>> {
  const code = await tx
    .selectFrom('qr_code')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  if (!code) throw new AppError('resource_not_found')
  const person = uuidToBytes(personId)
  const word = (await readApprovals(tx, code.intent_hash)).map(({ approval }) => approval).find((each) => equalBytes(each.person, person))
  if (word) {
    const signer = findPerson(await proposals.policyInForce(tx), person)
    const key = signer?.credentials.find((each) => equalBytes(each.id, word.assertion.credentialId))
    const status = word.decision === 'approve' ? QR_STATUS.confirmed : QR_STATUS.rejected
    return { status, device: key ? keyOriginOf(key.label).label : null, by: signer?.name ?? null }
  }
  const isOver = code.expires_at <= BigInt(ports.clock.nowMs())
  return { status: isOver ? QR_STATUS.expired : code.opened_at === null ? QR_STATUS.wait : QR_STATUS.scanned, device: null, by: null }
}

/** Notes that an item was read for an approval page, on the codes that lead there and have not expired. */
export async function noteOpened(tx: OrganisationTx, { ports }: Pick<Needs, 'ports'>, hash: Uint8Array): Promise<void> {
  const nowMs = ports.clock.nowMs()
  await tx
    .updateTable('qr_code')
    .set({ opened_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('intent_hash', '=', hash)
    .where('opened_at', 'is', null)
    .where('expires_at', '>', BigInt(nowMs))
    .execute()
}
