import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endOf } from '@holdfast/chain-core'
import { AppError, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { readCsv } from '@holdfast/units'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Client } from 'pg'
import * as contract from '../contract.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { baseUnits } from './filter-transactions.ts'
import { cellsOf, clockOf } from './export/export-transactions.ts'
import { koinlyCells } from './export/koinly-cells.ts'
import { xeroCells } from './export/xero-cells.ts'
import { receiptSheet } from './export/receipt.ts'
import { endsIn, paidAddresses } from '../../known-address/server/paid-addresses.ts'
import { transactionEndpoints } from './routes.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { momentOf } from '../moment-of.ts'
import { CHAIN, TOKEN } from '../../testing/scripted-chain.ts'
import { approve, requestWithdrawal, ETH, fund, makeWallet, openWorld, scan, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'

// Begins and ends as STRANGER does.
const PLANTED = `0x3c44${'0'.repeat(32)}93bc`

let world: World
let wallet: Wallet
let endpoints: HandledEndpoint[]
let paidId: string
let openId: string
let depositId: string

async function call<E extends Endpoint>(endpoint: E, input: Record<string, unknown>, member = 0): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: world.members[member]!.id, language: 'en_US', ports: world.context.ports } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, readInput(endpoint, parseForm(formEncode(input))) as never)) as OutputOf<E>
}

const found = async (filter: Record<string, unknown>) => (await call(contract.listTransactions, filter)).list.map((each) => each.id)
const refused = (code: string) => (error: unknown) => error instanceof AppError && error.code === code

before(async () => {
  world = await openWorld()
  endpoints = transactionEndpoints(world.context)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  await fund(world, wallet, 5_000_000n, TOKEN)
  const { list } = await call(contract.listTransactions, { symbol: 'ETH' })
  depositId = list[0]!.id
  paidId = (await requestWithdrawal(world, wallet, { amount: '2.5', remark: '=cmd|calc, "March"', requestId: 'the-rent-of-march' })).order.row.id
  await approve(world, paidId, world.members[1], world.members[2])
  await signOrder(world.context, world.orgId, paidId)
  await broadcastOrder(world.context, world.orgId, paidId)
  world.chain.mine(3)
  await scan(world)
  openId = (await requestWithdrawal(world, wallet, { amount: '0.000000000000000001', by: world.members[1] })).order.row.id
})
after(() => world.close())

