/**
 * Measures the list of transactions at 100,000 rows: each filter, a deep page, and the whole export, on a real database
 * without the network between. Run: `node bench/lists.bench.ts`. Prints one JSON line for each figure.
 */
import { createHash, randomUUID } from 'node:crypto'
import { decode, encode } from '@holdfast/encoding'
import { openView, readHeights } from '@holdfast/features/transaction/server'
import { intentHash, intentShape, type TransferIntent } from '@holdfast/intent'
import { uuidToBytes } from '@holdfast/units'
import { sql } from 'kysely'
import { exportTransactions } from '../features/transaction/server/export/export-transactions.ts'
import type { TransactionFilter } from '../features/transaction/server/filter-transactions.ts'
import { listTransactions } from '../features/transaction/server/list-transactions.ts'
import { approve, ask, ETH, fund, makeWallet, openWorld, type World } from '../features/testing/test-world.ts'

const ROWS = 100_000
const REPEATS = 15
const PAGE_SIZE = 20

const print = (figure: Record<string, unknown>): void => console.log(JSON.stringify(figure))
const round = (value: number): number => Math.round(value * 10) / 10

/** Orders that are written at once. */
const BATCH = 5_000

/** Copies one order and one deposit until there are enough: half of each, over a hundred days, the oldest first as they come, with addresses of their own. */
async function seed(world: World): Promise<void> {
  const { db, orgId } = world
  await db.asSystem(async (tx) => {
    const { id, intent: bytes } = await tx.selectFrom('transfer_order').select(['id', 'intent']).where('org_id', '=', orgId).executeTakeFirstOrThrow()
    const sample = decode(intentShape, bytes)
    if (sample.kind !== 'transfer') throw new Error('the first order is no payment')
    for (let first = ROWS / 2; first > 0; first -= BATCH) {
      const copies = Array.from({ length: BATCH }, (_, at) => copyOf(sample, first - at))
      const [places, ids, addresses] = [copies.map((each) => each.i), copies.map((each) => each.id), copies.map((each) => each.to)]
      const [intents, hashes] = [copies.map((each) => each.bytes), copies.map((each) => each.hash)]
      await sql`insert into transfer_order (org_id, id, kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, address_to,
        address_to_end, memo, remark, intent, intent_hash, policy_version,
        initiator, state, sub_status, is_final, slot, txid, block_height, block_hash, fee_paid, expires_at,
        created_at, updated_at, version)
        select org_id, copy.id, kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount + i, fee_cap, address_from,
          copy.address, right(copy.address, 4), memo, 'invoice ' || i, copy.intent, copy.hash, policy_version, initiator,
          (array['completed', 'rejected', 'failed', 'completed', 'completed'])[1 + i % 5], 'ok', true, i, '0x' || md5(i::text) || md5('c' || i),
          i, '0x1', 1, created_at, created_at - i::bigint * 172800, created_at, 1
        from transfer_order o,
          unnest(${places}::int[], ${ids}::uuid[], ${addresses}::text[], ${intents}::bytea[], ${hashes}::bytea[]) copy (i, id, address, intent, hash)
        where o.org_id = ${orgId} and o.id = ${id}`.execute(tx)
    }
    await sql`insert into deposit (org_id, id, chain, txid, tx_index, block_hash, height, sub_wallet_id, address, contract, symbol, amount, from_address, state,
      sub_status, confirmations, credited_at, created_at, updated_at)
      select d.org_id, gen_random_uuid(), chain, '0x' || md5('d' || i) || md5('e' || i), 0, '0x1', i, sub_wallet_id, address, contract, symbol, amount + i,
        '0x' || left(md5('f' || i) || md5('g' || i), 40), 'credited', null, 2, created_at, created_at - i::bigint * 172800, created_at
      from (select * from deposit where org_id = ${orgId} limit 1) d, generate_series(${sql.lit(ROWS / 2)}, 1, -1) i`.execute(tx)
    await sql`insert into transaction_mark (org_id, kind, transaction_id, category, tags, note, updated_by, updated_at)
      select org_id, 'withdraw', id, 'Rent', array['monthly'], '', initiator, 0 from transfer_order where org_id = ${orgId} and amount % 10 = 0`.execute(tx)
  })
}

/** An order like another, to somebody else, with the bytes that its hash is of. */
function copyOf(sample: TransferIntent, i: number) {
  const id = randomUUID()
  const to = `0x${createHash('sha256').update(String(i)).digest('hex').slice(0, 40)}`
  const intent = { ...sample, orderId: uuidToBytes(id), to, amount: sample.amount + BigInt(i) }
  return { i, id, to, bytes: Buffer.from(encode(intentShape, intent)), hash: Buffer.from(intentHash(intent)) }
}

const world = await openWorld()
const wallet = await makeWallet(world)
await fund(world, wallet, 10n * ETH)
await approve(world, (await ask(world, wallet)).order.row.id, world.members[1], world.members[2])
await seed(world)
// As a database keeps itself after a while; a fresh copy of it has never been looked over.
const { Client } = (await import('pg')).default
const owner = new Client({ connectionString: world.db.url })
await owner.connect()
await owner.query('vacuum analyze')
await owner.end()

const heights = await readHeights(world.db)
const viewed = <T>(act: (view: Awaited<ReturnType<typeof openView>>) => Promise<T>): Promise<T> =>
  world.db.asOrganisation(world.orgId, async (tx) =>
    act(await openView(tx, { networks: world.context.networks, language: 'en_US', nowMs: Date.now(), heights })),
  )

async function measure(what: string, filter: Partial<TransactionFilter> & { page_no?: number }): Promise<void> {
  const times: number[] = []
  let pageTotal = 0
  for (let i = 0; i < REPEATS; i++) {
    const startedMs = performance.now()
    pageTotal = (await viewed((view) => listTransactions(view, { type: 'all', page_no: 1, page_size: PAGE_SIZE, ...filter }))).pageTotal
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  print({ figure: `transactions, ${what}`, ms: round(times[REPEATS >> 1]!), worstMs: round(times.at(-1)!), matches: pageTotal, rows: ROWS })
}

const sample = await viewed((view) => listTransactions(view, { type: 'withdraw', page_no: 1000, page_size: 1 }))
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
  const part = await viewed((view) => exportTransactions(view, { type: 'all', layout: 'all', tz: 'Asia/Shanghai', ...(next ? { max_id: next } : {}) }))
  rows += part.rows
  bytes += Buffer.byteLength(part.csv)
  next = part.next_id
}
print({ figure: 'transactions, export as CSV', ms: Math.round(performance.now() - startedMs), rows, bytes })
await world.close()
