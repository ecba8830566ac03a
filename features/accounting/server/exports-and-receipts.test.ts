import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError, type Endpoint, type OutputOf } from '@holdfast/contract'
import type { HandledEndpoint } from '@holdfast/http'
import { formatAmount, parseAmount, readCsv } from '@holdfast/units'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { PayoutOutput } from '@holdfast/features/transaction/server'
import * as contract from '../../transaction/contract.ts'
import { momentOf } from '../../transaction/moment-of.ts'
import { transactionEndpoints } from '../../transaction/server/routes.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { callAs, openBookedWorld } from '../../testing/booked-world.ts'
import { STRANGER, type Wallet, type World } from '../../testing/test-world.ts'
import { clockOf, exportCells, kindsOf } from './export-transactions.ts'
import { koinlyCells } from './koinly-cells.ts'
import { grouped, rounded, shareOut } from './money-text.ts'
import { receiptSheet } from './receipt.ts'
import { accountingEndpoints } from './routes.ts'
import { xeroCells } from './xero-cells.ts'

let world: World
let wallet: Wallet
let endpoints: HandledEndpoint[]
let paidId: string
let openId: string
let depositId: string

const call = <E extends Endpoint>(endpoint: E, input: Record<string, unknown>): Promise<OutputOf<E>> => callAs({ world, endpoints }, endpoint, input)

const refused = (code: string) => (error: unknown) => error instanceof AppError && error.code === code
const readPaid = async () => (await call(contract.listTransactions, { status: '2000', type: 'withdraw' })).list.find((each) => each.id === paidId)!
/** What one payment pays to two recipients, of a payout. */
const SPLIT: PayoutOutput[] = [
  { address_to: 'first', label: 'Rent', amount: '2', memo: null, arrived: null },
  { address_to: 'second', label: null, amount: '0.5', memo: null, arrived: null },
]

before(async () => {
  ;({ world, wallet, depositId, paidId, openId } = await openBookedWorld())
  endpoints = [...transactionEndpoints(world.context), ...accountingEndpoints(world.context)]
  await call(contract.labelTransactions, { ids: paidId, type: 'withdraw', category: '', tags: ['monthly', 'office'], note: 'paid in time' })
})
after(() => world.close())

describe('the export', () => {
  it('holds every row of the filtered list once, with approvals, fees and files in columns of their own', async () => {
    const { csv, rows, total, next_id } = await call(contract.exportTransactions, { type: 'withdraw', status: '2000', tz: 'Asia/Shanghai' })
    assert.deepEqual([rows, total, next_id], [1, 1, null])
    const [head, line] = csv.split('\r\n')
    assert.ok(head!.startsWith('\ufeffTime (Asia/Shanghai),Time (UTC),Type,'))
    assert.match(line!, /Withdrawal,,Completed,2000,ok,Treasury,Main,Test network,ETH,,2\.5,,2\.5,,,ETH,0\.0/)
    assert.match(line!, /2 \/ 2,Ben; Cleo/)
    assert.match(line!, /monthly; office,paid in time,"'=cmd\|calc, ""March""",,the-rent-of-march/)
    const [local, utc] = line!.split(',')
    assert.equal(Date.parse(`${local!.replace(' ', 'T')}+08:00`), Math.floor(Date.parse(utc!) / 1000) * 1000)
    await assert.rejects(call(contract.exportTransactions, { tz: 'Mars/Olympus' }), refused('100004'))
  })

  it('says before it begins how many rows it will have, and between its parts how many are left', async () => {
    const { total } = await call(contract.exportTransactions, { tz: 'UTC' })
    assert.deepEqual(await call(contract.exportStatus, {}), { rows: total, parts: 1 })
    assert.deepEqual(await call(contract.exportStatus, { type: 'withdraw', status: '2000' }), { rows: 1, parts: 1 })
    const { list } = await call(contract.listTransactions, {})
    assert.equal((await call(contract.exportStatus, { max_id: list[0]!.id })).rows, total! - 1)
    assert.deepEqual(await call(contract.exportStatus, { keyword: 'nothing that anybody wrote' }), { rows: 0, parts: 0 })
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
    const paid = await readPaid()
    assert.deepEqual(koinlyCells({ ...paid, status: 2400 })[0]!.slice(1, 10), [paid.real_fee, 'ETH', '', '', '', '', '', '', 'cost'])
    const cancellation = { ...paid, replaces: paidId, purpose: 'cancel' as const, amount: '0' }
    assert.deepEqual(koinlyCells(cancellation)[0]!.slice(1, 10), [paid.real_fee, 'ETH', '', '', '', '', '', '', 'cost'])
    for (const none of [null, '0']) assert.deepEqual(koinlyCells({ ...cancellation, real_fee: none }), [])
    assert.deepEqual(koinlyCells({ ...paid, status: 2202 }), [])
  })
})