describe('the list of transactions', () => {
  it('is narrowed by each filter by itself and by all together', async () => {
    const [paid] = (await call(contract.listTransactions, { status: '2000', type: 'withdraw' })).list
    assert.deepEqual(await found({ status: '2000', type: 'withdraw' }), [paidId])
    assert.deepEqual(await found({ status: '1000,1100,1200' }), [openId])
    assert.deepEqual(await found({ request_id: 'the-rent-of-march' }), [paidId])
    assert.deepEqual(await found({ request_id: 'nothing-of-the-kind' }), [])
    assert.deepEqual(await found({ txid: paid!.txid }), [paidId])
    assert.deepEqual(await found({ keyword: paid!.txid }), [paidId])
    assert.deepEqual(await found({ keyword: paidId }), [paidId])
    assert.deepEqual(await found({ address: STRANGER.toLowerCase() }), [openId, paidId])
    assert.equal((await found({ address: wallet.address })).length, 4)
    assert.deepEqual(await found({ initiator_id: world.members[1].id }), [openId])
    assert.deepEqual(await found({ sub_status: 'approving' }), [openId])
    assert.equal((await found({ chain: CHAIN })).length, 4)
    assert.deepEqual(await found({ chain: 'eip155:1' }), [])
    assert.equal((await found({ sub_wallet_ids: `${wallet.walletId},${wallet.subWalletId}` })).length, 4)
    assert.equal((await found({ source: 'chain' })).length, 2)
    assert.equal((await found({ source: 'web' })).length, 2)
    assert.deepEqual(await found({ amount_min: '2.5', amount_max: '5', symbol: 'ETH' }), [paidId])
    assert.deepEqual(await found({ amount_max: '0.0000000000000000011' }), [openId])
    assert.equal((await found({ amount_min: '5', amount_max: '5.0000001' })).length, 1)
    const all = { status: '2000', type: 'withdraw', symbol: 'ETH', chain: CHAIN, address: STRANGER, initiator_id: world.members[0].id, amount_min: '1' }
    assert.deepEqual(await found({ ...all, keyword: 'march', wallet_id: wallet.walletId, sub_wallet_id: wallet.subWalletId }), [paidId])
    await assert.rejects(found({ status: '2000,x' }), refused('100004'))
  })

  it('shows how the notifications of a transaction stand, the worst first, and is narrowed by it', async () => {
    const endpointId = await addEndpoint()
    await tell(endpointId, paidId, ['success', 'failed', 'success', 'stopped'])
    await tell(endpointId, depositId, ['success', 'retrying'])
    const [paid] = (await call(contract.listTransactions, { notify_status: 'failed' })).list
    assert.deepEqual([paid!.id, paid!.notify], [paidId, { status: 'failed', arrived: 2, count: 4, times: 4 }])
    assert.deepEqual(await found({ notify_status: 'retrying' }), [depositId])
    assert.deepEqual(await found({ notify_status: 'success' }), [])
    assert.equal((await call(contract.getWithdrawal, { id: openId })).notify, null)
    await world.context.db.asOrganisation(world.orgId, (tx) =>
      tx.updateTable('webhook_delivery').set({ state: 'success', next_at: null }).where('org_id', '=', tx.orgId).execute(),
    )
    assert.deepEqual(await found({ notify_status: 'success' }), [paidId, depositId])
  })

  it('can be read on from a transaction, each row once, while new ones arrive', async () => {
    const whole = await found({})
    const read: string[] = []
    for (let last: string | undefined; ; last = read.at(-1)) {
      const { list, has_more } = await call(contract.listTransactions, { page_size: 1, ...(last ? { max_id: last } : {}) })
      read.push(...list.map((each) => each.id))
      if (read.length === 1) await requestWithdrawal(world, wallet, { amount: '0.1', remark: 'newer' })
      if (!has_more) break
    }
    assert.deepEqual(read, whole)
    assert.deepEqual(await found({ max_id: crypto.randomUUID() }), [])
  })

  it('compares amounts in the units of each coin, exactly', () => {
    const amounts = fc.record({
      whole: fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fraction: fc.stringMatching(/^\d{0,30}$/),
      decimals: fc.integer({ min: 0, max: 24 }),
    })
    fc.assert(
      fc.property(amounts, ({ whole, fraction, decimals }) => {
        const text = fraction === '' ? String(whole) : `${whole}.${fraction}`
        const [down, up] = [baseUnits(text, decimals, 'down'), baseUnits(text, decimals, 'up')]
        // Both times 10^30, where every such text is whole.
        const exact = whole * 10n ** 30n + BigInt(fraction.padEnd(30, '0'))
        const scale = 10n ** BigInt(30 - decimals)
        assert.ok(down * scale <= exact && exact <= up * scale && up - down <= 1n)
      }),
    )
  })
})

