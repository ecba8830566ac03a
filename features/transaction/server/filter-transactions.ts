import type { InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { isUuid } from '@holdfast/units'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { exportTransactions as endpoint } from '../contract.ts'
import { orderKindsAbout, orderKindsWhere, statesOfStatus } from '@holdfast/features/transfer/server'
import { countRows } from './count-rows.ts'
import { hasNotifyState } from './view/notify-states.ts'
import { HELD_FOR_COMMENT } from '@holdfast/features/wallet/server'
import { DEPOSIT_STATUS } from './view/deposit-view.ts'
import { plantedAddresses } from '@holdfast/features/known-address/server'
import { SPEND_STATUS, SPENDS } from './view/allowance-spend-view.ts'
import type { Viewer } from './view/view-context.ts'

export type TransactionFilter = Omit<InputOf<typeof endpoint>, 'tz' | 'layout' | 'fiat'>
/** Where a transaction stands in the list. */
export type Found = { type: 'withdraw' | 'deposit' | 'pull'; id: string; created_at: bigint }

/** Kinds of orders that people ask for to call a contract; a collection by contract is a collection. */
const CALLS = orderKindsWhere(({ subjects }) => subjects.every((each) => each === 'contractCall') && subjects.length > 0)

type Condition = RawBuilder<SqlBool>
export type Window = { limit: number; offset: number }

/** What the conditions of a list are made from. */
type Asker = { networks: Pick<Viewer['networks'], 'list'>; tx: Pick<OrganisationTx, 'orgId'> }

/** A filter whose ids and addresses have been looked up. */
type Resolved = {
  filter: TransactionFilter
  before: { createdAt: bigint; id: string } | undefined
  /** The order that a request made; null if it made none. */
  requested: string | null | undefined
  /** Addresses of ours that the keyword is a part of. */
  ours: string[]
  /** What has a label that the keyword is a part of. */
  labelled: string[]
  /** The orders of which a transaction with the id that is asked for was made, also one that was replaced or may replace it. */
  made: string[]
  /** The addresses that imitate another one, where these are asked about. */
  planted: string[] | undefined
}

/**
 * Some rows of the list, newest first. Each part is read from the end of its own index, so that a page costs what it holds
 * and not what there is.
 */
export async function findTransactions(view: Viewer, filter: TransactionFilter, { limit, offset }: Window): Promise<Found[]> {
  const parts = partsOf(view, await resolve(view, filter))
  if (parts.length === 0) return []
  const { rows } = await selectNewest(parts, { limit, offset, reach: limit + offset }).execute(view.tx)
  return rows
}

/** The newest rows of all parts together; `reach` is how many of each part can be among them. */
export function selectNewest(parts: readonly Part[], { limit, offset, reach }: Window & { reach: number }): RawBuilder<Found> {
  const newest = sql`order by t.created_at desc, t.id desc limit ${reach}`
  const each = parts.map((part) => sql`(${selectPart(part)} ${newest})`)
  return sql<Found>`select type, id, created_at from (${sql.join(each, sql` union all `)}) found order by created_at desc, id desc limit ${limit} offset ${offset}`
}

/** How many rows the list has under a filter. */
export async function countTransactions(view: Viewer, filter: TransactionFilter): Promise<number> {
  return countRows(view, filter, partsOf(view, await resolve(view, filter)))
}

export const selectPart = ({ type, from, where }: Part) => sql`select ${sql.lit(type)} as type, t.id, t.created_at from ${from} t where ${where}`

export async function resolve(view: Viewer, filter: TransactionFilter): Promise<Resolved> {
  const { tx } = view
  const { max_id, request_id, keyword, spam, txid } = filter
  let before: Resolved['before']
  if (max_id !== undefined) {
    const atOf = (table: 'transfer_order' | 'deposit' | 'waiting_deposit' | 'token_pull') =>
      tx.selectFrom(table).select('created_at').where('org_id', '=', tx.orgId).where('id', '=', max_id).executeTakeFirst()
    const found = (await atOf('transfer_order')) ?? (await atOf('deposit')) ?? (await atOf('waiting_deposit')) ?? (await atOf('token_pull'))
    // What nobody knows is older than everything, so that nothing is told twice.
    before = { createdAt: found?.created_at ?? -1n, id: max_id }
  }
  let requested: Resolved['requested']
  if (request_id !== undefined) {
    const known = await tx.selectFrom('idempotency').select('result_id').where('org_id', '=', tx.orgId).where('request_id', '=', request_id).executeTakeFirst()
    requested = known && isUuid(known.result_id) ? known.result_id : null
  }
  const planted = spam === undefined ? undefined : await plantedAddresses(view)
  const made =
    txid === undefined
      ? []
      : await tx.selectFrom('order_transaction').select('order_id').where('org_id', '=', tx.orgId).where('txid', 'in', spelt(txid)).execute()
  return {
    filter,
    before,
    requested,
    planted,
    made: made.map((each) => each.order_id),
    ...(keyword ? await lookUp(tx, keyword.trim()) : { ours: [], labelled: [] }),
  }
}

/** A word that more of our own addresses contain tells no payments apart. */
const OURS_MAX = 10_000

/** What few rows know of a keyword is read once, for all parts of the list. */
async function lookUp(tx: OrganisationTx, word: string): Promise<Pick<Resolved, 'ours' | 'labelled'>> {
  const named = tx.selectFrom('address').select('address').distinct().where('org_id', '=', tx.orgId)
  const ours = await named.where(contains('address', word)).limit(OURS_MAX).execute()
  const inTag = sql<SqlBool>`exists (select from unnest(tags) tag where ${contains('tag', word)})`
  const labelled = await tx
    .selectFrom('transaction_mark')
    .select('transaction_id')
    .where('org_id', '=', tx.orgId)
    .where(any([contains('note', word), contains('category', word), inTag]))
    .execute()
  return { ours: ours.map((each) => each.address), labelled: labelled.map((each) => each.transaction_id) }
}

/** A filter for which nothing needs to be looked up. */
export const plainly = (filter: TransactionFilter): Resolved => ({
  filter,
  before: undefined,
  requested: undefined,
  planted: undefined,
  ours: [],
  labelled: [],
  made: [],
})

export type Part = { type: Found['type']; from: RawBuilder<unknown>; where: Condition; staysSince?: RawBuilder<unknown> }

/** The parts that a kind of the list is of. */
const PARTS: Record<TransactionFilter['type'], readonly Found['type'][]> = {
  all: ['withdraw', 'deposit', 'pull'],
  nft: ['withdraw', 'deposit', 'pull'],
  deposit: ['deposit'],
  held: ['deposit'],
  withdraw: ['withdraw'],
  web3: ['withdraw'],
  stake: ['withdraw'],
  replacement: ['withdraw'],
  pull: ['pull'],
}

export function partsOf(view: Asker, resolved: Resolved): Part[] {
  const { type, source, request_id, initiator_id } = resolved.filter
  const isOfChain = (source === undefined || source === 'chain') && request_id === undefined && initiator_id === undefined
  return PARTS[type].flatMap((part): Part[] => {
    if (part === 'withdraw')
      return source === 'chain' ? [] : [{ type: part, from: sql`transfer_order`, where: all(orderConditions(view, resolved)), staysSince: sql`t.created_at` }]
    if (!isOfChain) return []
    if (part === 'pull') return [{ type: part, from: SPENDS, where: all(allowanceSpendConditions(view, resolved)) }]
    const conditions = depositConditions(view, resolved)
    return [
      { type: part, from: sql`deposit`, where: all([...conditions, IN_ITS_BLOCK]), staysSince: sql`t.credited_at` },
      { type: part, from: sql`waiting_deposit`, where: all([...conditions, sql`t.state <> 'in_block'`]) },
    ]
  })
}

/** Of an order that a program asked for: nobody of the organisation did, nor a standing order that people approved. */
const BY_PROGRAM = sql<SqlBool>`(t.standing_order_id is null and not exists (select from person p where p.org_id = t.org_id and p.id = t.initiator))`

function orderConditions(view: Asker, resolved: Resolved): Condition[] {
  const { type, source, wallet_id, status, keyword, address, initiator_id } = resolved.filter
  const conditions = sharedConditions(view, resolved, 'withdraw')
  if (wallet_id !== undefined) conditions.push(sql`t.wallet_id = ${wallet_id}`)
  if (status !== undefined) conditions.push(oneOf('state', numbersOf(status).flatMap(statesOfStatus)))
  if (type === 'web3') conditions.push(oneOf('kind', CALLS))
  if (type === 'withdraw') conditions.push(sql`t.replaces is null`)
  if (type === 'replacement') conditions.push(sql`t.replaces is not null`)
  if (type === 'stake') conditions.push(oneOf('kind', orderKindsAbout('stake')))
  if (source === 'api') conditions.push(BY_PROGRAM)
  if (source === 'web') conditions.push(sql`not ${BY_PROGRAM}`)
  if (initiator_id !== undefined) conditions.push(sql`t.initiator = ${initiator_id}`)
  if (resolved.requested !== undefined) conditions.push(resolved.requested === null ? sql`false` : sql`t.id = ${resolved.requested}`)
  if (address !== undefined) conditions.push(isAddress(view, address, 'address_to', 'address_from'))
  if (keyword) conditions.push(matches(view, resolved, keyword, { own: 'address_from', other: 'address_to', text: 'remark' }))
  return conditions
}

/** A deposit that only moved to another block is shown once, in the block where it stands. */
const IN_ITS_BLOCK = sql<SqlBool>`(t.state <> 'reversed' or t.credited_at is not null or not exists (select from deposit twin where twin.org_id = t.org_id
  and twin.chain = t.chain and twin.txid = t.txid and twin.tx_index = t.tx_index and twin.state <> 'reversed'))`

/** What deposits in blocks and those that wait for one are filtered by. */
function depositConditions(view: Asker, resolved: Resolved): Condition[] {
  const { type, status, keyword, address } = resolved.filter
  const conditions = [...sharedConditions(view, resolved, 'deposit'), ...ofWallet(view, resolved)]
  if (type === 'held') conditions.push(oneOf('state', ['unconfirmed', 'confirmed']), oneOf('sub_status', HELD_FOR_COMMENT))
  if (status !== undefined) conditions.push(inStates(DEPOSIT_STATUS, status))
  if (address !== undefined) conditions.push(isAddress(view, address, 'address', 'from_address'))
  if (keyword) conditions.push(matches(view, resolved, keyword, { own: 'address', other: 'from_address' }))
  return conditions
}

function allowanceSpendConditions(view: Asker, resolved: Resolved): Condition[] {
  const { status, keyword, address } = resolved.filter
  // As with deposits: what only moved to another block is shown once.
  const conditions = [
    ...sharedConditions(view, resolved, 'pull'),
    ...ofWallet(view, resolved),
    sql<SqlBool>`(t.reversed_at is null or not exists (select from token_pull twin where twin.org_id = t.org_id
      and twin.chain = t.chain and twin.txid = t.txid and twin.tx_index = t.tx_index and twin.reversed_at is null))`,
  ]
  if (status !== undefined) conditions.push(inStates(SPEND_STATUS, status))
  if (address !== undefined) conditions.push(isAddress(view, address, 'address', 'to_address', 'taken_by'))
  if (keyword) conditions.push(matches(view, resolved, keyword, { own: 'address', other: 'to_address' }))
  return conditions
}

function ofWallet({ tx }: Asker, { filter: { wallet_id } }: Resolved): Condition[] {
  return wallet_id === undefined ? [] : [sql`t.sub_wallet_id in (select s.id from sub_wallet s where s.org_id = ${tx.orgId} and s.wallet_id = ${wallet_id})`]
}

/** The states that are told by some of the numbers. */
function inStates(numbers: Readonly<Record<string, number>>, status: string): Condition {
  const wanted = numbersOf(status)
  return oneOf(
    'state',
    Object.entries(numbers).flatMap(([state, number]) => (wanted.includes(number) ? [state] : [])),
  )
}

function sharedConditions(view: Asker, { filter, before, planted, made }: Resolved, type: Found['type']): Condition[] {
  const { orgId } = view.tx
  const { sub_wallet_id, sub_wallet_ids, chain, symbol, sub_status, start_time, end_time, txid, category, tag } = filter
  const conditions: Condition[] = [sql`t.org_id = ${orgId}`]
  if (sub_wallet_id !== undefined) conditions.push(sql`t.sub_wallet_id = ${sub_wallet_id}`)
  if (sub_wallet_ids !== undefined) conditions.push(sql`t.sub_wallet_id = any(${sub_wallet_ids.split(',')}::uuid[])`)
  if (chain !== undefined) conditions.push(sql`t.chain = ${chain}`)
  if (filter.type === 'nft') conditions.push(sql`t.contract like 'erc%/%'`)
  if (symbol !== undefined) conditions.push(type === 'pull' ? isCoin(view, symbol) : sql`t.symbol = ${symbol}`)
  if (sub_status !== undefined) conditions.push(sql`t.sub_status = ${sub_status}`)
  if (start_time !== undefined) conditions.push(sql`t.created_at >= ${start_time}`)
  if (end_time !== undefined) conditions.push(sql`t.created_at <= ${end_time}`)
  if (before !== undefined) conditions.push(sql`(t.created_at, t.id) < (${before.createdAt}::bigint, ${before.id}::uuid)`)
  if (txid !== undefined) {
    const own = oneOf('txid', spelt(txid))
    conditions.push(type === 'withdraw' && made.length > 0 ? any([own, sql`t.id = any(${made}::uuid[])`]) : own)
  }
  const marked = sql`select m.transaction_id from transaction_mark m where m.org_id = ${orgId} and m.kind = ${type}`
  if (category !== undefined) conditions.push(sql`t.id in (${marked} and m.category = ${category})`)
  if (tag !== undefined) conditions.push(sql`t.id in (${marked} and ${tag} = any(m.tags))`)
  if (planted !== undefined) {
    const isSuspicious = suspicious(marked, type, planted)
    conditions.push(filter.spam === '1' ? isSuspicious : sql`not ${isSuspicious}`)
  }
  if (filter.notify_status !== undefined) conditions.push(hasNotifyState(orgId, filter.notify_status))
  const amount = amountCondition(view, filter)
  // What is about a payment has no amount of its own.
  if (amount) conditions.push(type === 'withdraw' ? all([amount, sql`t.replaces is null`]) : amount)
  return conditions
}

/** Allowance spends are kept by their contract alone. */
function isCoin({ networks }: Asker, symbol: string): Condition {
  const coins = coinsOf(networks).filter((each) => each.symbol === symbol)
  return coins.length === 0 ? sql`false` : any(coins.map(isOf))
}

const coinsOf = (networks: Asker['networks']) => networks.list().flatMap(({ assets, added = [], collections = [] }) => [...assets, ...added, ...collections])
const isOf = ({ chain, contract }: { chain: string; contract: string | null }): Condition =>
  sql`(t.chain = ${chain} and split_part(t.contract, '/', 1) = ${contract ?? ''})`

const OTHER_SIDE: Record<Found['type'], string> = { deposit: 'from_address', withdraw: 'address_to', pull: 'to_address' }

/** As lists show it: what a person said of it, and where nobody did, that the other side's address imitates another. */
function suspicious(marked: RawBuilder<unknown>, type: Found['type'], planted: readonly string[]): Condition {
  const other = sql.ref(`t.${OTHER_SIDE[type]}`)
  return sql`(t.id in (${marked} and m.suspicious) or (coalesce(${other} = any(${[...planted]}::text[]), false) and t.id not in (${marked} and not m.suspicious)))`
}

/** Amounts are written as people read them, so each coin's base units are compared with its own limits. */
function amountCondition({ networks }: Asker, { amount_min, amount_max }: TransactionFilter): Condition | undefined {
  if (amount_min === undefined && amount_max === undefined) return undefined
  // What is cheap to compare comes first: most rows are told apart by their amount, before anything is asked of their coin.
  const coins = [...Map.groupBy(coinsOf(networks), (coin) => coin.decimals)].map(([decimals, same]) => {
    const limits: Condition[] = []
    if (amount_min !== undefined) limits.push(sql`t.amount >= ${String(baseUnits(amount_min, decimals, 'up'))}::numeric`)
    if (amount_max !== undefined) limits.push(sql`t.amount <= ${String(baseUnits(amount_max, decimals, 'down'))}::numeric`)
    return all([...limits, any(same.map(isOf))])
  })
  return coins.length === 0 ? sql`false` : any(coins)
}

/** A decimal text in base units, rounded to the next whole one: a limit may be finer than the coin is. */
export function baseUnits(text: string, decimals: number, round: 'up' | 'down'): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return round === 'up' && /[1-9]/.test(fraction.slice(decimals)) ? units + 1n : units
}

