import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { networkEndpoints } from '@holdfast/features/network/server'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { sql } from 'kysely'
import { CHAIN, TOKEN } from '../../testing/scripted-chain.ts'
import { requestWithdrawal, ETH, fund, makeWallet, openWorld, scan, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'
import * as addresses from '../../deposit-address/contract.ts'
import { depositAddressEndpoints } from '../../deposit-address/server/routes.ts'
import * as contract from '../contract.ts'
import { walletEndpoints } from './routes.ts'

const HOUR_MS = 3_600_000
const SPAM = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

let world: World
let wallet: Wallet
let endpoints: HandledEndpoint[]

before(async () => {
  world = await openWorld()
  endpoints = [...walletEndpoints(world.context), ...depositAddressEndpoints(world.context), ...networkEndpoints(world.context)]
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  await requestWithdrawal(world, wallet, { amount: '2.5' })
})
after(() => world.close())

async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, member = 0): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)
  assert.ok(handled, `${endpoint.path} is not served`)
  const context = { orgId: world.orgId, personId: world.members[member]!.id, language: 'en_US' } as unknown as MemberContext
  const fields = readInput(endpoint, parseForm(formEncode(input)))
  return endpoint.output.parse(await handled.handler(context, fields as never)) as OutputOf<E>
}

/** Sets the prices of coins, by age in hours. */
async function quote(contractOf: string | null, prices: Record<number, bigint>): Promise<void> {
  const nowMs = world.context.ports.clock.nowMs()
  const rows = Object.entries(prices).map(([hours, price]) => ({
    chain: CHAIN,
    contract: contractOf ?? '',
    currency: 'usd',
    quoted_at: nowMs - Number(hours) * HOUR_MS - 1,
    price: price * 10n ** 24n,
    source: 'Test feed',
  }))
  await world.db.asSystem((tx) => tx.insertInto('asset_price').values(rows).execute())
}
const forgetPrices = async () => {
  await world.db.asSystem((tx) => sql`delete from asset_price`.execute(tx))
  letPricesAge()
}
/** Prices are remembered for a second. */
const letPricesAge = () => void (world.clock.aheadMs += 1_000)
const refused = (code: string) => (cause: { code?: string }) => cause.code === code

/** Deposits are open once a drill has shown that the kit works. */
async function proveRecovery({ walletId }: Wallet): Promise<void> {
  const nowMs = world.context.ports.clock.nowMs()
  await world.db.asOrganisation(world.orgId, async (tx) => {
    const { key_id } = await tx.selectFrom('key_of_wallet').select('key_id').where('wallet_id', '=', walletId).executeTakeFirstOrThrow()
    await tx
      .updateTable('recovery_kit')
      .set({ drill: new Uint8Array([1]), verified_at: nowMs })
      .where('key_id', '=', key_id)
      .execute()
  })
}

test('without a price holdings have no value: unknown, and not zero', async () => {
  await forgetPrices()
  const { stat, wallet_list } = await call(contract.listWallets, { need_stat: 1 })
  assert.deepEqual([wallet_list[0]!.usd_balance, stat!.usd_balance, stat!.usd_24h_change, stat!.by_coin[0]!.usd], [null, null, null, null])
  const empty = await makeWallet(world, 'Empty')
  const { wallet_list: both } = await call(contract.listWallets, {})
  assert.equal(both.find((each) => each.wallet_id === empty.walletId)!.usd_balance, '0')
  const { points } = await call(contract.getBalanceHistory, { range: '24h' })
  assert.equal(points.at(-1)!.usd, null)
})