describe('labelling transactions', () => {
  it('adds category, tags and a note, keeps what is not given, and finds them by it', async () => {
    await call(contract.labelTransactions, { ids: paidId, type: 'withdraw', category: 'Rent', tags: ['monthly', 'office'], note: 'paid late' })
    await call(contract.labelTransactions, { ids: paidId, type: 'withdraw', note: 'paid in time' })
    await call(contract.labelTransactions, { ids: depositId, type: 'deposit', tags: ['monthly'] })
    const detail = await call(contract.getWithdrawal, { id: paidId })
    assert.deepEqual([detail.category, detail.tags, detail.note], ['Rent', ['monthly', 'office'], 'paid in time'])
    assert.deepEqual(await found({ category: 'Rent' }), [paidId])
    assert.deepEqual(await found({ tag: 'monthly' }), [paidId, depositId])
    assert.deepEqual(await found({ keyword: 'IN TIME' }), [paidId])
    const labels = await call(contract.listLabels, {})
    assert.deepEqual([labels.categories, labels.tags, labels.initiators.map((each) => each.name)], [['Rent'], ['monthly', 'office'], ['Ann', 'Ben']])
    await call(contract.labelTransactions, { ids: paidId, type: 'withdraw', category: '' })
    assert.deepEqual(await found({ category: 'Rent' }), [])
  })

  it('refuses ids that name nothing, and then files none', async () => {
    const ids = `${paidId},${crypto.randomUUID()}`
    await assert.rejects(call(contract.labelTransactions, { ids, type: 'withdraw', note: 'x' }), refused('210003'))
    await assert.rejects(call(contract.labelTransactions, { ids: depositId, type: 'withdraw', note: 'x' }), refused('210003'))
    await assert.rejects(call(contract.labelTransactions, { ids: paidId, type: 'withdraw', tags: ['a,b'] }), refused('100004'))
    assert.equal((await call(contract.getWithdrawal, { id: paidId })).note, 'paid in time')
  })

  it("keeps a person's filters for that person alone, under names", async () => {
    await call(contract.saveView, { name: 'Rent', query: 'category=Rent' })
    await call(contract.saveView, { name: 'Open', query: 'status=open' })
    assert.deepEqual(await call(contract.saveView, { name: 'Rent', query: 'tag=monthly' }), [
      { name: 'Rent', query: 'tag=monthly' },
      { name: 'Open', query: 'status=open' },
    ])
    assert.deepEqual(await call(contract.listSavedViews, {}, 1), [])
    assert.deepEqual(await call(contract.saveView, { name: 'Rent', query: '' }), [{ name: 'Open', query: 'status=open' }])
    for (let i = 1; i < 20; i++) await call(contract.saveView, { name: `View ${i}`, query: 'type=deposit' })
    await assert.rejects(call(contract.saveView, { name: 'One more', query: 'x' }), refused('100004'))
  })
})

describe('who was paid before', () => {
  // An index by what a function makes of a column would not be used under row level security, and each page would read every order.
  it('is found by an index, whatever the organisation has, and also where it was written before there was one', async () => {
    for (const [table, column, index] of [
      ['transfer_order', 'address_to', 'transfer_order_by_end'],
      ['order_output', 'address', 'order_output_by_end'],
      ['address', 'address', 'address_by_end'],
    ] as const) {
      const plan = await world.db.asOrganisation(world.orgId, async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx)
        // What few rows have is asked for by whichever index; here it is said that there are many.
        await sql`set local enable_indexscan = off`.execute(tx)
        const isSigned = sql.raw(table === 'transfer_order' ? 'and txid is not null' : '')
        return sql`explain select 1 from ${sql.table(table)} where org_id = ${world.orgId} and ${endsIn(column, ['79c8'])} ${isSigned}`.execute(tx)
      })
      assert.match(JSON.stringify(plan.rows), new RegExp(index), table)
    }
    const known = async () => (await world.db.asOrganisation(world.orgId, (tx) => paidAddresses(tx, [endOf(STRANGER)]))).map(({ address }) => address)
    assert.deepEqual(await known(), [STRANGER])
    // Nobody but the database's owner can change such a row.
    const owner = new Client({ connectionString: world.db.url })
    await owner.connect()
    assert.ok(((await owner.query('update transfer_order set address_to_end = null')).rowCount ?? 0) > 0)
    await owner.end()
    assert.deepEqual(await known(), [STRANGER])
  })
})

describe('a planted address', () => {
  it('is shown as what it imitates, until a person says otherwise', async () => {
    world.chain.give(wallet.address, 10n ** 12n, null, PLANTED)
    world.chain.mine(3)
    await scan(world)
    const [planted] = (await call(contract.listTransactions, { address: PLANTED })).list
    assert.deepEqual(planted!.imitates, { address: STRANGER, label: null, kind: 'paid' })
    assert.equal(planted!.suspicious, true)
    assert.equal(planted!.to_label, 'Treasury / Main')
    const others = (await call(contract.listTransactions, {})).list.filter((each) => each.id !== planted!.id)
    assert.deepEqual(
      others.filter((each) => each.suspicious),
      [],
    )
    const ordinary = others.map((each) => each.id)
    assert.deepEqual(await found({ spam: '1' }), [planted!.id])
    assert.deepEqual(await found({ spam: '0' }), ordinary)
    await call(contract.labelTransactions, { ids: planted!.id, type: 'deposit', suspicious: false })
    assert.equal((await call(contract.getDeposit, { id: planted!.id })).suspicious, false)
    assert.deepEqual(await found({ spam: '1' }), [])
    await call(contract.labelTransactions, { ids: openId, type: 'withdraw', suspicious: true })
    assert.deepEqual(await found({ spam: '1' }), [openId])
    assert.deepEqual(
      await found({ spam: '0', type: 'withdraw' }),
      (await found({ type: 'withdraw' })).filter((id) => id !== openId),
    )
    await call(contract.labelTransactions, { ids: openId, type: 'withdraw', suspicious: false })
  })
})

