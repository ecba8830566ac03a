import type { CallInput } from '@holdfast/contract'
import { dayLimits, isId, readDay, readId, readKeyword, readMatching, readOneOf, readPage, readText, toAddress } from '@holdfast/ui/url-filters'
import type { listTransactions, TransactionKind } from '../../contract.ts'

/** What the list of transactions is narrowed to; all of it stands in the address, so that a view can be kept and sent on. */
export type Filters = {
  type: (typeof TYPES)[number]
  everyWallet: boolean
  subWallets: string[]
  chain: string | undefined
  symbol: string | undefined
  /** A stage of every kind of transaction, or the number of one state. */
  status: Stage | number | undefined
  keyword: string
  address: string | undefined
  txid: string | undefined
  requestId: string | undefined
  source: (typeof SOURCES)[number] | undefined
  subStatus: string | undefined
  notify: (typeof NOTIFY_STATES)[number] | undefined
  /** What was planted to be copied by mistake: left out, or alone. */
  spam: (typeof SPAM)[number] | undefined
  initiator: string | undefined
  category: string | undefined
  tag: string | undefined
  amountMin: string | undefined
  amountMax: string | undefined
  /** Days, as the date fields write them: 2025-11-20. */
  from: string | undefined
  to: string | undefined
  page: number
}

/** Payments and deposits in the words both share: what the states of each stage are. */
export const STAGES = {
  open: '1000,1100,1200',
  done: '2000',
  ended: '2100,2200,2201,2202,2300,2400,3000,4000',
} as const
export type Stage = keyof typeof STAGES

export const UNFILTERED: Filters = {
  type: 'all',
  everyWallet: false,
  subWallets: [],
  chain: undefined,
  symbol: undefined,
  status: undefined,
  keyword: '',
  address: undefined,
  txid: undefined,
  requestId: undefined,
  source: undefined,
  subStatus: undefined,
  notify: undefined,
  spam: undefined,
  initiator: undefined,
  category: undefined,
  tag: undefined,
  amountMin: undefined,
  amountMax: undefined,
  from: undefined,
  to: undefined,
  page: 1,
}

/** The kinds of transactions that a list is of, in the order of their tabs. */
export const TYPES = ['all', 'deposit', 'held', 'withdraw', 'pull', 'nft', 'web3', 'stake', 'replacement'] as const
/** The kind of transactions whose states a list is narrowed by; undefined if it has several kinds, which share stages alone. */
export function kindOfList({ type, source }: Pick<Filters, 'type' | 'source'>): TransactionKind | undefined {
  // Only orders are asked for.
  if (type === 'all' || type === 'nft') return source === undefined || source === 'chain' ? undefined : 'withdraw'
  if (type === 'deposit' || type === 'held') return 'deposit'
  return type === 'pull' ? 'pull' : 'withdraw'
}

/** Where a transaction was asked for: in the console or by a program (asked), in one of these, or nowhere. */
export const SOURCES = ['asked', 'web', 'api', 'chain'] as const
/** How the notifications of a transaction stand, the worst first. */
export const NOTIFY_STATES = ['failed', 'retrying', 'stopped', 'success'] as const
export const SPAM = ['hidden', 'only'] as const
const AMOUNT = /^(0|[1-9]\d{0,30})(\.\d{1,36})?$/
const ADDRESS = /^[!-~]{1,200}$/
const CHAIN = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
const SUB_STATUS = /^[a-z][a-z0-9_]{0,39}$/
const REQUEST = /^[ -~]{1,128}$/
const MOST_SUB_WALLETS = 50

/** A stage, or the number of one state, as the address writes it. */
export function statusOf(text: string): Filters['status'] {
  if (Object.hasOwn(STAGES, text)) return text as Stage
  return /^\d{4}$/.test(text) ? Number(text) : undefined
}

