import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getBatch, submitBatch, uploadBatch } from '@holdfast/features/batch-transfer/contract'
import { listUserAddresses } from '@holdfast/features/deposit-address/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { askFaucet, depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { approveAt, collectedUnder, follow, makeAddresses, openWallet, type Place, placed } from './testing/collected-deposits.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { killAtRandom } from './testing/kill-programs.ts'
import { type LocalChain, localChain } from './testing/local-chain.ts'
import { openPatience } from './testing/patience.ts'
import { assertLedger, coinHeld, withDatabase } from './testing/read-ledger.ts'
import { seededRandom } from './testing/seeded-random.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

/** So many deposits are collected, and as many lines are paid: a few every day, a thousand of each under 200 kills where it may take long. */
const COUNT = Number(process.env.HOLDFAST_MOVES ?? (process.env.HOLDFAST_THOROUGH === undefined ? 10 : 1000))
const KILLS = Number(process.env.HOLDFAST_KILLS ?? (process.env.HOLDFAST_THOROUGH === undefined ? 6 : 200))
/** Every so many deposits one is of a token, at an address that has no coins for the fee: those are sent first. */
const TOKEN_EVERY = 5
const TOKEN = 'USDX'
/** Deposits arrive so many at a time, while programs are killed. */
const DEPOSITS_AT_ONCE = 50
const LOOK_EVERY_MS = 60_000
/** What the treasury has to send for fees. */
const FUEL = '20'
/** Every payment and every deposit has an amount of its own. */
const [DEPOSIT, LINE] = [10n ** 18n, 10n ** 15n]
const [DECIMALS, TOKEN_DECIMALS] = [18, 6]

const { eventually, persist, calm } = openPatience({
  // Each look reads a whole batch from programs that have something to do.
  pollMs: 2_000,
})

let stack: TestStack
let org: FundedOrganisation
let chain: LocalChain
let deposits: Place & { addresses: string[] }
let treasury: Place
let hasFailed = false
const isOfToken = (number: number) => number % TOKEN_EVERY === TOKEN_EVERY - 1
const amountOf = (number: number) => (isOfToken(number) ? 10n ** 8n : DEPOSIT) + BigInt(number)
const TOKENS = Array.from({ length: COUNT }, (_, i) => i).filter(isOfToken).length
const lines = Array.from({ length: COUNT }, (_, i) => ({ to: freshAddress(), amount: LINE + BigInt(i) }))

before(async () => {
  stack = await startTestStack({ ratePerSession: 100_000 })
  org = await foundFunded(stack, { amount: '100' })
  chain = localChain(stack.settings)
  treasury = await openWallet(stack, org, 'Treasury')
  await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: treasury.subWalletId, symbol: 'ETH', amount: FUEL })
  const place = await openWallet(stack, org, 'Deposits')
  deposits = { ...place, addresses: await makeAddresses(org, place, COUNT) }
})
after(() => stack?.dispose({ keepsData: hasFailed }))

/** What arrives is collected to the treasury, which sends the coins for fees that tokens need. */
async function followCollecting(): Promise<void> {
  const coin = { chain: LOCAL_CHAIN, symbol: 'ETH', at_most: '100' }
  const token = { chain: LOCAL_CHAIN, symbol: TOKEN, at_least: '1', at_most: '1000' }
  await follow(org, { kind: 'fuel', name: 'Fees', sources: [placed(treasury)], to: deposits, assets: [{ ...coin, at_least: '0.00000000000001' }] })
  await follow(org, { kind: 'sweep', name: 'Collect', sources: [placed(deposits)], to: treasury, assets: [{ ...coin, at_least: '0.5' }, token] })
}

/** A file of payments that two people approve once. */
async function approvedBatch(): Promise<string> {
  const { client } = org.alice
  const rows = lines.map(({ to, amount }) => `${to},${formatAmount(amount, DECIMALS)}`)
  const file = new File([['address,amount', ...rows].join('\n')], 'payroll.csv')
  const { batch_id: id } = await client.call(uploadBatch, { sub_wallet_id: org.subWalletId, chain: LOCAL_CHAIN, symbol: 'ETH', file })
  const { approval_url: url } = await client.call(submitBatch, { batch_id: id, execution: 'strict', fee_tier: 'fast' })
  await approveAt(url, org)
  return id
}

async function deposit(address: string, number: number): Promise<void> {
  const amount = amountOf(number)
  if (isOfToken(number)) await askFaucet(ports, stack.settings, { address, chain: LOCAL_CHAIN, asset: TOKEN, amount: formatAmount(amount, TOKEN_DECIMALS) })
  else await chain.send(address, amount, 1)
}

async function sendDeposits(): Promise<void> {
  for (let from = 0; from < COUNT; from += DEPOSITS_AT_ONCE) {
    for (const [i, address] of deposits.addresses.slice(from, from + DEPOSITS_AT_ONCE).entries()) await deposit(address, from + i)
    await ports.timer.sleep(500)
  }
}

async function killAll(signal: AbortSignal): Promise<void> {
  const random = seededRandom('kill moves')
  const [ofServer, ofDatabase] = [Math.round(KILLS * 0.4), Math.round(KILLS * 0.2)]
  const ended = new AbortController()
  const watching = watch(ended.signal)
  const killed = await Promise.all([
    killAtRandom(stack, { names: ['server'], kills: ofServer, random, signal }),
    killAtRandom(stack, { names: ['database'], kills: ofDatabase, random, signal }),
    killAtRandom(stack, { names: ['signer-1', 'signer-2', 'signer-3'], kills: KILLS - ofServer - ofDatabase, random, signal }),
  ]).finally(() => ended.abort())
  await watching
  console.log(`killed ${killed.flatMap((each) => [...each].map(([name, times]) => `${name} ${times}x`)).join(', ')}; ${(await progress()).text}`)
}

