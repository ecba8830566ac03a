/**
 * Measures one round of a standing order that collects over many addresses: what it reads, chooses and keeps, as people approved it and narrowed by a plan with
 * all that one can say, and the memory that takes, beside the floor of sorting the same balances and fetching them; then how long a deposit takes to be
 * credited: alone, while rounds follow one another, and while the product collects from many addresses, each by a transfer that the signers sign. Run: `node bench/choosing.bench.ts [addresses]`. One JSON line for each figure.
 */
import { openDatabase } from '@holdfast/db'
import { nodePorts } from '@holdfast/ports/node'
import pg from 'pg'
import { depositFromFaucet } from '../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_CHAIN } from '../apps/launcher/src/local-settings.ts'
import { chooseSweeps } from '../features/standing-order/server/choose/choose-sweeps.ts'
import { chooseNarrowed, type Narrowing } from '../features/standing-order/server/choose/narrowing.ts'
import { addressesWithSingle } from '../features/standing-order/server/narrowings.ts'
import { readHoldings } from '../features/standing-order/server/read-holdings.ts'
import { writeReasons } from '../features/standing-order/server/reasons.ts'
import { collectedUnder, follow, makeAddresses, openWallet, placed } from '../test/processes/testing/collected-deposits.ts'
import { foundFunded } from '../test/processes/testing/funded-organisation.ts'
import { localChain } from '../test/processes/testing/local-chain.ts'
import { startTestStack } from '../test/processes/testing/start-test-stack.ts'
import { databaseOf } from './reads.ts'

const ADDRESSES = Number(process.argv[2] ?? 100_000)
/** Every fifth address has a deposit that waits. */
const WAITING = ADDRESSES / 5
const REPEATS = 5
/** So many addresses are collected from by the product itself. */
const COLLECTED = 200
const ETHER = 10n ** 18n
const TERMS = {
  atLeast: ETHER / 2n,
  atMost: 100n * ETHER,
  fee: { estimates: [10n ** 14n, 2n * 10n ** 14n, 3n * 10n ** 14n], max: 10n ** 15n, maxShare: 100n },
  isCoin: true,
  target: `0x${'ff'.repeat(20)}`,
  never: new Set<string>(),
} as const

const print = (figure: Record<string, unknown>): void => console.log(JSON.stringify(figure))
const stack = await startTestStack({ ratePerSession: 100_000 })
const { subWalletId } = await foundFunded(stack, { amount: '1' })
// Whose books are as its people made them: balances that are only written down stop the crediting of who has them.
const payee = await foundFunded(stack, { amount: '1', mark: 'Payee' })
const owner = new pg.Client({ connectionString: (await databaseOf(stack)).url })
await owner.connect()
const { id: orgId } = (await owner.query<{ id: string }>('select org_id as id from sub_wallet where id = $1', [subWalletId])).rows[0]!
const { key_id: keyId } = (
  await owner.query<{ key_id: Uint8Array }>(
    `select signs.key_id from key_of_wallet signs join sub_wallet on sub_wallet.wallet_id = signs.wallet_id
      where sub_wallet.id = $1 and signs.protocol like 'dkls%'`,
    [subWalletId],
  )
).rows[0]!
await owner.query("set session_replication_role = 'replica'")
await owner.query(
  `insert into address (org_id, chain, address, address_end, sub_wallet_id, path, number, label, attestations, created_at)
    select $1, $2, '0x' || lpad(to_hex(i), 40, '0'), right(lpad(to_hex(i), 40, '0'), 4), $3, array[7, i], i, 'Customer ' || i, '[]', 0 from generate_series(2, $4::int + 1) i`,
  [orgId, LOCAL_CHAIN, subWalletId, ADDRESSES],
)
await owner.query(
  `insert into address_balance (org_id, chain, address, contract, sub_wallet_id, available, held)
    select $1, $2, '0x' || lpad(to_hex(i), 40, '0'), '', $3, (i % 1000 + 1) * 1000000000000000::numeric, 0 from generate_series(2, $4::int + 1) i`,
  [orgId, LOCAL_CHAIN, subWalletId, WAITING],
)
await owner.query('vacuum analyze')

