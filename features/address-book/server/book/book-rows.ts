import { AppError } from '@holdfast/contract'
import type { OrganisationTx, Verification } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { Screened } from '@holdfast/features/kyt/contract'
import { approvalUrl } from '@holdfast/features/approval-url'
import { type RawBuilder, sql } from 'kysely'
import type { whitelistStatuses } from '../../book-contract.ts'
import { lastScreenings } from '../last-screenings.ts'
import { paymentsTo } from './payments-to.ts'

export type WhitelistStatus = (typeof whitelistStatuses)[number]

/** What is neither used nor reviewed for so long asks whether it is still right. */
export const REVIEW_AFTER_MS = 180 * 24 * 3_600_000

/** An entry with what follows from its orders and payments. */
export type EntryRow = {
  id: string
  name: string
  address: string
  chains: string[]
  memo: string
  note: string
  vasp: string
  group_id: string | null
  group_name: string | null
  status: WhitelistStatus
  listed_at: bigint | null
  cooling_ms: bigint
  order_id: string | null
  intent_hash: Uint8Array | null
  verified: Verification | null
  verified_at: bigint | null
  verifier: string | null
  proof: string | null
  use_count: bigint
  last_used_at: bigint | null
  needs_review: boolean
  creator: string
  created_by: string
  created_at: bigint
  total: bigint
}

const OPEN = sql`('approving', 'approved')`

/** The book of the organisation as it stands at a time: where an entry is with the whitelist follows from the orders about it. */
const book = ({ orgId }: OrganisationTx, nowMs: number) => sql`
  select entry.*, book_group.name as group_name, creator.name as creator, verifier.name as verifier, used.use_count, used.last_used_at,
    case
      when off_order.state = 'followed' then 'disabled'
      when on_order.state in ${OPEN} then 'auditing'
      when on_order.state is distinct from 'followed' then 'none'
      when off_order.state in ${OPEN} then 'deleting'
      when on_order.updated_at + entry.cooling_ms > ${nowMs}::bigint then 'cooling'
      else 'active' end as status,
    case when on_order.state = 'followed' and off_order.state is distinct from 'followed' then on_order.updated_at end as listed_at,
    case when off_order.state in ${OPEN} then off_order.id when on_order.state in ${OPEN} then on_order.id end as order_id,
    case when off_order.state in ${OPEN} then off_order.intent_hash when on_order.state in ${OPEN} then on_order.intent_hash end as intent_hash,
    greatest(entry.reviewed_at, coalesce(used.last_used_at, 0)) + ${REVIEW_AFTER_MS}::bigint <= ${nowMs}::bigint as needs_review
  from book_entry as entry
  left join book_group on book_group.org_id = entry.org_id and book_group.id = entry.group_id
  left join signer_order as on_order on on_order.org_id = entry.org_id and on_order.id = entry.listed_by
  left join signer_order as off_order on off_order.org_id = entry.org_id and off_order.id = entry.unlisted_by
  left join person as creator on creator.org_id = entry.org_id and creator.id = entry.created_by
  left join person as verifier on verifier.org_id = entry.org_id and verifier.id = entry.verified_by
  left join lateral (
    select count(*) as use_count, max(found.created_at) as last_used_at
    from (${paymentsTo({ org: sql`entry.org_id`, address: sql`entry.address`, chains: sql`entry.chains`, memo: sql`entry.memo` })}) as found
    where found.txid is not null
  ) as used on true
  where entry.org_id = ${orgId} and entry.removed_at is null and not (entry.leaves and off_order.state is not distinct from 'followed')`

/** Entries that a condition on the columns of `EntryRow` holds for, by name. */
export async function readEntries(
  tx: OrganisationTx,
  nowMs: number,
  where: RawBuilder<unknown>,
  { limit = 1000, offset = 0 }: { limit?: number; offset?: number } = {},
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    with book as (${book(tx, nowMs)})
    select *, count(*) over () as total from book where ${where} order by lower(name), id limit ${limit} offset ${offset}`.execute(tx)
  return rows
}

/** The entries of these ids, each of them. Throws AppError `resource_not_found` where one is not in the book. */
export async function requireEntries(tx: OrganisationTx, nowMs: number, ids: readonly string[]): Promise<EntryRow[]> {
  const rows = await readEntries(tx, nowMs, sql`id = any(${[...ids]}::uuid[])`)
  if (rows.length !== ids.length) throw new AppError('resource_not_found')
  return rows
}

/** One entry. Throws AppError `resource_not_found`. */
export async function requireEntry(tx: OrganisationTx, nowMs: number, id: string): Promise<EntryRow> {
  const [row] = await requireEntries(tx, nowMs, [id])
  if (!row) throw new AppError('resource_not_found')
  return row
}

/** The entry that has one of these places already, if any. */
export async function findPlace(
  tx: OrganisationTx,
  nowMs: number,
  { chains, address, memo }: { chains: readonly string[]; address: string; memo: string },
): Promise<EntryRow | undefined> {
  const [row] = await readEntries(tx, nowMs, sql`address = ${address} and memo = ${memo} and chains ?| ${[...chains]}::text[]`, { limit: 1 })
  return row
}

type Viewer = Pick<ServerContext, 'networks' | 'settings'>

/** Entries as people see them. */
export async function entryViews(tx: OrganisationTx, viewer: Viewer, rows: readonly EntryRow[]) {
  const screenings = await lastScreenings(tx, rows)
  return rows.map((row, i) => entryView(viewer, row, screenings[i] ?? null))
}

function entryView({ networks, settings }: Viewer, row: EntryRow, kyt: Screened | null) {
  const { intent_hash: hash, listed_at: listedAt } = row
  return {
    id: row.id,
    name: row.name,
    group_id: row.group_id,
    group: row.group_name,
    address: row.address,
    chains: row.chains.map((chain) => {
      const network = networks.find(chain)
      return { chain, network: network?.name ?? chain, base_symbol: network?.assets.find((each) => each.contract === null)?.symbol ?? '' }
    }),
    memo: row.memo,
    note: row.note,
    vasp: row.vasp,
    whitelist_status: row.status,
    usable_at: usableAtOf(row),
    listed_at: listedAt === null ? null : Number(listedAt),
    order_id: row.order_id,
    approval_url: hash === null ? null : approvalUrl({ settings }, new Uint8Array(hash)),
    verify: verificationOf(row),
    kyt,
    needs_review: row.needs_review,
    use_count: Number(row.use_count),
    last_used_at: row.last_used_at === null ? null : Number(row.last_used_at),
    created_by: { person_id: row.created_by, name: row.creator },
    created_at: Number(row.created_at),
  }
}

/** How an entry was verified, when and by whom; null if nobody did. */
export const verificationOf = ({ verified: type, verified_at: at, verifier, proof }: EntryRow) =>
  type === null || at === null ? null : { type, at: Number(at), by: verifier ?? '', proof: proof ?? '' }

/** When an entry in its waiting period counts at the latest signer, by the time when the server was told that they have it. */
export const usableAtOf = ({ status, listed_at: listedAt, cooling_ms: coolingMs }: Pick<EntryRow, 'status' | 'listed_at' | 'cooling_ms'>): number | null =>
  status === 'cooling' && listedAt !== null ? Number(listedAt + coolingMs) : null