test('a value counts the available and the held amounts, at the newest price', async () => {
  await forgetPrices()
  await quote(null, { 0: 2_000n, 24: 1_600n })
  const { stat } = await call(contract.listWallets, { need_stat: 1 })
  assert.deepEqual([stat!.usd_balance, stat!.usd_24h_change, stat!.usd_24h_change_pct, stat!.usd_partial], ['20000', '4000', '25.00', false])
  assert.deepEqual(
    [stat!.by_coin[0]!.pct, stat!.by_coin[0]!.price, stat!.by_coin[0]!.price_change, stat!.price_source],
    ['100.00', '2000', '25.00', 'Test feed'],
  )
  const coins = await call(contract.listCoinAssets, { sub_wallet_id: wallet.subWalletId })
  const ether = coins.list.find((each) => each.symbol === 'ETH')!
  assert.deepEqual([coins.usd_balance, ether.usd, ether.normal_balance.startsWith('7.4'), ether.token_standard], ['20000', '20000', true, 'native'])
  const [balance] = await call(contract.listSubWalletBalances, { wallet_id: wallet.walletId })
  assert.equal(balance!.usd_balance, '20000')
})

test('values and their change are in the requested currency, and unknown if that has no rate', async () => {
  await forgetPrices()
  await quote(null, { 0: 2_000n, 24: 1_600n })
  const stat = async (fiat: 'EUR' | 'GBP') => (await call(contract.listWallets, { need_stat: 1, fiat })).stat!
  await world.db.asSystem((tx) => {
    const nowMs = world.context.ports.clock.nowMs()
    const euro = { chain: 'iso4217:EUR', contract: '', currency: 'usd', source: 'Test feed' }
    const rates = [
      { ...euro, quoted_at: nowMs - 1, price: 2n * 10n ** 24n },
      { ...euro, quoted_at: nowMs - 24 * HOUR_MS - 1, price: 10n ** 24n },
    ]
    return tx.insertInto('asset_price').values(rates).execute()
  })
  const { usd_balance, usd_24h_change_pct, by_coin } = await stat('EUR')
  assert.deepEqual([usd_balance, usd_24h_change_pct, by_coin[0]!.price, by_coin[0]!.price_change], ['10000', '-37.50', '1000', '-37.50'])
  assert.deepEqual([(await stat('GBP')).usd_balance, (await stat('GBP')).price_source], [null, null])
  assert.equal((await call(contract.getBalanceHistory, { range: '24h', fiat: 'EUR' })).points.at(-1)!.usd, '10000')
})

test('if only some prices are known, the value says that it is partial', async () => {
  const other = await makeWallet(world, 'Mixed')
  await fund(world, other, ETH)
  await fund(world, other, 5_000_000n, TOKEN)
  const row = async () => (await call(contract.listWallets, { need_stat: 1 })).wallet_list.find((each) => each.wallet_id === other.walletId)!
  assert.deepEqual([(await row()).usd_balance, (await row()).usd_partial], ['2000', true])
  assert.equal((await call(contract.listWallets, { need_stat: 1 })).stat!.usd_24h_change, null)
  await quote(TOKEN, { 0: 1n })
  letPricesAge()
  assert.deepEqual([(await row()).usd_balance, (await row()).usd_partial], ['2005', false])
})

test('the value over time is what the ledger held at each moment, at the price of that moment', async () => {
  await forgetPrices()
  const later = await makeWallet(world, 'Later')
  await quote(null, { 0: 2_000n, 3: 1_000n, 5: 500n })
  world.clock.aheadMs -= 4 * HOUR_MS
  await fund(world, later, 2n * ETH)
  world.clock.aheadMs += 4 * HOUR_MS
  await fund(world, later, ETH)
  const { points } = await call(contract.getBalanceHistory, { wallet_id: later.walletId, range: '24h' })
  assert.equal(points.length, 49)
  const values = points.map((each) => each.usd)
  assert.equal(values.at(-1), '6000')
  // Five hours ago the holdings were zero: worth zero, whatever the price. Just after the first deposit they were two coins, at the price of then.
  assert.equal(values[0], '0')
  assert.ok(values.includes('1000'), values.join())
  assert.ok(values.includes('2000'), values.join())
  assert.equal((await call(contract.getBalanceHistory, { sub_wallet_id: later.subWalletId, range: '90d' })).points.at(-1)!.usd, '6000')
})