/** Somebody looks now and then: a session that nobody uses ends. */
async function watch(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    console.log((await progress()).text)
    await ports.timer.sleep(LOOK_EVERY_MS, signal).catch(() => undefined)
  }
}

let batchId = ''

type Progress = { text: string; isAll: boolean }

async function progress(): Promise<Progress> {
  const { counts, is_final: isFinal } = await persist('the batch', () => org.alice.client.call(getBatch, { batch_id: batchId }))
  const {
    counts: [collected = 0],
    moving,
  } = await persist('the standing orders', () => collectedUnder(org, ['Collect', 'Fees']))
  return {
    text: `${counts.completed} of ${COUNT} lines paid, ${collected} of ${COUNT} deposits collected`,
    isAll: isFinal && collected >= COUNT && moving === 0,
  }
}

async function moveWhileKilling(): Promise<void> {
  await followCollecting()
  batchId = await approvedBatch()
  const startedMs = performance.now()
  const failed = new AbortController()
  const killing = killAll(failed.signal).finally(calm)
  try {
    await sendDeposits()
  } catch (cause) {
    failed.abort()
    throw cause
  } finally {
    await killing
  }
  const afterKillsMs = performance.now()
  let last = ''
  await eventually('every line to be paid and every deposit to be collected', async () => {
    const { text, isAll } = await progress()
    // As long as something comes of it, the time that is left begins anew.
    if (text !== last) calm()
    last = text
    return isAll || undefined
  })
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
  console.log(`${seconds(afterKillsMs - startedMs)} until the last kill, ${seconds(performance.now() - afterKillsMs)} from there to the end`)
}

/** The states of all orders of a kind, how many of each. */
function statesOf(kind: 'collect' | 'fuel' | 'withdraw'): Promise<Record<string, number>> {
  return withDatabase(stack, async (db) => {
    const rows = await db.readSystem((tx) =>
      tx
        .selectFrom('transfer_order')
        .select(['state', tx.fn.countAll().as('count')])
        .where('kind', '=', kind)
        .groupBy('state')
        .execute(),
    )
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
  })
}

test(`kill -9 of the server, a signer or the database at ${KILLS} random points of ${COUNT} sweeps and a batch of ${COUNT} lines: each once, none stuck`, async () => {
  await moveWhileKilling().catch(async (cause: unknown) => {
    hasFailed = true
    console.log(`lines: ${JSON.stringify(await statesOf('withdraw'))}, sweeps: ${JSON.stringify(await statesOf('collect'))}`)
    throw cause
  })
  hasFailed = true
  assert.deepEqual([await statesOf('withdraw'), await statesOf('collect')], [{ completed: COUNT }, { completed: COUNT }])
  assert.deepEqual(await statesOf('fuel'), { completed: TOKENS }, 'coins for a fee were sent twice')
  const { state, counts } = await org.alice.client.call(getBatch, { batch_id: batchId })
  assert.deepEqual([state, counts], ['finished', { pending: 0, processing: 0, completed: COUNT, failed: 0, not_executed: 0 }])
  for (const { to, amount } of lines) assert.equal(await chain.balanceOf(to), amount, `${to} was not paid exactly once`)
  assert.equal(await chain.sentBy(org.address), BigInt(COUNT))
  for (const address of deposits.addresses) assert.equal(await chain.sentBy(address), 1n, `${address} was not collected from exactly once`)
  hasFailed = false
})

test('after that, the books hold nothing back and are equal to what the chain says of every address', async () => {
  const inAll = async (addresses: readonly string[]) => {
    let sum = 0n
    for (const address of addresses) sum += await chain.balanceOf(address)
    return sum
  }
  const addressesOf = async ({ subWalletId }: Pick<Place, 'subWalletId'>) =>
    (await org.alice.client.call(listUserAddresses, { sub_wallet_id: subWalletId, chain: LOCAL_CHAIN })).list.flatMap(({ address }) => address ?? [])
  const places = [{ ...org, addresses: [org.address] }, { ...treasury, addresses: await addressesOf(treasury) }, deposits]
  for (const { subWalletId, addresses } of places) {
    const { total, held } = await coinHeld(org.alice, subWalletId)
    assert.deepEqual({ held, total }, { held: 0n, total: await inAll(addresses) })
  }
  const swept = await coinHeld(org.alice, treasury.subWalletId)
  const left = await coinHeld(org.alice, deposits.subWalletId)
  const numbers = deposits.addresses.map((_, i) => i)
  const given = (ofToken: boolean) => numbers.reduce((sum, i) => sum + (isOfToken(i) === ofToken ? amountOf(i) : 0n), 0n)
  const funded = given(false) + parseAmount(FUEL, DECIMALS)
  assert.ok(swept.total + left.total < funded && swept.total > (funded * 95n) / 100n, `${swept.total} of ${funded} was collected`)
  const tokens = await coinHeld(org.alice, treasury.subWalletId, TOKEN)
  assert.deepEqual(tokens, { available: given(true), held: 0n, total: given(true) }, 'every token that arrived is in the treasury')
  await assertLedger(stack)
})
