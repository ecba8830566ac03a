/**
 * Measures the product as it runs: real processes, a real database, the local network. Run: `node bench/stack.bench.ts`.
 * Prints one JSON line for each figure; all of them were taken on one machine, with everything on it.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { listCoinAssets } from '../features/wallet/contract.ts'
import { freshAddress } from '../features/testing/fresh-address.ts'
import { nodePorts } from '@holdfast/ports/node'
import pg from 'pg'
import { makeWallet } from '../apps/launcher/src/make-wallet.ts'
import { fastFee, orderPayment } from '../apps/launcher/src/order-payment.ts'
import { type FundedOrganisation, foundFunded } from '../test/processes/testing/funded-organisation.ts'
import { localChain } from '../test/processes/testing/local-chain.ts'
import { PROGRAMS, startTestStack, type TestStack } from '../test/processes/testing/start-test-stack.ts'
import { CONNECTIONS, cpuMs, databaseOf, productCall, rateOfCalls, readsOf, startBareServer } from './reads.ts'

const print = (figure: Record<string, unknown>): void => console.log(JSON.stringify(figure))
const round = (value: number): number => Math.round(value * 100) / 100
const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!
const timed = async <T>(act: () => Promise<T>): Promise<{ ms: number; result: T }> => {
  const startedMs = performance.now()
  const result = await act()
  return { ms: performance.now() - startedMs, result }
}

const WALLETS = 5
const WITHDRAWALS = 9
const INTENTS = 200
const WARM_UP_MS = 1_000
const READ_FOR_MS = 4_000
const DEPOSITS = 500
/** Of the local network. */
const FINALITY_BLOCKS = 3

/** When a node had taken the transaction of an order, by the server's clock, which is that of this machine: milliseconds since 1970. */
const SENT = "select at from transfer_event where order_id = $1 and state in ('pending', 'confirming', 'completed') order by seq limit 1"

const ask = ({ alice, subWalletId }: FundedOrganisation, maxFee: string) =>
  orderPayment(nodePorts, alice, { subWalletId, symbol: 'ETH', amount: '0.000001', to: freshAddress(), maxFee })

async function withdrawals(stack: TestStack, organisation: FundedOrganisation, maxFee: string): Promise<void> {
  const { bruno, chiara } = organisation
  const times: number[] = []
  const database = await databaseOf(stack)
  // The order's history is asked, seldom: whoever looks all the time takes the time from the product.
  await withClient(database.url, async (client) => {
    const sentAtMs = async (id: string): Promise<number> => {
      for (;;) {
        const { rows } = await client.query<{ at: string }>({ name: 'sent', text: SENT, values: [id] })
        if (rows[0]) return Number(rows[0].at)
        await sleep(50)
      }
    }
    for (let i = 0; i < WITHDRAWALS; i++) {
      const order = await ask(organisation, maxFee)
      await bruno.decide(order.hash, 'approve')
      // What she reads and signs comes before; from when she hands her approval in, the product has everything.
      const approve = await chiara.signDecision(order.hash, 'approve')
      const approvedMs = nodePorts.clock.nowMs()
      await approve()
      times.push((await sentAtMs(order.id)) - approvedMs)
    }
  })
  await database.stop()
  print({ figure: 'withdrawal, from the last approval to broadcast', ms: round(median(times)), n: times.length })
}

/**
 * What the database gave up so far: circles of transactions that waited for one another, by its own log, which says each at once (pg_stat_database counts the
 * same, some seconds later); and transactions that the server ran again, by the server's log. A rate with any of these is no rate of the product.
 */
function givenUp({ settings, log }: Pick<TestStack, 'settings' | 'log'>): { deadlocks: number; retries: number } {
  const times = (text: string, words: string) => text.split(words).length - 1
  return {
    deadlocks: times(readFileSync(`${settings.folder}/database/server.log`, 'utf8'), 'deadlock detected'),
    retries: times(log('server'), 'the database gave a transaction up'),
  }
}

/** Prints what `act` measured beside what the database gave up meanwhile. */
async function rated(stack: TestStack, act: () => Promise<Record<string, unknown>>): Promise<void> {
  const before = givenUp(stack)
  const figure = await act()
  const after = givenUp(stack)
  print({ ...figure, deadlocks: after.deadlocks - before.deadlocks, retries: after.retries - before.retries })
}

/** Runs `count` calls over some connections and prints how many a second. */
async function rate(stack: TestStack, figure: string, count: number, call: () => Promise<unknown>): Promise<void> {
  await rated(stack, async () => {
    let left = count
    const { ms } = await timed(() =>
      Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          while (left-- > 0) await call()
        }),
      ),
    )
    return { figure, perSecond: round(count / (ms / 1000)), n: count, connections: CONNECTIONS }
  })
}

/**
 * Intents right after a start, and once the server is warm and the database has counted its tables, which it does by itself a minute after it began to fill
 * them.
 */
async function calls(stack: TestStack, organisation: FundedOrganisation, maxFee: string): Promise<void> {
  await rate(stack, 'intents created, the first after a start', INTENTS, () => ask(organisation, maxFee))
  const database = await databaseOf(stack)
  await withClient(database.url, (client) => client.query('analyze'))
  await database.stop()
  for (let i = 0; i < INTENTS; i++) await ask(organisation, maxFee)
  await rate(stack, 'intents created', 3 * INTENTS, () => ask(organisation, maxFee))
}

