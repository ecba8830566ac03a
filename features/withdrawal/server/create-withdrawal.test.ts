import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { BuildError } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import { DatabaseBusyError } from '@holdfast/db'
import type { MemberContext } from '@holdfast/http'
import { assertConserved } from '@holdfast/ledger'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { TOKEN } from '../../testing/scripted-chain.ts'
import {
  approve,
  requestWithdrawal,
  balanceOf,
  resetScript,
  ETH,
  FEE_CAP,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  STRANGER,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { readSignProtection } from '../contract.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { withdrawalEndpoints } from './routes.ts'

let world: World
let wallet: Wallet
const money = () => balanceOf(world, wallet)
const refusedWith =
  (code: string, check: (error: AppError) => void = () => {}) =>
  (error: unknown) => {
    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.code, code)
    check(error)
    return true
  }
const orderCount = () =>
  world.db.asOrganisation(
    world.orgId,
    async (tx) => (await tx.selectFrom('transfer_order').select('id').where('sub_wallet_id', '=', wallet.subWalletId).execute()).length,
  )

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

describe('a withdrawal', () => {
  it('tells its requester that they cannot approve it, and to nobody else', async () => {
    const { handler } = withdrawalEndpoints(world.context).find(({ endpoint }) => endpoint === readSignProtection)!
    const protection = (personId: string, input: Record<string, string>) =>
      handler({ orgId: world.orgId, personId, language: 'en_US' } as unknown as MemberContext, { wallet_id: wallet.walletId, ...input } as never)
    const { order } = await requestWithdrawal(world, wallet, {})
    const [asker, other] = world.members
    assert.deepEqual(await protection(asker.id, { withdraw_id: order.row.id }), { enabled: true, blocked_me: true })
    assert.deepEqual(await protection(other.id, { withdraw_id: order.row.id }), { enabled: true, blocked_me: false })
    assert.deepEqual(await protection(asker.id, {}), { enabled: true, blocked_me: false })
    const elsewhere = await makeWallet(world)
    const { handler: ofOrder } = withdrawalEndpoints(world.context).find(({ endpoint }) => endpoint === readSignProtection)!
    const caller = { orgId: world.orgId, personId: asker.id, language: 'en_US' } as unknown as MemberContext
    assert.deepEqual(
      await ofOrder(caller, { withdraw_id: order.row.id } as never),
      { enabled: true, blocked_me: true },
      'of an order whose wallet is not named',
    )
    await assert.rejects(async () => ofOrder(caller, { wallet_id: asker.id } as never), refusedWith('200005'))
    await assert.rejects(protection(asker.id, { wallet_id: elsewhere.walletId, withdraw_id: order.row.id }), refusedWith('210003'))
  })

  it('is created once for each request, however often and at once it is requested', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => requestWithdrawal(world, wallet, { requestId: 'the-same-request' })))
    assert.equal(new Set(answers.map((each) => each.order.row.id)).size, 1)
    assert.equal(answers.filter((each) => each.fresh).length, 1)
    assert.deepEqual(await money(), { available: 9n * ETH - FEE_CAP, held: ETH + FEE_CAP })
  })

  it('is answered the same although the balance is gone by then, and refused under the same request for anything else', async () => {
    const { order } = await requestWithdrawal(world, wallet, { requestId: 'request-of-nine', amount: '9' })
    const again = await requestWithdrawal(world, wallet, { requestId: 'request-of-nine', amount: '9' })
    assert.deepEqual([again.fresh, again.order.row.id], [false, order.row.id])
    for (const other of [{ amount: '8' }, { to: TOKEN }, { maxFee: '0.000000000002' }, { remark: 'x' }, { expireHours: 25 }, { by: world.members[1] }]) {
      await assert.rejects(requestWithdrawal(world, wallet, { requestId: 'request-of-nine', amount: '9', ...other }), refusedWith('110088'))
    }
    assert.equal(await orderCount(), 1)
  })

  it('of 200 requested at once on a balance for 100 succeeds exactly 100 times', async () => {
    const rich = await makeWallet(world)
    await fund(world, rich, 100n * (ETH + FEE_CAP))
    // On a busy machine the database may be too busy for so many at once, and says so: then they try again.
    const persist = (): ReturnType<typeof requestWithdrawal> =>
      requestWithdrawal(world, rich).catch((cause: unknown) => (cause instanceof DatabaseBusyError ? persist() : Promise.reject(cause)))
    const settled = await Promise.allSettled(Array.from({ length: 200 }, persist))
    const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as AppError] : []))
    assert.equal(settled.length - refused.length, 100)
    for (const error of refused) refusedWith('100011')(error)
    assert.deepEqual(await balanceOf(world, rich), { available: 0n, held: 100n * (ETH + FEE_CAP) })
  })

  it('holds amount and fee together: an amount that leaves nothing for the fee is refused, and nothing is held', async () => {
    await assert.rejects(requestWithdrawal(world, wallet, { amount: '10' }), refusedWith('100011'))
    await assert.rejects(requestWithdrawal(world, wallet, { amount: '11' }), refusedWith('100011'))
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
    assert.equal(await orderCount(), 0)
  })

  it('takes its fee from the amount if requested: the order pays what is left, and no more than the amount leaves', async () => {
    const { order } = await requestWithdrawal(world, wallet, { amount: '10', gross: '1', requestId: 'all-of-it' })
    assert.deepEqual([order.row.amount, order.row.fee_cap], [10n * ETH - FEE_CAP, FEE_CAP])
    assert.deepEqual(await money(), { available: 0n, held: 10n * ETH })
    const again = await requestWithdrawal(world, wallet, { amount: '10', gross: '1', requestId: 'all-of-it' })
    assert.deepEqual([again.fresh, again.order.row.id], [false, order.row.id])
    await assert.rejects(requestWithdrawal(world, wallet, { amount: '10', requestId: 'all-of-it' }), refusedWith('110088'))
  })

  it('whose fee would take all of it, or is of another coin than the amount, is refused before anything is held', async () => {
    const about = (field: string) => refusedWith('100004', ({ details }) => assert.equal(details.field, field))
    await assert.rejects(requestWithdrawal(world, wallet, { amount: '0.000000000001', gross: '1' }), about('amount'))
    await assert.rejects(requestWithdrawal(world, wallet, { symbol: 'USDC', gross: '1' }), about('gross'))
    assert.equal(await orderCount(), 0)
  })

  it('of a token needs the coin for its fee', async () => {
    const poor = await makeWallet(world)
    await fund(world, poor, 1_000_000n, TOKEN)
    await assert.rejects(requestWithdrawal(world, poor, { symbol: 'USDC' }), refusedWith('100011'))
    assert.deepEqual(await balanceOf(world, poor, TOKEN), { available: 1_000_000n, held: 0n })
  })

  it('that the policy denies is refused with the reason in words, before anything is held', async () => {
    const rich = await makeWallet(world)
    await fund(world, rich, 2_000n * ETH)
    await assert.rejects(
      requestWithdrawal(world, rich, { amount: '1001' }),
      refusedWith('300002', ({ details }) => {
        assert.equal(details.denied, 'no-rule')
        assert.match(String(details.reason), /No rule of the policy covers this amount/)
      }),
    )
    await assert.rejects(
      requestWithdrawal(world, rich, { amount: '1001', language: 'zh_CN' }),
      refusedWith('300002', ({ details }) => assert.match(String(details.reason), /没有规则/)),
    )
    assert.deepEqual(await balanceOf(world, rich), { available: 2_000n * ETH, held: 0n })
  })

  it('is refused for what is wrong with it, by its own code', async () => {
    await assert.rejects(
      requestWithdrawal(world, wallet, { amount: '1.0000000000000000001' }),
      refusedWith('110161', ({ details }) => assert.equal(details.decimals, 18)),
    )
    await assert.rejects(requestWithdrawal(world, wallet, { to: wallet.address }), refusedWith('3040006'))
    await assert.rejects(requestWithdrawal(world, wallet, { to: wallet.address.toLowerCase() }), refusedWith('3040006'))
    await assert.rejects(requestWithdrawal(world, wallet, { to: '0x1234' }), refusedWith('110055'))
    await assert.rejects(requestWithdrawal(world, wallet, { symbol: 'DOGE' }), refusedWith('120202'))
    await assert.rejects(
      requestWithdrawal(world, wallet, { maxFee: '0.000000000000000001' }),
      refusedWith('120204', ({ details }) => assert.match(String(details.reason), /the fee can reach .* ETH now/)),
    )
    await assert.rejects(
      requestWithdrawal(world, wallet, { maxFee: '1' }),
      refusedWith('120204', ({ details }) => assert.match(String(details.reason), /20 times the fast fee/)),
    )
    await assert.rejects(requestWithdrawal(world, { ...wallet, subWalletId: wallet.walletId }), refusedWith('200005'))
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
  })

  it('that cannot be built is refused with the true reason in the language of who asks, and holds nothing', async () => {
    world.chain.beforeAnswer = (question) => {
      if (question === 'prepare') throw new BuildError('dust', { kind: 'dust', amount: 100n, least: 294n })
    }
    const before = await orderCount()
    const reasonIn = async (language: 'en_US' | 'zh_CN') => {
      let reason: unknown
      await assert.rejects(
        requestWithdrawal(world, wallet, { language }),
        refusedWith('120204', (error) => void (reason = error.details.reason)),
      )
      return String(reason)
    }
    assert.match(await reasonIn('en_US'), /^0\.0000000000000001 ETH is too little to send .* 0\.000000000000000294 ETH or more/)
    assert.match(await reasonIn('zh_CN'), /低于该地址可接收的最小金额.*0\.000000000000000294 ETH/)
    assert.equal(await orderCount(), before)
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
  })

  it('to another sub-wallet of ours is a payment like any other', async () => {
    const other = await makeWallet(world)
    assert.equal((await requestWithdrawal(world, wallet, { to: other.address, ack: '' })).order.state, 'approving')
  })
})

