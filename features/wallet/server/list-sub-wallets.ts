import { AppError } from '@holdfast/contract'
import { byForm, type OrganisationTx, type Schema, writtenOnce } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { at } from '@holdfast/units'
import { type Kysely, sql } from 'kysely'
import { countSubWallets, subWalletView } from './list-wallets.ts'
import { groupSums, holdingsBySubWallet, type RowSums, sumsOfRow } from './read-holdings.ts'
import { readPrices, type Valued, worthOf, worthView } from './worth.ts'

const SHOWN = 1
const HIDDEN = 2
/** A call that names no sub-wallets gets the values of this many. */
const BALANCES_MAX = 200

type Asked = { walletId: string; personId: string; page: number; pageSize: number; keyword: string; status: number | undefined } & Valued
type Row = { id: string; number: number; name: string; alias: string | null; hidden: boolean; created_at: bigint; pinned: boolean | null }

/** A page of the sub-wallets of a wallet; the first page also has, apart, those the person pinned. */
export async function listSubWallets(tx: OrganisationTx, networks: Networks, asked: Asked) {
  const { walletId, personId, page, pageSize, status } = asked
  const { askRows, askCounts } = questionsOf({ hasStatus: status !== undefined, hasKeyword: asked.keyword !== '', isFirst: page === 1 })
  const narrowing = { orgId: tx.orgId, walletId, personId, hidden: status === HIDDEN, keyword: asked.keyword.toLowerCase() }
  const given = { ...narrowing, pageSize, offset: (page - 1) * pageSize }
  const [unpinnedCount, rows, prices] = await Promise.all([countUnpinned(tx, asked, askCounts(tx, given)), askRows(tx, given), readPrices(tx, networks, asked)])
  const sums = rows.flatMap(({ id, sums }) => (sums ?? []).map((sum) => ({ ...sum, owner: id, amount: BigInt(sum.amount) })))
  const holdings = groupSums(sums, networks)
  const view = (row: Row) => {
    const held = (holdings.get(row.id) ?? []).filter(({ amount }) => amount > 0n)
    return {
      ...subWalletView(row),
      app_show_status: row.hidden ? HIDDEN : SHOWN,
      top: isPinned(row),
      coin_count: held.length,
      ...worthView(worthOf(held, prices)),
    }
  }
  const [top, rest] = [rows.filter(isPinned), rows.filter((row) => !isPinned(row))]
  return { top_sub_wallet_list: top.map(view), sub_wallet_list: rest.map(view), pageTotal: unpinnedCount }
}

const isPinned = ({ pinned }: Row): boolean => pinned === true

/** What the text of a list depends on; the values alone differ. */
type Form = { hasStatus: boolean; hasKeyword: boolean; isFirst: boolean }
type Narrowing = { orgId: string; walletId: string; personId: string; hidden: boolean; keyword: string }
type Given = Narrowing & { pageSize: number; offset: number }
type Counts = { isWallet: unknown; pinned: bigint | null; matching: bigint | null }

/** The questions of a list of a form. */
const questionsOf = byForm((form: Form) => ({
  askRows: writtenOnce((db, given: Given) => {
    const matching = query(db, form, given)
    const page = matching.where(sql<boolean>`pin.pinned is not true`).orderBy('sub.number').limit(given.pageSize).offset(given.offset)
    const shown = form.isFirst ? [pinnedOf(matching), page] : [page]
    return sql<Row & { sums: RowSums }>`select shown.*, ${sumsOfRow(given.orgId, 'shown.id')} as sums
      from (${sql.join(shown.map(selectRow), sql` union all `)}) shown order by number`
  }),
  askCounts: writtenOnce((db, given: Given) => {
    const matching = query(db, form, given)
    const countOf = (rows: typeof matching) => rows.select((row) => row.fn.countAll<bigint>().as('count'))
    const wallet = db.selectFrom('wallet').select('id').where('org_id', '=', given.orgId).where('id', '=', given.walletId)
    // A keyword is looked for in every name; without one nothing is counted twice.
    const all = form.hasKeyword ? countOf(matching) : sql`null::int8`
    return sql<Counts>`select exists ${wallet} as "isWallet", ${countOf(pinnedOf(matching))} as pinned, ${all} as matching`
  }),
}))

/** How many sub-wallets nobody pinned: all that there are, and the pinned taken off. Throws `wallet_not_found`. */
async function countUnpinned(tx: OrganisationTx, asked: Asked, asking: Promise<Counts[]>) {
  const [ofStatus, counts] = await Promise.all([asked.keyword === '' ? countOfStatus(tx, asked) : undefined, asking])
  const { isWallet, pinned, matching } = at(counts, 0)
  if (isWallet !== true) throw new AppError('wallet_not_found')
  return Number(ofStatus ?? matching) - Number(pinned)
}

async function countOfStatus(tx: OrganisationTx, { walletId, status, nowMs }: Asked): Promise<number> {
  const { shown, hidden } = (await countSubWallets(tx, nowMs))(walletId)
  return (status === HIDDEN ? 0 : shown) + (status === SHOWN ? 0 : hidden)
}

