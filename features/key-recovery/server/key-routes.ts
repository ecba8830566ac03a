import { answerPage, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import { readWalletKey, recoveryStates, requireKey, type WalletKeyRow } from '@holdfast/features/key/server'
import { handle, type HandledEndpoint, type MemberContext } from '@holdfast/http'
import { signatureKindOf } from '@holdfast/mpc'
import { known } from '@holdfast/units'
import * as contract from '../contract.ts'
import { checkShares } from './check-shares.ts'
import { remindersFor } from './key-reminders.ts'
import { keyChangeOf } from './key-change.ts'
import { keyChangeView, signerStates } from './key-change-view.ts'
import { isRetired } from './propose-key-order.ts'

/** The keys of an organisation as they stand. */
export function keyEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db } = context
  const list = async (caller: MemberContext, asked: Asked) => {
    const { keys, inForce, total } = await db.asOrganisation(caller.orgId, (tx) => readKeys(tx, context, caller, asked))
    const views = await Promise.all(keys.map(async ({ key, ...view }) => ({ ...view, signers: await signerStates(context, inForce, key.keyId) })))
    return answerPage(asked, total, views)
  }
  const check = async ({ orgId, personId }: MemberContext, { wallet_id, key_kind }: InputOf<typeof contract.checkKeyShares>) => {
    const key = await db.asOrganisation(orgId, (tx) => requireKey(tx, wallet_id, key_kind))
    const failed = await checkShares(context, orgId, key, personId)
    return { fault: failed?.reason ?? null, party: failed?.party ?? null }
  }
  return [
    handle(contract.listKeys, list),
    handle(contract.listKeysAsBefore, list),
    handle(contract.checkKeyShares, check),
    handle(contract.checkKeySharesAsBefore, check),
    handle(contract.listKeyReminders, ({ orgId, personId }) => db.asOrganisation(orgId, async (tx) => ({ list: await remindersFor(tx, context, personId) }))),
  ]
}

type Asked = InputOf<typeof contract.listKeys>

async function readKeys(tx: OrganisationTx, context: ServerContext, caller: MemberContext, { wallet_id: walletId, page_no: page, page_size: size }: Asked) {
  const nowMs = context.ports.clock.nowMs()
  let asked = tx
    .selectFrom('wallet')
    .innerJoin('key_of_wallet', (join) => join.onRef('key_of_wallet.org_id', '=', 'wallet.org_id').onRef('key_of_wallet.wallet_id', '=', 'wallet.id'))
    .where('wallet.org_id', '=', tx.orgId)
    .where('wallet.state', '=', 'active')
  if (walletId !== undefined) asked = asked.where('wallet.id', '=', walletId)
  const { count } = await asked.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const rows = await asked
    .select(['wallet.id', 'key_of_wallet.key_id', 'key_of_wallet.protocol'])
    .orderBy('wallet.created_at')
    .orderBy('wallet.id')
    .orderBy('key_of_wallet.protocol')
    .offset((page - 1) * size)
    .limit(size)
    .execute()
  const recovery = await recoveryStates(
    tx,
    rows.map(({ id }) => id),
    nowMs,
  )
  const keys = []
  for (const { id, key_id, protocol } of rows) {
    const key = known(await readWalletKey(tx, id, key_id), `the ${protocol} key of wallet ${id}`)
    const state = known(
      recovery.get(id)?.find((each) => each.protocol === protocol),
      `the recovery of wallet ${id}`,
    )
    keys.push({
      key,
      wallet_id: id,
      wallet_name: key.walletName,
      key_id: toHex(key.keyId),
      key_kind: signatureKindOf(protocol),
      is_only: key.walletProtocols.length === 1,
      protocol,
      epoch: Number(key.epoch),
      ready: key.keyState === 'ready',
      kit_state: state.state,
      verified_at: state.verifiedAtMs,
      next_drill_at: state.nextDrillAtMs,
      drill_due: state.overdue,
      deposits_open: state.depositsOpen,
      retired: key.retiredAtMs !== null,
      retirement_open: key.retiredAtMs !== null && !(await isRetired(tx, key.keyId)),
      drill_due_soon: state.dueSoon,
      refresh_due_at: await refreshDueAt(tx, key, context.settings.keyUpkeep.refreshAfterMs),
      ...(await readCheck(tx, key)),
      change: await newestChange(tx, context, caller, key),
    })
  }
  return { keys, inForce: await currentPolicy(tx), total: Number(count) }
}

async function readCheck(tx: OrganisationTx, { keyId }: WalletKeyRow) {
  const row = await tx
    .selectFrom('share_check')
    .leftJoin('person', (join) => join.onRef('person.org_id', '=', 'share_check.org_id').onRef('person.id', '=', 'share_check.asked_by'))
    .select(['checked_at', 'fault', 'fault_party', 'next_at', 'person.name'])
    .where('share_check.org_id', '=', tx.orgId)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  const ms = (time: bigint | null | undefined) => (time == null ? null : Number(time))
  return {
    checked_at: ms(row?.checked_at),
    check_fault: row?.fault ?? null,
    check_party: row?.fault_party ?? null,
    check_asked_by: row?.name ?? null,
    next_check_at: ms(row?.next_at),
  }
}

/** When the shares in use become as old as the installation lets them; null if nothing comes of it. */
async function refreshDueAt(tx: OrganisationTx, { keyId, epoch, retiredAtMs }: WalletKeyRow, refreshAfterMs: number | null): Promise<number | null> {
  if (refreshAfterMs === null || retiredAtMs !== null) return null
  const row = await tx
    .selectFrom('wallet_key')
    .select('created_at')
    .where('org_id', '=', tx.orgId)
    .where('key_id', '=', keyId)
    .where('epoch', '=', epoch)
    .executeTakeFirstOrThrow()
  return Number(row.created_at) + refreshAfterMs
}

/** What is on its way. Of what has ended a refusal is shown, until another order follows it, and an export that can still be fetched. */
async function newestChange(tx: OrganisationTx, context: ServerContext, { language, personId }: MemberContext, { keyId }: WalletKeyRow) {
  const row = await tx
    .selectFrom('key_change')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('key_id', '=', keyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const change = keyChangeOf(row)
  const isOpenExport = row.state === 'done' && change.intent.action === 'export' && row.expires_at > BigInt(context.ports.clock.nowMs())
  if (row.is_final && row.state !== 'refused' && !isOpenExport) return null
  return keyChangeView({ tx, context, language, personId }, change)
}
