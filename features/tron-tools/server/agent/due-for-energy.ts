import type { SystemTx } from '@holdfast/db'
import type { OrderId, OrganisationId } from '@holdfast/units'
import { sql, type RawBuilder } from 'kysely'
import type { Supply } from './supplies.ts'

/** So many are looked at in one look. */
export const AT_ONCE = 200

/** Where the last look ended: with which row of each organisation, and with which organisation. */
export type Round = { ends: Map<string, { at: bigint; id: string }>; orgId: string | null }
export type Rounds = { payments: Round; supplies: Round }

/** Rounds that begin with the oldest of each organisation. */
export const newRounds = (): Rounds => ({ payments: { ends: new Map(), orgId: null }, supplies: { ends: new Map(), orgId: null } })

type Row = { org_id: string; id: string; created_at: bigint }

/**
 * The next of some rows. Organisations take turns, and each goes on after the row with which its last look ended, and begins again after its newest one: what
 * cannot move keeps out neither another organisation nor what is newer.
 */
async function nextInTurn<T extends Row>(tx: SystemTx, rows: RawBuilder<T>, round: Round, most: number): Promise<T[]> {
  const ends = [...round.ends].map(([orgId, { at, id }]) => ({ orgId, at: String(at), id }))
  const found = await sql<T>`
    select * from (
      select due.*, row_number() over (
        partition by due.org_id order by coalesce((due.created_at, due.id) <= (ended.at, ended.id), false), due.created_at, due.id) as turn
      from (${rows}) due
        left join unnest(${ends.map(({ orgId }) => orgId)}::uuid[], ${ends.map(({ at }) => at)}::bigint[], ${ends.map(({ id }) => id)}::uuid[])
          as ended (org_id, at, id) on ended.org_id = due.org_id
    ) taken
    order by turn, coalesce(org_id <= ${round.orgId}::uuid, false), org_id limit ${most}`.execute(tx)
  return found.rows
}

/** Keeps where a look ended. */
export function endLook(round: Round, rows: readonly Row[]): void {
  for (const { org_id: orgId, created_at: at, id } of rows) round.ends.set(orgId, { at, id })
  round.orgId = rows.at(-1)?.org_id ?? null
}

/**
 * The next payments that are approved and wait for energy alone, where the agent is on. One that still waits after its last approval gets none before that is
 * over: what is lent or rented would be gone by then.
 */
export function nextPayments(tx: SystemTx, { chains, nowMs }: { chains: readonly string[]; nowMs: number }, round: Round, most = AT_ONCE) {
  const due = sql<Row & { org_id: OrganisationId; id: OrderId; chain: string }>`
    select o.org_id, o.id, o.chain, o.created_at
    from tron_agent agent
      join transfer_order o on o.org_id = agent.org_id and o.chain = agent.chain and o.state = 'approved'
      join tron_account account on account.org_id = o.org_id and account.chain = o.chain and account.address = o.address_from and account.is_on
      left join tron_supply s on s.org_id = o.org_id and s.order_id = o.id
    where agent.is_on and agent.chain = any(${[...chains]}::text[]) and o.contract <> '' and o.kind in ('withdraw', 'collect')
      and (o.signable_at is null or o.signable_at <= ${nowMs}) and (s.state is null or s.state not in ('ready', 'burning'))`
  return nextInTurn(tx, due, round, most)
}

/** The next loans that are not over, of payments that are, or that somebody asked for; also where the agent is off, since what was lent is taken back. */
export function nextSupplies(tx: SystemTx, { chains }: { chains: readonly string[] }, round: Round, most = AT_ONCE): Promise<Supply[]> {
  const due = sql<Supply>`
    select s.*
    from tron_supply s left join transfer_order o on o.org_id = s.org_id and o.id = s.order_id
    where s.state <> 'over' and s.chain = any(${[...chains]}::text[]) and (s.order_id is null or o.is_final)`
  return nextInTurn(tx, due, round, most)
}
