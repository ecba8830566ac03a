import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CallInput, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { newId } from '@holdfast/units'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { approve, ETH, fund, makeWallet, openWorld, replace, requestWithdrawal, scan, type Wallet, type World } from '../../testing/test-world.ts'
import { listPending, listTransactions } from '../contract.ts'
import { transactionEndpoints } from './routes.ts'

describe('what is pending', () => {
  let world: World
  let wallet: Wallet
  let endpoints: HandledEndpoint[]
  const call = async (input: CallInput<typeof listPending> = {}): Promise<OutputOf<typeof listPending>> => {
    const { handler } = endpoints.find(({ endpoint }) => endpoint === listPending)!
    const context = { orgId: world.orgId, personId: world.members[0]!.id, language: 'en_US' } as unknown as MemberContext
    return listPending.output.parse(await handler(context, readInput(listPending, parseForm(formEncode(input))) as never))
  }
  const short = ({ stages }: OutputOf<typeof listPending>) =>
    Object.fromEntries(stages.map(({ stage, count, usd, coins }) => [stage, [count, usd, coins.map(({ amount, symbol }) => `${amount} ${symbol}`).join()]]))

  /** How many rows the list has that a line leads to. */
  const listed = async (stage: string) => {
    const { handler } = endpoints.find(({ endpoint }) => endpoint === listTransactions)!
    const context = { orgId: world.orgId, personId: world.members[0]!.id, language: 'en_US' } as unknown as MemberContext
    const status = { deposit: '1000,1100,1200', approval: '1000', signature: '1100', confirmation: '1200' }[stage]!
    const input: CallInput<typeof listTransactions> = stage === 'deposit' ? { type: 'deposit', status } : { type: 'all', source: 'asked', status }
    return listTransactions.output.parse(await handler(context, readInput(listTransactions, parseForm(formEncode(input))) as never)).pageTotal
  }
  const holdBack = (amount: bigint) =>
    world.db.asSystem((tx) => tx.updateTable('deposit').set({ sub_status: 'amount_too_large' }).where('amount', '=', amount).execute())
  /** What a node has seen that no block has; it waits for one, or will never have one. */
  const announce = (amount: bigint, state: 'waiting' | 'gone') =>
    world.db.asSystem(async (tx) => {
      const at = BigInt(world.context.ports.clock.nowMs())
      const place = {
        org_id: world.orgId,
        id: newId(Number(at), world.context.ports.random),
        chain: CHAIN,
        txid: 'ab'.repeat(32),
        tx_index: Number(amount / ETH),
      }
      const to = { sub_wallet_id: wallet.subWalletId, address: wallet.address, contract: '', symbol: 'ETH', amount, from_address: '', spends: ['ab:0'] }
      await tx
        .insertInto('waiting_deposit')
        .values({ ...place, ...to, state, sub_status: state === 'waiting' ? 'mempool' : 'dropped', created_at: at, updated_at: at })
        .execute()
    })

  before(async () => {
    world = await openWorld()
    endpoints = transactionEndpoints(world.context)
    wallet = await makeWallet(world)
    await fund(world, wallet, 10n * ETH)
  })
  after(() => world.close())

  it('is nothing at first', async () => {
    const nothing = [0, '0', '']
    assert.deepEqual(short(await call()), { deposit: nothing, approval: nothing, signature: nothing, confirmation: nothing })
  })

  it('is what waits at each stage, in coins and in money, as many as the list shows; of what moves no coin for certain only that it is there', async () => {
    await requestWithdrawal(world, wallet, { amount: '1' })
    await requestWithdrawal(world, wallet, { amount: '0.5' })
    const { row: approved } = (await requestWithdrawal(world, wallet, { amount: '2' })).order
    await approve(world, approved.id, world.members[1]!, world.members[2]!)
    const { row: sent } = (await requestWithdrawal(world, wallet, { amount: '3' })).order
    await approve(world, sent.id, world.members[1]!, world.members[2]!)
    await signOrder(world.context, world.orgId, sent.id)
    await broadcastOrder(world.context, world.orgId, sent.id)
    await replace(world, sent.id, { cancel: true, maxFee: '0.01' })
    world.chain.give(wallet.address, ETH)
    world.chain.give(wallet.address, 4n * ETH)
    world.chain.mine(1)
    await scan(world)
    await holdBack(4n * ETH)
    await announce(8n * ETH, 'waiting')
    await announce(16n * ETH, 'gone')
    const pending = await call()
    for (const { stage, count } of pending.stages) assert.deepEqual([stage, await listed(stage)], [stage, count])
    assert.deepEqual(short(pending), {
      deposit: [3, null, '1 ETH'],
      approval: [3, null, '1.5 ETH'],
      signature: [1, null, '2 ETH'],
      confirmation: [1, null, '3 ETH'],
    })
    await world.db.asSystem((tx) =>
      tx
        .insertInto('asset_price')
        .values({
          chain: CHAIN,
          contract: '',
          currency: 'usd',
          quoted_at: world.context.ports.clock.nowMs() - 1,
          price: 2_000n * 10n ** 24n,
          source: 'Test feed',
        })
        .execute(),
    )
    world.clock.aheadMs += 1_000
    assert.deepEqual(short(await call({ sub_wallet_id: wallet.subWalletId })).approval, [3, '3000', '1.5 ETH'])
  })

  it('is of one sub-wallet where that is asked for, and of none that is not the organisation’s', async () => {
    const other = await makeWallet(world, 'Other')
    assert.deepEqual(short(await call({ sub_wallet_id: other.subWalletId })).approval, [0, '0', ''])
    await assert.rejects(call({ sub_wallet_id: world.orgId }), { code: '200005' })
  })
})