describe('the export', () => {
  it('holds every row of the filtered list once, with approvals, fees and files in columns of their own', async () => {
    const { csv, rows, total, next_id } = await call(contract.exportTransactions, { type: 'withdraw', status: '2000', tz: 'Asia/Shanghai' })
    assert.deepEqual([rows, total, next_id], [1, 1, null])
    const [head, line] = csv.split('\r\n')
    assert.ok(head!.startsWith('\ufeffTime (Asia/Shanghai),Time (UTC),Type,'))
    assert.match(line!, /Withdrawal,,Completed,2000,ok,Main,Test network,ETH,,2\.5,,2\.5,,,ETH,0\.0/)
    assert.match(line!, /2 \/ 2,Ben; Cleo/)
    assert.match(line!, /monthly; office,paid in time,"'=cmd\|calc, ""March""",,the-rent-of-march/)
    const [local, utc] = line!.split(',')
    assert.equal(Date.parse(`${local!.replace(' ', 'T')}+08:00`), Math.floor(Date.parse(utc!) / 1000) * 1000)
    await assert.rejects(call(contract.exportTransactions, { tz: 'Mars/Olympus' }), refused('100004'))
  })
})

describe('the export for Koinly', () => {
  it('has a line for what moved money and for nothing else, its fee apart', async () => {
    const { csv, rows } = await call(contract.exportTransactions, { tz: 'Asia/Shanghai', layout: 'koinly' })
    const [head, ...lines] = readCsv(csv)
    assert.equal(
      head!.join(),
      'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
    )
    const { list } = await call(contract.listTransactions, { status: '2000', page_size: 100 })
    assert.ok(rows > lines.length, 'orders that wait have no line')
    assert.deepEqual(
      lines.map((cells) => cells.at(-1)),
      list.map((each) => each.txid),
    )
    const paid = list.find((each) => each.id === paidId)!
    const line = lines.find((cells) => cells.at(-1) === paid.txid)!
    assert.match(line[0]!, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/)
    assert.deepEqual(line.slice(1, 7), ['2.5', 'ETH', '', '', paid.real_fee, 'ETH'])
    assert.deepEqual(lines.find((cells) => cells.at(-1) !== paid.txid)!.slice(1, 3), ['', ''])
  })

  it('of a payment that failed has its fee as a cost, and of an order about a payment nothing but what it cost', async () => {
    const paid = (await call(contract.listTransactions, { status: '2000', type: 'withdraw' })).list.find((each) => each.id === paidId)!
    assert.deepEqual(koinlyCells({ ...paid, status: 2400 })[0]!.slice(1, 10), [paid.real_fee, 'ETH', '', '', '', '', '', '', 'cost'])
    const cancellation = { ...paid, replaces: paidId, purpose: 'cancel' as const, amount: '0' }
    assert.deepEqual(koinlyCells(cancellation)[0]!.slice(1, 10), [paid.real_fee, 'ETH', '', '', '', '', '', '', 'cost'])
    assert.deepEqual(koinlyCells({ ...cancellation, real_fee: null }), [])
    assert.deepEqual(koinlyCells({ ...paid, status: 2202 }), [])
  })
})