/**
 * How fast each read is, in the same turn as a server that does nothing but ask for the same rows: while nothing is written, and where something of the
 * organisation is written before each (ADR 65), also before each read of the other server. What both cost the client is in both.
 */
async function reads(stack: TestStack, { alice, walletId, subWalletId }: FundedOrganisation): Promise<void> {
  const database = await databaseOf(stack)
  // A connection runs one statement at a time: as many write as read. Nobody waits for the disk: the write is there to be seen.
  const pool = new pg.Pool({ connectionString: database.url, max: CONNECTIONS, options: '-c synchronous_commit=off' })
  try {
    const { rows } = await pool.query<{ id: string }>('select id from organisation')
    const wanted = readsOf({ orgId: rows[0]!.id, walletId, subWalletId })
    const write = () => pool.query({ name: 'write', text: 'update wallet set name = name where id = $1', values: [walletId] })
    const bare = await startBareServer(database.url, wanted)
    const server = [stack.process('server').pid!]
    for (const [name, { path }] of Object.entries(wanted))
      for (const [when, before] of [['nothing written meanwhile', async () => {}] as const, ['each after a write', write] as const]) {
        const after = (asked: ReturnType<typeof productCall>) => async () => {
          await before()
          return asked
        }
        const [floorOf, own] = [after({ url: bare.urlOf(name), headers: {} }), after(productCall(alice, path))]
        for (const warm of [floorOf, own]) await rateOfCalls(warm, WARM_UP_MS)
        const [floor, other] = [await rateOfCalls(floorOf, READ_FOR_MS / 2), cpuMs(server)]
        const perSecond = await rateOfCalls(own, READ_FOR_MS)
        const cpu = cpuMs(server) - other
        const again = await rateOfCalls(floorOf, READ_FOR_MS / 2)
        print({
          figure: `authenticated reads, ${name}, ${when}`,
          perSecond: round(perSecond),
          timesABareServer: round((floor + again) / 2 / perSecond),
          cpuOfServerMs: round(cpu / (perSecond * (READ_FOR_MS / 1000))),
          connections: CONNECTIONS,
        })
      }
    bare.stop()
  } finally {
    await pool.end()
  }
  await database.stop()
}

async function withClient<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

async function deposits(stack: TestStack, { alice, subWalletId, address }: FundedOrganisation): Promise<void> {
  const balance = async () => {
    const { list } = await alice.client.call(listCoinAssets, { sub_wallet_id: subWalletId })
    const coin = list.find((each) => each.symbol === 'ETH')!
    return Number(coin.normal_balance) + Number(coin.lock_balance)
  }
  await rated(stack, async () => {
    const before = await balance()
    const chain = localChain(stack.settings)
    const startedMs = performance.now()
    const txids = await chain.send(address, 10n ** 18n, DEPOSITS)
    // One account sent them, so the last is mined when all are. Nothing that only measures is asked while the product works.
    while ((await chain.blockOf(txids.at(-1)!)) === undefined) await sleep(20)
    const minedMs = performance.now()
    const finalHeight = (await chain.height()) + FINALITY_BLOCKS
    while ((await chain.height()) < finalHeight) await sleep(20)
    const finalMs = performance.now()
    while ((await balance()) < before + DEPOSITS - 0.5) await sleep(20)
    const creditedMs = performance.now()
    return {
      figure: 'deposits, until all are credited at finality',
      perSecond: round(DEPOSITS / ((creditedMs - startedMs) / 1000)),
      msAfterLastBlock: round(creditedMs - minedMs),
      msAfterFinality: round(creditedMs - finalMs),
      n: DEPOSITS,
      note: `finality is ${FINALITY_BLOCKS} blocks of 0.2 s`,
    }
  })
}

/** Memory that is its own, and its part of what it shares, of a process and all that it started. */
function proportionalMb(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
  return own + children.reduce((sum, child) => sum + proportionalMb(child), 0)
}

function memory(stack: TestStack): void {
  for (const name of PROGRAMS) {
    const status = readFileSync(`/proc/${stack.process(name).pid}/status`, 'utf8')
    print({ figure: `memory of ${name}`, residentMb: round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024) })
  }
  const database = Number.parseInt(readFileSync(`${stack.settings.folder}/database/data/postmaster.pid`, 'utf8'), 10)
  print({ figure: 'memory of the database, all its processes', proportionalMb: round(proportionalMb(database)) })
}

async function keyCreation({ alice }: FundedOrganisation): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < WALLETS; i++) times.push((await timed(() => makeWallet(nodePorts, alice, `Wallet ${i}`))).ms)
  print({ figure: 'wallet: key generation, three pair set-ups, addresses, recovery kit', ms: round(median(times)), n: times.length })
}

const { ms: firstStart, result: stack } = await timed(() => startTestStack({ ratePerSession: 100_000 }))
try {
  print({ figure: 'start on an empty folder, pages built', seconds: round(firstStart / 1000) })
  await stack.stop()
  print({ figure: 'later start', seconds: round((await timed(() => stack.start())).ms / 1000) })
  const organisation = await foundFunded(stack, { amount: '10' })
  const maxFee = await fastFee(organisation.alice, { subWalletId: organisation.subWalletId, symbol: 'ETH', amount: '0.000001', to: freshAddress() })
  await keyCreation(organisation)
  await withdrawals(stack, organisation, maxFee)
  await calls(stack, organisation, maxFee)
  await reads(stack, organisation)
  // Last: what the network's own account pays as a tip raises what a fee is quoted at.
  await deposits(stack, organisation)
  memory(stack)
} finally {
  await stack.dispose()
}
