import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { nftAsset } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-evm/codec'
import { AppError } from '@holdfast/contract'
import { assertConserved } from '@holdfast/ledger'
import { verifyEvidence } from '@holdfast/protocol'
import { reconcileChain } from '../../deposit/server/audit/reconcile.ts'
import { broadcastOrder } from './settlement/broadcast-order.ts'
import { depositView } from '../../transaction/server/view/deposit-view.ts'
import { listTransactions } from '../../transaction/server/list-transactions.ts'
import { signOrder } from './signing/sign-order.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { CHAIN, REAL_FEE } from '../../testing/scripted-chain.ts'
import {
  approve,
  ART,
  ARTWORK,
  requestWithdrawal,
  balanceOf,
  resetScript,
  ETH,
  makeWallet,
  openWorld,
  orderOf,
  scan,
  STRANGER,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { openView } from '../../transaction/server/view/view-context.ts'

const FINALITY = 2
let world: World
let wallet: Wallet
const pieces = () => balanceOf(world, wallet, ARTWORK)
const artwork = { symbol: 'ART', tokenId: '42', amount: '1' }
const refusedWith = (code: string) => (error: unknown) => error instanceof AppError && error.code === code

before(async () => {
  world = await openWorld({ finalityBlocks: FINALITY })
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  world.chain.give(wallet.address, ETH)
  world.chain.give(wallet.address, 1n, ARTWORK)
  world.chain.mine()
  await scan(world)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

async function credited(): Promise<void> {
  world.chain.mine(FINALITY)
  await scan(world)
}

describe('a token of a collection', () => {
  it('is credited at finality as one piece, and shown by its collection and number', async () => {
    assert.deepEqual(await pieces(), { available: 0n, held: 0n })
    await credited()
    assert.deepEqual(await pieces(), { available: 1n, held: 0n })
    const told = await world.db.asOrganisation(world.orgId, async (tx) => {
      const view = await openView({ tx, networks: world.context.networks, language: 'en_US', nowMs: 0, fiat: 'USD' })
      const row = await tx
        .selectFrom('deposit')
        .selectAll()
        .where('sub_wallet_id', '=', wallet.subWalletId)
        .where('contract', '=', ARTWORK)
        .executeTakeFirstOrThrow()
      return depositView(view, row)
    })
    assert.deepEqual([told.symbol, told.token_id, told.amount, `erc721:${told.contract_address}`], ['ART', '42', '1', ART.contract])
  })

  it('stands in the list of NFTs, where no coin does, and is found by its amount in pieces', async () => {
    await credited()
    const found = (filter: object) =>
      world.db.asOrganisation(world.orgId, async (tx) => {
        const view = await openView({ tx, networks: world.context.networks, language: 'en_US', nowMs: 0, fiat: 'USD' })
        return (await listTransactions(view, { sub_wallet_id: wallet.subWalletId, type: 'all', page_no: 1, page_size: 20, ...filter })).list.map(
          (row) => row.symbol,
        )
      })
    assert.deepEqual((await found({})).sort(), ['ART', 'ETH'])
    assert.deepEqual(await found({ type: 'nft' }), ['ART'])
    assert.deepEqual(await found({ type: 'nft', amount_min: '1', amount_max: '1' }), ['ART'])
    assert.deepEqual(await found({ type: 'nft', amount_min: '2' }), [])
  })

  it('is reversed if its block is given up', async () => {
    await credited()
    world.chain.reorganise(FINALITY + 1, { dropGifts: true })
    world.chain.mine(FINALITY + 2)
    await scan(world)
    assert.deepEqual(await pieces(), { available: 0n, held: 0n })
  })

  it('of a collection that nobody lists is credited nowhere', async () => {
    const other = nftAsset({ standard: 'erc721', collection: STRANGER, tokenId: 42n })
    world.chain.give(wallet.address, 1n, other)
    await credited()
    assert.deepEqual(await balanceOf(world, wallet, other), { available: 0n, held: 0n })
  })

  it('leaves by an order that people approve, whose evidence anybody can verify, and its fee is paid in the coin', async () => {
    await credited()
    const { order } = await requestWithdrawal(world, wallet, artwork)
    const { id } = order.row
    assert.deepEqual(await pieces(), { available: 0n, held: 1n })
    await approve(world, id, world.members[1], world.members[2])
    assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
    assert.deepEqual(verifyEvidence(await evidenceOf(world, id), { codecFor }).approvedBy.sort(), ['Ben', 'Cleo'])
    await broadcastOrder(world.context, world.orgId, id)
    world.chain.mine(FINALITY + 1)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.deepEqual(await pieces(), { available: 0n, held: 0n })
    assert.deepEqual(await balanceOf(world, wallet), { available: ETH - REAL_FEE, held: 0n })
  })

  it('is promised once, and only in whole pieces that are there', async () => {
    await credited()
    await requestWithdrawal(world, wallet, artwork)
    await assert.rejects(requestWithdrawal(world, wallet, artwork), refusedWith('100011'))
    await assert.rejects(requestWithdrawal(world, wallet, { ...artwork, tokenId: '43' }), refusedWith('100011'))
    await assert.rejects(requestWithdrawal(world, wallet, { ...artwork, amount: '0.5' }), AppError)
    await assert.rejects(requestWithdrawal(world, wallet, { ...artwork, symbol: 'USDC' }), AppError)
  })

  it('that is gone from the chain raises an alarm', async () => {
    await credited()
    world.chain.stolen.set(`${wallet.address}|${ARTWORK}`, 1n)
    const [told] = await reconcileChain(world.context, world.network)
    assert.match(told!, /missing .* the chain has 0 ART #42, the books 1 ART #42/)
    world.chain.stolen.clear()
    await reconcileChain(world.context, world.network)
    const open = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('asset_alarm').select('contract').where('chain', '=', CHAIN).where('over_at', 'is', null).execute(),
    )
    assert.deepEqual(open, [])
  })
})
