import type { OrganisationTx } from '@holdfast/db'
import { encode, equalBytes, list, struct } from '@holdfast/encoding'
import { sequencesOf } from '@holdfast/features/proposal/server'
import { CoSignerError, gatherEndorsements, noWordOf } from '@holdfast/features/signer-link/server'
import { readApprovals } from '@holdfast/features/evidence/server'
import { currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import { assembleKit, checkedShare, readWalletKey, SignerMismatchError, type WalletKeyRow } from '@holdfast/features/key/server'
import { announce } from '@holdfast/jobs'
import { openSigned, recoveryKitShape, retiredStatementShape, type Signed, signedShape, signerCalls } from '@holdfast/protocol'
import { withChangeStep } from './change-progress.ts'
import { waitingHolders } from './export-holders.ts'
import { isKeyOrder, keyChanges, type KeyOrder, writeChangeProgress } from './key-change.ts'
import { isRefusal, readySigners, refusalOf } from './ready-signers.ts'
import type { KeyChangeNeeds } from './take-change-step.ts'
import { unfinishedPayments } from './unfinished-payments.ts'

/** The words of all three signers that they sign nothing with a key any more. */
const retiredStatementsShape = struct('holdfast/retired-statements/v1', { statements: list(signedShape, 3) })

type Work = { order: KeyOrder; key: WalletKeyRow; inForce: PolicyInForce; approvals: Uint8Array[]; sequences: number[] }

/**
 * Has the signers follow an approved order that exports or retires a key, once the time in which it can still be rejected has passed. Each signer can be asked
 * again, so a server that dies asks all of them once more.
 */
export async function takeOrderStep(needs: KeyChangeNeeds, orgId: string, id: string): Promise<'wait' | 'done'> {
  const asked = [1, 2, 3]
  if (asked.some((party) => !needs.coSigners.online().includes(party))) return 'wait'
  const work = await needs.db.asOrganisation(orgId, (tx) => beginOrder(tx, needs, id))
  if (work === 'wait' || work === 'done') return work
  try {
    const given = await followEverywhere(needs, orgId, work)
    await needs.db.asOrganisation(orgId, (tx) => endOrder(tx, needs, work, given))
    return 'done'
  } catch (cause) {
    return needs.db.asOrganisation(orgId, (tx) => failOrder(tx, needs, work, cause))
  }
}

async function beginOrder(tx: OrganisationTx, needs: KeyChangeNeeds, id: string): Promise<Work | 'wait' | 'done'> {
  const found = await keyChanges.read(tx, id)
  const key = found && (await readWalletKey(tx, found.row.wallet_id, found.intent.keyId, true))
  const order = await keyChanges.read(tx, id, true)
  if (!key || order?.row.state !== 'approved' || !isKeyOrder(order)) return 'done'
  const nowMs = needs.ports.clock.nowMs()
  const { intent } = order
  if (BigInt(nowMs) < intent.usableFromMs) return 'wait'
  if (intent.action === 'export' && (await waitingHolders(tx, order)).length > 0) return 'wait'
  if (intent.action === 'retire') {
    if ((await unfinishedPayments(tx, key)) > 0) return 'wait'
    // From here on nothing new is begun with the key; what the signers would refuse anyway is not asked of them.
    await tx.updateTable('key_of_wallet').set({ retired_at: nowMs }).where('org_id', '=', tx.orgId).where('key_id', '=', key.keyId).execute()
    await announce(tx, needs.ports, 'wallet.changed', { wallet_id: key.walletId })
  }
  const words = (await readApprovals(tx, order.row.intent_hash)).filter((each) => each.approval.decision === 'approve')
  const sequences = sequencesOf(order.places, words)
  await writeChangeProgress(tx, needs, order, withChangeStep(order.progress, intent.action as 'export' | 'retire', 'running', nowMs))
  return { order, key, inForce: await currentPolicy(tx), approvals: words.map((each) => each.bytes), sequences }
}

async function followEverywhere(needs: KeyChangeNeeds, orgId: string, { order, inForce, key, approvals, sequences }: Work): Promise<Signed[]> {
  const { intent, row } = order
  const shown = await readySigners(needs, orgId, inForce, sequences)
  const asked = { genesis: inForce.fingerprint, intent: new Uint8Array(row.intent), approvals, ...shown }
  const { genesis, ...subject } = asked
  // All three are there: who would not follow says why, and the order ends before any of them does.
  const { given: endorsements, refusals, missing } = await gatherEndorsements(needs, { genesis, subject: { kind: 'order', ...subject } })
  if (refusals[0]) throw refusals[0]
  const [silent] = missing
  if (silent !== undefined) throw new Error(noWordOf(silent))
  const given: Signed[] = []
  for (const { party, signKey } of inForce.signers) {
    const named = intent.recipients.find((each) => each.party === party)
    if (intent.action === 'export' && !named) continue
    const signed = await needs.coSigners.call(Number(party), signerCalls.followKeyOrder, { ...asked, endorsements })
    if (named) checkedShare(signed, { party, signKey, key, named: { kind: 'single', ...named }, fingerprint: inForce.fingerprint })
    else checkRetired(signed, party, signKey, order)
    given.push(signed)
  }
  return given
}

function checkRetired(signed: Signed, party: bigint, signKey: Uint8Array, { intent, row }: KeyOrder): void {
  const said = openSigned(retiredStatementShape, signed, signKey)
  const isIt = said && signed.party === party && said.party === party && equalBytes(said.keyId, intent.keyId) && equalBytes(said.intentHash, row.intent_hash)
  if (!isIt) throw new SignerMismatchError(`signer ${party} does not say that it has retired the key`)
}

async function endOrder(tx: OrganisationTx, needs: KeyChangeNeeds, { order, key, inForce }: Work, given: Signed[]): Promise<void> {
  await readWalletKey(tx, order.row.wallet_id, key.keyId, true)
  const present = await keyChanges.read(tx, order.row.id, true)
  if (present?.row.state !== 'approved' || !isKeyOrder(present)) return
  const nowMs = needs.ports.clock.nowMs()
  await writeChangeProgress(tx, needs, present, withChangeStep(present.progress, present.intent.action as 'export' | 'retire', 'done', nowMs))
  if (present.intent.action === 'export') {
    const kit = encode(recoveryKitShape, await assembleKit(tx, { key, inForce, shares: given, nowMs }))
    await tx.insertInto('key_export').values({ org_id: tx.orgId, change_id: present.row.id, kit, created_at: nowMs }).execute()
    await keyChanges.move(tx, needs, present, { state: 'done', actor: 'signers 1, 2, 3' })
    return
  }
  const statements = encode(retiredStatementsShape, { statements: given })
  await tx.updateTable('key_change').set({ statements }).where('org_id', '=', tx.orgId).where('id', '=', present.row.id).execute()
  await keyChanges.move(tx, needs, present, { state: 'done', actor: 'signers 1, 2, 3', log: [{ type: 'key', body: statements }] })
}

async function failOrder(tx: OrganisationTx, needs: KeyChangeNeeds, { order, inForce }: Work, cause: unknown): Promise<'wait' | 'done'> {
  const present = await keyChanges.read(tx, order.row.id, true)
  if (present?.row.state !== 'approved' || !isKeyOrder(present)) return 'done'
  const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, 500)
  if (isRefusal(cause)) {
    await keyChanges.move(tx, needs, present, refusalOf(cause, inForce, reason))
    return 'done'
  }
  if (!(cause instanceof CoSignerError || cause instanceof Error)) throw cause
  const state = cause instanceof SignerMismatchError ? 'failed' : 'waiting'
  await writeChangeProgress(
    tx,
    needs,
    present,
    withChangeStep(present.progress, present.intent.action as 'export' | 'retire', state, needs.ports.clock.nowMs(), reason),
  )
  return 'wait'
}
