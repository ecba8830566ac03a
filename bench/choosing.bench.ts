/**
 * Measures one round of a standing order that collects over many addresses: what it reads, chooses and keeps, and the memory that takes, beside the floor of
 * sorting the same balances and fetching them. Run: `node bench/choosing.bench.ts [addresses]`. One JSON line for each figure.
 */
import { openDatabase } from '@holdfast/db'
import { nodePorts } from '@holdfast/ports/node'
import pg from 'pg'
import { LOCAL_CHAIN } from '../apps/launcher/src/local-settings.ts'
import { chooseSweeps } from '../features/standing-order/server/choose/choose-sweeps.ts'
import { readHoldings } from '../features/standing-order/server/read-holdings.ts'
import { writeReasons } from '../features/standing-order/server/reasons.ts'
import { foundFunded } from '../test/processes/testing/funded-organisation.ts'
import { startTestStack } from '../test/processes/testing/start-test-stack.ts'
import { databaseOf } from './reads.ts'

const ADDRESSES = Number(process.argv[2] ?? 100_000)
/** Every fifth address has a deposit that waits. */
const WAITING = ADDRESSES / 5
const REPEATS = 5
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
const owner = new pg.Client({ connectionString: (await databaseOf(stack)).url })
await owner.connect()
const { id: orgId } = (await owner.query<{ id: string }>('select id from organisation')).rows[0]!
const { key_id: keyId } = (
  await owner.query<{ key_id: Uint8Array }>(
    `select signs.key_id from key_of_wallet signs join sub_wallet on sub_wallet.wallet_id = signs.wallet_id
      where sub_wallet.id = $1 and (signs.protocol like 'cggmp%' or signs.protocol like '%ecdsa%')`,
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

/** One round, as the runner makes it: what there is, what is moved of it, and why the rest is not. */
async function round(): Promise<{ readMs: number; chooseMs: number; keepMs: number; moves: number; reasons: number }> {
  const startedMs = performance.now()
  const places = [{ name: 'Deposits', keyId: new Uint8Array(keyId), path: [7n] }]
  const standingOrderId = '00000000-0000-7000-8000-000000000001'
  const holdings = await db.asOrganisation(orgId as Parameters<typeof db.asOrganisation>[0], (tx) =>
    readHoldings(tx, { chain: LOCAL_CHAIN, contract: '', places, standingOrderId }),
  )
  const readMs = performance.now()
  const chosen = chooseSweeps(TERMS, holdings)
  const chosenMs = performance.now()
  const said = chosen.flatMap(({ holding: { address, subWalletId, available }, reason }) =>
    reason ? [{ chain: LOCAL_CHAIN, contract: '', address, subWalletId, amount: available, reason, detail: null }] : [],
  )
  await db.asOrganisation(orgId as Parameters<typeof db.asOrganisation>[0], (tx) => writeReasons(tx, standingOrderId, said, nodePorts.clock.nowMs()))
  const moves = chosen.length - said.length
  if (holdings.length < Math.min(WAITING, 20_000)) throw new Error(`only ${holdings.length} of ${WAITING} addresses were found`)
  return { readMs: readMs - startedMs, chooseMs: chosenMs - readMs, keepMs: performance.now() - chosenMs, moves, reasons: said.length }
}

/** What no choosing can be quicker than: the same rows, sorted and fetched, and nothing done with them. */
async function floor(): Promise<number> {
  const startedMs = performance.now()
  await owner.query('select address, available from address_balance where chain = $1 and available > 0 order by available desc limit 20000', [LOCAL_CHAIN])
  return performance.now() - startedMs
}

try {
  const before = megabytes()
  let most = before
  const rounds: Awaited<ReturnType<typeof round>>[] = []
  const floors: number[] = []
  for (let i = 0; i < REPEATS; i++) {
    floors.push(await floor())
    rounds.push(await round())
    most = Math.max(most, megabytes())
  }
  const total = (each: (typeof rounds)[number]) => each.readMs + each.chooseMs + each.keepMs
  const [first] = rounds
  const best = rounds.toSorted((one, other) => total(one) - total(other))[0]
  if (!first || !best) throw new Error('nothing was measured')
  const rounded = (value: number) => Math.round(value * 10) / 10
  print({ figure: 'choosing: the first round', addresses: ADDRESSES, waiting: WAITING, ms: rounded(total(first)), moves: first.moves, reasons: first.reasons })
  print({
    figure: 'choosing: a round in which nothing is new',
    ms: rounded(total(best)),
    readMs: rounded(best.readMs),
    chooseMs: rounded(best.chooseMs),
    keepMs: rounded(best.keepMs),
    timesFloor: rounded(total(best) / Math.min(...floors)),
  })
  print({ figure: 'choosing: memory beside what the process had, MB', mb: rounded(most - before), all: rounded(most) })
} finally {
  await db.close()
  await owner.end()
  await stack.stop()
}
