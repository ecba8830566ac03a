import { byForm, countsWrittenOnce, writtenOnce } from '@holdfast/db'
import { at, type OrganisationId } from '@holdfast/units'
import { sql } from 'kysely'
import { countKeys, inList, sumOf } from './count-rows.ts'
import {
  countTransactions,
  type Found,
  findTransactions,
  partsOf,
  plainly,
  resolve,
  selectNewest,
  selectPart,
  type TransactionFilter,
  type Window,
} from './filter-transactions.ts'
import type { Viewer } from './view/view-context.ts'

type Page = { total: number; found: Found[] }

/** A page of the list and how many rows there are. A keyword has to be looked for in every row, so then both come of one reading. */
export async function findPage(view: Viewer, filter: TransactionFilter, window: Window): Promise<Page> {
  const plain = findPlainPage(view, filter, window)
  if (plain) return plain
  if (!filter.keyword) {
    const [total, found] = await Promise.all([countTransactions(view, filter), findTransactions(view, filter, window)])
    return { total, found }
  }
  const parts = partsOf(view, await resolve(view, filter)).map(selectPart)
  if (parts.length === 0) return { total: 0, found: [] }
  const { rows } = await sql<{ total: bigint } & (Found | { id: null })>`
    with found as materialized (${sql.join(parts, sql` union all `)})
    select counted.total, page.type, page.id, page.created_at from (select count(*) as total from found) counted
    left join (select * from found order by created_at desc, id desc limit ${window.limit} offset ${window.offset}) page on true
    order by page.created_at desc, page.id desc`.execute(view.tx)
  return { total: Number(at(rows, 0).total), found: rows.flatMap((row) => (row.id === null ? [] : [row])) }
}

/** What of a filter the questions hold as a value, so that their words are the same whatever it is. */
const VALUES = ['wallet_id', 'sub_wallet_id', 'chain', 'sub_status', 'start_time', 'end_time', 'initiator_id'] as const
type ValueName = (typeof VALUES)[number]
type Values = Pick<TransactionFilter, ValueName> & { orgId: OrganisationId }
/** What the words of the questions depend on. */
type Form = Pick<TransactionFilter, 'type' | 'source'> & { named: readonly ValueName[] }

// The currency of values chooses no rows.
const formed: ReadonlySet<string> = new Set([...VALUES, 'type', 'source', 'fiat'])

/** A page of a list that is narrowed by no more than that: those that pages keep open. Undefined for any other. */
function findPlainPage(view: Viewer, filter: TransactionFilter, window: Window): Promise<Page> | undefined {
  const isPlain = Object.entries(filter).every(([name, value]) => value === undefined || formed.has(name))
  if (!isPlain) return undefined
  const { type, source, ...values } = filter
  const ask = askPage({ type, source, named: VALUES.filter((name) => filter[name] !== undefined) })
  return ask(view, filter, { ...values, orgId: view.tx.orgId }, window)
}

/** The questions of such lists, written once for each form. */
const askPage = byForm(({ type, source, named }: Form) => {
  const partsWith = (values: Values) => {
    const narrowed = Object.fromEntries(named.map((name) => [name, values[name]]))
    // Which networks there are makes no difference to them.
    return partsOf({ tx: values, networks: { list: () => [] } }, plainly({ type, source, ...narrowed }))
  }
  const askFound = writtenOnce((_, given: Values & Window & { reach: number }) => selectNewest(partsWith(given), given))
  const askCounts = countsWrittenOnce((values: Values) => partsWith(values).map(inList))
  // Of which tables they are depends on what is named, whatever it is.
  const parts = partsWith(Object.fromEntries(VALUES.map((name) => [name, ''])) as never)
  return async (view: Viewer, filter: TransactionFilter, values: Values, { limit, offset }: Window): Promise<Page> => {
    if (parts.length === 0) return { total: 0, found: [] }
    const [counts, found] = await Promise.all([
      askCounts(view.tx, view.nowMs, values, countKeys(filter, parts)),
      askFound(view.tx, { ...values, limit, offset, reach: limit + offset }),
    ])
    return { total: sumOf(counts), found }
  }
})
