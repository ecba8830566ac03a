/**
 * Measures the reading of chains with a million watched addresses, a withdrawal on each chain, and the local networks. Run: `node bench/chains.bench.ts`.
 * Prints one JSON line for each figure. The floor of each is taken in the same run: what the reading costs without a database, and a bare node.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { codecFor } from '@holdfast/chain-registry/codec'
import { evmNode } from '@holdfast/chain-evm/node'
import { addressText as tonAddress } from '@holdfast/chain-ton/codec'
import { addressText } from '@holdfast/chain-tron/codec'
import { scanChain } from '@holdfast/features/deposit/server'
import { getWithdrawal } from '../features/transaction/contract.ts'
import { nodePorts } from '@holdfast/ports/node'
import { sql } from 'kysely'
import { depositFromFaucet } from '../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_BITCOIN, LOCAL_CHAIN, LOCAL_TON, LOCAL_TRON } from '../apps/launcher/src/local-settings.ts'
import { makeWallet as makeKey } from '../apps/launcher/src/make-wallet.ts'
import { fastFee, orderPayment, waitUntilPaid } from '../apps/launcher/src/order-payment.ts'
import { proveRecovery } from '../apps/launcher/src/prove-recovery.ts'
import { ToldEvm } from '../features/deposit/server/testing/told-evm.ts'
import { makeWallet, openWorld, scan, type World } from '../features/testing/test-world.ts'
import { freshAddress } from '../features/testing/fresh-address.ts'
import { foundFunded } from '../test/processes/testing/funded-organisation.ts'
import { startTestStack } from '../test/processes/testing/start-test-stack.ts'

const print = (figure: Record<string, unknown>): void => console.log(JSON.stringify(figure))
const round = (value: number): number => Math.round(value * 100) / 100
const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!
const residentMb = (pid: number | 'self'): number => round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)

const WATCHED = 1_000_000
const PER_BLOCK = 1_000
/** One in so many payments is to an address of ours. */
const OURS = 50
const BLOCKS = 60
const LIVE_S = 20
const WITHDRAWALS = 5

/** The address that has a number among the million. */
const watched = (number: number) => codec.canonicalAddress(`0x${number.toString(16).padStart(40, '0')}`)!
const stranger = () => codec.canonicalAddress(`0x${randomBytes(20).toString('hex')}`)!
const codec = codecFor(LOCAL_CHAIN)!

async function watchMany(world: World): Promise<void> {
  const { subWalletId } = await makeWallet(world)
  // Written as the codec writes addresses that have no letters to choose the case of: numbers of decimal digits alone.
  await world.db.asSystem((tx) =>
    sql`insert into address (org_id, chain, address, sub_wallet_id, path, label, attestations, created_at)
      select ${world.orgId}, ${LOCAL_CHAIN}, '0x' || lpad(i::text, 40, '0'), ${subWalletId}, array[0, i], null, '[]', 0
      from generate_series(1, ${sql.lit(WATCHED)}) i`.execute(tx),
  )
  const { Client } = (await import('pg')).default
  const owner = new Client({ connectionString: world.db.url })
  await owner.connect()
  await owner.query('vacuum analyze address')
  const { rows } = await owner.query(`select pg_total_relation_size('address') as bytes`)
  print({ figure: 'watched addresses in the database, with indexes', addresses: WATCHED, mb: round(Number(rows[0].bytes) / 2 ** 20) })
  await owner.end()
}

function addBlock(told: ToldEvm, ours = OURS): void {
  for (let i = 0; i < PER_BLOCK; i++) told.pay(i % ours === 0 ? watched(Number(`1${String(i).padStart(5, '0')}`)) : stranger(), 10n ** 18n)
  told.mine(1)
}

async function scanning(): Promise<void> {
  const world = await openWorld()
  try {
    await watchMany(world)
    const told = new ToldEvm()
    const node = evmNode({ chain: LOCAL_CHAIN, rpcUrl: 'http://node.test', tokens: [], timer: nodePorts.timer, fetch: told.fetch })
    Object.assign(world.network, { node, assets: [{ chain: LOCAL_CHAIN, contract: null, symbol: 'ETH', decimals: 18 }], collections: [] })
    told.mine(2)
    await scan(world)
    for (let i = 0; i < BLOCKS; i++) addBlock(told)
    const first = told.tip.height - BLOCKS + 1
    let started = performance.now()
    for (let height = first; height <= told.tip.height; height++) await node.readBlock(BigInt(height))
    const floorMs = performance.now() - started
    const cpu = process.cpuUsage()
    started = performance.now()
    await scan(world)
    const ms = performance.now() - started
    const { user, system } = process.cpuUsage(cpu)
    const own = (user + system) / 1000
    print({
      figure: `blocks of ${PER_BLOCK} transfers scanned, one in ${OURS} ours`,
      blocksPerSecond: round(BLOCKS / (ms / 1000)),
      transfersPerSecond: Math.round((BLOCKS * PER_BLOCK) / (ms / 1000)),
      cpuOfReaderPerBlockMs: round(own / BLOCKS),
      timesTheReadingAlone: round(ms / floorMs),
      watched: WATCHED,
      residentMb: residentMb('self'),
      n: BLOCKS,
    })
    await live(world, told)
  } finally {
    await world.close()
  }
}

