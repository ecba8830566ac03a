import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { ChainError } from '@holdfast/chain-core'
import type { OutputOf } from '@holdfast/contract'
import { getNetworkStatus } from '@holdfast/features/network/contract'
import { currentPolicy } from '@holdfast/features/policy/server'
import { networkEndpoints } from '@holdfast/features/network/server'
import type { MemberContext } from '@holdfast/http'
import fc from 'fast-check'
import { broadcastOrder } from '../../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { TOKEN } from '../../../testing/scripted-chain.ts'
import {
  requestWithdrawal,
  type WithdrawalRequest,
  requestApproved,
  balanceOf,
  resetScript,
  ETH,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  scan,
  type Wallet,
  type World,
} from '../../../testing/test-world.ts'
import { leastAmount } from '../reading/match-deposits.ts'
import { reconcileChain } from './reconcile.ts'
import { auditAll } from './run-audits.ts'
import { scanChain } from '../reading/scan.ts'

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  await fund(world, wallet, 5_000_000n, TOKEN)
})
after(() => world.close())

/** Writes to the ledger past every posting, as only a person with the database's password can. */
async function forge(change: bigint): Promise<void> {
  await world.db.asSystem(async (tx) => {
    const { id, balance } = await tx
      .selectFrom('ledger_account')
      .select(['id', 'balance'])
      .where('sub_wallet_id', '=', wallet.subWalletId)
      .where('contract', '=', '')
      .where('kind', '=', 'available')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('ledger_account')
      .set({ balance: balance! + change })
      .where('id', '=', id)
      .execute()
  })
}

async function status(): Promise<OutputOf<typeof getNetworkStatus>> {
  const handled = networkEndpoints(world.context).find((each) => each.endpoint === getNetworkStatus)!
  return getNetworkStatus.output.parse(await handled.handler({ orgId: world.orgId } as unknown as MemberContext, {} as never))
}

it('the state of the networks names the signers as the policy does', async () => {
  const handled = networkEndpoints(world.context, async (tx) => (await currentPolicy(tx)).signers).find((each) => each.endpoint === getNetworkStatus)!
  const told = getNetworkStatus.output.parse(await handled.handler({ orgId: world.orgId } as unknown as MemberContext, {} as never))
  const named = await world.db.asOrganisation(world.orgId, async (tx) => (await currentPolicy(tx)).signers)
  assert.deepEqual(
    told.signers.map(({ party, name }) => [party, name]),
    named.map(({ party, name }) => [Number(party), name]),
  )
})

const alarms = async () => (await status()).alarms.map(({ cause, symbol, address }) => [cause, symbol, address])

const approvedOrder = (given?: WithdrawalRequest) => requestApproved(world, wallet, given)

describe('a ledger that does not add up', () => {
  it('halts crediting and paying of that asset, shows an alarm, and goes on when it adds up again', async () => {
    const waiting = await approvedOrder()
    const token = await approvedOrder({ symbol: 'USDC', amount: '1' })
    await forge(1n)
    const told: string[] = []
    world.chain.give(wallet.address, ETH)
    world.chain.mine(3)
    await scanChain(world.context, world.network, {}, (cause) => told.push(String(cause)))
    assert.match(told.join(), /the books of eip155:31337 coin .* do not add up: balances that are not the sum/)
    assert.deepEqual(await alarms(), [['books', 'ETH', null]])

    const had = await balanceOf(world, wallet)
    world.chain.give(wallet.address, 2n * ETH)
    world.chain.give(wallet.address, 1_000_000n, TOKEN)
    world.chain.mine(3)
    await scan(world)
    assert.deepEqual(await balanceOf(world, wallet), had, 'nothing of the asset is credited')
    assert.equal((await balanceOf(world, wallet, TOKEN)).available, 5_000_000n, 'another asset is')
    const deposits = await world.db.asOrganisation(world.orgId, (tx) =>
      tx
        .selectFrom('deposit')
        .select(['state', 'sub_status'])
        .where('amount', '=', 2n * ETH)
        .execute(),
    )
    assert.deepEqual(deposits, [{ state: 'confirmed', sub_status: 'books_broken' }])
    await auditAll(world.context)
    assert.deepEqual(
      (await alarms()).filter(([cause]) => cause === 'surplus'),
      [],
      'what waits to be credited has been recognised',
    )

    await assert.rejects(requestWithdrawal(world, wallet), { code: '110227' })
    await assert.rejects(requestWithdrawal(world, wallet, { symbol: 'USDC', amount: '1' }), { code: '110227' }, 'its fee is paid in the halted coin')
    for (const id of [waiting, token]) {
      assert.equal(await signOrder(world.context, world.orgId, id), 'wait')
      assert.equal((await orderOf(world, id)).row.sub_status, 'books_broken')
    }
    assert.equal(world.signers.requests.filter((each) => each.kind === 'sign').length, 0)

    await forge(-1n)
    await auditAll(world.context)
    assert.deepEqual(await alarms(), [])
    await scan(world)
    assert.equal((await balanceOf(world, wallet)).available, had.available - 1n + 2n * ETH)
    assert.equal(await signOrder(world.context, world.orgId, waiting), 'signed')
  })

  it('is found without any posting, by the audit that runs all the time', async () => {
    await forge(-7n)
    assert.equal((await auditAll(world.context)).filter((each) => each.includes('do not add up')).length, 1)
    assert.equal((await auditAll(world.context)).filter((each) => each.includes('do not add up')).length, 0, 'it is told once')
    assert.deepEqual(
      (await alarms()).filter(([cause]) => cause === 'books'),
      [['books', 'ETH', null]],
    )
    await forge(7n)
    await auditAll(world.context)
  })
})

