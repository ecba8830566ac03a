import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getWithdrawal, listTransactions } from '../../features/transaction/contract.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { fastFee, isOver, type Order, type OrderDetail, orderPayment } from '../../apps/launcher/src/order-payment.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { killAtRandom } from './testing/kill-programs.ts'
import { localChain } from './testing/local-chain.ts'
import { isUnanswered, openPatience } from './testing/patience.ts'
import { openPayers, type Payer } from './testing/payers.ts'
import { assertLedger, coinHeld, withDatabase } from './testing/read-ledger.ts'
import { seededRandom } from './testing/seeded-random.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

const KILLS = Number(process.env.HOLDFAST_KILLS ?? 100)
/** Customers of each chain. */
const CUSTOMERS = 2
/** A customer asks again when the last payment is on its way, or after this long, so that the backlog stays a short one. */
const PATIENCE_MS = 15_000
/** Of each order that is stuck, so many of its last events are told. */
const EVENTS_TOLD = 8

const { eventually, persist, calm } = openPatience({
  pollMs: 300,
  // A network that did not answer in time to say what a fee would be says nothing either.
  isLost: (cause) => isUnanswered(cause, ['fee_estimate_failed']),
})

type Asked = { payer: Payer; to: string; amount: bigint; order: Order }

let stack: TestStack
let org: FundedOrganisation
let payers: Payer[]
let hasFailed = false

before(async () => {
  stack = await startTestStack()
  org = await foundFunded(stack, { amount: '50' })
  payers = await openPayers(stack, org)
})
after(() => stack?.dispose({ keepsData: hasFailed }))

/** Approves until the server says that it knows. The page can lose any answer, and then a second signature of the same person is refused as a repeat. */
async function approve(member: TerminalMember, { id, hash }: Order): Promise<void> {
  let last: unknown
  await eventually(`${member.name} to approve`, async () => {
    await member.decide(hash, 'approve').catch((cause: unknown) => {
      last = cause
    })
    const { approvers } = await persist('the order', () => member.client.call(getWithdrawal, { id }))
    return approvers.some((each) => each.person_id === member.personId && each.state === 'approved') ? true : undefined
  }).catch((cause: unknown) => {
    throw new Error(`${String(cause)}; the last answer was ${String(last)}`, { cause })
  })
}

/** Asks for payments one after the other, each to a destination and of an amount of its own, and has each approved by two. */
async function beCustomer(payer: Payer, number: number, maxFee: string, isOpen: () => boolean): Promise<Asked[]> {
  const { chain, symbol, decimals, subWalletId } = payer
  const asked: Asked[] = []
  while (isOpen()) {
    const to = payer.freshAddress()
    const amount = parseAmount(payer.amount, decimals) + BigInt(number * 1_000 + asked.length)
    const requestId = `customer-${symbol}-${number}-${asked.length}`
    const payment = { subWalletId, chain, symbol, amount: formatAmount(amount, decimals), to, maxFee, requestId }
    const order = await persist('an answer to the request', () => orderPayment(ports, org.alice, payment))
    await Promise.all([approve(org.bruno, order), approve(org.chiara, order)])
    asked.push({ payer, to, amount, order })
    const untilMs = performance.now() + PATIENCE_MS
    await eventually('the signature', async () => {
      const { txid } = await persist('the order', () => org.alice.client.call(getWithdrawal, { id: order.id }))
      return txid !== null || performance.now() > untilMs ? true : undefined
    })
  }
  return asked
}

async function killAll(signal: AbortSignal): Promise<void> {
  const random = seededRandom('kill')
  const ofServer = Math.round(KILLS * 0.3)
  const ofDatabase = Math.round(KILLS * 0.2)
  const killed = await Promise.all([
    killAtRandom(stack, { names: ['server'], kills: ofServer, random, signal }),
    killAtRandom(stack, { names: ['database'], kills: ofDatabase, random, signal }),
    killAtRandom(stack, { names: ['signer-1', 'signer-2', 'signer-3'], kills: KILLS - ofServer - ofDatabase, random, signal }),
  ])
  console.log(
    `killed ${killed
      .flatMap((each) => [...each])
      .map(([name, times]) => `${name} ${times}x`)
      .join(', ')}`,
  )
}

/** Customers and kills side by side, until the last kill. A customer who fails ends the kills, so that nothing is started behind the end of the test. */
async function askWhileKilling(fees: ReadonlyMap<Payer, string>): Promise<Asked[]> {
  const failed = new AbortController()
  let isOpen = true
  const killing = killAll(failed.signal).finally(() => {
    isOpen = false
    calm()
  })
  try {
    const customers = payers.flatMap((payer) => Array.from({ length: CUSTOMERS }, (_, i) => beCustomer(payer, i, fees.get(payer)!, () => isOpen)))
    const asked = await Promise.all(customers)
    return asked.flat()
  } catch (cause) {
    isOpen = false
    failed.abort()
    throw cause
  } finally {
    await killing
  }
}