describe('the export for Xero', () => {
  it('has a line for what moved money and one for its fee, signed values in hundredths, and leaves empty what is not known', async () => {
    const [head, ...lines] = readCsv((await call(contract.exportTransactions, { tz: 'Asia/Shanghai', layout: 'xero' })).csv)
    assert.equal(head!.join(), '*Date,*Amount,Payee,Description,Reference')
    const paid = await readPaid()
    const own = lines.filter((cells) => cells.at(-1) === paid.txid)
    assert.deepEqual(
      own.map((cells) => cells[1]),
      ['', ''],
      'no price is known here',
    )
    const worth = { currency: 'EUR' as const, at_time: '1234.567891', at: 'in_block' as const, now: null, fee: '0.5' }
    const cellsOf = (row: Partial<typeof paid>) =>
      xeroCells({ ...paid, worth, ...row }, { kind: 'Withdrawal', feeKind: 'Withdrawal, network fee' }, clockOf('Asia/Shanghai').timeIn).map((cells) =>
        cells.slice(1, 4),
      )
    const text = (amount: string, kind = 'Withdrawal') => `${kind} · ${amount} · Treasury / Main · ${paid.remark} · paid in time`
    const [payee, fee] = [paid.to_label ?? paid.address_to, text(`${paid.real_fee} ETH`, 'Withdrawal, network fee')]
    assert.deepEqual(cellsOf({}), [
      ['-1234.57', payee, text('2.5 ETH')],
      ['-0.50', 'Test network', fee],
    ])
    assert.deepEqual(
      cellsOf({ worth: { ...worth, fee: '0.0049' } }).map(([amount]) => amount),
      ['-1234.57'],
      'less than half a hundredth has no line',
    )
    assert.deepEqual(cellsOf({ status: 2400 }), [['-0.50', 'Test network', fee]])
    assert.deepEqual(cellsOf({ stake: { action: 'stake', title: 'Stake 5 TRX' } }), [['-0.50', 'Test network', fee]])
    assert.deepEqual([...cellsOf({ status: 2202 }), ...cellsOf({ replaces: paidId, real_fee: null })], [])
    assert.deepEqual(cellsOf({ type: 'deposit', from_label: 'Customer' }), [['1234.57', 'Customer', text('2.5 ETH')]])
  })
})

