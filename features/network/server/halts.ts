import { type Database, type OrganisationTx, writtenOnce } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import { sql } from 'kysely'

type Needs = { db: Database; ports: Pick<Ports, 'clock'> }

/** Says that nothing of a chain may be booked or signed, and why. True if it is news. */
export async function haltChain({ db, ports }: Needs, chain: string, cause: string): Promise<boolean> {
  const reason = cause.slice(0, 1000)
  return db.asSystem(async (tx) => {
    const known = await tx.selectFrom('chain_halt').select('reason').where('chain', '=', chain).executeTakeFirst()
    if (known?.reason === reason) return false
    await tx
      .insertInto('chain_halt')
      .values({ chain, reason, since_at: ports.clock.nowMs() })
      .onConflict((conflict) => conflict.column('chain').doUpdateSet({ reason }))
      .execute()
    return known === undefined
  })
}

/** Takes a chain's halt back. True if there was one. */
export async function resumeChain({ db }: Pick<Needs, 'db'>, chain: string): Promise<boolean> {
  const { numDeletedRows } = await db.asSystem((tx) => tx.deleteFrom('chain_halt').where('chain', '=', chain).executeTakeFirst())
  return numDeletedRows > 0n
}

/**
 * What is wrong with an asset of an organisation: its ledger does not add up, which halts crediting and paying, or an address has less
 * or more on its chain than the ledger says, which people must look into, or somebody else may sign for an address, which ends paying
 * from it and depositing to it. `untold`: a source told of a payment that is not there, or left one out. `odd_log`: a token tells of transfers in a form that
 * nobody can read. `uncredited`: a payment is final and could not be booked.
 */
export type AlarmCause = 'books' | 'missing' | 'surplus' | 'control' | 'untold' | 'odd_log' | 'uncredited'
type Place = { chain: string; contract: string; place: string }
/** `contract` is empty for the chain's own coin, `place` is the address, and empty if it is of no address. `excess` is by how much there is more. */
export type Alarm = Place & { cause: AlarmCause; reason: string; excess?: bigint }

const keyOf = ({ chain, contract, place }: Place) => JSON.stringify([chain, contract, place])

/**
 * Makes the alarms of some causes, at the places that were looked at, what they are now: new ones are raised, and those that are
 * over are taken back. Returns the new ones, for the operator to be told.
 */
export async function setAlarms(
  tx: OrganisationTx,
  { clock }: Pick<Ports, 'clock'>,
  causes: readonly AlarmCause[],
  looked: readonly Place[],
  found: readonly Alarm[],
): Promise<Alarm[]> {
  const nowMs = clock.nowMs()
  const known = await tx
    .selectFrom('asset_alarm')
    .select(['chain', 'contract', 'cause', 'place', 'reason'])
    .where('org_id', '=', tx.orgId)
    .where('cause', 'in', [...causes])
    .where('over_at', 'is', null)
    .execute()
  const scope = new Set(looked.map(keyOf))
  const isSame = (one: Place & { cause: AlarmCause }) => (other: Place & { cause: AlarmCause }) => one.cause === other.cause && keyOf(one) === keyOf(other)
  for (const each of known.filter((alarm) => scope.has(keyOf(alarm)) && !found.some(isSame(alarm)))) {
    await tx
      .updateTable('asset_alarm')
      .set((row) => ({ over_at: row.fn<bigint>('greatest', ['since_at', row.val(BigInt(nowMs))]) }))
      .where('org_id', '=', tx.orgId)
      .where('cause', '=', each.cause)
      .where('chain', '=', each.chain)
      .where('contract', '=', each.contract)
      .where('place', '=', each.place)
      .execute()
  }
  const changed = found.filter((alarm) => known.find(isSame(alarm))?.reason !== alarm.reason.slice(0, 1000))
  for (const alarm of changed) {
    const reason = alarm.reason.slice(0, 1000)
    const isNew = !known.some(isSame(alarm))
    await tx
      .insertInto('asset_alarm')
      .values({ ...alarm, org_id: tx.orgId, reason, since_at: nowMs })
      .onConflict((conflict) =>
        conflict.columns(['org_id', 'chain', 'contract', 'cause', 'place']).doUpdateSet({
          reason,
          over_at: null,
          excess: alarm.excess ?? null,
          ...(isNew && { since_at: nowMs, acknowledged_by: null, acknowledged_at: null }),
        }),
      )
      .execute()
  }
  return changed.filter((alarm) => !known.some(isSame(alarm)))
}

/** Why nothing may be credited in an asset now, or undefined. */
export async function findLedgerAlarm(tx: OrganisationTx, { chain, contracts }: { chain: string; contracts: readonly string[] }): Promise<string | undefined> {
  const [alarm] = await askLedgerAlarm(tx, { orgId: tx.orgId, chain, contracts })
  return alarm?.reason
}

const askLedgerAlarm = writtenOnce((db, { orgId, chain, contracts }: { orgId: string; chain: string; contracts: readonly string[] }) =>
  db
    .selectFrom('asset_alarm')
    .select('reason')
    .where('org_id', '=', orgId)
    .where('chain', '=', chain)
    .where(sql<boolean>`contract = any(${contracts}::text[])`)
    .where('cause', '=', 'books')
    .where('over_at', 'is', null)
    .limit(1),
)

