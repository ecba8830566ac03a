import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError, type Endpoint, formEncode, type Language, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { listTodo } from '@holdfast/features/proposal/contract'
import { proposalEndpoints } from '@holdfast/features/proposal/server'
import * as addresses from '@holdfast/features/deposit-address/contract'
import { depositAddressEndpoints } from '@holdfast/features/deposit-address/server'
import { getRecoveryKit, listKeys } from '@holdfast/features/key-recovery/contract'
import { keyRecoveryEndpoints } from '@holdfast/features/key-recovery/server'
import * as wallets from '@holdfast/features/wallet/contract'
import { walletEndpoints } from '@holdfast/features/wallet/server'
import * as withdrawals from '@holdfast/features/withdrawal/contract'
import { withdrawalEndpoints } from '@holdfast/features/withdrawal/server'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { newId, parseAmount } from '@holdfast/units'
import { getDeposit, getWithdrawal, listTransactions } from '../contract.ts'
import { getEvidence } from '../../evidence/contract.ts'
import { cancelWithdrawal, getSpeedUp, resumeWithdrawal, speedUp } from '../../transfer/contract.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { transferEndpoints } from '../../transfer/server/routes.ts'
import { transactionEndpoints } from './routes.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { proposals } from '../../../apps/server/src/features.ts'
import { CHAIN, REAL_FEE, TOKEN } from '../../testing/scripted-chain.ts'
import { approve, requestWithdrawal, ETH, fund, makeWallet, openWorld, scan, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'

let world: World
let wallet: Wallet
let endpoints: HandledEndpoint[]
let paidId: string
let openId: string

before(async () => {
  world = await openWorld()
  const { context } = world
  endpoints = [
    ...transactionEndpoints(context),
    ...transferEndpoints(context),
    ...depositAddressEndpoints(context),
    ...walletEndpoints(context),
    ...withdrawalEndpoints(context),
    ...proposalEndpoints(context, proposals),
    ...keyRecoveryEndpoints(context, { demandSecondFactorWhereSet: async () => {} }),
  ]
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  await fund(world, wallet, 5_000_000n, TOKEN)
  paidId = (await requestWithdrawal(world, wallet, { amount: '2.5', remark: 'rent of March', requestId: 'the-rent-of-march' })).order.row.id
  await approve(world, paidId, world.members[1], world.members[2])
  await signOrder(context, world.orgId, paidId)
  await broadcastOrder(context, world.orgId, paidId)
  world.chain.mine(3)
  await scan(world)
  openId = (await requestWithdrawal(world, wallet, { amount: '1' })).order.row.id
})
after(() => world.close())

/** Calls an endpoint as the request layer does: input from form text, reply checked against the contract. */
async function call<E extends Endpoint>(
  endpoint: E,
  input: Record<string, unknown>,
  who: { member?: number; language?: Language; orgId?: string } = {},
): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)
  assert.ok(handled, `${endpoint.path} is not served`)
  const context = {
    orgId: who.orgId ?? world.orgId,
    personId: world.members[who.member ?? 0]!.id,
    language: who.language ?? 'en_US',
    ports: world.context.ports,
  } as unknown as MemberContext
  const parsed = readInput(endpoint, parseForm(formEncode(input)))
  return endpoint.output.parse(await handled.handler(context, parsed as never)) as OutputOf<E>
}