function query(db: Kysely<Schema>, { hasStatus, hasKeyword }: Omit<Form, 'isFirst'>, { orgId, walletId, personId, hidden, keyword }: Narrowing) {
  let found = db
    .selectFrom('sub_wallet as sub')
    .leftJoin('sub_wallet_alias as second', (join) => join.onRef('second.org_id', '=', 'sub.org_id').onRef('second.sub_wallet_id', '=', 'sub.id'))
    .leftJoin('sub_wallet_pin as pin', (join) =>
      join.onRef('pin.org_id', '=', 'sub.org_id').onRef('pin.sub_wallet_id', '=', 'sub.id').on('pin.person_id', '=', personId),
    )
    .where('sub.org_id', '=', orgId)
    .where('sub.wallet_id', '=', walletId)
  if (hasStatus) found = found.where('sub.hidden', '=', hidden)
  if (!hasKeyword) return found
  return found.where(sql<boolean>`(position(${keyword} in lower(sub.name)) > 0 or position(${keyword} in lower(coalesce(second.alias, ''))) > 0)`)
}

const pinnedOf = (matching: ReturnType<typeof query>) => matching.where('pin.pinned', '=', sql.lit(true))

function selectRow(matching: ReturnType<typeof query>) {
  return matching.select(['sub.id', 'sub.number', 'sub.name', 'second.alias', 'sub.hidden', 'sub.created_at', 'pin.pinned'])
}

/** Every sub-wallet that is not hidden, for pickers. */
export async function listAllSubWallets(tx: OrganisationTx, walletId: string) {
  await requireWallet(tx, walletId)
  const narrowing = { orgId: tx.orgId, walletId, personId: NOBODY, hidden: false, keyword: '' }
  const rows = await selectRow(query(tx, { hasStatus: true, hasKeyword: false }, narrowing))
    .orderBy('sub.number')
    .execute()
  return rows.map(subWalletView)
}

/** No person has this id, so nothing is pinned. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

export async function listSubWalletBalances(tx: OrganisationTx, networks: Networks, asked: Valued & { walletId: string; ids: string[] | undefined }) {
  await requireWallet(tx, asked.walletId)
  let found = tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('wallet_id', '=', asked.walletId)
  if (asked.ids) found = found.where('id', 'in', asked.ids)
  const rows = await found.orderBy('number').limit(BALANCES_MAX).execute()
  if (asked.ids && rows.length < asked.ids.length) throw new AppError('wallet_not_found')
  const ids = rows.map((each) => each.id)
  const [holdings, prices] = await Promise.all([holdingsBySubWallet(tx, networks, ids), readPrices(tx, networks, asked)])
  return ids.map((id) => ({ sub_wallet_id: id, ...worthView(worthOf(holdings.get(id) ?? [], prices)), updated_at: asked.nowMs }))
}

/** Hides sub-wallets of a wallet, or shows them again: all of them or none. At least one stays visible, since the pages of a wallet need one. */
export async function updateShowStatus(tx: OrganisationTx, asked: { walletId: string; ids: string[]; status: number }): Promise<{ changed: number }> {
  await requireWallet(tx, asked.walletId)
  const rows = await tx
    .selectFrom('sub_wallet')
    .select(['id', 'hidden'])
    .where('org_id', '=', tx.orgId)
    .where('wallet_id', '=', asked.walletId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const named = rows.filter((row) => asked.ids.includes(row.id))
  if (named.length < asked.ids.length) throw new AppError('wallet_not_found')
  const hide = asked.status === HIDDEN
  if (hide && rows.every((row) => row.hidden || asked.ids.includes(row.id))) {
    throw new AppError('invalid_parameters', { details: { field: 'sub_wallet_ids', reason: 'one sub-wallet must stay shown' } })
  }
  const changed = named.filter((row) => row.hidden !== hide).map((row) => row.id)
  if (changed.length > 0) await tx.updateTable('sub_wallet').set({ hidden: hide }).where('org_id', '=', tx.orgId).where('id', 'in', changed).execute()
  return { changed: changed.length }
}

export async function requireWallet(tx: OrganisationTx, walletId: string): Promise<void> {
  const wallet = await tx.selectFrom('wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', walletId).executeTakeFirst()
  if (!wallet) throw new AppError('wallet_not_found')
}

/** The wallet of a sub-wallet. Throws `wallet_not_found`, even if it belongs to another wallet than the one named. */
export async function requireSubWallet(tx: OrganisationTx, subWalletId: string, walletId?: string) {
  const [found] = await askWallet(tx, { orgId: tx.orgId, subWalletId })
  if (!found || (walletId !== undefined && found.walletId !== walletId)) throw new AppError('wallet_not_found')
  return found
}

const askWallet = writtenOnce((db, { orgId, subWalletId }: { orgId: string; subWalletId: string }) =>
  db
    .selectFrom('sub_wallet')
    .innerJoin('wallet', (join) => join.onRef('wallet.org_id', '=', 'sub_wallet.org_id').onRef('wallet.id', '=', 'sub_wallet.wallet_id'))
    .select(['wallet.id as walletId', 'wallet.state'])
    .where('sub_wallet.org_id', '=', orgId)
    .where('sub_wallet.id', '=', subWalletId),
)
