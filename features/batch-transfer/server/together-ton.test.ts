import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { ChainNode } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { tonCodec } from '@holdfast/chain-ton/codec'
import { tonNode } from '@holdfast/chain-ton/node'
import type { Endpoint } from '@holdfast/contract'
import { startTon, TON_CHAIN as chain, type TonNetwork } from '@holdfast/devnet/ton'
import { auditAll } from '@holdfast/features/deposit/server'
import { publicKeyOf } from '@holdfast/features/key/server'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { assertConserved } from '@holdfast/ledger'
import { FROST_ED25519 } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import { verifyEvidence } from '@holdfast/protocol'
import { known, type OrderId } from '@holdfast/units'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { approvalOn, approveAs, balanceOf, makeWallet, openWorld, orderOf, scan, type Wallet, type World } from '../../testing/test-world.ts'
import { getBatch, listBatchRows, retryBatch, submitBatch, uploadBatch } from '../contract.ts'
import { batchOf, readBatchRow } from './move-batch.ts'
import { batchTransferEndpoints } from './routes.ts'
import { advance } from './run-batches.ts'

/* TON: one order of the wallet contract pays many lines of a batch, on the emulated network with its real bytes. */

const TON = 1_000_000_000n
const FINALITY = 3
const COIN = { chain, contract: null }
const folder = mkdtempSync(`${tmpdir()}/holdfast-ton-`)
let ton: TonNetwork
let honest: ChainNode
let world: World
let wallet: Wallet
let strangers = 0
const stranger = () => tonCodec({ chain }).canonicalAddress(`0:${(++strangers).toString(16).padStart(8, '0').padStart(64, '77')}`)!

