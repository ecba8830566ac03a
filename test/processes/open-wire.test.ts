import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { getWithdrawal, listTransactions } from '@holdfast/features/transaction/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import fc from 'fast-check'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { freshAddress } from './testing/local-chain.ts'
import { makeApiKey } from './testing/make-api-key.ts'
import { makeWireKey, readAnswer, sealed, sendSealed, signed, wireCall, type WireKey } from './testing/wire-client.ts'

const MINUTE_MS = 60_000
const REFUSED = '100005'

let stack: JoinedStack
let ours: FundedOrganisation
let key: WireKey
let wallet: number
let ether: string

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  ours = await foundFunded(stack, { amount: '5', mark: 'Wire' })
  key = await makeWireKey(stack, ours, 'shop')
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
    const named = (sub_wallet_name: string) => Buffer.from(sealed(key, { sub_wallet_name, pad: 'x'.repeat(300) }), 'base64url')
    const [one, other] = [named('Spliced 1'), named('Spliced 2')]
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
    assert.equal((await wireCall(key, 'POST', '/billing/withdraw_pending', { withdraw_id: 1 })).code, '300585')
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
    ]
    const value = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
      fc.integer(),
      fc.constant(null),
      fc.constant([]),
      fc.constantFrom(ether, '1', '0x00', '-1', '1e9'),
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
      '__proto__',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 }),
        fc.boolean(),
        async (path, fields, isSigned) => {
          const given = isSigned ? signed(key, { ...fields }) : fields
          const { code } = await wireCall(key, 'POST', path, given)
          assert.match(code, /^\d+$/)
          assert.notEqual(code, '100001', `${path} ${JSON.stringify(given)}`)
        },
      ),
      { numRuns: 120 },
    )
  })
})
