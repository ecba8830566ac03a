import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { CALL_FIELDS, sealSegments, WITHDRAWAL_FIELDS } from '@holdfast/open-wire'
import { nodePorts } from '@holdfast/ports/node'
import { known } from '@holdfast/units'
import { Client } from 'pg'
import { readMigrations } from '../../../../packages/db/src/migrate.ts'
import { approve, makeWallet, orderOf, STRANGER } from '../../../testing/test-world.ts'
import { broadcastOrder } from '../../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { openWireWorld, type WireWorld } from '../testing/wire-world.ts'

const { code: RATE_LIMITED } = new AppError('rate_limited')

let wire: WireWorld
before(async () => {
  wire = await openWireWorld()
})
after(() => wire.world.close())

const forgetSpellings = () => wire.world.db.asSystem((tx) => tx.deleteFrom('idempotency').where('kind', '=', 'request_spelling').execute())

/** Runs the migration that gives orders of before their spellings, as the owner of the tables. */
async function upgrade(): Promise<void> {
  const { statements } = known(
    (await readMigrations(nodePorts)).find(({ name }) => name.startsWith('0824-')),
    'the migration',
  )
  const owner = new Client({ connectionString: wire.world.db.url })
  await owner.connect()
  try {
    await owner.query(statements.join(';'))
  } finally {
    await owner.end()
  }
}