describe('a destination', () => {
  const lookalike = `${STRANGER.slice(0, 8)}${'0'.repeat(30)}${STRANGER.slice(-4)}`.toLowerCase()

  it('that was never paid before must be acknowledged', async () => {
    const fresh = `0x${'ab'.repeat(20)}`
    await assert.rejects(
      requestWithdrawal(world, wallet, { to: fresh, ack: '' }),
      refusedWith('300005', ({ details }) => assert.deepEqual(details.warnings, ['first_seen'])),
    )
    assert.equal((await requestWithdrawal(world, wallet, { to: fresh, ack: 'first_seen' })).fresh, true)
  })

  it('that is a contract must be acknowledged as one, and as one of the policy if that names it', async () => {
    await assert.rejects(
      requestWithdrawal(world, wallet, { to: TOKEN, ack: 'first_seen,contract' }),
      refusedWith('300005', ({ details }) => assert.deepEqual(details.warnings, ['policy_contract'])),
    )
    assert.equal((await requestWithdrawal(world, wallet, { to: TOKEN, ack: 'first_seen,policy_contract' })).fresh, true)
  })

  it('that nobody could ever spend from is refused, whatever was acknowledged, and so is the contract of the very token', async () => {
    const ack = 'first_seen,contract,policy_contract'
    const lost = [`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dEaD', `0x${'0'.repeat(38)}0a`]
    for (const to of lost)
      await assert.rejects(
        requestWithdrawal(world, wallet, { to, ack }),
        refusedWith('300002', ({ details }) => assert.equal(details.denied, 'dead-destination')),
        to,
      )
    await assert.rejects(
      requestWithdrawal(world, wallet, { to: TOKEN, symbol: 'USDC', amount: '1', ack }),
      refusedWith('300002', ({ details }) => assert.equal(details.denied, 'own-contract')),
    )
  })

  it('that begins and ends like one paid before, but is another, must be acknowledged letter by letter', async () => {
    const { order } = await requestWithdrawal(world, wallet, { to: STRANGER })
    await assert.rejects(
      requestWithdrawal(world, wallet, { to: lookalike, ack: '' }),
      refusedWith('300005', ({ details }) => assert.deepEqual(details.warnings, ['first_seen'])),
      'a draft teaches nothing',
    )
    await approve(world, order.row.id, world.members[1], world.members[2])
    const { signOrder } = await import('../../transfer/server/signing/sign-order.ts')
    await signOrder(world.context, world.orgId, order.row.id)
    await assert.rejects(
      requestWithdrawal(world, wallet, { to: lookalike, ack: 'first_seen' }),
      refusedWith('300005', ({ details }) => {
        assert.deepEqual(details.warnings, ['lookalike'])
        assert.deepEqual(details.similar_to, [{ address: STRANGER, kind: 'paid_before' }])
      }),
    )
    const likeOurs = `${wallet.address.slice(0, 6)}${'7'.repeat(32)}${wallet.address.slice(-4)}`.toLowerCase()
    await assert.rejects(
      requestWithdrawal(world, wallet, { to: likeOurs, ack: 'first_seen' }),
      refusedWith('300005', ({ details }) => assert.deepEqual(details.similar_to, [{ address: wallet.address, kind: 'own' }])),
    )
    assert.equal((await requestWithdrawal(world, wallet, { to: STRANGER, ack: '' })).fresh, true)
  })
})

describe('an order that waits for approval', () => {
  const cancel = (orderId: string, by = world.members[0]) =>
    world.db.asOrganisation(world.orgId, (tx) => cancelWithdrawal(tx, world.context, { orderId, requesterId: by.id, remark: 'wrong invoice' }))

  it('is requested and taken back with few queries while others wait, and none to its node', async (t) => {
    const asked: string[] = []
    const own = await openWorld({ onQuestion: (text) => asked.push(text) })
    t.after(() => own.close())
    const paying = await makeWallet(own)
    await fund(own, paying, 10n * ETH)
    await requestWithdrawal(own, paying)
    own.chain.beforeAnswer = (question) => asked.push(`node: ${question}`)
    const heard = async <T>(act: Promise<T>) => {
      asked.length = 0
      const result = await act
      const from = asked.findIndex((text) => /from "?sub_wallet"?.*for no key update/.test(text))
      assert.ok(from !== -1, 'nothing was locked')
      return {
        result,
        all: asked.length,
        waited: asked.slice(from, asked.indexOf('commit', from) + 1),
        nodes: asked.filter((text) => text.startsWith('node: ')),
      }
    }
    const made = await heard(requestWithdrawal(own, paying))
    assert.deepEqual(made.nodes.toSorted(), ['node: estimateFee', 'node: isContract', 'node: prepare'])
    const orderId = made.result.order.row.id
    const taken = await heard(
      own.db.asOrganisation(own.orgId, (tx) => cancelWithdrawal(tx, own.context, { orderId, requesterId: own.members[0].id, remark: '' })),
    )
    for (const [{ waited, all }, waitedMost, most] of [
      [made, 6, 35],
      [taken, 9, 17],
    ] as const) {
      assert.ok(waited.length <= waitedMost && all <= most, `${waited.length} of ${all}:\n${waited.join('\n')}`)
      assert.deepEqual(
        waited.filter((text) => text.startsWith('node: ')),
        [],
      )
    }
  })

  it('can be taken back by its requester: its funds are free, and the log has it', async () => {
    const { order } = await requestWithdrawal(world, wallet)
    assert.equal((await cancel(order.row.id)).state, 'cancelled')
    assert.equal((await cancel(order.row.id)).state, 'cancelled')
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
    await assert.rejects(approve(world, order.row.id, world.members[1]), refusedWith('300013'))
  })

  it('cannot be taken back by others, nor once its signers were told to begin', async () => {
    const { order } = await requestWithdrawal(world, wallet)
    await assert.rejects(cancel(order.row.id, world.members[1]), refusedWith('110249'))
    await approve(world, order.row.id, world.members[1], world.members[2])
    await assert.rejects(cancel(order.row.id, world.members[1]), refusedWith('110249'))
    world.signers.afterSession = () => {
      throw new Error('the answer was lost')
    }
    assert.equal(await signOrder(world.context, world.orgId, order.row.id), 'wait')
    await assert.rejects(cancel(order.row.id), refusedWith('300013'))
    const { state } = await orderOf(world, order.row.id)
    assert.equal(state, 'signing')
    assert.equal((await money()).held, ETH + FEE_CAP)
  })

  it('can be taken back although people have approved it, if its bytes cannot be made: its funds and its nonce are free', async () => {
    const { order } = await requestWithdrawal(world, wallet)
    const { id } = order.row
    await approve(world, id, world.members[1], world.members[2])
    world.chain.beforeAnswer = (question) => {
      if (question === 'prepare') throw new BuildError('the fee is too high', { kind: 'fee_cap', cap: FEE_CAP, needed: 2n * FEE_CAP })
    }
    assert.equal(await signOrder(world.context, world.orgId, id), 'wait')
    const { row } = await orderOf(world, id)
    assert.deepEqual([row.sub_status, (row.obstacle as { kind: string }).kind], ['build_failed', 'fee_cap'])
    assert.equal((await cancel(id)).state, 'cancelled')
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
    assert.equal(await signOrder(world.context, world.orgId, id), 'ended')
    world.chain.resetScript()
    const next = (await requestWithdrawal(world, wallet)).order.row.id
    await approve(world, next, world.members[1], world.members[2])
    assert.equal(await signOrder(world.context, world.orgId, next), 'signed')
  })

  it('can be taken back while its signers join: then they do not begin, and the next order has its nonce', async () => {
    const { order } = await requestWithdrawal(world, wallet)
    const { id } = order.row
    await approve(world, id, world.members[1], world.members[2])
    world.signers.beforeSession = async () => void (await cancel(id))
    assert.notEqual(await signOrder(world.context, world.orgId, id), 'signed')
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.txid], ['cancelled', null])
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
    world.signers.resetScript()
    const next = (await requestWithdrawal(world, wallet)).order.row.id
    await approve(world, next, world.members[1], world.members[2])
    assert.equal(await signOrder(world.context, world.orgId, next), 'signed', 'its nonce is free')
  })
})
