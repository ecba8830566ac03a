import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { OpenCallError, type OpenCalls } from '@holdfast/open-client'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { fastFee, isOver } from '../../apps/launcher/src/order-payment.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { localChain } from './testing/local-chain.ts'
import { type ApiKey, makeApiKey } from './testing/make-api-key.ts'
import { openPatience, saysNoAnswer } from './testing/patience.ts'
import { assertLedger, coinHeld } from './testing/read-ledger.ts'
import { type RunningCoSigner, runCoSigner } from './testing/run-co-signer.ts'
import { seededRandom } from './testing/seeded-random.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

/** Withdrawals that a program asks for at 100 a minute: a few every day, ten minutes of them where it may take long. */
const COUNT = Number(process.env.HOLDFAST_LOAD_WITHDRAWALS ?? (process.env.HOLDFAST_THOROUGH === undefined ? 12 : 1000))
const PAUSE_MS = 600
/** One of the server, one of the co-signer and one of its callback for so many withdrawals. */
const WITHDRAWALS_A_KILL = 50
const ETHER = 18
const REJECTED = 2100
/** The states in which a withdrawal has come to its end, paid or not. */
const OVER = '2000,2100,2200,2201,2202,2300,2400'

const { eventually, persist, calm } = openPatience({
  pollMs: 1000,
  // A connection that ends in the middle leaves half an answer, which is none.
  isLost: (cause) => cause instanceof TypeError || cause instanceof SyntaxError || (cause instanceof OpenCallError && saysNoAnswer(cause.code)),
})

type Asked = OpenCalls['openCreateWithdrawal']['input']
type Row = OpenCalls['openTransactions']['output']['list'][number]

let stack: TestStack
let org: FundedOrganisation
let key: ApiKey
let guard: RunningCoSigner
let hasFailed = false
let maxFee: string
const payments: Asked[] = []
const random = seededRandom('co-signer load')

before(async () => {
  stack = await startTestStack()
  org = await foundFunded(stack, { amount: '50' })
  maxFee = await fastFee(org.alice, { subWalletId: org.subWalletId, symbol: 'ETH', amount: '0.001', to: freshAddress() })
  payments.push(...Array.from({ length: COUNT }, (_, i) => paymentOf(i)))
  const expected = payments.map(({ address_to: to, amount, symbol }) => ({ to, amount, symbol }))
  guard = await runCoSigner(stack, org, { machine: 'guard', fingerprint: org.fingerprint, expected })
  const a_day = [{ chain: LOCAL_CHAIN, asset: '', max: '50' }]
  key = await makeApiKey(stack, org, 'payouts', { rule: { by: 'co_signer', co_signer: 'guard', who: [], a_day, orders_a_day: 2 * COUNT } })
})
after(async () => {
  await guard?.coSigner.kill()
  await guard?.callback.kill()
  await stack?.dispose({ keepsData: hasFailed })
})

/** Each pays an amount and an address of its own. */
const paymentOf = (number: number): Asked => ({
  request_id: `payout-${randomUUID()}`,
  sub_wallet_id: org.subWalletId,
  chain: LOCAL_CHAIN,
  symbol: 'ETH',
  address_to: freshAddress(),
  amount: formatAmount(10n ** 15n + BigInt(number), ETHER),
  max_fee: maxFee,
  ack: 'first_seen',
})

/** The signal ends it early. */
type Stretch = { lengthMs: number; signal: AbortSignal }

/** A program that is killed and started again, each time at a random moment after it runs. */
async function killIn({ lengthMs, signal }: Stretch, kill: () => Promise<void>, restart: () => unknown): Promise<number> {
  const kills = Math.ceil(COUNT / WITHDRAWALS_A_KILL)
  for (let i = 0; i < kills && !signal.aborted; i++) {
    await ports.timer.sleep((random.next() * lengthMs) / kills)
    await kill()
    await restart()
  }
  return kills
}

/** Asks for every withdrawal at its time, while the server, the co-signer and its callback are killed. */
async function askWhileKilling(asks: readonly Asked[]): Promise<void> {
  const failed = new AbortController()
  const stretch = { lengthMs: asks.length * PAUSE_MS, signal: failed.signal }
  const killing = Promise.all([
    killIn(
      stretch,
      () => stack.kill('server'),
      () => stack.restart('server'),
    ),
    killIn(stretch, guard.coSigner.kill, guard.coSigner.start),
    killIn(stretch, guard.callback.kill, guard.callback.start),
  ]).finally(() => {
    calm()
  })
  const asking = Promise.all(
    asks.map(async (each, i) => {
      await ports.timer.sleep(i * PAUSE_MS)
      await persist(`an answer to ${each.request_id}`, () => key.client.withdraw(each))
    }),
  )
  await asking.catch(() => failed.abort())
  const [server, coSigner, callback] = await killing
  await asking
  console.log(`killed: server ${server}x, co-signer ${coSigner}x, callback ${callback}x`)
}

