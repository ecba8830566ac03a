import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CallError, TransportError } from '@holdfast/contract'
import { getWithdrawal, listTransactions } from '@holdfast/features/transfer/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { fastFee, isOver, type Order, type OrderDetail, orderPayment } from '../../apps/launcher/src/order-payment.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { killAtRandom } from './testing/kill-programs.ts'
import { freshAddress, localChain } from './testing/local-chain.ts'
import { assertBooks, coinHeld, withDatabase } from './testing/read-books.ts'
import { seededRandom } from './testing/seeded-random.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

const KILLS = Number(process.env.HOLDFAST_KILLS ?? 100)
const CUSTOMERS = 5
/** How long everything together may take after the last kill. While something is killed again and again, nothing has to get anywhere. */
const CALM_MS = 120_000
const POLL_MS = 300
/** A customer asks again when the last payment is on its way, or after this long, so that the backlog stays a short one. */
const PATIENCE_MS = 15_000
const ETH = 18

type Asked = { to: string; amount: bigint; order: Order }

let stack: TestStack
let org: FundedOrganisation
let calmSinceMs: number | undefined

before(async () => {
  stack = await startTestStack()
  org = await foundFunded(stack, { amount: '50' })
})
after(() => stack?.dispose())

/** Waits for something, and gives up only when it has not come long after the last kill. */
async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const isLast = calmSinceMs !== undefined && performance.now() > calmSinceMs + CALM_MS
    const found = await look()
    if (found !== undefined) return found
    if (isLast) throw new Error(`still waiting for ${what} ${CALM_MS / 1000} s after the last kill`)
    await ports.timer.sleep(POLL_MS)
  }
}

/** Tries again where nobody answered, which says nothing about what was done. A refusal is not retried: it ends the test. */
async function persist<T>(what: string, act: () => Promise<T>): Promise<T> {
  return eventually(what, async () => {
    try {
      return await act()
    } catch (cause) {
      const isLost = cause instanceof TransportError || cause instanceof TypeError || (cause instanceof CallError && cause.errorName === 'answer_late')
      if (isLost) return undefined
      throw cause
    }
  })
}

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
async function beCustomer(number: number, maxFee: string, isOpen: () => boolean): Promise<Asked[]> {
  const asked: Asked[] = []
  while (isOpen()) {
    const to = freshAddress()
    const amount = parseAmount('0.01', ETH) + BigInt(number * 1_000_000 + asked.length)
    const payment = {
      subWalletId: org.subWalletId,
      symbol: 'ETH',
      amount: formatAmount(amount, ETH),
      to,
      maxFee,
      requestId: `customer-${number}-${asked.length}`,
    }
    const order = await persist('an answer to the request', () => orderPayment(ports, org.alice, payment))
    await Promise.all([approve(org.bruno, order), approve(org.chiara, order)])
    asked.push({ to, amount, order })
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
  const ofServer = Math.round(KILLS / 3)
  const killed = await Promise.all([
    killAtRandom(stack, { names: ['server'], kills: ofServer, random, signal }),
    killAtRandom(stack, { names: ['signer-1', 'signer-2', 'signer-3'], kills: KILLS - ofServer, random, signal }),
  ])
  console.log(
    `killed ${killed
      .flatMap((each) => [...each])
      .map(([name, times]) => `${name} ${times}x`)
      .join(', ')}`,
  )
}

/** Customers and kills side by side, until the last kill. A customer who fails ends the kills, so that nothing is started behind the end of the test. */
async function askWhileKilling(maxFee: string): Promise<Asked[]> {
  const failed = new AbortController()
  let isOpen = true
  const killing = killAll(failed.signal).finally(() => {
    isOpen = false
    calmSinceMs = performance.now()
  })
  try {
    const asked = await Promise.all(Array.from({ length: CUSTOMERS }, (_, i) => beCustomer(i, maxFee, () => isOpen)))
    return asked.flat()
  } catch (cause) {
    isOpen = false
    failed.abort()
    throw cause
  } finally {
    await killing
  }
}

/** Waits, touching nothing, until every order is final; says which are not when that takes too long. */
async function drain(asked: readonly Asked[]): Promise<OrderDetail[]> {
  const { client } = org.alice
  const open = async () => {
    const pages = await Promise.all(
      Array.from({ length: Math.ceil((asked.length + 1) / 200) }, (_, i) =>
        client.call(listTransactions, { type: 'withdraw', page_size: 200, page_no: i + 1 }),
      ),
    )
    return pages.flatMap(({ list }) => list).filter((each) => !isOver(each))
  }
  await eventually('every order to be final', async () => ((await open()).length === 0 ? true : undefined)).catch(async (cause) => {
    const stuck = await open()
    throw new Error(`${stuck.length} orders are stuck, such as ${JSON.stringify(stuck[0])}`, { cause })
  })
  return Promise.all(asked.map(({ order }) => client.call(getWithdrawal, { id: order.id })))
}

test(`kill -9 of the server or a signer at ${KILLS} random points: no payment twice, none lost, none stuck`, async () => {
  const chain = localChain(stack.settings)
  const maxFee = await fastFee(org.alice, { subWalletId: org.subWalletId, symbol: 'ETH', amount: '0.01', to: freshAddress() })
  const asked = await askWhileKilling(maxFee)
  assert.ok(asked.length >= KILLS / 10, `only ${asked.length} payments were asked for`)

  const orders = await drain(asked)
  assert.deepEqual(
    orders.filter((order) => order.status !== 2000).map(({ status, sub_status }) => `${status} ${sub_status}`),
    [],
    'an approved order was not paid',
  )
  for (const { to, amount } of asked) assert.equal(await chain.balanceOf(to), amount, `${to} was not paid exactly once`)
  const { list } = await org.alice.client.call(listTransactions, { type: 'withdraw', page_size: 200 })
  assert.equal(list.length, asked.length, 'a request that was sent twice made two orders')
  const nonces = orders.map(({ nonce }) => Number(nonce)).sort((a, b) => a - b)
  assert.deepEqual(
    nonces,
    asked.map((_, i) => i),
    'the nonces leave a gap or repeat',
  )
  assert.equal(await chain.sentBy(org.address), BigInt(asked.length))

  const { available, held, total } = await coinHeld(org.alice, org.subWalletId)
  assert.deepEqual({ held, total: available }, { held: 0n, total })
  assert.equal(total, await chain.balanceOf(org.address), 'the ledger and the chain differ')
  await assertBooks(stack)
  console.log(`${asked.length} payments, each made exactly once, in sessions that ended ${await sessionsByEnd()}`)
})

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