/** Every payment that the console knows, where there should be `count`: one more would be seen. */
async function listAll(count: number) {
  const { client } = org.alice
  const page = (number: number) => client.call(listTransactions, { type: 'withdraw', page_size: 200, page_no: number })
  const pages = await Promise.all(Array.from({ length: Math.ceil((count + 1) / 200) }, (_, i) => page(i + 1)))
  return pages.flatMap(({ list }) => list)
}

/** Waits, touching nothing, until every order is final. */
async function drain(asked: readonly Asked[]): Promise<OrderDetail[]> {
  await eventually('every order to be final', async () => ((await listAll(asked.length)).every(isOver) ? true : undefined))
  return Promise.all(asked.map(({ order }) => org.alice.client.call(getWithdrawal, { id: order.id })))
}

/** Says of every order that is not final where it stands and what happened last, and where the logs are: what fails here is seldom seen twice. */
async function tellStuck(): Promise<void> {
  const { client } = org.alice
  const { pageTotal } = await client.call(listTransactions, { type: 'withdraw' })
  const stuck = (await listAll(pageTotal)).filter((each) => !isOver(each))
  console.log(`${stuck.length} of ${pageTotal} orders are not final`)
  for (const { id, symbol } of stuck) {
    const { status, sub_status, next_action, timeline } = await client.call(getWithdrawal, { id })
    console.log(`${symbol} ${id}: ${status} ${sub_status}. ${next_action.text}`)
    for (const { at, state, sub_status: sub, actor, reason } of timeline.slice(-EVENTS_TOLD))
      console.log(`  ${new Date(at).toISOString()} ${state} ${sub} by ${actor}${reason === null ? '' : `: ${reason}`}`)
  }
}

test(`kill -9 of the server, a signer or the database at ${KILLS} random points: on every chain no payment twice, none lost, none stuck`, async () => {
  await payWhileKilling().catch(async (cause: unknown) => {
    hasFailed = true
    await tellStuck().catch((failure: unknown) => console.log(`what is not final cannot be told: ${String(failure)}`))
    throw cause
  })
})

async function payWhileKilling(): Promise<void> {
  const fees = new Map<Payer, string>()
  for (const payer of payers) fees.set(payer, await fastFee(org.alice, { ...payer, to: payer.freshAddress() }))
  const asked = await askWhileKilling(fees)
  assert.ok(asked.length >= KILLS / 10, `only ${asked.length} payments were asked for`)

  const orders = await drain(asked)
  assert.deepEqual(
    orders.filter((order) => order.status !== 2000).map(({ status, sub_status }) => `${status} ${sub_status}`),
    [],
    'an approved order was not paid',
  )
  for (const { payer, to, amount } of asked) assert.equal(await payer.balanceOf(to), amount, `${to} was not paid exactly once`)
  assert.equal((await listAll(asked.length)).length, asked.length, 'a request that was sent twice made two orders')
  for (const payer of payers) await assertSettled(payer)
  const ethereum = asked.flatMap(({ payer }, i) => (payer.symbol === 'ETH' ? [orders[i]!] : []))
  const nonces = ethereum.map(({ nonce }) => Number(nonce)).sort((a, b) => a - b)
  assert.deepEqual(
    nonces,
    ethereum.map((_, i) => i),
    'the nonces leave a gap or repeat',
  )
  assert.equal(await localChain(stack.settings).sentBy(org.address), BigInt(ethereum.length))
  await assertLedger(stack)
  const counts = payers.map(({ symbol }) => `${symbol} ${asked.filter(({ payer }) => payer.symbol === symbol).length}`)
  console.log(`${asked.length} payments (${counts.join(', ')}), each made exactly once, in sessions that ended ${await sessionsByEnd()}`)
}

async function assertSettled({ symbol, subWalletId, address, balanceOf }: Payer): Promise<void> {
  const { available, held, total } = await coinHeld(org.alice, subWalletId, symbol)
  assert.deepEqual({ held, total: available }, { held: 0n, total })
  assert.equal(total, await balanceOf(address), `the ledger and the chain differ in ${symbol}`)
}

/** Shows that kills hit sessions in their middle, and not only idle processes. */
async function sessionsByEnd(): Promise<string> {
  const rows = await withDatabase(stack, (db) =>
    db.asSystem((tx) =>
      tx
        .selectFrom('signing_attempt')
        .select(['outcome', tx.fn.countAll().as('times')])
        .groupBy('outcome')
        .execute(),
    ),
  )
  return rows.map(({ outcome, times }) => `${outcome ?? 'unknown'} ${times}x`).join(', ')
}
