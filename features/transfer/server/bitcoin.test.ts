import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { recipient as STRANGER, second, taprootFrom, third } from '@holdfast/chain-bitcoin/testing'
import { type FEE_TIERS, slotOf, type UnspentCoin } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { auditAll } from '@holdfast/features/deposit/server'
import type { AppError } from '@holdfast/contract'
import { assertConserved } from '@holdfast/ledger'
import type { ReplacementIntent } from '@holdfast/intent'
import { FROST_TAPROOT, PROTOCOL } from '@holdfast/mpc'
import { formatAmount } from '@holdfast/units'
import { checkLimits } from '../../withdrawal/contract.ts'
import { withdrawalEndpoints } from '../../withdrawal/server/routes.ts'
import { type BitcoinWorld, FINALITY, openBitcoinWorld } from '../../testing/bitcoin-world.ts'
import { speedUpInfo } from './replacement/speed-up.ts'
import { approve, requestWithdrawal, bytesOf, makeWallet, orderOf, pageCalls, replace, type Wallet, type World } from '../../testing/test-world.ts'

/* A chain of coins in the pipeline: what it needs beyond a chain of accounts. */

let its: BitcoinWorld
let world: World
let wallet: Wallet

before(async () => {
  its = await openBitcoinWorld()
  world = its.world
})
afterEach(async () => {
  await world.db.asSystem(assertConserved)
  const byOutpoint = (coins: UnspentCoin[]) => coins.toSorted((a, b) => (a.outpoint < b.outpoint ? -1 : 1))
  assert.deepEqual(byOutpoint(await its.network.node.coins.unspent(wallet.address)), byOutpoint(await its.looking.coins.unspent(wallet.address)))
})
after(() => its?.stop())

const mine = (blocks: number) => its.mine(blocks)
const deposit = (...amounts: bigint[]) => its.deposit(wallet, ...amounts)
const money = () => its.money(wallet)
const approvedOrder = (amount: string) => its.approvedOrder(wallet, amount)
const sign = (id: string) => its.sign(id)
const send = (id: string) => its.send(id)
const coinsOf = (id: string) => its.coinsOf(id)
const onChain = (address: string) => its.looking.balance(address, { chain: its.network.chain, contract: null })
const isInPool = async (txid: string | null) => (await its.looking.transaction(txid!)).state === 'pending'

/** Brings an approved order into the pool, where it is pending. */
async function sent(id: string): Promise<string> {
  assert.equal(await sign(id), 'signed')
  assert.equal(await send(id), true)
  await its.scan()
  assert.equal((await orderOf(world, id)).state, 'pending')
  return id
}

/** Raises the fee of the pending payment, within its cap. */
async function spedUp(id: string): Promise<void> {
  const { can, method, cap, tiers } = await speedUpInfo(world.context, { orgId: world.orgId }, id)
  assert.deepEqual([can, method, tiers.at(-1)!.needs_approval], [true, 'RBF', false])
  assert.equal((await replace(world, id, { maxFee: cap })).needsApproval, false)
  assert.equal(await sign(id), 'signed')
  assert.equal(await send(id), true)
}

/** Has two people cancel a pending payment; returns the cancelling order. */
async function cancelled(id: string): Promise<string> {
  const { cancel_fee } = await speedUpInfo(world.context, { orgId: world.orgId }, id)
  const { order, needsApproval } = await replace(world, id, { cancel: true, maxFee: cancel_fee! })
  assert.equal(needsApproval, true)
  const shown = (await pageCalls(world)['order.get']!({ hash: toHex(order.row.intent_hash) })) as { coin: string }
  assert.match(shown.coin, /^[0-9a-f]{64}:\d+$/)
  assert.equal(slotOf(shown.coin), (order.intent as ReplacementIntent).slot, 'the approval page can check the coin it shows')
  await approve(world, order.row.id, world.members[1], world.members[2])
  assert.equal(await sign(order.row.id), 'signed')
  assert.equal(await send(id), true)
  return order.row.id
}

/** A payment that two people cancelled has left all but its fee where it was, in the ledger and on the chain. */
async function assertCancelled(id: string, cancel: string, before: bigint): Promise<void> {
  const { state, row } = await orderOf(world, id)
  assert.deepEqual([state, row.sub_status, (await orderOf(world, cancel)).state], ['replaced', 'cancelled_on_chain', 'completed'])
  await assertBooked(before - row.fee_paid!)
}

async function assertBooked(expected: bigint): Promise<void> {
  assert.deepEqual(await money(), { available: expected, held: 0n })
  assert.equal(await onChain(wallet.address), expected)
  assert.deepEqual(await auditAll(world.context), [])
}