describe('the export for Xero', () => {
  it('has a line for what moved money and one for its fee, signed values in hundredths, and leaves empty what is not known', async () => {
    const [head, ...lines] = readCsv((await call(contract.exportTransactions, { tz: 'Asia/Shanghai', layout: 'xero' })).csv)
    assert.equal(head!.join(), '*Date,*Amount,Payee,Description,Reference')
    const paid = (await call(contract.listTransactions, { status: '2000', type: 'withdraw' })).list.find((each) => each.id === paidId)!
    const own = lines.filter((cells) => cells.at(-1) === paid.txid)
    assert.deepEqual(
      own.map((cells) => cells[1]),
      ['', ''],
      'no price is known here',
    )
    const worth = { currency: 'EUR' as const, at_time: '1234.567891', at: 'in_block' as const, now: null, fee: '0.5' }
    const cellsOf = (row: Partial<typeof paid>) =>
      xeroCells({ ...paid, worth, ...row }, 'Withdrawal', clockOf('Asia/Shanghai')).map((cells) => cells.slice(1, 4))
    const text = (amount: string) => `Withdrawal · ${amount} · ${paid.remark} · paid in time`
    const [payee, fee] = [paid.to_label ?? paid.address_to, text(`${paid.real_fee} ETH`)]
    assert.deepEqual(cellsOf({}), [
      ['-1234.56', payee, text('2.5 ETH')],
      ['-0.50', payee, fee],
    ])
    assert.deepEqual(
      cellsOf({ worth: { ...worth, fee: '0.009' } }).map(([amount]) => amount),
      ['-1234.56'],
      'less than a hundredth has no line',
    )
    assert.deepEqual(cellsOf({ status: 2400 }), [['-0.50', payee, fee]])
    assert.deepEqual(cellsOf({ stake: { action: 'stake', title: 'Stake 5 TRX' } }), [['-0.50', payee, fee]])
    assert.deepEqual([...cellsOf({ status: 2202 }), ...cellsOf({ replaces: paidId, real_fee: null })], [])
    assert.deepEqual(cellsOf({ type: 'deposit', from_label: 'Customer' }), [['1234.56', 'Customer', text('2.5 ETH')]])
  })
})

describe('what is exported of an order', () => {
  it('about stake is called what it does, and its amount is not said to be paid', async () => {
    const paid = (await call(contract.listTransactions, { status: '2000', type: 'withdraw' })).list.find((each) => each.id === paidId)!
    const cells = cellsOf('zh_CN', { ...paid, stake: { action: 'stake', title: '质押 5 TRX 获取能量' }, approved_by: [] }, clockOf('UTC'))
    assert.deepEqual([cells.type, cells.does, cells.out], ['质押', '质押 5 TRX 获取能量', ''])
    const call_ = cellsOf('en_US', { ...paid, call: { method: 'approve(address,uint256)' }, approved_by: [] }, clockOf('UTC'))
    assert.deepEqual([call_.type, call_.does, call_.out], ['Contract call', 'approve(address,uint256)', '2.5'])
    assert.deepEqual(koinlyCells({ ...paid, stake: { action: 'stake', title: 'Stake' } })[0]!.slice(1, 10), [
      paid.real_fee,
      'ETH',
      '',
      '',
      '',
      '',
      '',
      '',
      'cost',
    ])
  })
})