describe('a payout', () => {
  it('has a line for each recipient in every format, whose amounts and values add up, and its fee once', async () => {
    const paid = await readPaid()
    const worth = { currency: 'USD' as const, at_time: '100.01', at: 'in_block' as const, now: null, fee: '0.5' }
    const payout = { ...paid, recipients: 2, outputs: SPLIT, worth, approved_by: [] }
    const { timeIn } = clockOf('UTC')
    const cells = (row: Partial<typeof payout>) => exportCells('en_US', { ...payout, ...row }, timeIn)
    const shown = cells({}).map((each) => [each.toLabel || each.to, each.amount, each.out, each.worth, each.feePaid])
    assert.deepEqual(shown, [
      ['Rent', '2', '2', '80.008', paid.real_fee],
      ['second', '0.5', '0.5', '20.002', ''],
    ])
    const noted = SPLIT.map((each, i) => ({ ...each, memo: i === 1 ? '10042' : null }))
    for (const status of [1000, 2000])
      assert.deepEqual(
        cells({ status, outputs: noted }).map((each) => each.memo),
        ['', '10042'],
        'each with its own memo',
      )
    const waiting = cells({ status: 1000, real_fee: null }).map((each) => [each.to, each.amount, each.out, each.feePaid])
    assert.deepEqual(waiting, [
      ['first', '2', '', ''],
      ['second', '0.5', '', ''],
    ])
    assert.deepEqual(
      cells({ status: 2400 }).map((each) => [each.out, each.feePaid]),
      [
        ['', paid.real_fee],
        ['', ''],
      ],
    )
    assert.deepEqual(
      cells({ status: 2400, outputs: SPLIT.map((each, i) => ({ ...each, arrived: i === 1 })) }).map((each) => [each.to, each.out, each.worth, each.feePaid]),
      [['second', '0.5', '20.002', paid.real_fee]],
      'where some were paid and others not, those that were have lines',
    )
    assert.deepEqual(
      koinlyCells(payout).map((each) => [...each.slice(1, 3), ...each.slice(5, 8)]),
      [
        ['2', 'ETH', paid.real_fee, 'ETH', '80.008'],
        ['0.5', 'ETH', '', '', '20.002'],
      ],
    )
    assert.deepEqual(
      xeroCells(payout, kindsOf('en_US', payout), timeIn).map((each) => each.slice(1, 3)),
      [
        ['-80.01', 'Rent'],
        ['-20.00', 'second'],
        ['-0.50', 'Test network'],
      ],
    )
  })

  it('shares its value out without losing a digit', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000 }).map(String), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), amounts, (cents, given) => {
        const value = formatAmount(BigInt(cents), 2)
        const units = (text: string) => parseAmount(text, 30)
        const shares = shareOut(value, given)
        assert.equal(
          shares.reduce((sum, each) => sum + units(each), 0n),
          units(value),
        )
      }),
    )
    assert.deepEqual([shareOut(null, ['1']), shareOut('1', ['0'])], [[], []])
  })

  it('is written with amounts that people read: thousands apart, halves rounded to even', () => {
    assert.deepEqual(['1234567.5', '999', '1000', '0.1234567'].map(grouped), ['1,234,567.5', '999', '1,000', '0.1234567'])
    assert.deepEqual(
      ['0.005', '0.015', '0.0151', '-2.675', '3517.2', '0', '9.999'].map((text) => rounded(text, 2)),
      ['0.00', '0.02', '0.02', '-2.68', '3517.20', '0.00', '10.00'],
    )
  })
})

describe('the columns of an export', () => {
  it('tell one moment once: in UTC there is one column of times', async () => {
    const headOf = async (tz: string) => readCsv((await call(contract.exportTransactions, { tz })).csv)[0]!
    const [utc, berlin] = [await headOf('UTC'), await headOf('Europe/Berlin')]
    assert.deepEqual(
      [utc.slice(0, 2), berlin.slice(0, 3)],
      [
        ['Time (UTC)', 'Type'],
        ['Time (Europe/Berlin)', 'Time (UTC)', 'Type'],
      ],
    )
    const { csv } = await call(contract.exportTransactions, { tz: 'UTC' })
    for (const cells of readCsv(csv)) assert.equal(cells.length, utc.length)
  })
})

const APPROVED = [
  { name: 'Ben', by: 'Dora' },
  { name: 'Cleo', by: null },
]

