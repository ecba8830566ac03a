import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { BuildError, ChainError } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-evm/codec'
import { collector } from '@holdfast/chain-evm/collect'
import type { AppError, CallInput } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { auditAll } from '@holdfast/features/deposit/server'
import { assertConserved } from '@holdfast/ledger'
import { verifyEvidence } from '@holdfast/protocol'
import { formatAmount } from '@holdfast/units'
import type { Hex } from 'viem'
import { makeAddresses } from '../../deposit-address/server/making/run-addresses.ts'
import { requestAddresses } from '../../deposit-address/server/making/request-addresses.ts'
import { listAlarms } from '../../network/server/halts.ts'
import { lookAt } from '../../standing-order/server/look.ts'
import { standingOrdersInForce } from '../../standing-order/server/run-standing-orders.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { keyOf } from '../../testing/request-key.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { orderOf } from '../../testing/test-world.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import * as contract from '../contract.ts'
import { readConfig } from './configs.ts'
import { lookAtCollector } from './look.ts'
import { type CollectorWorld, openCollectorWorld } from './testing/collector-world.ts'

/* The contract on a real network, from nothing to its first collection: what it takes stands in the books as the chain has it. */

const page = { page_no: 1, page_size: 50 }
let at: CollectorWorld
let { world, anvil, dollar, deposits, treasury, purse, call, inOrganisation, approveAll, mint, settle, dollarsOf } = {} as CollectorWorld
let id: string

before(async () => {
  at = await openCollectorWorld()
  ;({ world, anvil, dollar, deposits, treasury, purse, call, inOrganisation, approveAll, mint, settle, dollarsOf } = at)
})
after(() => at?.close())
afterEach(() => world.db.asSystem(assertConserved))

const refused = (name: string) => (cause: AppError) => cause.errorName === name
const info = () => call(contract.getCollector, { id })
const auth = async () => (await call(contract.listAllowing, { id, ...page })).list
const runs = async () => (await call(contract.listRuns, { wallet_id: deposits.walletId, ...page })).list
const draft = () => ({
  ...{ wallet_id: deposits.walletId, name: 'Sweep', chain: CHAIN, target_sub_wallet_id: treasury.subWalletId },
  ...{ payer_sub_wallet_id: purse.subWalletId, fee_max: '0.02' },
})
const token = (changes: Partial<CallInput<typeof contract.saveCollectorTokens>['symbols'][number]> = {}) => ({
  ...{ contract_address: dollar, threshold: '100', most: '1000', allowance: 'exact' as const, max_fee_pct: null, schedule: '', enabled: true },
  ...changes,
})

/** One look at the collector and at what sends coins for fees; what they open, signed and in a final block. */
async function look(): Promise<string[]> {
  await lookAtCollector(world.context, world.orgId as never, await inOrganisation((tx) => readConfig(tx, id)))
  for (const each of await inOrganisation((tx) => standingOrdersInForce(tx, world.context.ports.clock.nowMs())))
    await lookAt(world.context, world.orgId as never, each)
  const open = await inOrganisation((tx) =>
    tx.selectFrom('transfer_order').select(['id', 'kind']).where('org_id', '=', tx.orgId).where('is_final', '=', false).orderBy('created_at').execute(),
  )
  for (const { id: order } of open) {
    assert.equal(await signOrder(world.context, world.orgId, order), 'signed')
    assert.equal(await broadcastOrder(world.context, world.orgId, order), true)
  }
  await settle()
  for (const { id: order } of open) assert.equal((await orderOf(world, order)).state, 'completed')
  return open.map(({ kind }) => kind)
}

