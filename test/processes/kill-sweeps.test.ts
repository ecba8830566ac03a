import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  getCollector,
  listAllowing,
  listCollectorTokens,
  publishCollector,
  saveCollector,
  saveCollectorTokens,
  setCollectorStatus,
} from '@holdfast/features/collection/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { askFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { approveAt, makeAddresses, openWallet, type Place } from './testing/collected-deposits.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { killAtRandom } from './testing/kill-programs.ts'
import { type LocalChain, localChain } from './testing/local-chain.ts'
import { openPatience } from './testing/patience.ts'
import { assertLedger, coinHeld, withDatabase } from './testing/read-ledger.ts'
import { seededRandom } from './testing/seeded-random.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

/*
 * Addresses that delegate to the sweeper (EIP-7702), by real signers on the local network, while programs are killed: each signs once, and what it signed is
 * carried once.
 */

const COUNT = process.env.HOLDFAST_THOROUGH === undefined ? 5 : 120
const KILLS = process.env.HOLDFAST_THOROUGH === undefined ? 4 : 40
const TOKEN = 'USDX'
const EACH = 250_000_000n

const { eventually, persist, calm } = openPatience({
  pollMs: 1_000,
})

let stack: TestStack
let org: FundedOrganisation
let chain: LocalChain
let deposits: Place & { addresses: string[] }
let treasury: Place
let id: string
let hasFailed = true

before(async () => {
  stack = await startTestStack({ ratePerSession: 100_000 })
  org = await foundFunded(stack, { amount: '100' })
  chain = localChain(stack.settings)
  treasury = await openWallet(stack, org, 'Treasury')
  const place = await openWallet(stack, org, 'Deposits')
  deposits = { ...place, addresses: await makeAddresses(org, place, COUNT) }
})
after(() => stack?.dispose({ keepsData: hasFailed }))

/** Every address gets as much of the token, while programs are killed. */
async function depositWhileKilling(seed: string): Promise<void> {
  const killing = killAtRandom(stack, {
    names: ['server', 'database', 'signer-1', 'signer-2'],
    kills: KILLS,
    random: seededRandom(seed),
    signal: new AbortController().signal,
  }).finally(calm)
  for (const address of deposits.addresses) await askFaucet(ports, stack.settings, { address, chain: LOCAL_CHAIN, asset: TOKEN, amount: '250' })
  await killing
}

const swept = (expected: bigint) =>
  eventually('every token to be in the treasury', async () => {
    const { available } = await persist('the treasury', () => coinHeld(org.alice, treasury.subWalletId, TOKEN))
    return available === expected || undefined
  })

const states = () => persist('the addresses', () => org.alice.client.call(listAllowing, { id, page_no: 1, page_size: 200 }))

type Row = { kind: string; state: string; transactions: number }
/** The orders of the collector that ended, and how many transactions were made for each. */
const orders = () =>
  withDatabase(stack, (db) =>
    db.readSystem(
      (tx) =>
        tx
          .selectFrom('transfer_order')
          .innerJoin('order_transaction', 'order_transaction.order_id', 'transfer_order.id')
          .where('transfer_order.standing_order_id', 'is not', null)
          .select(['transfer_order.kind', 'transfer_order.state'])
          .select((row) => row.fn.count<number>('order_transaction.number').as('transactions'))
          .groupBy(['transfer_order.id', 'transfer_order.kind', 'transfer_order.state'])
          .execute() as Promise<Row[]>,
    ),
  )

test(`kill -9 of programs at ${KILLS} random points while ${COUNT} addresses delegate and are swept: each signs once, and never has a coin`, async () => {
  const { client } = org.alice
  const places = { target_sub_wallet_id: treasury.subWalletId, payer_sub_wallet_id: org.subWalletId }
  const made = { wallet_id: deposits.walletId, name: 'Sweep', chain: LOCAL_CHAIN, way: 'delegation' as const, fee_max: '0.05' }
  ;({ id } = await client.call(saveCollector, { ...made, ...places }))
  const token = (await client.call(listCollectorTokens, { id })).list.find(({ symbol }) => symbol === TOKEN)
  assert.ok(token)
  const taken = {
    contract_address: token.contract_address,
    threshold: '10',
    most: '1000',
    allowance: 'exact' as const,
    max_fee_pct: null,
    schedule: '',
    enabled: true,
  }
  await client.call(saveCollectorTokens, { id, symbols: [taken] })
  for (const { approval_url: url } of (await client.call(publishCollector, { id })).pending) await approveAt(url, org)
  await depositWhileKilling('kill sweeps')
  await swept(BigInt(COUNT) * EACH)
  await eventually('what was signed to be final', async () => (await states()).list.every(({ auth_status: state }) => state === 'delegated') || undefined)
  for (const address of deposits.addresses) {
    assert.equal(await chain.sentBy(address), 1n, `${address} used its nonce for something else than one authorization`)
    assert.equal(await chain.balanceOf(address), 0n)
  }
  const all = await orders()
  assert.deepEqual([...new Set(all.map(({ state }) => state))], ['completed'])
  assert.equal(all.filter(({ kind }) => kind === 'authorize').length, COUNT)
  assert.ok(
    all.every(({ transactions }) => Number(transactions) === 1),
    'other bytes were made for an order',
  )
})

test('a second sweep needs no other authorization, and one more of each address ends it', async () => {
  await depositWhileKilling('kill second sweeps')
  await swept(2n * BigInt(COUNT) * EACH)
  for (const address of deposits.addresses) assert.equal(await chain.sentBy(address), 1n)
  const { client } = org.alice
  await persist('the pause', () => client.call(setCollectorStatus, { id, status: 'pause', revoke: true }))
  await eventually('every delegation to end', async () => (await states()).list.length === 0 || undefined)
  for (const address of deposits.addresses) assert.equal(await chain.sentBy(address), 2n)
  assert.equal((await client.call(getCollector, { id })).auth.done, 0)
  await assertLedger(stack)
  hasFailed = false
})