describe('door two', () => {
  it('answers whatever is wrong with who calls alike, and in clear', async () => {
    const good = wire.dataOf({ max_id: 0 })
    const forms: [Record<string, string>, string?][] = [
      [{}],
      [{ app_id: wire.appId }],
      [{ app_id: wire.appId, data: '%%' }],
      [{ app_id: wire.appId, data: good.slice(1) }],
      [{ app_id: wire.appId, data: sealSegments('{}', wire.stranger) }],
      [{ app_id: 'nobody', data: good }],
      [{ app_id: `${wire.world.orgId}.ghost`, data: good }],
      [{ app_id: wire.appId, data: good }, '198.51.100.1'],
    ]
    const answers = new Set<string>()
    for (const [form, ip] of forms) answers.add(JSON.stringify(await wire.send('/billing/sync_withdraw_list', form, ip)))
    assert.equal(answers.size, 1)
    assert.match([...answers][0] ?? '', /"isSealed":false,"code":"100005"/)
  })

  it('looks at no call of a network that was turned away twenty times, whatever is wrong, and counts nobody who is let in', async (t) => {
    let nowMs = wire.world.context.ports.clock.monotonicMs()
    t.mock.method(wire.world.context.ports.clock, 'monotonicMs', () => nowMs)
    const good = wire.dataOf({})
    const other = sealSegments('{}', wire.stranger)
    const forms = [
      { app_id: wire.appId, data: other },
      { app_id: 'nobody', data: good },
      { app_id: `${wire.world.orgId}.ghost`, data: good },
      { app_id: wire.appId, data: good },
    ]
    /** How many calls were answered as calls of strangers until the network was refused, and what it was told then. */
    const calls = async (form: Record<string, string>, ip: string) => {
      for (let count = 0; ; count++) {
        const { code, isSealed } = await wire.send('/coin_list', form, ip)
        if (code !== '100005' || count > 99) return { count, code, isSealed }
      }
    }
    for (const [i, form] of forms.entries()) assert.deepEqual(await calls(form, `198.51.100.${10 + i}`), { count: 20, code: RATE_LIMITED, isSealed: false })
    assert.deepEqual(await calls(forms[0] ?? {}, '2001:db8::1'), { count: 20, code: RATE_LIMITED, isSealed: false })
    assert.deepEqual(await calls(forms[1] ?? {}, '2001:db8::2'), { count: 0, code: RATE_LIMITED, isSealed: false }, 'one subscriber is one network')
    for (let i = 0; i < 40; i++) assert.equal((await wire.ask('/coin_list')).code, '0')
    const together = await Promise.all(Array.from({ length: 40 }, () => wire.send('/coin_list', { app_id: 'nobody', data: good }, '198.51.100.30')))
    assert.equal(together.filter(({ code }) => code === '100005').length, 20, 'those that come at once are counted as well')
    assert.equal((await Promise.all(Array.from({ length: 40 }, () => wire.ask('/coin_list')))).filter(({ code }) => code === '0').length, 40)
    nowMs += 1000
    assert.deepEqual(await calls(forms[1] ?? {}, '198.51.100.30'), { count: 2, code: RATE_LIMITED, isSealed: false })
  })

  it('tells coins, and what a sub-wallet has', async () => {
    const coins = (await wire.ask('/coin_list')).data as { symbol: string; decimals: string }[]
    assert.ok(coins.some(({ symbol, decimals }) => symbol === 'ETH' && decimals === '18'))
    assert.deepEqual(((await wire.ask('/wallet/open_coin')).data as { open_main_chain: object[] }).open_main_chain.length, 1)
    const { code, data } = await wire.ask('/sub_wallet/assets', { sub_wallet_id: await wire.walletNumber(), symbol: 'ETH' })
    assert.deepEqual([code, (data as { normal_balance: string }).normal_balance], ['0', '10'])
    assert.equal((await wire.ask('/sub_wallet/assets', { sub_wallet_id: 1, symbol: 'NONE' })).code, '300586')
    assert.equal((await wire.ask('/sub_wallet/assets', { sub_wallet_id: 99, symbol: 'ETH' })).code, '200005')
    assert.equal((await wire.ask('/billing/withdraw_pending', {})).code, '100004')
    assert.equal((await wire.ask('/tron/delegate', {})).code, '300572')
    assert.equal((await wire.ask('/sub_wallet/create', { sub_wallet_name: 'x' })).code, '300572')
  })

  it('makes a payment that is signed, once, and lists it by its number', async () => {
    const asked = await wire.payment('wire-first-0001')
    for (const fields of [
      asked,
      { ...wire.signed(asked), amount: '2' },
      wire.signed(asked, WITHDRAWAL_FIELDS, wire.request),
      { ...wire.signed(asked), memo: 'm' },
    ])
      assert.equal((await wire.ask('/billing/withdraw', fields)).code, '300584', JSON.stringify(fields))
    const made = await wire.ask('/billing/withdraw', wire.signed(asked))
    assert.equal(made.code, '0', made.msg)
    const { withdraw_id: id } = made.data as { withdraw_id: number }
    assert.deepEqual((await wire.ask('/billing/withdraw', wire.signed({ ...asked, amount: '1.5' }))).data, { withdraw_id: id }, 'the same again is the same')
    assert.equal((await wire.ask('/billing/withdraw', wire.signed({ ...asked, amount: '1.6' }))).code, '110088')
    const [row] = (await wire.ask('/billing/withdraw_list', { ids: 'wire-first-0001,other' })).data as Record<string, unknown>[]
    assert.deepEqual([row?.['id'], row?.['status'], row?.['amount'], row?.['withdraw_source'], row?.['symbol']], [id, 1000, '1.5', 2, 'ETH'])
    assert.deepEqual((await wire.ask('/billing/sync_withdraw_list', { max_id: id - 1 })).data, [row])
    assert.deepEqual((await wire.ask('/billing/sync_withdraw_list', { max_id: id })).data, [])
    assert.deepEqual((await wire.ask('/web3/sync_trans_list', {})).data, [])
  })

  it('makes one order of one signature, however its request_id is spelled', async () => {
    const payments = async () => {
      const rows = await wire.world.db.asOrganisation(wire.world.orgId, (tx) =>
        tx
          .selectFrom('idempotency')
          .select('request_id')
          .where('org_id', '=', tx.orgId)
          .where('request_id', 'in', ['Wire-Spelled-01', 'wire-spelled-01', 'WIRE-SPELLED-01'])
          .execute(),
      )
      return rows.map((row) => row.request_id).sort()
    }
    const { sign, ...order } = wire.signed(await wire.payment('Wire-Spelled-01', { amount: '0.001' }))
    const made = await wire.ask('/billing/withdraw', { ...order, sign })
    assert.equal(made.code, '0', made.msg)
    for (const request_id of ['wire-spelled-01', 'WIRE-SPELLED-01', 'Wire-Spelled-01'])
      assert.deepEqual((await wire.ask('/billing/withdraw', { ...order, request_id, sign })).data, made.data, request_id)
    const other = wire.signed(await wire.payment('wire-spelled-01', { amount: '0.002' }))
    assert.equal((await wire.ask('/billing/withdraw', other)).code, '110088')
    assert.deepEqual(await payments(), ['Wire-Spelled-01'])
    const [row] = (await wire.ask('/billing/withdraw_list', { ids: 'Wire-Spelled-01' })).data as Record<string, unknown>[]
    assert.equal(row?.['request_id'], 'Wire-Spelled-01', 'it is told of as it was asked for')
    const together = wire.signed(await wire.payment('Wire-Together-1', { amount: '0.001' }))
    const spelled = ['Wire-Together-1', 'wire-together-1', 'WIRE-TOGETHER-1', 'wIRE-tOGETHER-1']
    const answers = await Promise.all(spelled.map((request_id) => wire.ask('/billing/withdraw', { ...together, request_id })))
    assert.equal(new Set(answers.map(({ code, data }) => JSON.stringify([code, data]))).size, 1, 'those that come at once are one as well')
  })

  it('knows the spellings of orders that were made before any was kept', async () => {
    const order = wire.signed(await wire.payment('Wire-Old-Spelling', { amount: '0.001' }))
    const made = await wire.ask('/billing/withdraw', order)
    assert.equal(made.code, '0', made.msg)
    const again = wire.signed(await wire.payment('WIRE-OLD-SPELLING', { amount: '0.002' }))
    // What an earlier release left behind has no spellings, and may have two orders of one.
    await forgetSpellings()
    const second = await wire.ask('/billing/withdraw', again)
    assert.notDeepEqual(second.data, made.data)
    await forgetSpellings()
    await upgrade()
    for (const request_id of ['wire-old-spelling', 'Wire-old-spelling', 'Wire-Old-Spelling'])
      assert.deepEqual((await wire.ask('/billing/withdraw', { ...order, request_id })).data, made.data, request_id)
    assert.deepEqual((await wire.ask('/billing/withdraw', again)).data, second.data, 'each of the two keeps its own')
  })

  it('takes what makes something once, at its time, and no splice of two requests', async () => {
    const late = wire.world.context.ports.clock.nowMs() - 6 * 60_000
    assert.equal((await wire.send('/coin_list', { app_id: wire.appId, data: wire.dataOf({}, late) })).code, '300581')
    const read = { app_id: wire.appId, data: wire.dataOf({}) }
    assert.deepEqual([(await wire.send('/coin_list', read)).code, (await wire.send('/coin_list', read)).code], ['0', '0'])
    const bytesOf = async (remark: string) => Buffer.from(wire.dataOf({ remark, ...wire.signed(await wire.payment('wire-splice-01')) }), 'base64url')
    const [one, other] = [await bytesOf('one one one'), await bytesOf('two two two')]
    const form = (bytes: Buffer) => ({ app_id: wire.appId, data: bytes.toString('base64url') })
    assert.equal((await wire.send('/billing/withdraw', form(other))).code, '0')
    assert.equal((await wire.send('/billing/withdraw', form(other))).code, '300582')
    // A head of one order before the tail of another is the order of its head, which is there.
    assert.equal((await wire.send('/billing/withdraw', form(Buffer.concat([one.subarray(0, 256), other.subarray(256)])))).code, '110088')
  })

  it('takes nothing that is put together of two requests which are not signed as a whole', async () => {
    const nowMs = wire.world.context.ports.clock.nowMs()
    const raise = (letter: string, time: number) => Buffer.from(wire.dataOf({ withdraw_id: 99_999, fee: '1', note: letter.repeat(300) }, time), 'base64url')
    const codeOf = async (bytes: Buffer) => (await wire.send('/billing/withdraw_pending', { app_id: wire.appId, data: bytes.toString('base64url') })).code
    const [one, other] = [raise('a', nowMs), raise('b', nowMs + 1)]
    const taken = '210003'
    assert.equal(await codeOf(other), taken)
    assert.deepEqual([await codeOf(Buffer.concat([one.subarray(0, 256), other.subarray(256)])), await codeOf(other)], ['300582', '300582'])
    assert.equal(await codeOf(one), taken)
  })

  it('takes two orders for two that are of one millisecond or end alike, wherever their segments end', async () => {
    const nowMs = wire.world.context.ports.clock.nowMs()
    const SEGMENT_TEXT = 234
    /** An order of which the last segment has so many bytes of text. */
    const ending = async (requestId: string, bytes: number, time: number) => {
      const asked = wire.signed(await wire.payment(requestId, { amount: '0.001' }))
      const { length } = JSON.stringify({ ...asked, remark: '', time, charset: 'utf-8' })
      const remark = 'r'.repeat((bytes - (length % SEGMENT_TEXT) + SEGMENT_TEXT) % SEGMENT_TEXT)
      return { app_id: wire.appId, data: wire.dataOf({ ...asked, remark }, time) }
    }
    // The time and nothing signed; a part of the time; nothing of it.
    for (const bytes of [40, 22, 5]) {
      const orders = [await ending(`wire-alike-${bytes}-1`, bytes, nowMs), await ending(`wire-alike-${bytes}-2`, bytes, nowMs)]
      const tails = new Set(orders.map(({ data }) => Buffer.from(data, 'base64url').subarray(-256).toString('hex')))
      assert.equal(tails.size, 1, 'both end alike')
      const all = [...orders, await ending(`wire-alike-${bytes}-3`, bytes, nowMs + 1)]
      for (const order of all) assert.equal((await wire.send('/billing/withdraw', order)).code, '0', `${bytes} bytes`)
      for (const order of all) assert.equal((await wire.send('/billing/withdraw', order)).code, '300582')
    }
  })

  it('raises the fee of what it asked for: at once within what was approved, and beyond that by an order that people decide', async () => {
    const { world } = wire
    const sent = async (requestId: string) => {
      const { data } = await wire.ask('/billing/withdraw', { ...wire.signed(await wire.payment(requestId, { amount: '0.5' })), fee: '0.000000000001' })
      const { result_id: id } = await world.db.asOrganisation(world.orgId, (tx) =>
        tx.selectFrom('idempotency').select('result_id').where('org_id', '=', tx.orgId).where('request_id', '=', requestId).executeTakeFirstOrThrow(),
      )
      await approve(world, id, world.members[1])
      await signOrder(world.context, world.orgId, id)
      await broadcastOrder(world.context, world.orgId, id)
      return { id, withdraw_id: (data as { withdraw_id: number }).withdraw_id }
    }
    const within = await sent('wire-raise-0001')
    assert.equal((await wire.ask('/billing/withdraw_pending', { withdraw_id: within.withdraw_id, fee: '0.0000000000010' })).code, '0')
    assert.equal((await orderOf(world, within.id)).row.sub_status, 'speeding_up')
    assert.equal((await wire.ask('/web3/pending', { trans_id: within.withdraw_id, fee: '1' })).code, '210003', 'it is no call')
    const beyond = await sent('wire-raise-0002')
    const form = { app_id: wire.appId, data: wire.dataOf({ request_id: 'wire-raise-0002', fee: '0.000000000002' }) }
    assert.deepEqual([(await wire.send('/billing/withdraw_pending', form)).code, (await wire.send('/billing/withdraw_pending', form)).code], ['0', '300582'])
    const asked = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('transfer_order').select(['kind', 'state', 'initiator']).where('org_id', '=', tx.orgId).where('replaces', '=', beyond.id).execute(),
    )
    assert.deepEqual(asked, [{ kind: 'speed_up', state: 'approving', initiator: (await orderOf(world, beyond.id)).row.initiator }])
  })

  it('takes the price of gas alone, as clients of the wire say it: the limit stays', async () => {
    const { world } = wire
    const cap = '0.000000000001'
    assert.equal((await wire.ask('/billing/withdraw', { ...wire.signed(await wire.payment('wire-price-0001', { amount: '0.5' })), fee: cap })).code, '0')
    const raise = () => wire.ask('/billing/withdraw_pending', { request_id: 'wire-price-0001', gas_price: '0.000000047' })
    assert.equal((await raise()).code, '300076', 'it is not on its way')
    const { result_id: id } = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('idempotency').select('result_id').where('org_id', '=', tx.orgId).where('request_id', '=', 'wire-price-0001').executeTakeFirstOrThrow(),
    )
    await approve(world, id, world.members[1])
    await signOrder(world.context, world.orgId, id)
    await broadcastOrder(world.context, world.orgId, id)
    assert.equal((await raise()).code, '0')
    const { row, transactions } = await orderOf(world, id)
    const gasLimit = world.context.networks.find(row.chain)?.codec.decode(transactions[0]?.unsigned_tx ?? new Uint8Array()).feeParameters?.['gasLimit']
    assert.ok(gasLimit !== undefined && gasLimit > 0n)
    assert.equal(transactions.at(-1)?.fee_cap, gasLimit * 47n, '47 wei for each unit')
  })

  it('takes the wallet that was made first for the main one, since clients of the wire name none', async () => {
    const { world } = wire
    await makeWallet(world)
    await wire.set({ permissions: ['wallet.read', 'wallet.create', 'withdraw.create', 'web3.create'] })
    assert.equal((await wire.ask('/sub_wallet/create', { sub_wallet_name: 'Of the first' })).code, '0')
    const made = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('sub_wallet').select('wallet_id').where('org_id', '=', tx.orgId).where('name', '=', 'Of the first').executeTakeFirstOrThrow(),
    )
    assert.equal(made.wallet_id, wire.wallet.walletId)
  })

  it('shows sub-wallets to a key that may name some, where it names no other', async () => {
    await wire.set({ permissions: ['wallet.read', 'wallet.create', 'withdraw.create', 'web3.create'] })
    const own = await wire.walletNumber()
    const made = await wire.ask('/sub_wallet/create', { sub_wallet_name: 'Of nobody' })
    const { sub_wallet_id: other } = made.data as { sub_wallet_id: number }
    await wire.set({ wallets: [wire.wallet.subWalletId] })
    const codeOf = async (ids: string) => (await wire.ask('/sub_wallet/change_show_status', { sub_wallet_ids: ids, app_show_status: '1' })).code
    assert.deepEqual([await codeOf(`${own}`), await codeOf(`${own},${other}`), await codeOf(`${other}`)], ['0', '300583', '300583'])
    await wire.set({ wallets: null })
  })

  it('takes the first address for the one that pays for a call, and no other', async () => {
    const asked = async (request_id: string) => ({
      ...{
        request_id,
        sub_wallet_id: await wire.walletNumber(),
        main_chain_symbol: 'ETH',
        interactive_contract: STRANGER,
        amount: '0',
        input_data: '0xa9059cbb',
      },
    })
    const rest = { gas_price: '20', gas_limit: '90000', trans_type: '1' }
    const codeFrom = async (from: string) =>
      (await wire.ask('/web3/trans/create', { ...wire.signed(await asked('wire-from-0001'), CALL_FIELDS), ...rest, from })).code
    assert.equal(await codeFrom(STRANGER), '300585')
    assert.notEqual(await codeFrom(wire.wallet.address), '300585')
    await wire.set({ wallets: [] })
    assert.equal(await codeFrom(STRANGER), '300583', 'of a sub-wallet that it may not name it learns no address')
    await wire.set({ wallets: null })
  })

  it('has calls of contracts signed as well', async () => {
    const call = {
      request_id: 'wire-call-0001',
      sub_wallet_id: await wire.walletNumber(),
      main_chain_symbol: 'ETH',
      interactive_contract: STRANGER,
      amount: '0',
      input_data: '0xa9059cbb',
    }
    const rest = { gas_price: '20', gas_limit: '90000', trans_type: '1' }
    assert.equal((await wire.ask('/web3/trans/create', { ...call, ...rest })).code, '300584')
    assert.notEqual((await wire.ask('/web3/trans/create', { ...wire.signed(call, CALL_FIELDS), ...rest })).code, '300584')
  })

  it('logs each call of the key without its sign', async () => {
    const rows = await wire.world.db.asOrganisation(wire.world.orgId, (tx) =>
      tx.selectFrom('machine_call').select(['path', 'body', 'refused']).where('org_id', '=', tx.orgId).execute(),
    )
    const paid = rows.find(({ path, body }) => path.endsWith('/billing/withdraw') && body.includes('wire-first-0001') && body.includes('sign'))
    assert.match(paid?.body ?? '', /"sign":"\*\*\*"/)
    assert.ok(rows.some(({ refused }) => refused === 'address'))
  })
})
