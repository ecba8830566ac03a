import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { getNotification, listNotifications } from '@holdfast/features/notification/contract'
import { getWithdrawal, listTransactions } from '@holdfast/features/transaction/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import fc from 'fast-check'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { makeApiKey } from './testing/make-api-key.ts'
import { CLOSED_HOST } from './testing/start-test-stack.ts'
import { makeWireKey, readAnswer, RIGHTS, sealed, sendSealed, signed, wireCall, type WireKey } from './testing/wire-client.ts'

const MINUTE_MS = 60_000
const REFUSED = '100005'
/** The token of the local network, and how somebody is let take two of ours. */
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const calls = { contracts: [TOKEN], functions: ['approve(address,uint256)'], max_tokens: '5000000' }
const approving = (spender: string, amount = 2_000_000n) =>
  `0x095ea7b3${spender.slice(2).toLowerCase().padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`

let stack: JoinedStack
let ours: FundedOrganisation
let key: WireKey
let wallet: number
let ether: string

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  ours = await foundFunded(stack, { amount: '5', mark: 'Wire' })
  const callback = { url: `http://${CLOSED_HOST}/hook`, sides: ['withdraw' as const, 'web3-trans' as const] }
  key = await makeWireKey(stack, ours, 'shop', { calls, callback, permissions: [...RIGHTS, 'co_signer.read', 'co_signer.write', 'tools.read', 'tools.write'] })
  const { data: deposits } = await wireCall(key, 'GET', '/billing/sync_deposit_list', { max_id: 0 })
  const [first] = deposits as { sub_wallet_id: number; symbol: string }[]
  wallet = first!.sub_wallet_id
  ether = first!.symbol
})
after(() => stack?.dispose())

const payment = (request_id: string, changes: Record<string, unknown> = {}) => ({
  request_id,
  sub_wallet_id: wallet,
  symbol: ether,
  address_to: freshAddress(),
  amount: '0.2500',
  ...changes,
})
const withdraw = (fields: Record<string, unknown>, by = key) => wireCall(by, 'POST', '/billing/withdraw', signed(by, fields))

/** The order of a request, as the console has it. */
async function orderOf(requestId: string) {
  const { list } = await ours.alice.client.call(listTransactions, { request_id: requestId })
  return ours.alice.client.call(getWithdrawal, { id: list[0]!.id })
}

