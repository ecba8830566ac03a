import type { OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { permissionsOf } from '@holdfast/features/session/server'
import { type RecoveryState, recoveryOfWallet, recoveryStates } from '@holdfast/features/key/server'
import { signatureKindOf } from '@holdfast/mpc'
import { at, known } from '@holdfast/units'
import type { listKeyReminders } from '../contract.ts'
import { waitingHolders } from './export-holders.ts'
import { keyChangeOf } from './key-change.ts'

type Needs = Pick<ServerContext, 'ports' | 'settings'>
export type KeyReminder = OutputOf<typeof listKeyReminders>['list'][number]

/** What is to be done about keys that no order asks for: drills that are due, and checks of shares that failed or could not be made for too long. */
export async function keyReminders(tx: OrganisationTx, { ports, settings }: Needs): Promise<KeyReminder[]> {
  const nowMs = ports.clock.nowMs()
  const keys = await tx
    .selectFrom('wallet')
    .innerJoin('key_of_wallet', (join) => join.onRef('key_of_wallet.org_id', '=', 'wallet.org_id').onRef('key_of_wallet.wallet_id', '=', 'wallet.id'))
    .leftJoin('share_check', (join) => join.onRef('share_check.org_id', '=', 'key_of_wallet.org_id').onRef('share_check.key_id', '=', 'key_of_wallet.key_id'))
    .select(['wallet.id', 'wallet.name', 'wallet.alias', 'key_of_wallet.protocol', 'fault', 'fault_party', 'checked_at', 'tried_at'])
    .where('wallet.org_id', '=', tx.orgId)
    .where('wallet.state', '=', 'active')
    .where('key_of_wallet.retired_at', 'is', null)
    // Nobody is reminded of what was put away.
    .where('wallet.archived_at', 'is', null)
    .orderBy('wallet.created_at')
    .orderBy('wallet.id')
    .orderBy('key_of_wallet.protocol')
    .execute()
  const wallets = Map.groupBy(keys, ({ id }) => id)
  const recovery = await recoveryStates(tx, [...wallets.keys()], nowMs)
  const lateFrom = nowMs - 2 * settings.keyUpkeep.checkEveryMs
  return [...wallets].flatMap(([id, ofWallet]) => {
    const states = known(recovery.get(id), `the recovery of wallet ${id}`)
    const { name, alias } = at(ofWallet, 0)
    const about = { wallet_id: id, wallet_name: alias ?? name, key_kind: null, party: null, item_id: null }
    // One drill is of all its keys.
    const drill = drillReminder(recoveryOfWallet(states))
    const checks = ofWallet.flatMap(({ protocol, fault, fault_party, checked_at, tried_at }): KeyReminder[] => {
      const key = { ...about, key_kind: states.length > 1 ? signatureKindOf(protocol) : null }
      if (fault !== null) return [{ ...key, kind: 'check_failed', at: Number(tried_at), party: fault_party }]
      return checked_at !== null && Number(checked_at) < lateFrom ? [{ ...key, kind: 'check_late', at: Number(checked_at) }] : []
    })
    return [...(drill ? [{ ...about, ...drill }] : []), ...checks]
  })
}

function drillReminder({ state, overdue, dueSoon, nextDrillAtMs }: RecoveryState): Pick<KeyReminder, 'kind' | 'at'> | undefined {
  if (state === 'written') return { kind: 'drill_first', at: null }
  if (overdue) return { kind: 'drill_overdue', at: nextDrillAtMs }
  return dueSoon ? { kind: 'drill_soon', at: nextDrillAtMs } : undefined
}

/** The exports that name a person: those whose recipient they have not said to be theirs, and those whose file is there. */
async function exportReminders(tx: OrganisationTx, { ports }: Needs, personId: string): Promise<KeyReminder[]> {
  const rows = await tx
    .selectFrom('key_change')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('state', 'in', ['approving', 'approved', 'done'])
    .where('expires_at', '>', BigInt(ports.clock.nowMs()))
    .orderBy('created_at', 'desc')
    .execute()
  const reminders: KeyReminder[] = []
  for (const change of rows.map(keyChangeOf)) {
    if (!change.progress.holders?.some((each) => each.personId === personId)) continue
    const { row, intent } = change
    const about = { wallet_id: row.wallet_id, wallet_name: intent.wallet, key_kind: null, party: null, item_id: row.id }
    if (row.state === 'done') reminders.push({ ...about, kind: 'export_ready', at: Number(row.expires_at) })
    else if ((await waitingHolders(tx, change)).includes(personId)) reminders.push({ ...about, kind: 'export_accept', at: Number(row.expires_at) })
  }
  return reminders
}

/** Everything one person is reminded of: what is to be done about keys where their role handles kits, and the exports that name them. */
export async function remindersFor(tx: OrganisationTx, needs: Needs, personId: string): Promise<KeyReminder[]> {
  const { role } = await tx.selectFrom('person').select('role').where('org_id', '=', tx.orgId).where('id', '=', personId).executeTakeFirstOrThrow()
  const ofKeys = permissionsOf(role).has('key.kit') ? await keyReminders(tx, needs) : []
  return [...ofKeys, ...(await exportReminders(tx, needs, personId))]
}

/** How much one person is reminded of; for the badges of the console. */
export async function countKeyReminders(context: Needs & Pick<ServerContext, 'db'>, orgId: string, personId: string): Promise<number> {
  return context.db.asOrganisation(orgId, async (tx) => (await remindersFor(tx, context, personId)).length)
}
