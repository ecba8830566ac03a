import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { ChainError, type ChainNode } from '@holdfast/chain-core'
import jettonWallet from '@holdfast/chain-ton/artifacts/jetton-wallet.json' with { type: 'json' }
import { addressText, jettonWalletAddress, parseBoc, requireAddress, tonCodec } from '@holdfast/chain-ton/codec'
import { tonNode } from '@holdfast/chain-ton/node'
import { startTon, TON_CHAIN as chain, type TonNetwork } from '@holdfast/devnet/ton'
import { auditAll } from '@holdfast/features/deposit/server'
import { getDepositAddress } from '../../deposit-address/contract.ts'
import { publicKeyOf } from '@holdfast/features/key/server'
import { depositAddressEndpoints } from '@holdfast/features/deposit-address/server'
import { depositAddress } from '../../deposit-address/server/deposit-address.ts'
import { addDepositComment } from '../../deposit-address/server/deposit-comments.ts'
import { listUserAddresses } from '../../deposit-address/server/listing/list-addresses.ts'
import { checkAddress } from '../../withdrawal/server/check-address.ts'
import { assertConserved } from '@holdfast/ledger'
import { FROST_ED25519 } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import { broadcastOrder } from './settlement/broadcast-order.ts'
import { newestSigned } from './order/order-transactions.ts'
import { signOrder } from './signing/sign-order.ts'
import {
  type WithdrawalRequest,
  requestWithdrawal,
  requestApproved,
  balanceOf,
  bytesOf,
  makeWallet,
  openWorld,
  orderOf,
  scan,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'

/* The pipeline with slots counted by a wallet contract and bytes that end by themselves: on the emulated TON network, with its real bytes. */

const TON = 1_000_000_000n
const SHOP = tonCodec({ chain }).addressFromKey(new Uint8Array(32).fill(3))
const VALID_MS = 10 * 60_000
const BLOCK_MS = 60_000
const FINALITY = 3
const COIN = { chain, contract: null }

const folder = mkdtempSync(`${tmpdir()}/holdfast-ton-`)
let ton: TonNetwork
let honest: ChainNode
let world: World
let wallet: Wallet
const money = () => balanceOf(world, wallet)
const sign = (orderId: string) => signOrder(world.context, world.orgId, orderId)
const send = (orderId: string) => broadcastOrder(world.context, world.orgId, orderId)
const onChain = (contract: string | null = null) => honest.balance(wallet.address, { chain, contract })

async function mine(blocks: number): Promise<void> {
  await ton.mine(blocks)
  await scan(world)
}

const approvedOrder = (given: WithdrawalRequest = {}) => requestApproved(world, wallet, { to: SHOP, symbol: 'TON', amount: '2', maxFee: '0.1', ...given })

async function paid(given: WithdrawalRequest = {}) {
  const id = await approvedOrder(given)
  assert.equal(await sign(id), 'signed')
  await send(id)
  await mine(FINALITY + 1)
  return orderOf(world, id)
}

const walletCode = parseBoc(Buffer.from(jettonWallet.code, 'base64'))
const walletForm = { codeHash: walletCode.hash, codeDepth: BigInt(walletCode.depth), hasStatus: false, hasCode: true }
const jettonWalletOf = (owner: string) =>
  addressText(jettonWalletAddress(walletForm, requireAddress(ton.token.contract, true), requireAddress(owner, true)), true)

const validUntil = (unsigned: Uint8Array | null) => world.network.codec.decode(unsigned!).validUntilMs!
const headMs = async () => BigInt((await honest.readBlock((await honest.head()).height))!.timestampMs)
const leases = () =>
  world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('slot_lease').select(['slot', 'state']).where('address', '=', wallet.address).execute())
const told = async () => (await auditAll(world.context)).filter((words) => words.includes(wallet.address))

