import { AppError } from '@holdfast/contract'
import type { SystemTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { sql } from 'kysely'

type Settings = Pick<ServerContext['settings'], 'openSetup' | 'demoRecipients'>

/** What can be founded on this server: its first organisation, one beside a demo, or none. */
export type Founding = 'first' | 'beside_demo' | 'closed'

/**
 * What can be founded now. Where the server is open, always; else its first organisation, and on a machine that offers demos one organisation of people's own
 * beside a demo, which leaves nothing of value to be reached.
 */
export async function foundingNow(tx: SystemTx, { openSetup, demoRecipients }: Settings): Promise<Founding> {
  const organisations = await tx.selectFrom('organisation').select('demo').distinct().execute()
  if (openSetup || organisations.length === 0) return 'first'
  return demoRecipients !== null && organisations.every(({ demo }) => demo) ? 'beside_demo' : 'closed'
}

/**
 * Throws `not_permitted` if this server takes in no organisation of this kind. Asked again at every step: who began before another one was founded must not
 * come in after it. Of two that are founded at the same moment the second waits here, and finds the first.
 */
export async function refuseWhereClosed(tx: SystemTx, settings: Settings, { demo }: { demo: boolean }): Promise<void> {
  if (settings.openSetup) return
  await sql`select pg_advisory_xact_lock(hashtextextended('founding', 0))`.execute(tx)
  const founding = await foundingNow(tx, settings)
  if (founding === 'closed' || (founding === 'beside_demo' && demo)) throw new AppError('not_permitted')
}