describe('the list of transactions', () => {
  it('shows payments and deposits together, newest first, a page at a time', async () => {
    const all = await call(listTransactions, {})
    assert.deepEqual(
      all.list.map((each) => [each.type, each.symbol, each.amount, each.status]),
      [
        ['withdraw', 'ETH', '1', 1000],
        ['withdraw', 'ETH', '2.5', 2000],
        ['deposit', 'USDC', '5', 2000],
        ['deposit', 'ETH', '10', 2000],
      ],
    )
    const pages = await Promise.all([1, 2, 3].map((page_no) => call(listTransactions, { page_no, page_size: 2 })))
    assert.deepEqual(
      pages.map((page) => [page.list.length, page.pageTotal, page.has_more]),
      [
        [2, 4, true],
        [2, 4, false],
        [0, 4, false],
      ],
    )
    assert.deepEqual(
      pages.flatMap((page) => page.list.map((each) => each.id)),
      all.list.map((each) => each.id),
    )
  })

  it('can be narrowed by every filter, and a sign of the search is only a sign', async () => {
    const count = async (filter: Record<string, unknown>) => (await call(listTransactions, filter)).pageTotal
    assert.equal(await count({ type: 'deposit' }), 2)
    assert.equal(await count({ symbol: 'USDC' }), 1)
    assert.equal(await count({ status: 2000 }), 3)
    assert.equal(await count({ status: 1000 }), 1)
    assert.equal(await count({ status: 1234 }), 0)
    assert.equal(await count({ keyword: 'of march' }), 1)
    assert.equal(await count({ keyword: STRANGER.slice(4, 20).toLowerCase() }), 2)
    assert.equal(await count({ keyword: '%' }), 0)
    assert.equal(await count({ keyword: '_' }), 0)
    assert.equal(await count({ wallet_id: wallet.walletId }), 4)
    assert.equal(await count({ sub_wallet_id: wallet.walletId }), 0)
    assert.equal(await count({ start_time: Date.now() + 1000 }), 0)
  })

  it('tells of a deposit that only moved to another block once', async () => {
    const other = await makeWallet(world)
    world.chain.give(other.address, ETH)
    world.chain.mine()
    await scan(world)
    world.chain.reorganise(1)
    world.chain.mine(2)
    await scan(world)
    assert.deepEqual(
      (await call(listTransactions, { sub_wallet_id: other.subWalletId })).list.map((each) => [each.sub_status, each.confirmations, each.need_confirmations]),
      [['confirming', 1, 2]],
    )
    world.chain.reorganise(2, { dropGifts: true })
    world.chain.mine(3)
    await scan(world)
    const [gone] = (await call(listTransactions, { sub_wallet_id: other.subWalletId })).list
    assert.deepEqual([gone!.status, gone!.sub_status], [3000, 'reorged'])
    assert.equal((await call(getDeposit, { id: gone!.id })).timeline.at(-1)!.state, 'reversed')
  })
})

describe('a payment in detail', () => {
  it('says who was to approve, who did, what it cost and where it stands', async () => {
    const detail = await call(getWithdrawal, { id: paidId })
    assert.deepEqual(
      [detail.status, detail.request_id, detail.nonce, detail.remark, detail.rule_id, detail.has_evidence],
      [2000, 'the-rent-of-march', '0', 'rent of March', 'payments', true],
    )
    assert.equal(detail.real_fee, `0.${String(REAL_FEE).padStart(18, '0').replace(/0+$/, '')}`)
    assert.deepEqual(
      detail.approvers.map((each) => [each.name, each.state]),
      [
        ['Ben', 'approved'],
        ['Cleo', 'approved'],
      ],
    )
    assert.deepEqual(detail.next_action, { action: 'none', who: [], text: '' })
    assert.deepEqual(
      detail.timeline.map((each) => each.at),
      detail.timeline.map((each) => each.at).toSorted((a, b) => a - b),
    )
    assert.ok(detail.timeline.some((each) => each.actor === 'Ann') && detail.timeline.some((each) => each.actor === 'chain'))
  })

  it('answers "why does it wait?" in the caller\'s language', async () => {
    assert.equal((await call(getWithdrawal, { id: openId })).next_action.text, 'Needs 2 more approvals from: Ben, Cleo.')
    assert.equal((await call(getWithdrawal, { id: openId }, { language: 'zh_CN' })).next_action.text, '还需 2 人审批，可审批人：Ben、Cleo。')
  })

  it('comes with its evidence, and says so where there is none', async () => {
    assert.ok((await call(getEvidence, { id: paidId })).bundle.length > 100)
    await assert.rejects(call(getEvidence, { id: openId }), (error) => error instanceof AppError && error.code === '300014')
  })

  it('does not exist for another organisation', async () => {
    const other = await openWorld()
    await other.close()
    for (const [endpoint, input] of [
      [getWithdrawal, { id: paidId }],
      [getEvidence, { id: paidId }],
    ] as const) {
      await assert.rejects(call<Endpoint>(endpoint, input, { orgId: other.orgId }), (error) => error instanceof AppError && error.code === '210003')
    }
    assert.equal((await call(listTransactions, {}, { orgId: other.orgId })).pageTotal, 0)
  })
})