before(async () => {
  ton = await startTon(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: BLOCK_MS, mining: false })
  const { contract, symbol, decimals } = ton.token
  const { fetch, timer } = nodePorts
  const keyOf = async (address: string) => publicKeyOf(world.db, chain, address)
  honest = tonNode({ chain, rpcUrl: ton.url, tokens: [contract], fetch, timer, publicKeyOf: keyOf, validForMs: VALID_MS })
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
  world.signers.resetScript()
  world.clock.aheadMs = 0
  wallet = await makeWallet(world, 'Treasury', { protocols: [FROST_ED25519] })
  await ton.pay(null, wallet.address, 10n * TON, 'für Zoë\0')
  await mine(FINALITY + 1)
  assert.deepEqual(await money(), { available: 10n * TON, held: 0n })
})
afterEach(() => world.db.asSystem(assertConserved))
after(async () => {
  await world?.close()
  await ton?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a payment on TON', () => {
  it('creates the wallet with its first order, carries its comment, and the ledger is what the chain says to the last nanoton', async () => {
    const [deposit] = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('deposit').select('memo').where('address', '=', wallet.address).execute(),
    )
    assert.equal(deposit!.memo, 'für Zoë\ufffd')
    const { state, row } = await paid({ memo: '10042' })
    assert.deepEqual([state, row.memo, row.slot], ['completed', '10042', 0n])
    const block = await honest.readBlock(row.block_height!)
    assert.equal(block!.transfers.find((each) => each.txid === row.txid)!.memo, '10042')
    assert.equal((await money()).available, await onChain())
    // A deployed wallet pays for receiving messages.
    await ton.pay(null, wallet.address, 3n * TON)
    await ton.pay(ton.token.contract, wallet.address, 5_000_000n)
    await mine(1)
    assert.deepEqual(await told(), [], 'what is not booked yet is known')
    await mine(FINALITY + 1)
    assert.ok((await money()).available < 11n * TON - row.fee_paid!)
    assert.deepEqual(await told(), [])
    const { state: ofJetton } = await paid({ symbol: 'USDJ', amount: '2.5', maxFee: '0.2', memo: 'invoice 7' })
    assert.equal(ofJetton, 'completed')
    assert.equal(await onChain(ton.token.contract), 2_500_000n)
    const left = (await onChain()) - (await money()).available
    // A notification brings the nanoton that it is sent with.
    assert.ok(left >= 0n && left <= 2n, String(left))
    assert.deepEqual(await told(), [])
  })

  it('that brings back more coin than it cost is settled at its true cost, and the rest is a deposit of its own', async () => {
    const amounts = fc.oneof(fc.bigInt(0n, 40n * TON), fc.bigInt(0n, 200_000_000n), fc.constantFrom(1n, 60_000_000n, 80_000_000n, 10n * TON))
    const { contract } = ton.token
    await ton.pay(contract, wallet.address, 5_000_000n)
    await mine(FINALITY + 1)
    // A notification brings the nanoton that it is sent with.
    const unbooked = (await onChain()) - (await money()).available
    let number = 0
    await fc.assert(
      fc.asyncProperty(amounts, async (waits) => {
        const payee = addressText({ workchain: 0, hash: new Uint8Array(32).fill(100 + number++) }, true)
        // The recipient can leave coin with their jetton wallet, which sends it along with what is left.
        if (waits > 0n) await ton.pay(null, jettonWalletOf(payee), waits)
        const before = await onChain()
        const { state, row } = await paid({ to: payee, symbol: 'USDJ', amount: '0.01', maxFee: '0.2' })
        assert.equal(state, 'completed')
        assert.ok(row.fee_paid! >= 0n && row.fee_paid! <= row.fee_cap)
        await mine(FINALITY + 2)
        const surplus = await world.db.asOrganisation(world.orgId, (tx) =>
          tx
            .selectFrom('deposit')
            .select(['amount', 'state', 'contract'])
            .where('address', '=', wallet.address)
            .where('from_address', '=', jettonWalletOf(payee))
            .execute(),
        )
        assert.deepEqual(await told(), [])
        assert.equal((await onChain()) - (await money()).available, unbooked)
        const gained = (await onChain()) - before
        if (gained > 0n) assert.deepEqual([surplus.length, surplus[0]!.state, surplus[0]!.contract], [1, 'credited', ''])
        assert.equal((surplus[0]?.amount ?? 0n) - row.fee_paid!, gained, 'to the last nanoton')
      }),
      { numRuns: 6, endOnFailure: true },
    )
  })

  it('whose bytes no block took is over by the word of a final block, and the next order has its seqno and is paid once', async () => {
    const id = await approvedOrder()
    world.network.node = { ...honest, broadcast: async () => ({ outcome: 'unknown', reason: 'no answer' }) }
    assert.equal(await sign(id), 'signed')
    await send(id)
    const { unsigned_tx: unsigned, raw_tx: raw } = newestSigned(await orderOf(world, id))
    while ((await headMs()) < validUntil(unsigned)) await mine(1)
    assert.equal((await orderOf(world, id)).state, 'broadcasting', 'the block past its time is not final yet')
    assert.deepEqual(await leases(), [{ slot: 0n, state: 'used' }])
    await mine(FINALITY)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['dropped', 'bytes_expired'])
    assert.deepEqual(await money(), { available: 10n * TON, held: 0n })
    assert.deepEqual(await leases(), [{ slot: 0n, state: 'released' }])
    world.network.node = honest
    const before = await honest.balance(SHOP, COIN)
    const next = await paid()
    assert.deepEqual([next.state, next.row.slot], ['completed', 0n])
    assert.equal((await honest.broadcast(raw)).outcome, 'unknown')
    await mine(2)
    const gained = (await honest.balance(SHOP, COIN)) - before
    assert.ok(gained <= 2n * TON && gained > 2n * TON - 1_000n, `${gained}: once, but for what its account pays for its storage`)
  })

  it('of which a signature may exist keeps bytes and seqno until their time has passed; then others have the seqno', async () => {
    const id = await approvedOrder()
    world.signers.afterSession = () => {
      throw new Error('the answer was lost')
    }
    assert.equal(await sign(id), 'wait')
    const old = bytesOf(await orderOf(world, id))
    const waiting = await approvedOrder()
    assert.equal(await sign(waiting), 'queued')
    await mine(VALID_MS / BLOCK_MS + FINALITY + 2)
    const over = await orderOf(world, id)
    assert.deepEqual([over.state, over.row.sub_status, bytesOf(over)], ['dropped', 'bytes_expired', old])
    world.signers.resetScript()
    assert.equal(await sign(waiting), 'signed')
    await send(waiting)
    await mine(FINALITY + 1)
    const done = await orderOf(world, waiting)
    assert.deepEqual([done.state, done.row.slot], ['completed', 0n])
  })

  it('whose signers were away gets new bytes under the same seqno before the old ones end', async () => {
    const id = await approvedOrder()
    world.signers.setOnline(1)
    assert.equal(await sign(id), 'wait')
    const old = bytesOf(await orderOf(world, id))
    world.clock.aheadMs = Number(validUntil(old)) - nodePorts.clock.nowMs()
    await mine(VALID_MS / BLOCK_MS)
    world.signers.setOnline(1, 2, 3)
    assert.equal(await sign(id), 'signed')
    const again = await orderOf(world, id)
    assert.ok(validUntil(bytesOf(again)) > validUntil(old))
    assert.equal(again.row.slot, 0n)
    await send(id)
    await mine(FINALITY + 1)
    assert.equal((await orderOf(world, id)).state, 'completed')
  })

  it('with a comment that the network cannot carry is refused, and the comment is not left out', async () => {
    await assert.rejects(requestWithdrawal(world, wallet, { to: SHOP, symbol: 'TON', amount: '1', maxFee: '0.1', memo: 'é'.repeat(61) }), /memo/)
  })
})