describe('door two', () => {
  it('tells networks, coins, addresses and balances as the wire names them', async () => {
    const { code, data: chains } = await wireCall(key, 'GET', '/wallet/open_coin')
    assert.equal(code, '0')
    assert.ok((chains as { open_main_chain: { symbol: string }[] }).open_main_chain.some(({ symbol }) => symbol === ether))
    const { data: coins } = await wireCall(key, 'GET', '/coin_list', { symbol: ether })
    assert.deepEqual(
      (coins as { symbol: string; decimals: string; support_token: string }[]).map((each) => [each.symbol, each.decimals, each.support_token]),
      [[ether, '18', '1']],
    )
    const height = await wireCall(key, 'GET', '/chain_height', { base_symbol: ether })
    assert.ok((height.data as { height: number }).height > 0)
    const assets = await wireCall(key, 'GET', '/sub_wallet/assets', { sub_wallet_id: wallet, symbol: ether })
    assert.deepEqual([assets.code, (assets.data as { normal_balance: string }).normal_balance], ['0', '5'])
    const made = await wireCall(key, 'POST', '/sub_wallet/create/address', { sub_wallet_id: wallet, symbol: ether })
    const { address } = made.data as { address: string }
    assert.match(address, /^0x[0-9a-fA-F]{40}$/, JSON.stringify(made))
    const listed = await wireCall(key, 'POST', '/sub_wallet/get/address/list', { sub_wallet_id: wallet, symbol: ether, max_id: 0 })
    const rows = listed.data as { id: number; address: string }[]
    assert.equal(rows.at(-1)?.address, address)
    const rest = await wireCall(key, 'POST', '/sub_wallet/get/address/list', { sub_wallet_id: wallet, symbol: ether, max_id: rows.at(-1)!.id })
    assert.deepEqual(rest.data, [])
    const info = await wireCall(key, 'GET', '/sub_wallet/address/info', { address })
    assert.deepEqual(info.data, { sub_wallet_id: wallet, addr_type: 1, merge_address_symbol: ether })
  })

  it('adds a sub-wallet, hidden as the wire has it, and shows it', async () => {
    const made = await wireCall(key, 'POST', '/sub_wallet/create', { sub_wallet_name: 'Customers' })
    const { sub_wallet_id: id } = made.data as { sub_wallet_id: number }
    assert.ok(id > wallet, JSON.stringify(made))
    for (const app_show_status of [1, 2, 1])
      assert.equal((await wireCall(key, 'POST', '/sub_wallet/change_show_status', { sub_wallet_ids: String(id), app_show_status })).code, '0')
  })

  it('asks for a payment once, which people approve and the chain has', async () => {
    const asked = payment('wire-first-1')
    const { code, data, msg } = await withdraw(asked)
    assert.equal(code, '0', msg)
    const { withdraw_id: id } = data as { withdraw_id: number }
    assert.deepEqual((await withdraw({ ...asked, amount: '0.25' })).data, { withdraw_id: id }, 'the same again is the same')
    assert.equal((await withdraw({ ...asked, amount: '0.26' })).code, '110088')
    const order = await orderOf('wire-first-1')
    assert.deepEqual([order.initiator?.name, order.status], ['shop (API, door two: not signed)', 1000])
    await ours.bruno.decide(order.intent_hash, 'approve')
    await waitUntil(ports, 'the payment', async () => ((await orderOf('wire-first-1')).status === 2000 ? true : undefined))
    const one = await wireCall(key, 'GET', '/billing/withdraw_list', { ids: 'wire-first-1,nothing' })
    const [row] = one.data as { id: number; status: number; amount: string; txid: string; withdraw_source: number }[]
    assert.deepEqual([row?.id, row?.status, row?.amount, row?.withdraw_source], [id, 2000, '0.25', 2])
    assert.match(row!.txid, /^0x/)
    const synced = await wireCall(key, 'GET', '/billing/sync_withdraw_list', { max_id: id - 1 })
    assert.deepEqual((synced.data as { id: number }[])[0]?.id, id)
    assert.deepEqual((await wireCall(key, 'GET', '/billing/sync_withdraw_list', { max_id: 10_000 })).data, [])
  })

  it('has a contract called by the very bytes that it signed, once people approve, and is called back about it', async () => {
    const input_data = approving(freshAddress())
    const call = { request_id: 'wire-call-done', sub_wallet_id: wallet, main_chain_symbol: ether, interactive_contract: TOKEN, amount: '0', input_data }
    const rest = { gas_price: '1', gas_limit: '100000', trans_type: '0' }
    const ask = (fields: Record<string, unknown>) => wireCall(key, 'POST', '/web3/trans/create', { ...signed(key, fields), ...rest })
    const made = await ask(call)
    assert.equal(made.code, '0', made.msg)
    const { trans_id: id } = made.data as { trans_id: number }
    assert.deepEqual((await ask(call)).data, { trans_id: id }, 'the same again is the same')
    assert.notEqual((await ask({ ...call, request_id: 'wire-call-beyond', input_data: approving(freshAddress(), 6_000_000n) })).code, '0')
    const order = await orderOf('wire-call-done')
    assert.deepEqual([order.initiator?.name, order.status], ['shop (API, door two: not signed)', 1000])
    assert.equal((await wireCall(key, 'POST', '/web3/pending', { trans_id: id, gas_price: '2', gas_limit: '100000' })).code, '300076', 'it is not on its way')
    await ours.bruno.decide(order.intent_hash, 'approve')
    await waitUntil(ports, 'the call', async () => ((await orderOf('wire-call-done')).status === 2000 ? true : undefined))
    const [row] = (await wireCall(key, 'GET', '/web3/trans_list', { ids: 'wire-call-done' })).data as Record<string, unknown>[]
    const told = ['id', 'status', 'interactive_contract', 'input_data', 'main_chain_symbol', 'trans_source', 'amount']
    assert.deepEqual(
      told.map((field) => row?.[field]),
      [id, 2000, TOKEN, input_data, ether, 2, '0'],
    )
    assert.match(String(row?.['txid']), /^0x/)
    assert.deepEqual((await wireCall(key, 'GET', '/web3/sync_trans_list', { max_id: id - 1 })).data, [row])
    const sent = await waitUntil(ports, 'the callback', async () => {
      const { list } = await ours.alice.client.call(listNotifications, { side: 'web3-trans', keyword: 'wire-call-done' })
      return list.find(({ times }) => times > 0)
    })
    const { body, failure_reason: why } = await ours.alice.client.call(getNotification, { notify_id: sent.notify_id })
    const said = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual(
      [said['id'], said['sub_wallet_id'], said['input_data'], said['trans_type'], said['side'], why],
      [id, wallet, input_data, '0', 'web3-trans', 'refused'],
    )
  })

  it('raises fees of what it asked for itself, sets what is collected, and lists energy that was lent', async () => {
    const { data } = await wireCall(key, 'GET', '/billing/withdraw_list', { ids: 'wire-first-1' })
    const [{ id: withdraw_id }] = data as [{ id: number }]
    const raise = (fields: Record<string, unknown>, by = key) =>
      wireCall(by, 'POST', '/billing/withdraw_pending', { gas_price: '3', gas_limit: '21000', ...fields })
    assert.equal((await raise({ withdraw_id })).code, '300076', 'a block has it')
    const other = await makeWireKey(stack, ours, 'other')
    assert.equal((await raise({ withdraw_id }, other)).code, '210003', 'another key asked for it')
    assert.equal((await raise({ withdraw_id: 10_000 })).code, '210003')
    assert.equal((await wireCall(key, 'POST', '/billing/withdraw_pending', { withdraw_id })).code, '100004')
    const wallets = await wireCall(key, 'GET', '/auto_collect/sub_wallets', { symbol: ether })
    assert.deepEqual(wallets, { code: '0', msg: wallets.msg, data: { collect_sub_wallet_id: null, fueling_sub_wallet_id: null } as never })
    for (const path of ['/auto_collect/symbol/set', '/billing/auto_collect/symbol/set'])
      assert.deepEqual((await wireCall(key, 'POST', path, { symbol: ether, collect_min: '0.5', fueling_limit: '0.01' })).data, { symbol: ether }, path)
    assert.equal((await wireCall(other, 'POST', '/auto_collect/symbol/set', { symbol: ether, collect_min: '0.5', fueling_limit: '0.01' })).code, '300572')
    assert.deepEqual((await wireCall(key, 'POST', '/tron/delegate/sync_trans_list', { max_id: 0 })).data, [])
    assert.deepEqual((await wireCall(key, 'POST', '/tron/delegate/trans_list', { ids: 'none' })).data, [])
    const energy = { request_id: 'wire-energy-1', service_charge_type: '30001', address_from: freshAddress(), buy_type: 1, energy_num: 1 }
    assert.equal((await wireCall(key, 'POST', '/tron/delegate', energy)).code, '300585')
  })

  it('makes nothing of an order that the key for orders has not signed exactly so', async () => {
    const asked = payment('wire-unsigned-1')
    const whole = signed(key, asked)
    const others = [
      { ...asked },
      { ...whole, amount: '0.3' },
      { ...whole, address_to: freshAddress() },
      { ...whole, memo: 'x' },
      { ...signed({ ...key, sign: key.request }, asked) },
      { ...signed(key, { ...asked, memo: 'a&outputs=b' }) },
    ]
    for (const fields of others) assert.equal((await wireCall(key, 'POST', '/billing/withdraw', fields)).code, '300584', JSON.stringify(fields))
    const { list } = await ours.alice.client.call(listTransactions, { request_id: 'wire-unsigned-1' })
    assert.deepEqual(list, [])
    const call = { request_id: 'wire-call-1', sub_wallet_id: wallet, main_chain_symbol: ether, interactive_contract: freshAddress(), amount: '0' }
    const rest = { gas_price: '20', gas_limit: '90000', input_data: '0xa9059cbb', trans_type: '1' }
    assert.equal((await wireCall(key, 'POST', '/web3/trans/create', { ...call, ...rest })).code, '300584')
    assert.notEqual((await wireCall(key, 'POST', '/web3/trans/create', signed(key, { ...call, ...rest }))).code, '300584')
  })

  it('answers whatever is wrong with who calls in the same words', async () => {
    const elsewhere = await makeWireKey(stack, ours, 'elsewhere', { addresses: ['203.0.113.0/24'] })
    const one = await makeApiKey(stack, ours, 'doorone')
    const good = sealed(key, { max_id: 0 })
    const wrong: Record<string, string>[] = [
      {},
      { app_id: key.appId },
      { app_id: key.appId, data: '' },
      { app_id: key.appId, data: '!!!' },
      { app_id: key.appId, data: good.slice(0, -1) },
      { app_id: key.appId, data: `${good.startsWith('A') ? 'B' : 'A'}${good.slice(1)}` },
      { app_id: key.appId, data: sealed({ ...key, request: key.sign }, { max_id: 0 }) },
      { app_id: key.appId, data: randomBytes(256).toString('base64url') },
      { app_id: 'nobody', data: good },
      { app_id: key.appId.replace('shop', 'ghost'), data: good },
      { app_id: one.keyId, data: good },
      { app_id: elsewhere.appId, data: sealed(elsewhere, { max_id: 0 }) },
    ]
    const answers = new Set<string>()
    for (const form of wrong) {
      const { status, body } = await sendSealed(key, 'GET', '/billing/sync_withdraw_list', form)
      assert.deepEqual([status, body.code], [200, REFUSED], JSON.stringify(form))
      answers.add(JSON.stringify(body))
    }
    assert.equal(answers.size, 1)
  })

  it('takes a request at its time, and once where it makes something', async () => {
    for (const off of [-6 * MINUTE_MS, 6 * MINUTE_MS]) {
      const { body } = await sendSealed(key, 'GET', '/wallet/open_coin', { app_id: key.appId, data: sealed(key, {}, Date.now() + off) })
      assert.equal(typeof body.data, 'string', 'what is told is told to the key alone')
      assert.equal(readAnswer(key, body).code, '300581')
    }
    const read = { app_id: key.appId, data: sealed(key, { max_id: 0 }) }
    for (let i = 0; i < 2; i++) assert.equal(typeof (await sendSealed(key, 'GET', '/billing/sync_withdraw_list', read)).body.data, 'string')
    const form = { app_id: key.appId, data: sealed(key, { sub_wallet_name: 'Once' }) }
    await Promise.all([1, 2, 3].map(() => sendSealed(key, 'POST', '/sub_wallet/create', form)))
    assert.notEqual((await wireCall(key, 'POST', '/sub_wallet/create', { sub_wallet_name: 'Once' })).code, '0', 'it is there')
    // A head of one request before the tail of another is no new request: the tail was seen.
    const named = (sub_wallet_name: string, atMs: number) => Buffer.from(sealed(key, { sub_wallet_name, pad: 'x'.repeat(300) }, atMs), 'base64url')
    // Of two moments: at one, both would have the same tail.
    const [one, other] = [named('Spliced 1', Date.now() - 1), named('Spliced 2', Date.now())]
    const sendBytes = (bytes: Buffer) => sendSealed(key, 'POST', '/sub_wallet/create', { app_id: key.appId, data: bytes.toString('base64url') })
    assert.equal(readAnswer(key, (await sendBytes(other)).body).code, '0')
    assert.equal(readAnswer(key, (await sendBytes(Buffer.concat([one.subarray(0, 256), other.subarray(256)]))).body).code, '300582')
    assert.equal(readAnswer(key, (await sendBytes(one)).body).code, '0')
  })

  it('gives a key what it is permitted, and says where to go for what is not served', async () => {
    const reader = await makeWireKey(stack, ours, 'reader', { permissions: ['wallet.read'] })
    assert.equal((await withdraw(payment('wire-reader-1'), reader)).code, '300572')
    const scoped = await makeWireKey(stack, ours, 'scoped', { wallets: [] })
    assert.deepEqual((await wireCall(scoped, 'GET', '/billing/sync_withdraw_list', { max_id: 0 })).data, [])
    assert.deepEqual((await wireCall(scoped, 'GET', '/billing/withdraw_list', { ids: 'wire-first-1' })).data, [])
    assert.equal((await wireCall(scoped, 'GET', '/sub_wallet/assets', { sub_wallet_id: wallet, symbol: ether })).code, '300583')
    for (const [path, fields] of [
      ['/billing/withdraw_pending', { withdraw_id: 1, fee: '1' }],
      ['/tron/delegate/sync_trans_list', {}],
      ['/auto_collect/sub_wallets', { symbol: ether }],
    ] as const)
      assert.equal((await wireCall(reader, 'POST', path, fields)).code, '300572', path)
    assert.equal((await wireCall(key, 'GET', '/sub_wallet/assets', { sub_wallet_id: wallet, symbol: 'NOCOIN' })).code, '300586')
  })

  it('tells a key of another organisation nothing of ours, and lets it name nothing of ours', async () => {
    const theirs = await foundFunded(stack, { amount: '1', mark: 'Elsewhere' })
    const thief = await makeWireKey(stack, theirs, 'thief')
    const listed = await wireCall(key, 'POST', '/sub_wallet/get/address/list', { sub_wallet_id: wallet, symbol: ether, max_id: 0 })
    const [{ address } = { address: '' }] = listed.data as { address: string }[]
    assert.match(address, /^0x/)
    const { data: deposits } = await wireCall(key, 'GET', '/billing/sync_deposit_list', { max_id: 0 })
    const ids = (deposits as { id: number }[]).map(({ id }) => id).join()
    const asked: [string, Record<string, unknown>][] = [
      ['/billing/withdraw_list', { ids: 'wire-first-1' }],
      ['/billing/sync_withdraw_list', { max_id: 0 }],
      ['/billing/deposit_list', { ids }],
      ['/billing/sync_deposit_list', { max_id: 0 }],
      ['/web3/trans_list', { ids: 'wire-first-1' }],
      ['/sub_wallet/address/info', { address }],
      ['/sub_wallet/get/address/list', { sub_wallet_id: wallet, symbol: ether, max_id: 0 }],
    ]
    for (const [path, fields] of asked) {
      const said = JSON.stringify((await wireCall(thief, 'GET', path, fields)).data)
      assert.ok(![address, 'wire-first-1', 'merge_address_symbol'].some((each) => said.toLowerCase().includes(each.toLowerCase())), `${path}: ${said}`)
    }
    // A key of ours by which a stranger signs is none.
    assert.equal((await wireCall({ ...thief, appId: key.appId }, 'GET', '/billing/withdraw_list', { ids: 'wire-first-1' })).code, '100005')
  })

  it('never fails, whatever it is sent', async () => {
    const paths = [
      '/billing/withdraw',
      '/web3/trans/create',
      '/sub_wallet/create/address',
      '/billing/withdraw_list',
      '/billing/deposit_list',
      '/coin_list',
      '/sub_wallet/assets',
      '/billing/withdraw_pending',
      '/web3/pending',
      '/auto_collect/sub_wallets',
      '/auto_collect/symbol/set',
      '/tron/delegate',
      '/tron/delegate/trans_list',
      '/tron/delegate/sync_trans_list',
    ]
    const value = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
      fc.integer(),
      fc.constant(null),
      fc.constant([]),
      fc.constantFrom(ether, '1', '0x00', '-1', '1e9', '10010'),
    )
    const names = [
      'request_id',
      'sub_wallet_id',
      'symbol',
      'amount',
      'address_to',
      'ids',
      'max_id',
      'sign',
      'outputs',
      'main_chain_symbol',
      'input_data',
      'withdraw_id',
      'trans_id',
      'fee',
      'fee_rate',
      'size',
      'gas_price',
      'gas_limit',
      'collect_min',
      'fueling_limit',
      'address_from',
      'service_charge_type',
      'buy_type',
      'energy_num',
      'net_num',
      '__proto__',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 12 }),
        fc.boolean(),
        async (path, fields, isSigned) => {
          const given = isSigned ? signed(key, { ...fields }) : fields
          const { code } = await wireCall(key, 'POST', path, given)
          assert.match(code, /^\d+$/)
          assert.notEqual(code, '100001', `${path} ${JSON.stringify(given)}`)
        },
      ),
      { numRuns: 220 },
    )
  })
})