test('sub-wallets are found by name and alias, hidden ones apart, and a pin is the person’s own', async () => {
  const { walletId: wallet_id, subWalletId } = wallet
  const made = await Promise.all(
    ['Payroll', 'Market making'].map((name, i) => call(contract.createSubWallet, { request_id: `sub-wallet-${i}-of-test`, wallet_id, sub_wallet_name: name })),
  )
  const [payroll, market] = made.map((each) => each.sub_wallet_id)
  await call(contract.updateAlias, { wallet_id, sub_wallet_id: market!, alias: '做市' })
  const names = async (input: object) => (await call(contract.listSubWallets, { wallet_id, ...input })).sub_wallet_list.map((each) => each.sub_wallet_name)
  assert.deepEqual((await names({ keyword: 'pay' })).sort(), ['Payroll'])
  assert.deepEqual(await names({ keyword: '做' }), ['Market making'])
  assert.deepEqual(await names({ keyword: '%' }), [])
  await call(contract.updateShowStatus, { wallet_id, sub_wallet_ids: [payroll!], app_show_status: 2 })
  assert.ok(!(await names({ app_show_status: 1 })).includes('Payroll'))
  assert.deepEqual(await names({ app_show_status: 2 }), ['Payroll'])
  const total = async (input: object) => (await call(contract.listSubWallets, { wallet_id, ...input })).pageTotal
  assert.deepEqual([await total({}), await total({ app_show_status: 1 }), await total({ app_show_status: 2 }), await total({ keyword: 'pay' })], [3, 2, 1, 1])
  assert.ok(!(await call(contract.listAllSubWallets, { wallet_id })).some((each) => each.sub_wallet_id === payroll))
  const card = (await call(contract.listWallets, {})).wallet_list.find((each) => each.wallet_id === wallet_id)!
  assert.deepEqual([card.sub_wallet_count, card.hidden_count], [2, 1])
  await assert.rejects(call(contract.updateShowStatus, { wallet_id, sub_wallet_ids: [market!, subWalletId], app_show_status: 2 }), refused('100004'))
  await call(contract.updateTop, { wallet_id, sub_wallet_id: market!, top: true })
  const mine = await call(contract.listSubWallets, { wallet_id, page_size: 1 })
  assert.deepEqual([mine.top_sub_wallet_list.map((each) => each.sub_wallet_id), mine.pageTotal], [[market], 2])
  assert.deepEqual((await call(contract.listSubWallets, { wallet_id, page_no: 2, page_size: 1 })).top_sub_wallet_list, [])
  assert.deepEqual((await call(contract.listSubWallets, { wallet_id }, 1)).top_sub_wallet_list, [])
  await call(contract.updateTop, { wallet_id, top: true })
  assert.deepEqual(
    (await call(contract.listWallets, {})).top_wallet.map((each) => each.wallet_id),
    [wallet_id],
  )
  await call(contract.updateTop, { wallet_id, top: false })
  await call(contract.updateAlias, { wallet_id, sub_wallet_id: market!, alias: '' })
  assert.deepEqual(await names({ keyword: '做' }), [])
})

test('a coin is marked by one person in one sub-wallet', async () => {
  const who = { sub_wallet_id: wallet.subWalletId }
  await call(contract.focusSymbol, { ...who, chain: CHAIN, symbol: 'USDC', focus: 1 })
  await call(contract.focusSymbol, { ...who, chain: CHAIN, symbol: 'USDC', focus: 1 })
  assert.deepEqual(await call(contract.listFocusCoins, who), [{ chain: CHAIN, symbol: 'USDC' }])
  assert.deepEqual(await call(contract.checkFocusLimit, who), { limit: 50, used: 1 })
  assert.deepEqual(await call(contract.listFocusCoins, who, 1), [])
  assert.deepEqual(
    (await call(contract.listCoinAssets, who)).list.map((each) => [each.symbol, each.focus]),
    [
      ['ETH', false],
      ['USDC', true],
    ],
  )
  await call(contract.focusSymbol, { ...who, chain: CHAIN, symbol: 'USDC', focus: 0 })
  assert.deepEqual(await call(contract.checkFocusLimit, who), { limit: 50, used: 0 })
  await assert.rejects(call(contract.focusSymbol, { ...who, chain: CHAIN, symbol: 'NONE', focus: 1 }), refused('120202'))
})