/** How many withdrawals have come to their end. */
async function countOver(): Promise<number> {
  const asked = { type: 'withdraw' as const, status: OVER, page_size: '1' }
  return (await persist('a count', () => key.client.call('openTransactions', asked))).pageTotal
}

/** Every withdrawal that the door knows. */
async function listAll(): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const asked = { type: 'withdraw' as const, page_size: '200', page_no: String(page) }
    const { list, has_more } = await persist('the list', () => key.client.call('openTransactions', asked))
    rows.push(...list)
    if (!has_more) return rows
  }
}

async function tellStuck(): Promise<void> {
  const stuck = (await listAll()).filter((each) => !isOver(each))
  console.log(`${stuck.length} withdrawals are not final`)
  for (const { id } of stuck.slice(0, 20)) {
    const { status, sub_status, next_action, timeline } = await key.client.call('openWithdrawal', { id })
    const last = timeline.at(-1)
    console.log(`${id}: ${status} ${sub_status}. ${next_action.text} Since ${new Date(last?.at ?? 0).toISOString()}: ${last?.reason ?? ''}`)
  }
}

const median = (values: readonly number[], share = 0.5) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/** How often the callback was asked and told of something, by the ids that it was given. */
function heardOf(type: 'sign_start' | 'sign_success'): Set<string> {
  return new Set([...guard.log('callback').matchAll(new RegExp(`^${type} ([0-9a-f-]{36}): approve$`, 'gm'))].map(([, id]) => id ?? ''))
}

async function payWhileKilling(): Promise<void> {
  const stranger = { ...paymentOf(COUNT), request_id: 'not-in-the-books' }
  const startedMs = Date.now()
  await askWhileKilling([...payments, stranger])
  let over = 0
  const rows = await eventually('another withdrawal to be final', async () => {
    const overNow = await countOver()
    // How long all of them take together the machine says. As long as they come, they are waited for.
    if (overNow > over) calm()
    over = overNow
    return over > COUNT ? listAll() : undefined
  })
  const paid = rows.filter(({ status }) => status === 2000)
  const ofRequest = Map.groupBy(rows, ({ request_id }) => request_id)
  assert.equal(rows.length, COUNT + 1, 'a request that was sent twice made two orders')
  assert.equal(ofRequest.get(stranger.request_id)?.[0]?.status, REJECTED, 'what the books do not know was not refused')
  assert.deepEqual(paid.map(({ request_id }) => request_id).toSorted(), payments.map(({ request_id }) => request_id).toSorted())
  assert.equal(new Set(paid.map(({ txid }) => txid)).size, COUNT, 'each has a transaction of its own')

  const chain = localChain(stack.settings)
  for (const { address_to: to, amount } of payments) assert.equal(await chain.balanceOf(to), parseAmount(amount, ETHER), `${to} was not paid exactly once`)
  assert.equal(await chain.balanceOf(stranger.address_to), 0n)
  assert.equal(await chain.sentBy(org.address), BigInt(COUNT))
  const { held, total } = await coinHeld(org.alice, org.subWalletId)
  assert.deepEqual({ held, total }, { held: 0n, total: await chain.balanceOf(org.address) }, 'the ledger and the chain differ')
  await assertLedger(stack)

  const decided = [...guard.log('co-signer').matchAll(/ order ([0-9a-f]{32}): (approve|reject)/g)].map(([, id]) => id)
  assert.equal(new Set(decided).size, decided.length, 'the co-signer decided an order twice')
  assert.equal(heardOf('sign_start').size, COUNT, 'the callback was asked about each under one id')
  await eventually('the callback to be told of each', async () => (heardOf('sign_success').size === COUNT ? true : undefined))

  const took = paid.map(({ created_at, updated_at }) => updated_at - created_at)
  const lastMs = Math.max(...paid.map(({ updated_at }) => updated_at))
  const aMinute = (paid.length / (lastMs - startedMs)) * 60_000
  console.log(
    `${paid.length} withdrawals, ${aMinute.toFixed(0)} a minute; from the request to finality median ${median(took)} ms, 95th of 100 ${median(took, 0.95)} ms`,
  )
}

test(`${COUNT} withdrawals at 100 a minute by an API key and a co-signer, under kill -9 of server, co-signer and callback: none twice, none lost`, async () => {
  await payWhileKilling().catch(async (cause: unknown) => {
    hasFailed = true
    await tellStuck().catch((failure: unknown) => console.log(`what is not final cannot be told: ${String(failure)}`))
    throw cause
  })
})