describe('an address that payers share', () => {
  const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
  const nowMs = () => world.context.ports.clock.nowMs()
  const share = (label = '') =>
    inOrganisation((tx) =>
      addDepositComment(tx, world.context.networks, world.context.ports, { subWalletId: wallet.subWalletId, chain, label, language: 'en_US' }),
    )
  const proveRecovery = () =>
    inOrganisation((tx) =>
      tx
        .updateTable('recovery_kit')
        .set({ drill: Uint8Array.of(1), verified_at: nowMs() })
        .where('key_id', 'in', tx.selectFrom('key_of_wallet').select('key_id').where('wallet_id', '=', wallet.walletId))
        .execute(),
    )
  /** What the chain takes of an account for its storage is posted as it comes. */
  const hasButForStorage = async (amount: bigint) => {
    const short = amount - (await money()).available
    return short >= 0n && short < 1_000n
  }
  const deposits = async () =>
    (
      await inOrganisation((tx) =>
        tx.selectFrom('deposit').select(['memo', 'state', 'sub_status']).where('address', '=', wallet.address).orderBy('height').orderBy('contract').execute(),
      )
    ).slice(1)

  it('says that coin sent bounceable comes back, in the form that does not bounce, until the first payment has made its wallet', async () => {
    await proveRecovery()
    const { handler } = depositAddressEndpoints(world.context).find(({ endpoint }) => (endpoint as unknown) === getDepositAddress)!
    const asked = { sub_wallet_id: wallet.subWalletId, chain, symbol: 'TON' }
    const told = async () => getDepositAddress.output.parse(await handler({ orgId: world.orgId, language: 'en_US' } as never, asked as never))
    const { address, is_uninitialised: isMissing } = await told()
    assert.deepEqual([address, isMissing], [wallet.address, true])
    // Of an address that bounces the first byte is 0x11, of one that does not 0x51; 0x80 is added on a test network.
    assert.equal(Buffer.from(address!, 'base64url')[0], 0x51 + 0x80)
    world.network.node = { ...honest, isUninitialised: () => Promise.reject(new ChainError('no answer')) }
    assert.equal((await told()).is_uninitialised, false)
    world.network.node = honest
    await paid()
    assert.equal((await told()).is_uninitialised, false)
  })

  it('is opened by its first comment, while recovery is proven, and is shown with it', async () => {
    await assert.rejects(share(), { code: '300024' })
    await proveRecovery()
    const told = (symbol: string) =>
      inOrganisation((tx) => depositAddress(tx, world.context.networks, { subWalletId: wallet.subWalletId, chain, symbol, language: 'en_US', nowMs: nowMs() }))
    assert.deepEqual([(await told('TON')).memo, (await told('TON')).payment_link], [null, null])
    const first = await share('Zoë')
    assert.match(first.memo, /^[0-9A-HJKMNP-TV-Z]{12}$/)
    assert.equal(first.address, wallet.address)
    assert.equal((await told('TON')).payment_link, `ton://transfer/${wallet.address}?text=${first.memo}`)
    assert.equal((await told('USDJ')).payment_link, `ton://transfer/${wallet.address}?jetton=${ton.token.contract}&text=${first.memo}`)
    world.clock.aheadMs += 1_000
    const second = await share()
    assert.notEqual(second.memo, first.memo)
    assert.equal((await told('TON')).memo, second.memo, 'the newest is told to the next payer')
    const listed = await inOrganisation((tx) =>
      listUserAddresses(tx, world.context.networks, {
        subWalletId: wallet.subWalletId,
        language: 'en_US',
        nowMs: nowMs(),
        page: 1,
        pageSize: 10,
        keyword: 'zoë',
        state: 'all',
      }),
    )
    assert.deepEqual(
      listed.list.map(({ memo, label }) => [memo, label]),
      [[first.memo, 'Zoë']],
    )
  })

  it('credits coin and jettons with one of its comments, and holds those with none or another', async () => {
    await proveRecovery()
    const { memo } = await share()
    const { contract } = ton.token
    await ton.pay(null, wallet.address, TON, ` ${memo.toLowerCase()}\n`)
    await ton.pay(contract, wallet.address, 5_000_000n, memo)
    await mine(1)
    await ton.pay(null, wallet.address, TON)
    await ton.pay(contract, wallet.address, 7_000_000n)
    await mine(1)
    await ton.pay(null, wallet.address, TON, `${memo}0`)
    await ton.pay(contract, wallet.address, 7_000_000n, 'invoice 7')
    await mine(FINALITY + 2)
    const kinds = (await deposits()).map(({ state, sub_status }) => `${state} ${sub_status}`)
    assert.deepEqual(kinds.toSorted(), [
      'confirmed comment_missing',
      'confirmed comment_missing',
      'confirmed comment_unknown',
      'confirmed comment_unknown',
      'credited null',
      'credited null',
    ])
    assert.ok(await hasButForStorage(11n * TON))
    assert.equal((await balanceOf(world, wallet, contract)).available, 5_000_000n)
    assert.deepEqual(await told(), [], 'what is held is known to be there')
    const waiting = await deposits()
    await mine(2)
    assert.deepEqual(await deposits(), waiting)
    const listed = await inOrganisation((tx) =>
      listUserAddresses(tx, world.context.networks, {
        subWalletId: wallet.subWalletId,
        language: 'en_US',
        nowMs: nowMs(),
        state: 'all',
        page: 1,
        pageSize: 10,
      }),
    )
    assert.deepEqual([listed.pageTotal, listed.list[0]!.memo, typeof listed.list[0]!.last_in_at], [1, memo, 'number'])
  })

  it('is paid by another wallet of the organisation with one of its comments and not without', async () => {
    await proveRecovery()
    const { memo } = await share()
    const shared = wallet
    wallet = await makeWallet(world, 'Payer', { protocols: [FROST_ED25519] })
    await ton.pay(null, wallet.address, 10n * TON)
    await mine(FINALITY + 1)
    const seen = await inOrganisation((tx) =>
      checkAddress(
        tx,
        world.network,
        shared.address,
        { isContract: false, isUninitialised: true, control: undefined },
        { language: 'en_US', personId: world.members[0].id },
      ),
    )
    assert.equal(seen.memo_required, true)
    for (const wrong of ['', 'invoice 7', `${memo}0`]) await assert.rejects(approvedOrder({ to: shared.address, memo: wrong }), { code: '100004' })
    assert.equal((await paid({ to: shared.address, memo })).state, 'completed')
    wallet = shared
    assert.ok(await hasButForStorage(12n * TON))
  })
})