const db = await openDatabase({ ports: nodePorts, folder: `${stack.settings.folder}/database`, poolSize: 2 })
const megabytes = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().rss / 2 ** 20
}

/** A plan that narrows by all that it can: sub-wallets, black addresses, addresses that somebody asked for or left, single deposits. */
const other = (i: number) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`
const addressOf = (i: number) => `0x${i.toString(16).padStart(40, '0')}`
const NARROWING: Narrowing = {
  isPaused: false,
  assets: [
    {
      ...{ chain: LOCAL_CHAIN, contract: '', isOn: true, atLeast: String(TERMS.atLeast), single: String(ETHER / 4n), atMost: String(TERMS.atMost) },
      ...{ feeMax: String(TERMS.fee.max), feeShare: 100, schedule: '', raise: { afterMs: 60_000, times: 2 } },
    },
  ],
  scope: { mode: 'except', subWalletIds: Array.from({ length: 10_000 }, (_, i) => other(i)) },
  never: Array.from({ length: 1024 }, (_, i) => ({ chain: LOCAL_CHAIN, address: addressOf(10 * i + 2) })),
  asked: Array.from({ length: 1000 }, (_, i) => ({ chain: LOCAL_CHAIN, contract: '', address: addressOf(11 * i + 3), what: i % 2 ? 'now' : 'leave' })),
}

type Round = { readMs: number; chooseMs: number; keepMs: number; moves: number; reasons: number }

/** One round, as the runner makes it: what there is, what is moved of it, and why the rest is not. */
async function round(narrowing?: Narrowing): Promise<Round> {
  const asOrganisation = <T>(act: Parameters<typeof db.asOrganisation<T>>[1]) => db.asOrganisation(orgId as Parameters<typeof db.asOrganisation>[0], act)
  const startedMs = performance.now()
  const places = [{ name: 'Deposits', keyId: new Uint8Array(keyId), path: [7n] }]
  const standingOrderId = '00000000-0000-7000-8000-000000000001'
  const asset = { chain: LOCAL_CHAIN, contract: '' }
  const { singles, holdings } = await asOrganisation(async (tx) => ({
    singles: narrowing && (await addressesWithSingle(tx, { ...asset, least: ETHER / 4n, standingOrderId })),
    holdings: await readHoldings(tx, { ...asset, places, standingOrderId }),
  }))
  const readMs = performance.now()
  const nowMs = nodePorts.clock.nowMs()
  const chosen = narrowing
    ? chooseNarrowed(TERMS, narrowing, holdings, { ...asset, nowMs, hasSingle: (address) => singles?.has(address) === true })
    : chooseSweeps(TERMS, holdings)
  const chosenMs = performance.now()
  const said = chosen.flatMap(({ holding: { address, subWalletId, available }, reason }) =>
    reason ? [{ ...asset, address, subWalletId, amount: available, reason, detail: null }] : [],
  )
  await asOrganisation((tx) => writeReasons(tx, standingOrderId, said, nowMs))
  const moves = chosen.length - said.length
  if (holdings.length < Math.min(WAITING, 20_000)) throw new Error(`only ${holdings.length} of ${WAITING} addresses were found`)
  return { readMs: readMs - startedMs, chooseMs: chosenMs - readMs, keepMs: performance.now() - chosenMs, moves, reasons: said.length }
}

/** How long a deposit takes from the faucet to its credit. */
async function creditMs(): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < REPEATS; i++) {
    const startedMs = performance.now()
    await depositFromFaucet(nodePorts, stack.settings, payee.alice, { subWalletId: payee.subWalletId, symbol: 'ETH', amount: '1' })
    times.push(performance.now() - startedMs)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(REPEATS / 2)] ?? 0
}

/** What no choosing can be quicker than: the same rows, sorted and fetched, and nothing done with them. */
async function floor(): Promise<number> {
  const startedMs = performance.now()
  await owner.query('select address, available from address_balance where chain = $1 and available > 0 order by available desc limit 20000', [LOCAL_CHAIN])
  return performance.now() - startedMs
}

/** How long a deposit takes while the product chooses, signs and sends transfers of another organisation, and how many of them that were meanwhile. */
async function besideCollecting(alone: number): Promise<void> {
  const collecting = await foundFunded(stack, { amount: '1', mark: 'Collecting' })
  const [from, to] = [await openWallet(stack, collecting, 'Deposits'), await openWallet(stack, collecting, 'Treasury')]
  const addresses = await makeAddresses(collecting, from, COLLECTED)
  const coin = { chain: LOCAL_CHAIN, symbol: 'ETH', at_least: '0.5', at_most: '100' }
  await follow(collecting, { kind: 'sweep', name: 'Collect', sources: [placed(from)], to, assets: [coin] })
  const moved = async () => (await collectedUnder(collecting, ['Collect'])).counts[0] ?? 0
  const chain = localChain(stack.settings)
  for (const address of addresses) await chain.send(address, ETHER, 1)
  while ((await moved()) === 0) await nodePorts.timer.sleep(100)
  const [before, startedMs] = [await moved(), performance.now()]
  const beside = await creditMs()
  const [transfers, seconds] = [(await moved()) - before, (performance.now() - startedMs) / 1000]
  if (transfers === 0) throw new Error('nothing was collected while deposits were credited, so that the figure would say nothing')
  const figure = 'a deposit until its credit: alone; while addresses are collected from, chosen, signed and sent'
  print({ figure, ms: rounded(alone), besideMs: rounded(beside), transfers, aSecond: rounded(transfers / seconds) })
}

const total = ({ readMs, chooseMs, keepMs }: Round) => readMs + chooseMs + keepMs
const rounded = (value: number) => Math.round(value * 10) / 10

/** The first round, the quickest of the next ones, and the most memory that the process had. */
async function measure(narrowing?: Narrowing): Promise<{ first: Round; best: Round; most: number }> {
  const first = await round(narrowing)
  let [best, most] = [first, megabytes()]
  for (let i = 1; i < REPEATS; i++) {
    const next = await round(narrowing)
    if (total(next) < total(best)) best = next
    most = Math.max(most, megabytes())
  }
  return { first, best, most }
}

try {
  const before = megabytes()
  const floors: number[] = []
  for (let i = 0; i < REPEATS; i++) floors.push(await floor())
  const measured = { 'as it was approved': await measure(), narrowed: await measure(NARROWING) }
  for (const [how, { first, best }] of Object.entries(measured)) {
    const { moves, reasons } = first
    print({ figure: `choosing, ${how}: the first round`, addresses: ADDRESSES, waiting: WAITING, ms: rounded(total(first)), moves, reasons })
    const parts = { readMs: rounded(best.readMs), chooseMs: rounded(best.chooseMs), keepMs: rounded(best.keepMs) }
    print({
      figure: `choosing, ${how}: a round in which nothing is new`,
      ms: rounded(total(best)),
      ...parts,
      timesFloor: rounded(total(best) / Math.min(...floors)),
    })
  }
  const most = Math.max(...Object.values(measured).map((each) => each.most))
  print({ figure: 'choosing: memory beside what the process had, MB', mb: rounded(most - before), all: rounded(most) })

  const alone = await creditMs()
  let isOver = false
  let rounds = 0
  const choosing = (async () => {
    for (; !isOver; rounds++) await round(NARROWING)
  })()
  const beside = await creditMs().finally(() => {
    isOver = true
  })
  await choosing
  print({ figure: 'a deposit until its credit: alone; while rounds follow one another', ms: rounded(alone), besideMs: rounded(beside), rounds })
  await besideCollecting(alone)
} finally {
  await db.close()
  await owner.end()
  await stack.stop()
}