/** Who else may sign for an address of ours, by the last look at its chain; undefined if nobody. */
export async function findControlAlarm(tx: OrganisationTx, { chain, address }: { chain: string; address: string }): Promise<string | undefined> {
  const alarm = await tx
    .selectFrom('asset_alarm')
    .select('reason')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('cause', '=', 'control')
    .where('place', '=', address)
    .where('over_at', 'is', null)
    .executeTakeFirst()
  return alarm?.reason
}

export type PaymentHalt = { subStatus: 'sources_disagree' | 'books_broken'; reason: string }

/** What keeps payments in an asset from being asked for. The coin that fees are paid in counts as well. */
export type PaymentBars = {
  /** Why nothing may be paid in it now. */
  halt: PaymentHalt | undefined
  /** The addresses of ours on its chain for which somebody else may sign, by the last look at it. */
  othersControl: ReadonlySet<string>
}

/** Reads them, in one question. */
export async function paymentBars(tx: OrganisationTx, { chain, contract }: { chain: string; contract: string }): Promise<PaymentBars> {
  const rows = await askBars(tx, { orgId: tx.orgId, chain, contracts: [contract, ''] })
  const halted = rows.find(({ cause }) => cause === 'halt')
  const broken = rows.find(({ cause }) => cause === 'books')
  const othersControl = new Set(rows.flatMap(({ cause, place }) => (cause === 'control' ? [place] : [])))
  if (halted) return { halt: { subStatus: 'sources_disagree', reason: halted.reason }, othersControl }
  return { halt: broken && { subStatus: 'books_broken', reason: broken.reason }, othersControl }
}

/** Why nothing may be paid in an asset now, or undefined. The coin that fees are paid in counts as well. */
export async function findPaymentHalt(tx: OrganisationTx, asset: { chain: string; contract: string }): Promise<PaymentHalt | undefined> {
  return (await paymentBars(tx, asset)).halt
}

type Bar = { cause: 'halt' | 'books' | 'control'; reason: string; place: string }

const askBars = writtenOnce(
  (_, { orgId, chain, contracts }: { orgId: string; chain: string; contracts: readonly string[] }) => sql<Bar>`
    select 'halt' as cause, reason, '' as place from chain_halt where chain = ${chain}
    union all
    select cause, reason, place from asset_alarm
      where org_id = ${orgId} and chain = ${chain} and over_at is null and (cause = 'control' or (cause = 'books' and contract = any(${contracts}::text[])))`,
)

/** Why chains stand still, by chain. */
export async function readChainHalts(tx: OrganisationTx): Promise<Map<string, { reason: string; since: number }>> {
  const rows = await tx.selectFrom('chain_halt').select(['chain', 'reason', 'since_at']).execute()
  return new Map(rows.map(({ chain, reason, since_at }) => [chain, { reason, since: Number(since_at) }]))
}

/** What is wrong with an organisation's money now, the gravest first; last, what somebody took under an allowance and nobody has acknowledged. */
export async function listAlarms(tx: OrganisationTx) {
  const { orgId } = tx
  const [alarms, spends] = await Promise.all([askAlarms(tx, { orgId }), askSpends(tx, { orgId })])
  return [
    ...alarms.map((alarm) => ({ ...alarm, spendId: null })),
    ...spends.map(({ id, ...spend }) => ({ ...spend, reason: known(spend.reason, 'the reason of an allowance spend'), cause: 'pulled' as const, spendId: id })),
  ]
}

const ALARMS_MAX = 100

const askAlarms = writtenOnce((db, { orgId }: { orgId: string }) =>
  db
    .selectFrom('asset_alarm')
    .select(['chain', 'contract', 'cause', 'place', 'reason', 'since_at'])
    .where('org_id', '=', orgId)
    .where('over_at', 'is', null)
    .orderBy('cause')
    .orderBy('since_at')
    .limit(ALARMS_MAX),
)

const askSpends = writtenOnce((db, { orgId }: { orgId: string }) =>
  db
    .selectFrom('token_pull')
    .select(['id', 'chain', 'contract', 'address as place', 'reason', 'created_at as since_at'])
    .where('org_id', '=', orgId)
    .where('told_until_at', 'is', null)
    .where('reason', 'is not', null)
    .where('reversed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(ALARMS_MAX),
)

/** For so many blocks after one whose inner transfers no source showed, a chain counts as one where balances tell of them. */
const UNSEEN_FOR_BLOCKS = 4096n

/** The chains where coin that contracts move is found by balances, since what is read from shows no traces. A state, and no fault. */
export async function chainsByBalance(db: Database): Promise<Set<string>> {
  const rows = await db.asSystem((tx) =>
    tx.selectFrom('chain_cursor').select(['chain', 'height', 'unseen_height']).where('unseen_height', 'is not', null).execute(),
  )
  return new Set(rows.filter(({ height, unseen_height }) => unseen_height !== null && height - unseen_height < UNSEEN_FOR_BLOCKS).map(({ chain }) => chain))
}
