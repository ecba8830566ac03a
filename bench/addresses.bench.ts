/**
 * Measures deposit addresses in number: how many a second are made with the real signers, and what a million of them in the database cost, against a
 * thousand: matching the transfers of a block, a page, a search, and the choice of those that have something. Run: `node bench/addresses.bench.ts [addresses]`.
 * One JSON line for each figure.
 */
import { openDatabase } from '@holdfast/db'
import { ownersOf } from '../features/deposit/server/reading/match-deposits.ts'
import { fundedAddresses } from '@holdfast/ledger'
import { nodePorts } from '@holdfast/ports/node'
import pg from 'pg'
import { LOCAL_CHAIN } from '../apps/launcher/src/local-settings.ts'
import { waitUntil } from '../apps/launcher/src/wait-until.ts'
import { createAddresses, listAddressRequests, listUserAddresses } from '../features/deposit-address/contract.ts'
import { foundFunded } from '../test/processes/testing/funded-organisation.ts'
import { startTestStack } from '../test/processes/testing/start-test-stack.ts'
import { databaseOf } from './reads.ts'

const MANY = Number(process.argv[2] ?? 1_000_000)
const FEW = 1_000
const MADE = 10_000
const FUNDED = 20_000
/** What a full block of a busy network moves. */
const TRANSFERS = 1_000
const REPEATS = 20

const print = (figure: Record<string, unknown>): void => console.log(JSON.stringify(figure))
const round = (value: number): number => Math.round(value * 100) / 100

const stack = await startTestStack({ ratePerSession: 100_000 })
const { alice, subWalletId } = await foundFunded(stack, { amount: '1' })
const database = await databaseOf(stack)
const owner = new pg.Client({ connectionString: database.url })
await owner.connect()
const orgId = (await owner.query<{ id: string }>('select id from organisation')).rows[0]!.id
const db = await openDatabase({ ports: nodePorts, folder: `${stack.settings.folder}/database`, poolSize: 2 })

async function made(count: number): Promise<number> {
  const startedMs = performance.now()
  const { id } = await alice.client.call(createAddresses, { request_id: `bench-addresses-${count}`, sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, count })
  await waitUntil(nodePorts, 'the addresses', async () => {
    const { list } = await alice.client.call(listAddressRequests, { sub_wallet_id: subWalletId })
    const found = list.find((each) => each.id === id)
    return found?.made === count ? true : undefined
  })
  return performance.now() - startedMs
}

/** Further addresses without a word of the signers, of which `funded` have something. */
async function fill(from: number, to: number, funded: number): Promise<void> {
  await owner.query("set session_replication_role = 'replica'")
  await owner.query(
    `insert into address (org_id, chain, address, address_end, sub_wallet_id, path, number, label, attestations, created_at)
      select $1, $2, '0x' || lpad(to_hex(i), 40, '0'), right(lpad(to_hex(i), 40, '0'), 4), $3, array[0, i], i, 'Customer ' || i, '[]', 0 from generate_series($4::int, $5::int) i`,
    [orgId, LOCAL_CHAIN, subWalletId, from, to],
  )
  await owner.query(
    `insert into address_balance (org_id, chain, address, contract, sub_wallet_id, available, held)
      select $1, $2, '0x' || lpad(to_hex(i), 40, '0'), '', $3, (i % 1000 + 1) * 1000000000000000::numeric, 0 from generate_series($4::int, $5::int) i`,
    [orgId, LOCAL_CHAIN, subWalletId, from, from + funded - 1],
  )
  await owner.query('vacuum analyze')
}

const quickest = async (act: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let i = 0; i < REPEATS; i++) {
    const startedMs = performance.now()
    await act()
    times.push(performance.now() - startedMs)
  }
  return Math.min(...times)
}

const heapMb = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** A block of strangers in which ten transfers are to us. */
const block = (): string[] => Array.from({ length: TRANSFERS }, (_, i) => `0x${(i < 10 ? MADE + i + 1 : 2 ** 40 + i).toString(16).padStart(40, '0')}`)

async function measure(count: number) {
  const network = { chain: LOCAL_CHAIN } as Parameters<typeof ownersOf>[1]
  const before = heapMb()
  const matching = await quickest(() => db.readSystem(async (tx) => ownersOf(tx, network, block())))
  const matchingMb = heapMb() - before
  const list = (input: object) => quickest(() => alice.client.call(listUserAddresses, { sub_wallet_id: subWalletId, page_size: 20, ...input }))
  const choosing = await quickest(async () => {
    let after: Awaited<ReturnType<typeof fundedAddresses>>[number] | undefined
    let count = 0
    for (;;) {
      const asked = { asset: { chain: LOCAL_CHAIN, contract: null }, least: 500n * 10n ** 15n, subWalletIds: [subWalletId], limit: 1_000 }
      const part = await db.asOrganisation(orgId, (tx) => fundedAddresses(tx, { ...asked, ...(after && { after }) }))
      count += part.length
      after = part.at(-1)
      if (part.length < 1_000) return count
    }
  })
  return {
    'matching a block': matching,
    'memory of it, MB': matchingMb,
    'a page': await list({}),
    'the last page': await list({ page_no: Math.ceil((MADE + count) / 20) }),
    'a search by label': await list({ keyword: 'customer 10999' }),
    'a search by address': await list({ keyword: block()[0]! }),
    'choosing those with half a coin': choosing,
  }
}

try {
  const ms = await made(MADE)
  print({ figure: 'addresses: made with three signers', count: MADE, seconds: round(ms / 1000), perSecond: Math.round((MADE / ms) * 1000) })
  await fill(MADE + 1, MADE + FEW, FEW)
  const few = await measure(FEW)
  await fill(MADE + FEW + 1, MADE + MANY, FUNDED)
  const many = await measure(MANY)
  for (const [what, value] of Object.entries(few) as [keyof typeof few, number][])
    print({ figure: `addresses: ${what}`, few: round(value), many: round(many[what]), times: round(many[what] / value) })
} finally {
  await db.close()
  await owner.end()
  await stack.dispose()
}