/** The filters in an address. What is not understood is left out. */
export function readFilters(search: URLSearchParams): Filters {
  const textOf = (name: string, most: number) => readText(search, name, most)
  const matching = (name: string, pattern: RegExp) => readMatching(search, name, pattern)
  return {
    type: readOneOf(search, 'type', TYPES) ?? 'all',
    everyWallet: search.get('wallets') === 'all',
    subWallets: [...new Set((search.get('sub') ?? '').split(',').filter(isId))].slice(0, MOST_SUB_WALLETS),
    chain: matching('chain', CHAIN),
    symbol: textOf('symbol', 32),
    status: statusOf(search.get('status') ?? ''),
    keyword: readKeyword(search),
    address: matching('address', ADDRESS),
    txid: matching('txid', ADDRESS),
    requestId: matching('request', REQUEST),
    source: readOneOf(search, 'source', SOURCES),
    subStatus: matching('sub_status', SUB_STATUS),
    notify: readOneOf(search, 'notify', NOTIFY_STATES),
    spam: readOneOf(search, 'spam', SPAM),
    initiator: readId(search, 'by'),
    category: textOf('category', 50),
    tag: textOf('tag', 30),
    amountMin: matching('min', AMOUNT),
    amountMax: matching('max', AMOUNT),
    from: readDay(search, 'from'),
    to: readDay(search, 'to'),
    page: readPage(search),
  }
}

/** The address of filters; what is usual is left out. */
export function writeFilters(filters: Filters): Record<string, string> {
  return toAddress({
    type: filters.type === 'all' ? undefined : filters.type,
    wallets: filters.everyWallet ? 'all' : undefined,
    sub: filters.subWallets.join(','),
    chain: filters.chain,
    symbol: filters.symbol,
    status: filters.status,
    q: filters.keyword,
    address: filters.address,
    txid: filters.txid,
    request: filters.requestId,
    source: filters.source,
    sub_status: filters.subStatus,
    notify: filters.notify,
    spam: filters.spam,
    by: filters.initiator,
    category: filters.category,
    tag: filters.tag,
    min: filters.amountMin,
    max: filters.amountMax,
    from: filters.from,
    to: filters.to,
    page: filters.page,
  })
}

/** The filters once another wallet is chosen: a sub-wallet is of one wallet alone, and another list has other pages. A list of all wallets stays as it is. */
export const forOtherWallet = (filters: Filters): Filters => (filters.everyWallet ? filters : { ...filters, subWallets: [], page: 1 })

/** The sub-wallets that a list is narrowed to and that are none of its wallet, by what is `known` of that; none while nothing is known. */
export const foreignSubWallets = ({ everyWallet, subWallets }: Filters, known: readonly string[] | undefined): string[] =>
  everyWallet || known === undefined ? [] : subWallets.filter((id) => !known.includes(id))

/** The filters without some sub-wallets; the list begins anew. */
export const withoutSubWallets = (filters: Filters, ids: readonly string[]): Filters => ({
  ...filters,
  subWallets: filters.subWallets.filter((id) => !ids.includes(id)),
  page: 1,
})

/** The address with other filters. What else stands in it stays, such as the order that is open. */
export function withFilters(search: URLSearchParams, filtersOf: (present: Filters) => Filters): URLSearchParams {
  const present = readFilters(search)
  const next = new URLSearchParams(writeFilters(filtersOf(present)))
  for (const name of ['order', 'kind']) {
    const value = search.get(name)
    if (value !== null) next.set(name, value)
  }
  return next
}

export type ListInput = Omit<CallInput<typeof listTransactions>, 'page_no' | 'page_size'>

/** What the server is asked for. `walletId` is the chosen wallet. */
export function toInput(filters: Filters, walletId: string | undefined): ListInput {
  const { status } = filters
  const given = {
    wallet_id: filters.everyWallet ? undefined : walletId,
    sub_wallet_ids: filters.subWallets.join(',') || undefined,
    type: filters.type,
    chain: filters.chain,
    symbol: filters.symbol,
    status: typeof status === 'string' ? STAGES[status] : status?.toString(),
    keyword: filters.keyword || undefined,
    address: filters.address,
    txid: filters.txid,
    request_id: filters.requestId,
    source: filters.source,
    sub_status: filters.subStatus,
    notify_status: filters.notify,
    spam: filters.spam && (filters.spam === 'only' ? '1' : '0'),
    initiator_id: filters.initiator,
    category: filters.category,
    tag: filters.tag,
    amount_min: filters.amountMin,
    amount_max: filters.amountMax,
    ...dayLimits(filters),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ListInput
}

const NARROWING = Object.keys(UNFILTERED).filter((name) => name !== 'page' && name !== 'everyWallet' && name !== 'type') as (keyof Filters)[]

/** The filters in use, by name. The tab, the page and the choice of all wallets narrow nothing that a person would take off again. */
export function narrowedBy(filters: Filters): (keyof Filters)[] {
  return NARROWING.filter((name) => {
    const value = filters[name]
    return Array.isArray(value) ? value.length > 0 : Boolean(value)
  })
}