describe('the calls of wallets, payments and approvals', () => {
  it('answer in the shape of their contract', async () => {
    const { subWalletId: sub_wallet_id, walletId: wallet_id } = wallet
    const { wallet_list, stat } = await call(wallets.listWallets, { need_stat: 1 })
    assert.equal(wallet_list[0]!.wallet_id, wallet_id)
    assert.deepEqual(
      stat!.by_coin.map((each) => each.symbol),
      ['ETH', 'USDC'],
    )
    assert.equal((await call(wallets.getWalletProgress, { wallet_id })).state, 'ready')
    assert.equal((await call(wallets.listSubWallets, { wallet_id, keyword: 'mai' })).pageTotal, 1)
    assert.equal((await call(wallets.listAllSubWallets, { wallet_id })).length, 1)
    const coins = (await call(wallets.listCoinAssets, { sub_wallet_id })).list
    assert.deepEqual(
      coins.map((each) => [each.symbol, each.lock_balance !== '0', each.enable_deposit, each.enable_withdraw]),
      [
        ['ETH', true, false, true],
        ['USDC', false, false, true],
      ],
    )
    assert.equal((await call(addresses.getDepositAddress, { sub_wallet_id, chain: CHAIN, symbol: 'ETH' })).address, null)
    assert.equal((await call(getRecoveryKit, { wallet_id })).state, 'written')
    const limits = await call(withdrawals.checkLimits, { sub_wallet_id, chain: CHAIN, symbol: 'ETH', amount: '0.5' })
    assert.deepEqual([limits.allowed, limits.rule_id, limits.window, limits.min_withdraw], [true, 'payments', null, '0.000000000000000001'])
    assert.equal((await call(withdrawals.checkLimits, { sub_wallet_id, chain: CHAIN, symbol: 'ETH', amount: '1000000' })).allowed, false)
    const known = await call(withdrawals.checkAddress, { sub_wallet_id, chain: CHAIN, address: STRANGER.toLowerCase() })
    assert.deepEqual([known.canonical, known.first_seen], [STRANGER, false])
    assert.equal((await call(withdrawals.checkAddress, { sub_wallet_id, chain: CHAIN, address: 'nonsense' })).valid, false)
    const turned = [...known.canonical!].map((letter, i) => (i === known.canonical!.search(/[a-f]/) ? letter.toUpperCase() : letter)).join('')
    const { valid, checksum_at: places } = await call(withdrawals.checkAddress, { sub_wallet_id, chain: CHAIN, address: turned })
    assert.deepEqual([valid, places, known.checksum_at], [false, [known.canonical!.search(/[a-f]/)], []])
    const burned = await call(withdrawals.checkAddress, { sub_wallet_id, chain: CHAIN, address: '0x000000000000000000000000000000000000dead' })
    assert.deepEqual([burned.valid, burned.is_lost], [false, true])
    assert.match(burned.reason ?? '', /lost for good/)
    const gas = await call(withdrawals.estimateGas, { sub_wallet_id, chain: CHAIN, symbol: 'ETH', to: STRANGER, amount: '1' })
    assert.deepEqual(
      gas.tiers.map((each) => each.tier),
      ['economy', 'normal', 'fast'],
    )
    const asked = { sub_wallet_id, chain: CHAIN, to: STRANGER, amount: '1', gross: '1' as const }
    const within = await call(withdrawals.estimateGas, { ...asked, symbol: 'ETH' })
    const units = (text: string | null) => parseAmount(text ?? '', 18)
    assert.deepEqual([within.cap_min, units(within.cap_max)], [within.tiers[0]!.fee, 20n * units(within.tiers[2]!.fee)])
    assert.equal(units(within.max_gross) - units(within.max_withdraw), units(within.tiers[1]!.fee))
    await assert.rejects(call(withdrawals.estimateGas, { ...asked, symbol: 'USDC' }), { errorName: 'invalid_parameters' })
    assert.equal((await call(withdrawals.estimateGas, { ...asked, symbol: 'USDC', gross: '0' })).max_gross, null)
    assert.equal((await call(listTodo, { state: 'wait' }, { member: 1 })).counts.wait, 1)
    const labelledAs = (category: string) =>
      call(withdrawals.createWithdrawal, {
        request_id: 'one-more-request',
        sub_wallet_id,
        chain: CHAIN,
        symbol: 'USDC',
        address_to: STRANGER,
        amount: '1.5',
        max_fee: '0.000000000001',
        category,
        tags: ['monthly'],
      })
    const made = await labelledAs('Rent')
    const found = await call(getWithdrawal, { id: made.withdraw_id })
    assert.deepEqual([found.category, found.tags, found.note], ['Rent', ['monthly'], ''])
    assert.equal((await labelledAs('Rent')).idempotent, true)
    await assert.rejects(labelledAs('Travel'), { code: '110088' })
    assert.deepEqual([made.status, made.idempotent], [1000, false])
    assert.equal((await call(cancelWithdrawal, { withdraw_id: made.withdraw_id, remark: 'not yet' })).status, 2202)
    assert.equal((await call(wallets.createWallet, { request_id: 'a-wallet-request', wallet_name: 'Second' })).idempotent, false)
    assert.equal((await call(wallets.createSubWallet, { request_id: 'a-sub-wallet-request', wallet_id, sub_wallet_name: 'Payroll' })).idempotent, false)
    await call(wallets.updateAlias, { wallet_id, alias: 'Vault' })
    assert.equal((await call(wallets.listWallets, {})).wallet_list[0]!.alias, 'Vault')
  })

  it('name a wallet and a sub-wallet in every row, by their aliases where they have some', async () => {
    const { walletId: wallet_id, subWalletId: sub_wallet_id } = wallet
    const names = async () => {
      const rows = [
        ...(await call(listTransactions, { sub_wallet_id })).list,
        await call(getWithdrawal, { id: paidId }),
        ...(await call(listTodo, { state: 'wait' }, { member: 1 })).list.flatMap((item) =>
          'sub_wallet_id' in item && item.sub_wallet_id === sub_wallet_id ? item : [],
        ),
        (await call(withdrawals.checkAddress, { sub_wallet_id, chain: CHAIN, address: wallet.address })).own!,
      ]
      return [...new Set(rows.map((row) => `${row.wallet_name} / ${row.sub_wallet_name}`))]
    }
    const keyNames = async () => (await call(listKeys, { wallet_id })).list.map((each) => each.wallet_name)
    await call(wallets.updateAlias, { wallet_id, alias: '' })
    assert.deepEqual([await names(), await keyNames()], [['Treasury / Main'], ['Treasury']])
    await call(wallets.updateAlias, { wallet_id, alias: 'Vault' })
    await call(wallets.updateAlias, { wallet_id, sub_wallet_id, alias: 'Daily' })
    assert.deepEqual([await names(), await keyNames()], [['Vault / Daily'], ['Vault']])
    const [deposit] = (await call(listTransactions, { sub_wallet_id, type: 'deposit' })).list
    assert.equal(deposit!.to_label, 'Vault / Daily')
    await call(wallets.updateAlias, { wallet_id, sub_wallet_id, alias: '' })
    assert.deepEqual(await names(), ['Vault / Main'])
  })
})