for (const [name, protocol, prefix] of [
  ['P2WPKH', PROTOCOL, 'bcrt1q'],
  ['P2TR', FROST_TAPROOT, 'bcrt1p'],
] as const) {
  describe(`a wallet on Bitcoin (${name})`, () => {
    beforeEach(async () => {
      world.signers.resetScript()
      wallet = await makeWallet(world, `Bitcoin ${name}`, { protocols: [protocol] })
      await its.scan()
    })

    it('is paid, pays with several coins signed one by one, and its ledger is that of the chain', async () => {
      assert.ok(wallet.address.startsWith(prefix), wallet.address)
      await deposit(60_000n, 50_000n, 40_000n)
      assert.deepEqual(await money(), { available: 150_000n, held: 0n })
      const id = await approvedOrder('0.0012')
      assert.equal(await sign(id), 'signed')
      assert.equal((await coinsOf(id)).length, 3)
      assert.equal(await send(id), true)
      await mine(1)
      assert.equal((await orderOf(world, id)).state, 'confirming')
      await mine(FINALITY)
      const { state, row } = await orderOf(world, id)
      assert.equal(state, 'completed')
      assert.equal(row.fee_paid, its.network.codec.decode(bytesOf(await orderOf(world, id))).feeMax)
      assert.deepEqual(await money(), { available: 30_000n - row.fee_paid!, held: 0n })
      assert.equal(await its.network.node.balance(wallet.address, { chain: its.network.chain, contract: null }), (await money()).available)
      assert.deepEqual(await auditAll(world.context), [])
    })

    it('is refused if nodes would not relay it, when it is requested and with the true reason; the least amount named is accepted and built', async () => {
      await deposit(200_000n)
      const before = await money()
      const caller = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' as const }
      const limits = withdrawalEndpoints(world.context).find(({ endpoint }) => endpoint === checkLimits)!.handler
      const limitsOf = (amount: string) =>
        limits(caller as never, { sub_wallet_id: wallet.subWalletId, chain: its.network.chain, symbol: 'BTC', amount, to: STRANGER } as never)
      const least = its.network.codec.leastPayment!(STRANGER)
      const maxFee = await its.roomyCap(wallet)
      for (const amount of [1n, 100n, least - 1n]) {
        const shown = formatAmount(amount, 8)
        await assert.rejects(requestWithdrawal(world, wallet, { symbol: 'BTC', to: STRANGER, amount: shown, maxFee }), ({ code, message }: AppError) => {
          assert.deepEqual([code, message.includes(`pass on ${formatAmount(least, 8)} BTC or more`)], ['120204', true], message)
          return true
        })
        const outputs = [
          { address_to: STRANGER, amount: '0.0001' },
          { address_to: second, amount: shown },
        ]
        const sum = formatAmount(amount + 10_000n, 8)
        if (amount < its.network.codec.leastPayment!(second))
          await assert.rejects(requestWithdrawal(world, wallet, { symbol: 'BTC', to: STRANGER, amount: sum, maxFee, outputs }), { code: '120204' })
        const { allowed, min_withdraw } = (await limitsOf(shown)) as { allowed: boolean; min_withdraw: string }
        assert.deepEqual([allowed, min_withdraw], [false, formatAmount(least, 8)])
      }
      assert.deepEqual(await money(), before, 'nothing is held')
      assert.equal(await sign(await approvedOrder(formatAmount(least, 8))), 'signed')
    })

    it('pays the fee that was chosen, within the cap', async () => {
      await deposit(100_000n, 100_000n, 100_000n, 100_000n)
      const firstFee = async (tier: (typeof FEE_TIERS)[number], maxFee?: string) => {
        const { id } = (
          await requestWithdrawal(world, wallet, { symbol: 'BTC', to: STRANGER, amount: '0.0005', tier, maxFee: maxFee ?? (await its.roomyCap(wallet)) })
        ).order.row
        await approve(world, id, world.members[1], world.members[2])
        assert.equal(await sign(id), 'signed')
        return its.network.codec.decode(bytesOf(await orderOf(world, id))).feeMax
      }
      const [economy, normal, fast] = [await firstFee('economy'), await firstFee('normal'), await firstFee('fast')]
      // A real node that has seen nothing but quiet blocks may ask the same for all.
      const isOrdered = its.bitcoin.isEmulator ? economy < normal && normal < fast : economy <= normal && normal <= fast
      assert.ok(isOrdered, `${economy} ${normal} ${fast}`)
      const bounded = await firstFee('fast', formatAmount(normal, 8))
      assert.ok(bounded >= economy && bounded <= normal && (bounded > economy || normal === economy), `${bounded}`)
    })

    it('gives no coin to two orders, spends no coin of a block that is not final, and frees what an order held when the order ends', async () => {
      await deposit(100_000n, 90_000n)
      const [first, second] = [await approvedOrder('0.0005'), await approvedOrder('0.0005')]
      world.signers.online = new Set([1])
      assert.deepEqual([await sign(first), await sign(second)], ['wait', 'wait'])
      const [a, b] = [await coinsOf(first), await coinsOf(second)]
      assert.deepEqual([a.length, b.length], [1, 1])
      assert.notEqual(a[0], b[0])
      assert.notEqual((await orderOf(world, first)).row.slot, (await orderOf(world, second)).row.slot)

      // A third order has no coin left, although the ledger has the money; a deposit that is not final yet does not help.
      await its.bitcoin.fund(wallet.address, 80_000n)
      const third = await approvedOrder('0.0004')
      assert.equal(await sign(third), 'wait')
      const { state, row } = await orderOf(world, third)
      assert.deepEqual([state, row.sub_status], ['approved', 'build_failed'])
      await mine(FINALITY)
      assert.equal(await sign(third), 'wait')
      assert.equal((await orderOf(world, third)).state, 'signing')

      world.signers.online = new Set([1, 2, 3])
      for (const id of [first, second, third]) assert.equal(await sign(id), 'signed')
      for (const id of [first, second, third]) assert.equal(await send(id), true)
      await mine(FINALITY + 1)
      for (const id of [first, second, third]) assert.equal((await orderOf(world, id)).state, 'completed')
    })

    it('spends its own change before it is final, since nobody else can take back what made it', async () => {
      await deposit(100_000n)
      const first = await approvedOrder('0.0002')
      await sign(first)
      await send(first)
      await mine(1)
      const second = await approvedOrder('0.0002')
      assert.equal(await sign(second), 'signed')
      assert.deepEqual(await coinsOf(second).then((coins) => coins.map((coin) => coin.split(':')[0])), [(await orderOf(world, first)).row.txid])
      await send(second)
      await mine(FINALITY + 1)
      for (const id of [first, second]) assert.equal((await orderOf(world, id)).state, 'completed')
      const fees = (await Promise.all([first, second].map(async (id) => (await orderOf(world, id)).row.fee_paid!))).reduce((sum, fee) => sum + fee, 0n)
      assert.deepEqual(await money(), { available: 60_000n - fees, held: 0n })
    })

    it('pays a higher fee for what is pending by the same coins and a smaller change, and cancels by its first coin what it must not pay', async () => {
      await deposit(60_000n, 50_000n, 40_000n)
      const given = await onChain(STRANGER)
      const paid = await sent(await approvedOrder('0.0007'))
      const [coins, first] = [await coinsOf(paid), (await orderOf(world, paid)).row]
      await spedUp(paid)
      const { row: second } = await orderOf(world, paid)
      assert.deepEqual([await coinsOf(paid), second.slot], [coins, first.slot])
      assert.deepEqual([await isInPool(first.txid), await isInPool(second.txid)], [false, true])
      await mine(FINALITY + 1)
      const { state, row } = await orderOf(world, paid)
      assert.deepEqual([state, row.txid], ['completed', second.txid])
      assert.equal(await onChain(STRANGER), given + 70_000n)
      const left = 80_000n - row.fee_paid!
      await assertBooked(left)

      const unpaid = await sent(await approvedOrder('0.0006'))
      const anchor = (await coinsOf(unpaid))[0]!
      const cancel = await cancelled(unpaid)
      assert.deepEqual(await coinsOf(unpaid), [anchor])
      await mine(FINALITY + 1)
      assert.equal(await onChain(STRANGER), given + 70_000n)
      await assertCancelled(unpaid, cancel, left)
    })
  })
}