before(async () => {
  ton = await startTon(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: 5_000, mining: false })
  const { contract, symbol, decimals } = ton.token
  const { fetch, timer } = nodePorts
  const keyOf = async (address: string) => publicKeyOf(world.db, chain, address)
  honest = tonNode({ chain, rpcUrl: ton.url, tokens: [contract], fetch, timer, publicKeyOf: keyOf })
  const assets = [
    { ...COIN, symbol: 'TON', decimals: 9 },
    { chain, contract, symbol, decimals },
  ]
  world = await openWorld({
    network: { chain, name: 'TON', family: 'ton', codec: tonCodec({ chain }), node: honest, assets, collections: [], finalityBlocks: FINALITY },
  })
})
beforeEach(async () => {
  world.network.node = honest
  wallet = await makeWallet(world, 'Treasury', { protocols: [FROST_ED25519] })
  await ton.pay(null, wallet.address, 50n * TON)
  await mine()
})
afterEach(() => world.db.asSystem(assertConserved))
after(async () => {
  await world?.close()
  await ton?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function mine(): Promise<void> {
  await ton.mine(FINALITY + 1)
  await scan(world)
}

type Answer = { batch_id: string; state: string; paid: string; fees: { transactions: number; together: number } | null; counts: Record<string, number> }
type Row = { address: string; state: string; can_retry: boolean; txid: string | null }
async function call<T = Answer>(endpoint: Endpoint, input: object): Promise<T> {
  const endpoints = batchTransferEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
  const { handler } = known(
    endpoints.find((each) => each.endpoint === endpoint),
    endpoint.path,
  )
  return handler({ orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as never, input as never) as never
}

type Line = { to: string; amount: string; memo?: string }
async function upload(symbol: string, lines: readonly Line[]): Promise<string> {
  const text = ['address,amount,memo', ...lines.map(({ to, amount, memo = '' }) => `${to},${amount},${memo}`)].join('\n')
  const { batch_id: id } = await call(uploadBatch, { sub_wallet_id: wallet.subWalletId, chain, symbol, file: new File([text], 'payroll.csv') })
  return id
}

/** Has the batch approved, signed, sent and read to its end; answers its orders, each with whom it paid. */
async function carryOut(id: string): Promise<OrderId[]> {
  await call(submitBatch, { batch_id: id, mode: 'single', execution: 'strict', fee_tier: 'normal', remark: '' })
  const batch = await world.db.asOrganisation(world.orgId, async (tx) => known(batchOf(await readBatchRow(tx, id)), 'a batch'))
  for (const member of [1, 2] as const) await approveAs(world, approvalOn(world, batch.intent, world.members[member]))
  await advance(world.context, world.orgId, id)
  const orders = await world.db.asSystem((tx) => tx.selectFrom('transfer_order').select('id').where('batch_id', '=', id).orderBy('created_at').execute())
  for (const order of orders) {
    assert.equal(await signOrder(world.context, world.orgId, order.id), 'signed')
    await broadcastOrder(world.context, world.orgId, order.id)
    await mine()
  }
  await advance(world.context, world.orgId, id)
  return orders.map((order) => order.id)
}

const rowsOf = async (id: string) => (await call<{ list: Row[] }>(listBatchRows, { batch_id: id, page_no: 1, page_size: 50 })).list
const onChain = (address: string, contract: string | null = null) => honest.balance(address, { chain, contract })
const told = async () => (await auditAll(world.context)).filter((words) => words.includes(wallet.address))
const five = (amounts: readonly string[]): Line[] => amounts.map((amount) => ({ to: stranger(), amount }))

describe('a batch on TON', () => {
  it('pays its lines by one transaction, in coin and in a jetton: each line once, and the ledger is what the chain says to the last nanoton', async () => {
    for (const [symbol, contract, unit] of [
      ['TON', null, TON],
      ['USDJ', ton.token.contract, 1_000_000n],
    ] as const) {
      if (contract !== null) {
        await ton.pay(contract, wallet.address, 5_000_000n)
        await mine()
      }
      const lines = five(['0.1', '0.2', '0.3', '0.4', '0.5'])
      const id = await upload(symbol, lines)
      const { fees } = await call(getBatch, { batch_id: id })
      assert.deepEqual([fees?.transactions, fees?.together], [1, 5])
      const orders = await carryOut(id)
      const done = await call(getBatch, { batch_id: id })
      assert.deepEqual([orders.length, done.state, done.paid], [1, 'finished', '1.5'])
      for (const [i, { to }] of lines.entries()) assert.equal(await onChain(to, contract), (BigInt(i + 1) * unit) / 10n)
      const { row } = await orderOf(world, orders[0]!)
      assert.ok(row.fee_paid! > 0n && row.fee_paid! <= row.fee_cap)
      assert.deepEqual(await told(), [])
      const report = verifyEvidence(await evidenceOf(world, orders[0]!), { codecFor })
      assert.deepEqual(report.batch?.lines, [1, 5])
    }
  })

  it('pays twice to one address by transactions of their own', async () => {
    const [one] = five(['0.1'])
    const id = await upload('TON', [one!, { ...one!, amount: '0.2' }])
    assert.deepEqual((await call(getBatch, { batch_id: id })).fees?.transactions, 2)
  })

  it('carries the memo of each line along in one transaction: the bytes, the chain, the order and its proof say the same, and an own address knows whose it is', async () => {
    const shared = await makeWallet(world, 'Shared', { protocols: [FROST_ED25519] })
    const comment = 'K7Q2M4T9X1B6'
    const made = { org_id: world.orgId, chain, address: shared.address, comment, label: null, created_at: world.context.ports.clock.nowMs() }
    await world.db.asOrganisation(world.orgId, (tx) => tx.insertInto('deposit_comment').values(made).execute())
    for (const [symbol, contract] of [
      ['TON', null],
      ['USDJ', ton.token.contract],
    ] as const) {
      if (contract !== null) {
        await ton.pay(contract, wallet.address, 5_000_000n)
        await mine()
      }
      const [a, b, c, d] = five(['0.1', '0.2', '0.3', '0.5']) as [Line, Line, Line, Line]
      const lines = [{ ...a, memo: '10042' }, b, { ...c, memo: 'für Zoë' }, { to: shared.address, amount: '0.4', memo: comment }, d]
      const id = await upload(symbol, lines)
      assert.deepEqual((await call(getBatch, { batch_id: id })).fees?.together, 5)
      const [order, ...others] = await carryOut(id)
      assert.equal(others.length, 0)
      const memos = lines.map(({ memo }) => memo ?? null)
      const { state, row, intent } = await orderOf(world, order!)
      assert.equal(state, 'completed')
      assert.ok(row.fee_paid! > 0n && row.fee_paid! <= row.fee_cap)
      assert.deepEqual(intent.kind === 'notedPayout' && intent.outputs.map(({ memo }) => memo), memos)
      const stored = await world.db.asSystem((tx) =>
        tx.selectFrom('order_output').select(['address', 'memo']).where('order_id', '=', order!).orderBy('place').execute(),
      )
      assert.deepEqual(
        stored,
        lines.map(({ to, memo = null }) => ({ address: to, memo })),
      )
      const arrived = (await honest.readBlock(row.block_height!))!.transfers.filter(({ txid }) => txid === row.txid)
      assert.deepEqual(
        lines.map(({ to }) => arrived.find((each) => each.to === to)?.memo ?? null),
        memos,
        'what the blocks show',
      )
      const credited = await world.db.asSystem((tx) =>
        tx
          .selectFrom('deposit')
          .select(['memo', 'state', 'amount'])
          .where('address', '=', shared.address)
          .where('contract', '=', contract ?? '')
          .execute(),
      )
      assert.deepEqual(credited, [{ memo: comment, state: 'credited', amount: contract === null ? 400_000_000n : 400_000n }])
      const report = verifyEvidence(await evidenceOf(world, order!), { codecFor })
      assert.deepEqual(report.batch?.lines, [1, 5])
      assert.deepEqual(await told(), [])
    }
  })

  it('pays a hundred lines of a jetton with the longest memos, the dearest order there is, within the fee that people approve', async () => {
    await ton.pay(null, wallet.address, 200n * TON)
    await ton.pay(ton.token.contract, wallet.address, 5_000_000n)
    await mine()
    const lines = Array.from({ length: 100 }, (_, i) => ({ to: stranger(), amount: '0.01', memo: String(i).padStart(120, 'm') }))
    const id = await upload('USDJ', lines)
    const { fees } = await call(getBatch, { batch_id: id })
    assert.deepEqual([fees?.transactions, fees?.together], [1, 100])
    const [order] = await carryOut(id)
    const { state, row } = await orderOf(world, order!)
    assert.equal(state, 'completed')
    assert.ok(row.fee_paid! <= row.fee_cap)
  })

  it('asks for a memo where an address was paid with one before, also as one of several', async () => {
    const [one, other] = five(['0.1', '0.2']) as [Line, Line]
    await carryOut(await upload('TON', [one, { ...other, memo: '7' }]))
    const id = await upload('TON', [one, other])
    const rows = await call<{ list: { errors: { kind: string }[] }[] }>(listBatchRows, { batch_id: id, page_no: 1, page_size: 50 })
    assert.deepEqual(
      rows.list.map(({ errors }) => errors.length),
      [0, 1],
    )
  })

  it('of which the wallet could not send one line pays the others: the chain says which, the ledger follows it, and only that line is asked for again', async () => {
    // The books are wrong: the deposit of which they tell was smaller.
    const missing = 1_000n * TON
    world.network.node = {
      ...honest,
      readBlock: async (height) => {
        const block = await honest.readBlock(height)
        const transfers = block?.transfers.map((each) =>
          each.to === wallet.address && each.amount === 3n * TON ? { ...each, amount: each.amount + missing } : each,
        )
        return block && transfers && { ...block, transfers }
      },
    }
    await ton.pay(null, wallet.address, 3n * TON)
    await mine()
    const lines = five(['0.1', '0.2', '900', '0.4', '0.5'])
    const id = await upload('TON', lines)
    const [order] = await carryOut(id)
    const { state, row } = await orderOf(world, order!)
    assert.deepEqual([state, row.sub_status], ['failed', 'paid_partly'])
    const done = await call(getBatch, { batch_id: id })
    assert.deepEqual([done.state, done.paid, done.counts.completed, done.counts.failed], ['finished', '1.2', 4, 1])
    assert.deepEqual(
      (await rowsOf(id)).map((each) => [each.address, each.state, each.can_retry]),
      lines.map(({ to }, i) => [to, i === 2 ? 'failed' : 'completed', i === 2]),
    )
    assert.deepEqual(
      await Promise.all(lines.map(({ to }) => onChain(to))),
      [1n, 2n, 0n, 4n, 5n].map((tenth) => (tenth * TON) / 10n),
    )
    const money = await balanceOf(world, wallet)
    assert.equal(money.held, 0n)
    assert.equal(money.available - missing, await onChain(wallet.address), 'what left is posted, and nothing else')
    const again = await call(retryBatch, { batch_id: id, lines: [3] })
    assert.deepEqual(
      (await rowsOf(again.batch_id)).map(({ address }) => address),
      [lines[2]!.to],
    )
  })
})