describe('the calls that speed a payment up', () => {
  const cap = '0.000000000001'
  const asked = (trans_id: string, given: Record<string, unknown> = {}) => ({ request_id: `faster-${trans_id}`, trans_id, max_fee: cap, ...given })
  const refusedAs = (code: string, reason?: RegExp) => (error: unknown) =>
    error instanceof AppError && error.code === code && (reason?.test(String(error.details.reason)) ?? true)

  async function waitingId(): Promise<string> {
    const { id } = (await requestWithdrawal(world, wallet, { amount: '0.1' })).order.row
    await approve(world, id, world.members[1], world.members[2])
    await signOrder(world.context, world.orgId, id)
    await broadcastOrder(world.context, world.orgId, id)
    return id
  }

  it('are for those who may order payments', () => {
    assert.deepEqual([getSpeedUp.permission, speedUp.permission], ['withdraw.create', 'withdraw.create'])
  })

  it('pay a higher fee at once within the cap, once for each request, and one at a time', async () => {
    const id = await waitingId()
    const info = await call(getSpeedUp, { trans_id: id })
    assert.deepEqual([info.can, info.reason, info.method, info.cancel_supported, info.in_time], [true, null, 'nonce', true, true])
    assert.deepEqual([info.cap, info.old!.txid], [cap, (await call(getWithdrawal, { id })).txid])
    const made = await call(speedUp, asked(id), { member: 1 })
    assert.deepEqual(made, { new_trans_id: id, needs_approval: false, approval_url: null, status: 1200, sub_status: 'speeding_up' })
    assert.deepEqual(await call(speedUp, asked(id), { member: 1 }), made)
    await assert.rejects(call(speedUp, asked(id, { tier: 'normal' }), { member: 1 }), refusedAs('110088'), 'the same request for something else')
    await assert.rejects(call(speedUp, asked(id, { request_id: 'another-one' })), refusedAs('300075'))
    assert.equal((await call(getSpeedUp, { trans_id: id })).reason, 'being_replaced')
    assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
    assert.deepEqual(
      (await call(getWithdrawal, { id })).speed_up_history.map(({ state, by }) => [state, by]),
      [
        ['replaced', null],
        ['sent', 'Ben'],
      ],
    )
  })

  it('open an order for people to approve where the cap is too low, or where the payment is to be cancelled', async () => {
    for (const more of [{ max_fee: '0.000000000002' }, { cancel: '1' }]) {
      const id = await waitingId()
      const made = await call(speedUp, asked(id, more))
      assert.deepEqual([made.needs_approval, made.status, made.sub_status, made.new_trans_id === id], [true, 1000, 'approving', false])
      assert.ok(made.approval_url!.startsWith(world.context.settings.approvalOrigin))
      const { purpose, replaces } = await call(getWithdrawal, { id: made.new_trans_id })
      assert.deepEqual([purpose, replaces], ['cancel' in more ? 'cancel' : 'speed_up', id])
      assert.deepEqual(await call(speedUp, asked(id, more)), made)
      assert.equal((await call(getSpeedUp, { trans_id: made.new_trans_id })).reason, 'is_replacement')
      await assert.rejects(call(speedUp, asked(made.new_trans_id), { language: 'zh_CN' }), refusedAs('300076', /针对另一笔付款/))
      await call(cancelWithdrawal, { withdraw_id: made.new_trans_id, remark: '' })
      assert.equal((await call(getSpeedUp, { trans_id: id })).can, true)
    }
  })

  it('need an approval again where that of the payment has expired', async () => {
    const id = await waitingId()
    world.clock.aheadMs += 25 * 3_600_000
    const info = await call(getSpeedUp, { trans_id: id })
    assert.deepEqual([info.in_time, info.tiers.every((each) => each.needs_approval)], [false, true])
    assert.equal((await call(speedUp, asked(id))).needs_approval, true)
    world.clock.aheadMs -= 25 * 3_600_000
  })

  it('refuse with the reason what waits for no block, and tell another organisation nothing', async () => {
    const reasonOf = async (trans_id: string) => (await call(getSpeedUp, { trans_id })).reason
    assert.deepEqual([await reasonOf(paidId), await reasonOf(openId)], ['not_on_its_way', 'not_on_its_way'])
    for (const id of [paidId, openId]) await assert.rejects(call(speedUp, asked(id)), refusedAs('300076', /not on its way/))
    const id = await waitingId()
    world.chain.mine()
    await scan(world)
    assert.equal(await reasonOf(id), 'in_block')
    await assert.rejects(call(speedUp, asked(id, { cancel: '1' })), refusedAs('300076', /a block holds it/))
    const orgId = newId(1, world.context.ports.random)
    await assert.rejects(call(getSpeedUp, { trans_id: id }, { orgId }), refusedAs('210003'))
    await assert.rejects(call(speedUp, asked(id), { orgId }), refusedAs('210003'))
    world.network.node = { ...world.chain.node, prepareCancel: undefined }
    const other = await waitingId()
    assert.equal(await reasonOf(other), 'not_supported')
    await assert.rejects(call(speedUp, asked(other)), refusedAs('300076', /replaces nothing/))
    world.network.node = world.chain.node
  })
})