describe('an order that pays several', () => {
  const [one, two, three] = [second, third, STRANGER]
  const asked = { symbol: 'BTC', to: two, amount: '0.0006', maxFee: '0.0001' }
  const outputs = (...amounts: string[]) => [one, two, three].map((to, i) => ({ address_to: to, amount: amounts[i]! }))

  it('is one transaction: each gets what was approved, the ledger loses the sum and one fee, and a reorganisation takes it back whole', async () => {
    world.signers.resetScript()
    wallet = await makeWallet(world, 'Payroll')
    await deposit(70_000n, 30_000n)
    const { id } = (await requestWithdrawal(world, wallet, { ...asked, maxFee: await its.roomyCap(wallet), outputs: outputs('0.0001', '0.0002', '0.0003') }))
      .order.row
    const { payment } = await orderOf(world, id)
    assert.deepEqual([payment.kind, payment.amount, payment.to], ['payout', 60_000n, one])
    await approve(world, id, world.members[1], world.members[2])
    assert.equal(await sign(id), 'signed')
    assert.equal(await send(id), true)
    await mine(FINALITY + 1)
    const { state, row } = await orderOf(world, id)
    assert.equal(state, 'completed')
    assert.deepEqual(
      its.network.codec.decode(bytesOf(await orderOf(world, id))).transfers.map(({ to, amount }) => [to, amount]),
      [
        [one, 10_000n],
        [two, 20_000n],
        [three, 30_000n],
      ],
    )
    assert.deepEqual(await money(), { available: 40_000n - row.fee_paid!, held: 0n })
    // All of them are known from then on.
    await assert.doesNotReject(
      requestWithdrawal(world, wallet, { ...asked, maxFee: await its.roomyCap(wallet), to: three, amount: '0.0001', ack: 'lookalike' }),
    )
    await its.bitcoin.call('invalidateblock', await its.bitcoin.call('getblockhash', Number(row.block_height)))
    // Another miner, so that the block is not the very one that was taken back.
    await its.bitcoin.call('generateblock', STRANGER, [])
    await mine(FINALITY + 3)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.deepEqual(await auditAll(world.context), [])
  })

  it('is sped up whole, and cancelled whole by bytes that pay nobody', async () => {
    wallet = await makeWallet(world, 'Payroll')
    await deposit(70_000n, 30_000n)
    const all = () => Promise.all([one, two, three].map(onChain))
    const given = await all()
    const payout = async () => {
      const { id } = (
        await requestWithdrawal(world, wallet, {
          ...asked,
          maxFee: await its.roomyCap(wallet),
          amount: '0.0003',
          outputs: outputs('0.00005', '0.0001', '0.00015'),
        })
      ).order.row
      await approve(world, id, world.members[1], world.members[2])
      return sent(id)
    }
    const paid = await payout()
    await spedUp(paid)
    await mine(FINALITY + 1)
    const { state, row, transactions } = await orderOf(world, paid)
    assert.deepEqual([state, row.txid], ['completed', transactions[1]!.txid])
    assert.deepEqual(await all(), [given[0]! + 5_000n, given[1]! + 10_000n, given[2]! + 15_000n])
    await assertBooked(70_000n - row.fee_paid!)

    const [before, unpaid] = [await all(), await payout()]
    await spedUp(unpaid)
    const cancel = await cancelled(unpaid)
    await mine(FINALITY + 1)
    assert.deepEqual(await all(), before)
    await assertCancelled(unpaid, cancel, 70_000n - row.fee_paid!)
  })

  it('is refused if the amounts do not add up, a recipient stands there twice or is the payer, or nobody acknowledged a new one', async () => {
    wallet = await makeWallet(world, 'Payroll')
    await deposit(100_000n)
    const fresh = taprootFrom
    const refused: [string, Parameters<typeof requestWithdrawal>[2]][] = [
      ['amount_error', { outputs: outputs('0.0001', '0.0002', '0.0004') }],
      ['amount_error', { outputs: [one, one, two].map((to) => ({ address_to: to, amount: '0.0002' })) }],
      ['amount_error', { to: fresh, outputs: outputs('0.0001', '0.0002', '0.0003') }],
      ['transfer_to_self', { to: wallet.address, outputs: [wallet.address, two].map((to) => ({ address_to: to, amount: '0.0003' })) }],
      ['address_look_alike', { ack: '', outputs: [fresh, two].map((to) => ({ address_to: to, amount: '0.0003' })) }],
      ['exceeds_precision', { outputs: outputs('0.000100001', '0.0002', '0.0003') }],
    ]
    for (const [errorName, change] of refused) await assert.rejects(requestWithdrawal(world, wallet, { ...asked, ...change }), { errorName }, errorName)
    const named = async (...recipients: string[]) => {
      const wrong = requestWithdrawal(world, wallet, { ...asked, to: one, outputs: recipients.map((to) => ({ address_to: to, amount: '0.0003' })) })
      return wrong.then(
        () => assert.fail('it was asked for'),
        ({ details }: { details: { recipient?: number } }) => details.recipient,
      )
    }
    const self = wallet.address
    assert.deepEqual([await named(one, 'bcrt1nothing'), await named(one, two, one.toUpperCase()), await named(one, self)], [2, 3, 2])
    assert.deepEqual(await money(), { available: 100_000n, held: 0n })
  })
})
