/**
 * Measures the product as it runs: real processes, a real database, the local network. Run: `node bench/stack.bench.ts`.
 * Prints one JSON line for each figure; all of them were taken on one machine, with everything on it.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { getWithdrawal, listTransactions } from '@holdfast/features/transfer/contract'
import { listCoinAssets, listWallets } from '@holdfast/features/wallet/contract'
import { nodePorts } from '@holdfast/ports/node'
import { makeWallet } from '../apps/launcher/src/make-wallet.ts'
import { fastFee, orderPayment } from '../apps/launcher/src/order-payment.ts'
import { type FundedOrganisation, foundFunded } from '../test/processes/testing/funded-organisation.ts'
import { freshAddress, localChain } from '../test/processes/testing/local-chain.ts'
import { PROGRAMS, startTestStack, type TestStack } from '../test/processes/testing/start-test-stack.ts'

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
const READS = 2000
const CONNECTIONS = 8
const DEPOSITS = 500

const ask = ({ alice, subWalletId }: FundedOrganisation, maxFee: string) =>
  orderPayment(nodePorts, alice, { subWalletId, symbol: 'ETH', amount: '0.000001', to: freshAddress(), maxFee })

async function withdrawals(organisation: FundedOrganisation, maxFee: string): Promise<void> {
  const { alice, bruno, chiara } = organisation
  const times: number[] = []
  for (let i = 0; i < WITHDRAWALS; i++) {
    const order = await ask(organisation, maxFee)
    await bruno.decide(order.hash, 'approve')
    const { ms } = await timed(async () => {
      await chiara.decide(order.hash, 'approve')
      while (!(await alice.client.call(getWithdrawal, { id: order.id })).txid) await sleep(5)
    })
    times.push(ms)
  }
  print({ figure: 'withdrawal, from the last approval to broadcast', ms: round(median(times)), n: times.length })
}

/** Runs `count` calls over some connections and answers how many a second. */
async function perSecond(count: number, call: () => Promise<unknown>): Promise<number> {
  let left = count
  const { ms } = await timed(() =>
    Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (left-- > 0) await call()
      }),
    ),
  )
  return round(count / (ms / 1000))
}

async function calls(organisation: FundedOrganisation, maxFee: string): Promise<void> {
  const { alice } = organisation
  print({ figure: 'intents created', perSecond: await perSecond(INTENTS, () => ask(organisation, maxFee)), n: INTENTS, connections: CONNECTIONS })
  print({
    figure: 'authenticated reads, wallets',
    perSecond: await perSecond(READS, () => alice.client.call(listWallets, {})),
    n: READS,
    connections: CONNECTIONS,
  })
  print({
    figure: 'authenticated reads, transactions',
    perSecond: await perSecond(READS / 4, () => alice.client.call(listTransactions, {})),
    n: READS / 4,
    connections: CONNECTIONS,
  })
}

async function deposits({ settings }: TestStack, { alice, subWalletId, address }: FundedOrganisation): Promise<void> {
  const balance = async () => {
    const { list } = await alice.client.call(listCoinAssets, { sub_wallet_id: subWalletId })
    const coin = list.find((each) => each.symbol === 'ETH')!
    return Number(coin.normal_balance) + Number(coin.lock_balance)
  }
  const before = await balance()
  const chain = localChain(settings)
  const startedMs = performance.now()
  const txids = await chain.send(address, 10n ** 18n, DEPOSITS)
  while (!(await Promise.all(txids.map(chain.blockOf))).every(Boolean)) await sleep(20)
  const minedMs = performance.now()
  while ((await balance()) < before + DEPOSITS - 0.5) await sleep(20)
  const creditedMs = performance.now()
  print({
    figure: 'deposits, until all are credited at finality',
    perSecond: round(DEPOSITS / ((creditedMs - startedMs) / 1000)),
    msAfterLastBlock: round(creditedMs - minedMs),
    n: DEPOSITS,
    note: 'finality is 3 blocks of 0.2 s',
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
  await withdrawals(organisation, maxFee)
  await calls(organisation, maxFee)
  // Last: what the network's own account pays as a tip raises what a fee is quoted at.
  await deposits(stack, organisation)
  memory(stack)
} finally {
  await stack.dispose()
}