describe('an alarm', () => {
  const alarmed = async (expireHours: number) => {
    const { id } = (await requestWithdrawal(world, wallet, { amount: '0.1', expireHours })).order.row
    await approve(world, id, world.members[1], world.members[2])
    world.signers.beforeSession = (request) => {
      world.signers.beforeSession = () => {}
      throw Object.assign(world.signers.refusal(request, 1, 'c15', 'party 2 cheated'), { kind: 'cheat' })
    }
    assert.equal(await signOrder(world.context, world.orgId, id), 'ended')
    return id
  }

  it('is taken back by a person who looked, and the same bytes go before the signers again', async () => {
    const id = await alarmed(24)
    assert.equal((await call(getWithdrawal, { id })).sub_status, 'cheat_detected')
    const before = world.signers.requests.at(-1)
    assert.deepEqual(await call(resumeWithdrawal, { id }, { member: 2 }), { status: 1100, sub_status: 'signing' })
    assert.deepEqual(await call(resumeWithdrawal, { id }, { member: 2 }), { status: 1100, sub_status: 'signing' })
    assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
    const after = world.signers.requests.at(-1)
    assert.ok(before?.kind === 'sign' && after?.kind === 'sign')
    assert.deepEqual(after.unsigned, before.unsigned)
    assert.deepEqual((await call(getWithdrawal, { id })).timeline.filter((each) => each.actor === 'Cleo' && each.state === 'signing').length, 1)
  })

  it('cannot be taken back where there is none, where nobody may know of it, and where no signer would sign any more', async () => {
    await assert.rejects(call(resumeWithdrawal, { id: paidId }), { code: '300013' })
    await assert.rejects(call(resumeWithdrawal, { id: wallet.walletId }), { code: '210003' })
    const id = await alarmed(1)
    await assert.rejects(call(resumeWithdrawal, { id }, { orgId: newId(1, world.context.ports.random) }), { code: '210003' })
    world.clock.aheadMs += 3_600_001
    await assert.rejects(call(resumeWithdrawal, { id }), { code: '300041' })
  })
})