describe('a receipt', () => {
  const about = { language: 'en_US' as const, tz: 'Asia/Shanghai', organisation: 'Acme', person: 'Ann', fingerprint: 'ab'.repeat(32), nowMs: 1_700_000_000_000 }
  const textOf = (sheet: ReturnType<typeof receiptSheet>) =>
    [sheet.title, ...sheet.lead, ...sheet.sections.flatMap(({ title, rows }) => [title, ...rows.map(({ label, value }) => `${label}: ${value}`)])].join('\n')

  it('says everything that is known of a payment, and where its proof is', async () => {
    const paid = await call(contract.getWithdrawal, { id: paidId })
    const evidence = { fileName: `holdfast-signature-${paidId}.evidence`, digest: 'cd'.repeat(32) }
    const text = textOf(receiptSheet(paid, { ...about, evidence }))
    const told = ['Receipt of a payment', '-2.5 ETH', 'Completed, as of', STRANGER, wallet.address, paid.txid!, paid.intent_hash, about.fingerprint]
    for (const each of [
      ...told,
      evidence.fileName,
      evidence.digest,
      'the-rent-of-march',
      'Ben: approved, ',
      'Cleo: approved, ',
      '2 of 2, by version 1',
      'monthly; office',
    ])
      assert.ok(text.includes(each), each)
    assert.match(text, /Signed and being sent · [^\n]* · Signers \d, \d\n[\s\S]*Completed · Network/)
  })

  it('of what is not paid or not credited does not look like one, in either language', async () => {
    const open = await call(contract.getWithdrawal, { id: openId })
    assert.match(textOf(receiptSheet(open, { ...about, evidence: null })), /^A payment that is not completed[\s\S]*Evidence bundle: none/)
    const chinese = receiptSheet(open, { ...about, evidence: null, language: 'zh_CN' })
    assert.equal(chinese.title, '未完成的付款')
    assert.match(textOf(chinese), /待审批（截至[\s\S]*发起申请 · 审批人决定中 · Ben[\s\S]*证据包: 无/)
    const deposit = receiptSheet(await call(contract.getDeposit, { id: depositId }), { ...about, evidence: null })
    assert.equal(deposit.title, 'Receipt of a deposit')
    const stake = receiptSheet({ ...open, stake: { action: 'stake', title: 'x' } }, { ...about, evidence: null })
    assert.deepEqual([stake.title, stake.lead[0]], ['Stake: not completed', `${open.amount} ETH`])
  })

  it('says of which moment a price is: nothing is called paid that was only asked for, seen, or paid nobody', async () => {
    const { db, context } = world
    const told = { quoted_at: context.ports.clock.nowMs() - 3_600_000, source: 'test', source_zh: 'test' }
    const quote = { chain: CHAIN, contract: '', currency: 'usd', price: 2_000n * 10n ** 24n, ...told }
    await db.asSystem((tx) => tx.insertInto('asset_price').values(quote).execute())
    const lines = async (asked: Promise<Parameters<typeof receiptSheet>[0]>) => {
      const row = await asked
      return [
        momentOf(row),
        receiptSheet(row, { ...about, evidence: null }).lead[2],
        receiptSheet(row, { ...about, evidence: null, language: 'zh_CN' }).lead[2],
      ]
    }
    const paid = call(contract.getWithdrawal, { id: paidId })
    assert.deepEqual(await lines(paid), ['paid', 'Worth 5000 USD when it was paid', '付款时价值 5000 USD'])
    assert.equal((await lines(call(contract.getWithdrawal, { id: openId })))[0], 'asked')
    assert.equal((await lines(call(contract.getDeposit, { id: depositId })))[0], 'seen')
    for (const other of [{ status: 2500 }, { call: { method: null } }, { stake: { action: 'stake', title: 'x' } }])
      assert.equal(momentOf({ ...(await paid), ...other }), 'inBlock')
    await db.asSystem((tx) => sql`delete from asset_price`.execute(tx))
  })

  it('is a PDF', async () => {
    for (const [id, type] of [
      [paidId, 'withdraw'],
      [depositId, 'deposit'],
    ] as const) {
      const { pdf, file_name } = await call(contract.getReceipt, { id, type, tz: 'UTC' })
      assert.deepEqual([atob(pdf).slice(0, 5), file_name], ['%PDF-', `holdfast-${type}-${id}.pdf`])
    }
    await assert.rejects(call(contract.getReceipt, { id: paidId, type: 'deposit', tz: 'UTC' }), refused('210003'))
    await assert.rejects(call(contract.getReceipt, { id: paidId, type: 'withdraw', tz: 'Mars/Olympus' }), refused('100004'))
  })
})

async function addEndpoint(): Promise<string> {
  const { orgId, context } = world
  const [id, nowMs] = [crypto.randomUUID(), context.ports.clock.nowMs()]
  const settings = { url: 'https://93.184.215.14/hook', sides: JSON.stringify({}), confirmations_step: 0, pause_after: 20, failures: 0 }
  const row = { org_id: orgId, id, ...settings, created_at: nowMs, updated_at: nowMs }
  await context.db.asOrganisation(orgId, (tx) => tx.insertInto('webhook_endpoint').values(row).execute())
  return id
}

/** Notifications of one record, each tried once. */
async function tell(endpointId: string, recordId: string, states: readonly ('success' | 'failed' | 'retrying' | 'stopped')[]): Promise<void> {
  const { orgId, context } = world
  const at = context.ports.clock.nowMs()
  const rows = states.map((state, i) => ({
    org_id: orgId,
    id: crypto.randomUUID(),
    endpoint_id: endpointId,
    record_id: recordId,
    side: 'withdraw',
    event: 'withdraw.completed',
    seq: BigInt(i + 1),
    body: '{}',
    state,
    attempts: 1,
    tries_left: 1,
    tries_max: 16,
    created_at: at,
    updated_at: at,
  }))
  await context.db.asOrganisation(orgId, (tx) => tx.insertInto('webhook_delivery').values(rows).execute())
}