test('networks are listed apart from coins, each once, and those on which the key of a wallet has no address are not open', async () => {
  const { networks } = world.context
  const [network] = networks.list()
  const other = {
    ...network!,
    chain: 'tvm:-239',
    name: 'Other',
    family: 'ton' as const,
    assets: [],
    codec: { ...network!.codec, signatureKinds: ['ed25519' as const] },
  }
  const both = { ...networks, list: () => [network!, other] }
  const asked = networkEndpoints({ ...world.context, networks: both }).find(({ endpoint }) => endpoint === listOpenCoins)!
  const context = { orgId: world.orgId, language: 'en_US' } as unknown as MemberContext
  const answer = listOpenCoins.output.parse(await asked.handler(context, { wallet_id: wallet.walletId } as never))
  assert.deepEqual(
    answer.open_main_chain.map(({ chain, symbol, coin_type }) => [chain, symbol, coin_type]),
    [[CHAIN, 'ETH', 'evm']],
  )
  assert.deepEqual(
    answer.support_main_chain.map(({ chain, if_open_chain }) => [chain, if_open_chain]),
    [
      [CHAIN, true],
      ['tvm:-239', false],
    ],
  )
  assert.deepEqual([...new Set(answer.coin_list.map(({ chain }) => chain))], [CHAIN])
  assert.ok(answer.coin_list.some(({ symbol, contract_address }) => symbol === 'USDC' && contract_address === TOKEN))
})

test('a coin is taken off a wallet’s list and put back; a coin that pays fees or has a balance stays', async () => {
  const { walletId: wallet_id, subWalletId: sub_wallet_id } = wallet
  const found = await call(contract.searchCoins, { wallet_id, keyword: TOKEN.toLowerCase().slice(0, 12) })
  assert.deepEqual(
    found.map((each) => [each.symbol, each.exists, each.can_close]),
    [['USDC', true, true]],
  )
  await call(contract.openCoin, { wallet_id, chain: CHAIN, symbol: 'USDC', open: false })
  const listed = async () => (await call(contract.listCoinAssets, { sub_wallet_id })).list.map((each) => each.symbol)
  assert.deepEqual(await listed(), ['ETH'])
  assert.deepEqual(
    (await call(listOpenCoins, { wallet_id })).coin_list.map((each) => [each.symbol, each.if_open]),
    [
      ['ETH', true],
      ['USDC', false],
    ],
  )
  assert.equal((await call(contract.searchCoins, { wallet_id, keyword: 'usd' }))[0]!.exists, false)
  await fund(world, wallet, 1_000_000n, TOKEN)
  assert.deepEqual(await listed(), ['ETH', 'USDC'])
  await call(contract.openCoin, { wallet_id, chain: CHAIN, symbol: 'USDC' })
  for (const symbol of ['ETH', 'USDC']) await assert.rejects(call(contract.openCoin, { wallet_id, chain: CHAIN, symbol, open: false }), refused('100004'))
  const balance = await call(contract.getSymbolBalance, { sub_wallet_id, chain: CHAIN, symbol: 'USDC' })
  assert.deepEqual([balance.normal_balance, balance.fee_symbol], ['1', 'ETH'])
})