/** A block of a thousand transfers each second, and how far behind the reader ever is. */
async function live(world: World, told: ToldEvm): Promise<void> {
  let behindMax = 0
  let isOver = false
  const memory = {}
  const reading = (async () => {
    while (!isOver) if (!(await scanChain(world.context, world.network, memory))) await sleep(20)
  })()
  const height = async () =>
    Number((await world.db.asSystem((tx) => tx.selectFrom('chain_cursor').select('height').where('chain', '=', LOCAL_CHAIN).executeTakeFirstOrThrow())).height)
  const cpu = process.cpuUsage()
  const started = performance.now()
  for (let second = 0; second < LIVE_S; second++) {
    addBlock(told)
    await sleep(Math.max(0, started + (second + 1) * 1000 - performance.now()))
    behindMax = Math.max(behindMax, told.tip.height - (await height()))
  }
  const wallMs = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  isOver = true
  await reading
  print({
    figure: `${PER_BLOCK} transfers a second, a block each second`,
    blocksBehindAtMost: behindMax,
    coreOfReaderAndSource: round((user + system) / 1000 / wallMs),
    watched: WATCHED,
    seconds: LIVE_S,
  })
}

/** Each local network in a process of its own, beside a bare one. */
function networks(): void {
  const startOf = (name: string) => {
    const { stdout, status, stderr } = spawnSync('node', ['bench/one-network.ts', name], { cwd: new URL('..', import.meta.url), encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name}: ${stderr}`)
    return JSON.parse(stdout) as { ms: number; residentMb: number }
  }
  const floor = startOf('none')
  print({ figure: 'a bare process, the floor of the networks', residentMb: floor.residentMb })
  for (const name of ['evm', 'tron', 'bitcoin', 'ton']) {
    const { ms, residentMb: mb } = startOf(name)
    print({ figure: `local network: ${name}`, startMs: round(ms), residentMb: mb, timesABareProcess: round(mb / floor.residentMb) })
  }
}

/** What is paid on each chain, to whom, and out of what. */
const PAYMENTS = [
  { chain: LOCAL_CHAIN, symbol: 'ETH', amount: '0.000001', funds: undefined, to: freshAddress },
  { chain: LOCAL_TRON, symbol: 'TRX', amount: '0.5', funds: '100', to: () => addressText(Uint8Array.of(0x41, ...randomBytes(20))) },
  { chain: LOCAL_BITCOIN, symbol: 'BTC', amount: '0.0001', funds: '1', to: () => 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' },
  { chain: LOCAL_TON, symbol: 'TON', amount: '0.5', funds: '10', to: () => tonAddress({ workchain: 0, hash: randomBytes(32) }, true) },
]

async function withdrawals(): Promise<void> {
  const stack = await startTestStack({ ratePerSession: 100_000 })
  try {
    const organisation = await foundFunded(stack, { amount: '10' })
    const { alice, bruno, chiara } = organisation
    // TON takes signatures of another kind of key.
    const ofTon = await makeKey(nodePorts, alice, 'Wallet for TON', 'ed25519')
    await proveRecovery(nodePorts, stack.settings, alice, ofTon.walletId)
    for (const { chain, symbol, amount, funds, to } of PAYMENTS) {
      const { subWalletId } = chain === LOCAL_TON ? ofTon : organisation
      // One coin for each payment, where a chain has coins: change that waits is not spent.
      const deposits = chain === LOCAL_BITCOIN ? WITHDRAWALS : 1
      for (let i = 0; i < (funds ? deposits : 0); i++) await depositFromFaucet(nodePorts, stack.settings, alice, { subWalletId, chain, symbol, amount: funds! })
      const [toBroadcast, toFinal]: [number[], number[]] = [[], []]
      for (let i = 0; i < WITHDRAWALS; i++) {
        const payment = { subWalletId, chain, symbol, amount, to: to() }
        const order = await orderPayment(nodePorts, alice, { ...payment, maxFee: await fastFee(alice, payment) })
        await bruno.decide(order.hash, 'approve')
        const started = performance.now()
        await chiara.decide(order.hash, 'approve')
        while (!(await alice.client.call(getWithdrawal, { id: order.id })).txid) await sleep(5)
        toBroadcast.push(performance.now() - started)
        await waitUntilPaid(nodePorts, alice, order)
        toFinal.push(performance.now() - started)
      }
      print({
        figure: `withdrawal of ${symbol}, from the last approval`,
        toBroadcastMs: round(median(toBroadcast)),
        toFinalMs: round(median(toFinal)),
        n: WITHDRAWALS,
      })
    }
  } finally {
    await stack.dispose()
  }
}

await scanning()
networks()
await withdrawals()
