/**
 * Measures the list of transactions at 100,000 rows: each filter, a deep page, and the whole export, on a real database
 * without the network between. Run: `node bench/lists.bench.ts`. Prints one JSON line for each figure.
 */
import { openView, type Viewer } from '@holdfast/features/transaction/server'
import pg from 'pg'
import { exportTransactions } from '@holdfast/features/accounting/server'
import type { TransactionFilter } from '../features/transaction/server/filter-transactions.ts'
import { listTransactions } from '../features/transaction/server/list-transactions.ts'
import { copyDeposits, copyOrders } from './copy-orders.ts'
import { approve, requestWithdrawal, ETH, fund, makeWallet, openWorld } from '../features/testing/test-world.ts'

const ROWS = 100_000
const REPEATS = 15
const PAGE_SIZE = 20

const print = (figure: Record<string, unknown>): void => console.log(JSON.stringify(figure))
const round = (value: number): number => Math.round(value * 10) / 10

const world = await openWorld()
const wallet = await makeWallet(world)
await fund(world, wallet, 10n * ETH)
await approve(world, (await requestWithdrawal(world, wallet)).order.row.id, world.members[1], world.members[2])
const owner = new pg.Client({ connectionString: world.db.url })
await owner.connect()
await copyOrders(owner, world.orgId, ROWS / 2)
await copyDeposits(owner, world.orgId, ROWS / 2)
await owner.query(
  `insert into transaction_mark (org_id, kind, transaction_id, category, tags, note, updated_by, updated_at)
    select org_id, 'withdraw', id, 'Rent', array['monthly'], '', initiator, 0 from transfer_order where org_id = $1 and amount % 10 = 0`,
  [world.orgId],
)
// As a database keeps itself after a while; a fresh copy of it has never been looked over.
await owner.query('vacuum analyze')
await owner.end()

const viewed = <T>(act: (viewer: Viewer) => Promise<T>): Promise<T> =>
  world.db.asOrganisation(world.orgId, (tx) => act({ tx, networks: world.context.networks, language: 'en_US', nowMs: Date.now(), fiat: 'USD' }))

async function measure(what: string, filter: Partial<TransactionFilter> & { page_no?: number }): Promise<void> {
  const times: number[] = []
  let pageTotal = 0
  for (let i = 0; i < REPEATS; i++) {
    const startedMs = performance.now()
    pageTotal = (await viewed((viewer) => listTransactions(viewer, { type: 'all', page_no: 1, page_size: PAGE_SIZE, ...filter }))).pageTotal
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  print({ figure: `transactions, ${what}`, ms: round(times[REPEATS >> 1]!), worstMs: round(times.at(-1)!), matches: pageTotal, rows: ROWS })
}

const sample = await viewed((viewer) => listTransactions(viewer, { type: 'withdraw', page_no: 1000, page_size: 1 }))
const { address_to, txid, amount } = sample.list[0]!
await measure('first page', {})
await measure('last page', { page_no: ROWS / PAGE_SIZE })
await measure('one wallet', { wallet_id: wallet.walletId })
await measure('withdrawals that failed', { type: 'withdraw', status: '2400' })
await measure('one coin', { symbol: 'ETH' })
await measure('two weeks', { start_time: Date.now() - 28 * 86_400_000, end_time: Date.now() - 14 * 86_400_000 })
await measure('amount', { amount_min: '1', amount_max: amount })
await measure('address', { address: address_to })
await measure('transaction id', { txid: txid! })
await measure('category', { category: 'Rent' })
await measure('tag', { tag: 'monthly' })
await measure('initiator', { initiator_id: world.members[0].id })
await measure('keyword, part of a remark', { keyword: 'invoice 4711' })
await measure('keyword, part of an address', { keyword: address_to.slice(8, 20) })
await measure('keyword that is nowhere', { keyword: 'zzzzzz' })

const startedMs = performance.now()
let next: string | null | undefined
let rows = 0
let bytes = 0
while (next !== null) {
  const part = await viewed(async (viewer) =>
    exportTransactions(await openView(viewer), { type: 'all', layout: 'all', tz: 'Asia/Shanghai', ...(next ? { max_id: next } : {}) }),
  )
  rows += part.rows
  bytes += Buffer.byteLength(part.csv)
  next = part.next_id
}
print({ figure: 'transactions, export as CSV', ms: Math.round(performance.now() - startedMs), rows, bytes })
await world.close()