test('addresses are shown only while recovery is proven, and carry a label', async () => {
  const who = { sub_wallet_id: wallet.subWalletId }
  const closed = await call(addresses.listUserAddresses, who)
  assert.deepEqual([closed.pageTotal, closed.list[0]!.address, closed.list[0]!.enableDeposit], [1, null, false])
  assert.ok(closed.list[0]!.text.length > 20)
  assert.deepEqual((await call(addresses.listMultiAddresses, { ...who, chain: CHAIN, symbol: 'ETH' })).list, [])
  await proveRecovery(wallet)
  await call(addresses.updateAddressLabel, { ...who, chain: CHAIN, address: wallet.address.toLowerCase(), label: 'Customers' })
  const [row] = (await call(addresses.listUserAddresses, { ...who, keyword: 'custom' })).list
  assert.deepEqual(
    [row!.address, row!.label, row!.enableDeposit, row!.balance.map((each) => each.symbol)],
    [wallet.address, 'Customers', true, ['ETH', 'USDC']],
  )
  assert.ok(row!.last_in_at! > 0)
  assert.equal((await call(addresses.listUserAddresses, { ...who, keyword: 'nothing' })).pageTotal, 0)
  assert.equal((await call(addresses.listUserAddresses, { ...who, symbol: 'NONE' })).pageTotal, 0)
  const [one] = (await call(addresses.listMultiAddresses, { ...who, chain: CHAIN, symbol: 'USDC' })).list
  assert.deepEqual([one!.balance, one!.in_use, one!.is_default], ['1', true, true])
  await assert.rejects(call(addresses.updateAddressLabel, { ...who, chain: CHAIN, address: STRANGER, label: 'x' }), refused('300014'))
  await assert.rejects(call(addresses.updateAddressLabel, { ...who, chain: CHAIN, address: '0x12', label: 'x' }), refused('110055'))
})

test('an unknown token is shown apart, counts nowhere, and disappears with its block', async () => {
  const sub_wallet_id = wallet.subWalletId
  const before = await call(contract.listCoinAssets, { sub_wallet_id })
  const block = world.chain.mine()
  const transfer = (index: number) => ({
    txid: `0x${'5'.repeat(64)}`,
    index,
    asset: { chain: CHAIN, contract: SPAM },
    from: STRANGER,
    to: wallet.address,
    amount: 10n ** 30n,
  })
  block.unknownTransfers = [transfer(1), transfer(2)]
  await scan(world)
  const coins = await call(contract.listCoinAssets, { sub_wallet_id })
  assert.deepEqual(coins.list, before.list)
  assert.deepEqual([coins.usd_balance, coins.unverified_count], [before.usd_balance, 1])
  const [row] = await call(contract.listUnverified, { sub_wallet_id })
  assert.deepEqual([row!.contract_address, row!.arrivals, row!.last_from], [SPAM, 2, STRANGER])
  assert.ok(!(await call(contract.searchCoins, { wallet_id: wallet.walletId, keyword: '' })).some((each) => each.contract_address === SPAM))
  world.chain.reorganise(1)
  world.chain.mine(2)
  await scan(world)
  assert.deepEqual(await call(contract.listUnverified, { sub_wallet_id }), [])
})

test('a sub-wallet of another wallet, or of none, is not found', async () => {
  const other = await makeWallet(world, 'Other')
  const wrong = { wallet_id: other.walletId, sub_wallet_id: wallet.subWalletId }
  for (const act of [
    () => call(contract.updateAlias, { ...wrong, alias: 'x' }),
    () => call(contract.updateTop, { ...wrong, top: true }),
    () => call(contract.getBalanceHistory, wrong),
    () => call(contract.updateShowStatus, { wallet_id: other.walletId, sub_wallet_ids: [wallet.subWalletId], app_show_status: 2 }),
    () => call(contract.listSubWalletBalances, { wallet_id: other.walletId, sub_wallet_ids: [wallet.subWalletId] }),
    () => call(contract.listCoinAssets, { sub_wallet_id: world.orgId }),
  ]) {
    await assert.rejects(act(), refused('200005'))
  }
})