describe('collection by contract', () => {
  it('is drafted, and asks for nothing before it takes a token', async () => {
    ;({ id } = await call(contract.saveCollector, draft()))
    const view = await info()
    assert.equal(view.status, 'draft')
    assert.equal(view.contract_address, collector.addressOf(treasury.address))
    assert.equal(view.target.address, treasury.address)
    await assert.rejects(call(contract.saveCollector, draft()), refused('collector_duplicate'))
    await assert.rejects(call(contract.publishCollector, { id }), refused('collector_no_tokens'))
    await assert.rejects(call(contract.saveCollectorTokens, { id, symbols: [token({ threshold: '2000' })] }), refused('collector_token'))
    const taken = async () => {
      const listed = (await call(contract.listCollectorTokens, { id })).list.find(({ contract_address: of }) => of === dollar)
      return [listed?.threshold, listed?.enabled]
    }
    assert.deepEqual(await taken(), [null, false])
    await call(contract.saveCollectorTokens, { id, symbols: [token()] })
    assert.deepEqual(await taken(), ['100', true])
    await call(contract.removeCollectorTokens, { id, symbols: [dollar] })
    assert.equal((await taken())[1], false)
    await call(contract.saveCollectorTokens, { id, symbols: [token()] })
    assert.deepEqual((await info()).unapproved, ['collect', 'allow', 'fuel'])
    const { list: chains } = await call(contract.listCollectorChains, { wallet_id: deposits.walletId })
    assert.deepEqual(
      chains.map(({ chain, supported }) => [chain, supported]),
      [[CHAIN, true]],
    )
  })

  it('is deployed, allowed and used without anybody, once people approved it', async () => {
    const { pending } = await call(contract.publishCollector, { id })
    assert.deepEqual(
      pending.map(({ kind }) => kind),
      ['collect', 'allow', 'fuel'],
    )
    assert.deepEqual((await call(contract.publishCollector, { id })).pending, pending, 'what waits is not asked for again')
    await approveAll(pending)
    await assert.rejects(call(contract.saveCollector, { ...draft(), id, target_sub_wallet_id: purse.subWalletId }), refused('collector_fixed'))
    assert.equal((await info()).status, 'publishing')
    assert.deepEqual(await look(), ['web3'], 'the contract is deployed')
    assert.deepEqual(await look(), ['fuel'], 'the address gets coins for its allowance')
    const view = await info()
    assert.equal(view.status, 'running')
    assert.ok(view.publish_txid)
    assert.deepEqual(await look(), ['web3'], 'the address allows what it has')
    const kinds = await look()
    assert.deepEqual(kinds, ['collect'])
    assert.equal(await dollarsOf(treasury.address), 250_000_000n)
    assert.equal(await dollarsOf(deposits.address), 0n)
    const [row] = (await auth()).filter(({ auth_status: state }) => state !== 'none')
    assert.ok(!row || row.auth_status === 'unread' || row.auth_status === 'exact')
  })

  it('stands in the books as on the chain, with its real fee, what it took of whom, and no alarm', async () => {
    const [last] = await runs()
    assert.ok(last)
    assert.equal(last.trans_type, 10)
    assert.equal(last.amount, '250')
    assert.equal(last.from_count, 1)
    const { outputs } = await call(contract.getRun, { id: last.id })
    assert.deepEqual(
      outputs.map(({ address, amount, state }) => [address, amount, state]),
      [[deposits.address, '250', 'taken']],
    )
    const receipt = await anvil.network.getTransactionReceipt({ hash: last.txid as Hex })
    assert.equal(BigInt((await orderOf(world, last.id)).row.fee_paid!), receipt.gasUsed * receipt.effectiveGasPrice)
    assert.deepEqual(await auditAll(world.context), [])
    assert.deepEqual(await inOrganisation(listAlarms), [], 'nobody is told that somebody takes tokens')
    const report = verifyEvidence(await evidenceOf(world, last.id), { codecFor })
    assert.equal(report.standingOrder?.name, 'Sweep: collect')
  })

  it('leaves what is below its threshold, and while it is paused, and a wider threshold waits for an approval', async () => {
    await mint(deposits.address, 50n)
    assert.deepEqual(await look(), [])
    await call(contract.saveCollectorTokens, { id, symbols: [token({ threshold: '10', allowance: 'bounded' })] })
    assert.deepEqual((await info()).unapproved, ['collect', 'allow'])
    await call(contract.setCollectorStatus, { id, status: 'pause' })
    assert.equal((await info()).status, 'paused')
    assert.deepEqual(await look(), [])
    await approveAll((await call(contract.publishCollector, { id })).pending)
    const kinds: string[] = []
    for (let i = 0; i < 4 && !kinds.includes('collect'); i++) kinds.push(...(await look()))
    assert.ok(kinds.includes('collect'))
    assert.equal(await dollarsOf(treasury.address), 300_000_000n)
    const quote = { currency: 'usd', quoted_at: world.context.ports.clock.nowMs(), source: 'test', source_zh: null }
    // At this price a base unit of the coin is a millionth of a dollar.
    const prices = [
      { chain: CHAIN, contract: '', price: 10n ** 36n },
      { chain: CHAIN, contract: dollar, price: 10n ** 24n },
    ]
    await world.db.asSystem((tx) =>
      tx
        .insertInto('asset_price')
        .values(prices.map((each) => ({ ...each, ...quote })))
        .execute(),
    )
    const stat = await call(contract.getRunStatistics, { wallet_id: deposits.walletId })
    assert.equal(stat.count, 2)
    assert.equal(stat.days.at(-1)?.fee_pct, stat.fee_pct, 'all of it was collected today')
    const paid = await inOrganisation((tx) => tx.selectFrom('transfer_order').select(['kind', 'fee_paid', 'standing_order_id']).orderBy('created_at').execute())
    // Everything but the contract itself, which was deployed first.
    const fees = paid.slice(1).reduce((sum, { fee_paid: fee }) => sum + BigInt(fee ?? 0n), 0n)
    assert.equal(stat.fee, formatAmount(fees, 6))
  })

  it('holds what a collection takes, frees it when that is taken back, and collects it later', async () => {
    await mint(deposits.address, 70n)
    await lookAtCollector(world.context, world.orgId as never, await inOrganisation((tx) => readConfig(tx, id)))
    const open = (await runs()).find(({ can_cancel: can }) => can)
    assert.ok(open, 'a collection is open')
    const held = () =>
      inOrganisation((tx) =>
        tx
          .selectFrom('order_part')
          .select('freed_at')
          .where('order_id', '=', open.id as never)
          .execute(),
      )
    assert.deepEqual(await held(), [{ freed_at: null }])
    await call(contract.cancelRun, { id: open.id, remark: 'not now' })
    assert.notEqual((await held())[0]!.freed_at, null)
    assert.deepEqual((await call(contract.getRun, { id: open.id })).outputs[0]?.state, 'left')
    assert.deepEqual(await look(), ['collect'])
    assert.equal(await dollarsOf(treasury.address), 370_000_000n)
  })

  it('takes nothing of an address that the token refuses, as one that its issuer froze, says so, and collects it once it is let go', async () => {
    await mint(deposits.address, 60n)
    const { node } = world.network
    const of = deposits.address.slice(2).toLowerCase()
    const isOf = ({ from, data }: Parameters<typeof node.estimateFee>[0]) => from === deposits.address || (data && toHex(data).includes(of))
    const frozen = new BuildError('the token refuses the transfer', { kind: 'token_refuses' })
    world.network.node = { ...node, estimateFee: async (order) => (isOf(order) ? Promise.reject(frozen) : node.estimateFee(order)) }
    assert.deepEqual(await look(), [])
    const left = await inOrganisation((tx) => tx.selectFrom('standing_reason').select('reason').where('address', '=', deposits.address).execute())
    assert.ok(left.some(({ reason }) => reason === 'token_refuses'))
    world.network.node = node
    const kinds: string[] = []
    for (let i = 0; i < 4 && !kinds.includes('collect'); i++) kinds.push(...(await look()))
    assert.equal(await dollarsOf(treasury.address), 430_000_000n)
  })

  it('has other addresses allow it although the token refuses the one that has the most, and takes no allowance from one amount to another', async () => {
    const kit = { drill: new Uint8Array([1]), verified_at: world.context.ports.clock.nowMs() }
    await inOrganisation((tx) => tx.updateTable('recovery_kit').set(kit).execute())
    const { request } = await inOrganisation((tx) =>
      requestAddresses(tx, world.context, {
        ...{ key: keyOf('more-addresses'), requesterId: world.members[0].id as never, subWalletId: deposits.subWalletId, chain: CHAIN },
        ...{ count: 2, label: '', addrType: 1 },
      }),
    )
    await makeAddresses(world.context, world.orgId, request.id)
    const made = await inOrganisation((tx) => tx.selectFrom('address').select('address').where('number', '>', 0).orderBy('number').execute())
    const [one, frozen] = made.map(({ address }) => address) as [string, string]
    await call(contract.saveCollectorTokens, { id, symbols: [token({ threshold: '50', most: '60', allowance: 'bounded' })] })
    await mint(frozen, 900n)
    await mint(one, 55n)
    const { node } = world.network
    const spender = (await info()).contract_address
    const { address: target } = (await info()).target
    world.network.node = {
      ...node,
      estimateFee: async (order) => {
        if (order.from === frozen)
          throw order.data ? new ChainError('execution reverted') : new BuildError('the token refuses the transfer', { kind: 'token_refuses' })
        // As Tether on Ethereum: an allowance that is not zero is set to zero first.
        const isAllowing = order.from === one && order.to === dollar && order.data?.subarray(-32).some((byte) => byte !== 0)
        if (isAllowing && ((await node.contracts!.allowance(one, spender, dollar)) ?? 0n) > 0n) throw new ChainError('execution reverted')
        return node.estimateFee(order)
      },
    }
    const before = await dollarsOf(target)
    for (let i = 0; i < 5 && (await dollarsOf(one)) > 0n; i++) await look()
    assert.equal(await dollarsOf(target), before + 55_000_000n)
    await mint(one, 52n)
    for (let i = 0; i < 5 && (await dollarsOf(one)) > 0n; i++) await look()
    assert.equal(await dollarsOf(target), before + 107_000_000n, 'what was left of the allowance is taken back first')
    const why = await inOrganisation((tx) => tx.selectFrom('standing_reason').select('reason').where('address', '=', frozen).execute())
    assert.ok(why.some(({ reason }) => reason === 'token_refuses'))
    world.network.node = node
  })

  it('takes back what addresses allow when it is paused so, and only then can be taken out', async () => {
    assert.equal((await auth()).find(({ address }) => address === deposits.address)?.auth_status, 'bounded')
    await assert.rejects(call(contract.deleteCollector, { id }), refused('collector_allowed'))
    await call(contract.setCollectorStatus, { id, status: 'pause', revoke: true })
    assert.deepEqual(await look(), ['web3', 'web3'], 'both addresses that allow something')
    await look()
    assert.deepEqual(
      (await auth()).filter(({ auth_status: state }) => state !== 'none'),
      [],
    )
    await call(contract.deleteCollector, { id })
    await assert.rejects(info(), refused('resource_not_found'))
    assert.deepEqual((await call(contract.listCollectors, { wallet_id: deposits.walletId, ...page })).list, [])
  })
})