describe('what is exported of an order', () => {
  it('about stake is called what it does, and its amount is not said to be paid; who decided in whose place is said', async () => {
    const paid = await readPaid()
    const cellsOf = (language: 'en_US' | 'zh_CN', row: Partial<typeof paid>) =>
      exportCells(language, { ...paid, ...row, approved_by: APPROVED }, clockOf('UTC').timeIn)[0]!
    assert.equal(cellsOf('en_US', {}).approvers, 'Ben (by Dora in their place); Cleo')
    assert.equal(cellsOf('zh_CN', {}).approvers, 'Ben (由 Dora 代为决定); Cleo')
    const cells = cellsOf('zh_CN', { stake: { action: 'stake', title: '质押 5 TRX 获取能量' } })
    assert.deepEqual([cells.type, cells.does, cells.out], ['质押', '质押 5 TRX 获取能量', ''])
    const call_ = cellsOf('en_US', { call: { method: 'approve(address,uint256)' } })
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
  const about = {
    language: 'en_US' as const,
    tz: 'Asia/Shanghai',
    organisation: 'Acme',
    person: 'Ann',
    fingerprint: 'ab'.repeat(32),
    explorers: [],
    nowMs: 1_700_000_000_000,
  }
  const textOf = ({ title, headline, sections, proof }: ReturnType<typeof receiptSheet>) =>
    [
      ...[title, headline.amount, headline.state, ...headline.under],
      ...[...sections, proof].flatMap((each) => [each.title, ...each.rows.map(({ label, value, under = [] }) => `${label}: ${[value, ...under].join(' | ')}`)]),
    ].join('\n')

  it('says whom a payment was paid, by which wallet and when, who approved it, and where its proof is', async () => {
    const paid = await call(contract.getWithdrawal, { id: paidId })
    const evidence = { fileName: `holdfast-signature-${paidId}.evidence`, digest: 'cd'.repeat(32) }
    const text = textOf(receiptSheet(paid, { ...about, evidence }))
    const told = [
      'Payment receipt',
      '2.5 ETH',
      'From: Treasury / Main | ',
      'Completed, as of',
      STRANGER,
      wallet.address,
      paid.txid!,
      paid.intent_hash,
      about.fingerprint,
    ]
    for (const each of [...told, evidence.fileName, evidence.digest, 'the-rent-of-march', 'Ben: approved, ', 'Cleo: approved, ', '2 of 2, by version 1'])
      assert.ok(text.includes(each), each)
    assert.match(text, /Approved by Ben\n[\s\S]*Signed and being sent · [^\n]* · Signers \d, \d\n[\s\S]*Completed · Network/)
    for (const own of ['monthly', 'paid in time']) assert.ok(!text.includes(own), `${own} is for the organisation alone`)
    const forBen = { ...paid, approvers: paid.approvers.map((each) => (each.name === 'Ben' ? { ...each, by: 'Dora' } : each)) }
    assert.match(textOf(receiptSheet(forBen, { ...about, evidence })), /Ben: approved, by Dora in their place, /)
    const timeline = paid.timeline.map((each) => (each.actor === 'Ben' ? { ...each, actor: 'Dora', in_place_of: 'Ben' } : each))
    assert.match(textOf(receiptSheet({ ...paid, timeline }, { ...about, evidence })), /Approved by Dora for Ben\n/)
    const explorers = [{ tx_link: 'https://explorer.example/tx/{txid}', address_link: 'https://explorer.example/a/{address}' }]
    assert.ok(textOf(receiptSheet(paid, { ...about, evidence, explorers })).includes(`https://explorer.example/tx/${paid.txid}`))
  })

  it('of what is not paid or not credited does not look like one, in either language', async () => {
    const open = await call(contract.getWithdrawal, { id: openId })
    assert.match(textOf(receiptSheet(open, { ...about, evidence: null })), /^A payment that is not completed[\s\S]*Evidence bundle: none/)
    const chinese = receiptSheet(open, { ...about, evidence: null, language: 'zh_CN' })
    assert.equal(chinese.title, '未完成的付款')
    assert.match(textOf(chinese), /待审批（截至[\s\S]*发起申请 · 审批人决定中 · Ben[\s\S]*证据包: 无/)
    const deposit = receiptSheet(await call(contract.getDeposit, { id: depositId }), { ...about, evidence: null })
    assert.equal(deposit.title, 'Deposit receipt')
    const several = receiptSheet({ ...open, outputs: SPLIT.map((each) => ({ ...each, memo: '10042' })) }, { ...about, evidence: null })
    assert.match(textOf(several), /second \| Memo: 10042/)
    const stake = receiptSheet({ ...open, stake: { action: 'stake', title: 'x' } }, { ...about, evidence: null })
    assert.deepEqual([stake.title, stake.headline.amount], ['Stake: not completed', `${open.amount} ETH`])
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
        receiptSheet(row, { ...about, evidence: null }).headline.under[0],
        receiptSheet(row, { ...about, evidence: null, language: 'zh_CN' }).headline.under[0],
      ]
    }
    const paid = call(contract.getWithdrawal, { id: paidId })
    assert.deepEqual(await lines(paid), ['paid', 'Worth 5,000.00 USD when it was paid', '付款时价值 5,000.00 USD'])
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