function isAddress(view: Asker, address: string, ...columns: string[]): Condition {
  const texts = spellingsOf(view, address)
  return any(columns.map((column) => oneOf(column, texts)))
}

/** An address as it was typed, and as each network writes it. */
function spellingsOf({ networks }: Asker, address: string): string[] {
  const canonical = networks.list().flatMap(({ codec }) => codec.canonicalAddress(address) ?? [])
  return [...new Set([address, ...canonical])]
}

const TXID = /^(0x)?[0-9a-f]{64}$/i
/** What addresses and transaction ids of every chain are written with; a part of one that a person would type has a digit in it. */
const IDENTIFIER_PART = /^(?=.*\d)[0-9a-z:_-]{3,}$/i
const HEX_PART = /^(0x)?[0-9a-f]+$/i

type Searched = { own: string; other: string; text?: string }

/** A whole id, address or transaction id is looked up; anything else is searched for as a part of the texts of a row. */
function matches(view: Asker, { ours, labelled }: Resolved, keyword: string, { own, other, text }: Searched): Condition {
  const word = keyword.trim()
  if (isUuid(word.toLowerCase())) return sql`t.id = ${word.toLowerCase()}`
  if (TXID.test(word)) return oneOf('txid', [...new Set([word, word.toLowerCase(), `0x${word.toLowerCase().replace(/^0x/, '')}`])])
  if (view.networks.list().some(({ codec }) => codec.canonicalAddress(word) !== undefined)) return isAddress(view, word, own, other)
  const conditions: Condition[] = []
  // Chains write hexadecimal ids in small letters; where capital letters mean something an id is looked for as it was typed.
  if (IDENTIFIER_PART.test(word)) conditions.push(sql`t.txid like ${partOf(HEX_PART.test(word) ? word.toLowerCase() : word)}`, contains(`t.${other}`, word))
  if (text !== undefined) conditions.push(contains(`t.${text}`, word))
  if (ours.length > 0) conditions.push(oneOf(own, ours))
  if (labelled.length > 0) conditions.push(sql`t.id = any(${labelled}::uuid[])`)
  return conditions.length === 0 ? sql`false` : any(conditions)
}

/** Whether a column holds a text, whatever the case of its letters. */
function contains(column: string, text: string): Condition {
  return sql`lower(${sql.ref(column)}) like lower(${partOf(text)})`
}

/** The pattern of whatever holds a text. */
const partOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** A transaction id as it was typed, and as chains write it. */
const spelt = (txid: string): string[] => [...new Set([txid, txid.toLowerCase()])]

const numbersOf = (status: string) => status.split(',').map(Number)
const oneOf = (column: string, values: readonly string[]): Condition => sql`${sql.ref(`t.${column}`)} = any(${[...values]}::text[])`
const all = (conditions: Condition[]): Condition => sql`(${sql.join(conditions, sql` and `)})`
const any = (conditions: Condition[]): Condition => sql`(${sql.join(conditions, sql` or `)})`