describe('an address that does not have what the ledger says', () => {
  it('raises an alarm and nothing else, until the difference is gone', async () => {
    world.chain.stolen.set(`${wallet.address}|`, 1n)
    const told = await auditAll(world.context)
    assert.match(told.join(), /missing at 0x.*the chain has 9\.999999999999999999 ETH, the books 10 ETH/)
    assert.deepEqual(await alarms(), [['missing', 'ETH', wallet.address]])
    assert.ok((await requestWithdrawal(world, wallet)).fresh, 'it halts nothing')
    world.chain.stolen.clear()
    await auditAll(world.context)
    assert.deepEqual(await alarms(), [])
  })

  it('is found among many, which are compared a few at a time, each in its turn', async () => {
    await auditAll(world.context)
    const others = [await makeWallet(world), await makeWallet(world), await makeWallet(world)]
    for (const each of others) await fund(world, each, ETH)
    for (const { address } of others) world.chain.stolen.set(`${address}|`, 1n)
    const { length } = await world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('address').select('address').execute())
    const found: string[] = []
    let rounds = 0
    while (found.length < others.length && rounds++ <= length) found.push(...(await reconcileChain(world.context, world.network, () => false, 2)))
    assert.deepEqual(found.map((words) => words.split(' ')[2]).sort(), others.map(({ address }) => address).sort())
    assert.ok(rounds > 1 && rounds <= Math.ceil(length / 2) + 1, `${rounds} rounds for ${length} addresses`)
    world.chain.stolen.clear()
    // The first goes on with the addresses that follow, the second begins anew.
    for (let times = 0; times < 2; times++) await auditAll(world.context)
    assert.deepEqual(await alarms(), [])
  })

  it('tells of coin that arrived unrecognised, and not of dust', async () => {
    world.chain.stolen.set(`${wallet.address}|`, -leastAmount(18))
    world.chain.stolen.set(`${wallet.address}|${TOKEN}`, -1_000_000n)
    await auditAll(world.context)
    assert.deepEqual(await alarms(), [['surplus', 'USDC', wallet.address]])
  })

  it('is not judged if its node does not answer', async () => {
    world.chain.stolen.set(`${wallet.address}|`, 1n)
    world.chain.beforeAnswer = (question) => {
      if (question === 'balance') throw new ChainError('no answer')
    }
    await auditAll(world.context)
    assert.deepEqual(
      (await alarms()).filter(([, , address]) => address === wallet.address),
      [],
    )
  })

  it('is not suspected of a payment that is final and could not be looked up yet', async () => {
    const id = await approvedOrder()
    await signOrder(world.context, world.orgId, id)
    await broadcastOrder(world.context, world.orgId, id)
    world.chain.beforeAnswer = (question) => {
      if (question === 'transaction') throw new ChainError('no answer')
    }
    world.chain.mine(4)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'pending')
    await auditAll(world.context)
    assert.deepEqual(
      (await alarms()).filter(([, , address]) => address === wallet.address),
      [],
    )
    resetScript(world)
    world.chain.mine()
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
  })

  it('is never suspected while deposits and payments are on their way, whatever the chain does', async () => {
    const steps = fc.array(fc.constantFrom('give', 'dust', 'mine', 'pay', 'sign', 'send', 'reorganise', 'fail', 'audit'), { minLength: 4, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        resetScript(world)
        wallet = await makeWallet(world)
        await fund(world, wallet, 5n * ETH)
        const orders: string[] = []
        for (const step of list) {
          if (step === 'give') world.chain.give(wallet.address, ETH)
          if (step === 'dust') world.chain.give(wallet.address, 3n)
          if (step === 'mine') world.chain.mine()
          if (step === 'fail') world.chain.failing = !world.chain.failing
          if (step === 'reorganise') {
            world.chain.reorganise(2)
            world.chain.mine(3)
          }
          if (step === 'pay') orders.push(await approvedOrder({ amount: '0.5' }))
          if (step === 'sign') for (const id of orders) await signOrder(world.context, world.orgId, id)
          if (step === 'send') for (const id of orders) await broadcastOrder(world.context, world.orgId, id)
          if (step === 'audit') await scan(world)
          await auditAll(world.context)
          assert.deepEqual(
            (await alarms()).filter(([, , address]) => address === wallet.address),
            [],
            step,
          )
        }
        await scan(world)
        await auditAll(world.context)
        assert.deepEqual(
          (await alarms()).filter(([, , address]) => address === wallet.address),
          [],
        )
      }),
      { numRuns: process.env.HOLDFAST_THOROUGH ? 12 : 4 },
    )
  })

  it('is credited once with coin that no transaction brought, if a source cannot show what contracts move', async () => {
    world.chain.stolen.set(`${wallet.address}|`, -ETH)
    Object.assign(world.chain.mine(), { internalTransfers: 'unseen' })
    world.chain.mine(3)
    await scan(world)
    assert.equal((await status()).networks[0]!.internal_transfers, 'by_balance')
    for (let times = 0; times < 2; times++) {
      await auditAll(world.context)
      await scan(world)
      assert.deepEqual(await balanceOf(world, wallet), { available: 11n * ETH, held: 0n })
    }
    assert.deepEqual(
      (await alarms()).filter(([, , address]) => address === wallet.address),
      [],
    )
    world.chain.reorganise(6)
    world.chain.mine(7)
    world.chain.stolen.clear()
    await scan(world)
    await auditAll(world.context)
    assert.deepEqual(await balanceOf(world, wallet), { available: 10n * ETH, held: 0n }, 'the block that proved it is gone')
  })
})
