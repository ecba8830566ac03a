import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { listBatches, listBatchRows } from '@holdfast/features/batch-transfer/contract'
import { known } from '@holdfast/units'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { freshAddress } from '../../../features/testing/fresh-address.ts'
import { picture, untilItFits, untilLoaded } from '../browser.ts'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { lookAllOver, story } from '../story.ts'

/*
 * A payroll of fifty lines, three of them wrong, is handed in as a file, read, asked for without the three, approved once by two people, and paid line by line.
 */

const LINES = 50
const WRONG = 3
const FORM = '/mpc/tools/batchTransfer'
const RECORD = `${FORM}/transferRecord`

let run: FundedConsole
let desk: Page
let approvals: string

before(async () => {
  run = await startFundedConsole({ mark: 'Test' })
  desk = await run.open(run.org.alice, '/mpc/tools')
})
after(() => run?.close())

const test = story(async (cause) => {
  await picture(desk, 'batch-failed')
  throw cause
})
const main = () => desk.getByRole('main')
const row = (text: string | RegExp) => main().getByRole('row').filter({ hasText: text })
const open = (path: string) => desk.goto(`${run.stack.settings.consoleOrigin}${path}`)
const batch = async () => known((await run.org.alice.client.call(listBatches, {})).list[0], 'the batch')

/** Pictures of a page on a wide screen and on a telephone, where it has to fit. */
async function glance(page: Page, name: string): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await untilLoaded(page)
    await untilItFits(page)
    await picture(page, `${name}-${width}`)
  }
}

/** Fifty payments: three are wrong, in their amount, their address and their decimals; the last pays again whom the first pays. */
function payroll(): string {
  const good = Array.from({ length: LINES - WRONG - 1 }, (_, i) => `${freshAddress()},0.0${String(i + 11)}`)
  const wrong = [`${freshAddress()},`, `${freshAddress().slice(0, 20)},0.5`, `${freshAddress()},0.0000000000000000001`]
  const again = `${known(good[0], 'the first payment').split(',')[0]},0.02`
  return ['address,amount', ...good.slice(0, 9), ...wrong, ...good.slice(9), again].join('\n')
}

test('a file of payments is read, and every line that is wrong says why (spec 2.17)', async () => {
  await main().getByRole('heading', { name: 'Tools' }).waitFor()
  await glance(desk, 'batch-tools')
  await main()
    .getByRole('link', { name: /^Batch transfer/ })
    .click()
  await main().getByRole('button', { name: 'Check file' }).waitFor()
  await glance(desk, 'batch-form')
  await main()
    .getByLabel('File (CSV or XLSX)')
    .setInputFiles({ name: 'payroll-march.csv', mimeType: 'text/csv', buffer: Buffer.from(payroll()) })
  await main().getByRole('button', { name: 'Check file' }).click()
  await main().getByText('50 in the file, 3 with errors').waitFor()
  await row('The amount is missing.').waitFor()
  await row('This is not a valid address on this network.').waitFor()
  await row('The amount has more decimals than the coin.').waitFor()
  await row('A line before it pays the same address.').waitFor()
  await lookAllOver(desk, 'batch-read')
  await main().getByRole('button', { name: 'Show' }).click()
  await desk.getByRole('option', { name: 'With errors' }).click()
  await row('0.011').waitFor({ state: 'hidden' })
  assert.equal(await main().getByRole('row').count(), 1 + WRONG)
  await glance(desk, 'batch-wrong')
})

test('with a line that is wrong nothing is asked for strictly; without the wrong lines it is put before people', async () => {
  const submit = main().getByRole('button', { name: 'Submit 47 lines for approval' })
  await main().getByLabel('If a line has an error').selectOption('strict')
  await main().getByText('Lines with errors: 3.').waitFor()
  assert.equal(await submit.isDisabled(), true)
  await main().getByLabel('If a line has an error').selectOption('partial')
  await main().getByLabel('Remark').fill('Payroll of March')
  await submit.click()
  const link = main().getByRole('link', { name: 'Open the approval page' })
  await link.waitFor()
  approvals = known((await link.getAttribute('href')) ?? undefined, 'the address of the approval page')
  await main().getByText('Awaiting approval').first().waitFor()
  await glance(desk, 'batch-asked')
})

test('people read each line at the approval page, and approve once', async () => {
  const page = await desk.context().newPage()
  await page.goto(approvals)
  await page.getByRole('heading', { name: /in a batch of 47 lines/ }).waitFor()
  await page.getByText('1 line pays an address that a line before it pays already.').waitFor()
  await glance(page, 'batch-approval')
  await page.close()
  const todo = await run.open(run.org.bruno, '/mpc/center/wallet/todo')
  await todo
    .getByText(/in a batch of 47 lines/)
    .first()
    .waitFor()
  await glance(todo, 'batch-todo')
  await todo.close()
  const hash = known(/[0-9a-f]{64}/.exec(approvals)?.[0], 'the hash of the order')
  for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hash, 'approve')
})

test('each line is paid, the record says which, and the wrong ones are left out', async () => {
  await row('Completed').first().waitFor()
  await glance(desk, 'batch-paying')
  for (let paid = 0; paid < LINES - WRONG; ) {
    paid = await waitUntil(ports, `more lines than ${paid} to be paid`, async () => {
      const { completed } = (await batch()).counts
      return completed > paid ? completed : undefined
    })
  }
  await open(RECORD)
  await row('payroll-march.csv').getByText('Finished').waitFor()
  await row('payroll-march.csv').getByText('47 / 50').waitFor()
  await glance(desk, 'batch-records')
  await main().getByRole('link', { name: 'payroll-march.csv' }).click()
  await main().getByText('Completed 47 · Not executed 3').waitFor()
  await row('Completed').first().waitFor()
  await glance(desk, 'batch-record')
  await row('Completed').first().getByRole('link', { name: 'View payment' }).click()
  await desk.getByRole('dialog').getByText('Approved as a line of a batch').waitFor()
  await picture(desk, 'batch-line')
})

test('by contract all lines are paid by one transaction, where a member chooses that', async () => {
  await open(FORM)
  const lines = Array.from({ length: 12 }, () => `${freshAddress()},0.05`)
  await main()
    .getByLabel('File (CSV or XLSX)')
    .setInputFiles({ name: 'bonus.csv', mimeType: 'text/csv', buffer: Buffer.from(['address,amount', ...lines].join('\n')) })
  await main().getByRole('button', { name: 'Check file' }).click()
  await main().getByText('12 transactions at up to').waitFor()
  await main().getByLabel('Paid by').selectOption('contract')
  await main().getByText('1 transaction at up to').waitFor()
  await lookAllOver(desk, 'batch-by-contract')
  await main().getByRole('button', { name: 'Submit 12 lines for approval' }).click()
  const link = main().getByRole('link', { name: 'Open the approval page' })
  await link.waitFor()
  const href = known((await link.getAttribute('href')) ?? undefined, 'the address of the approval page')
  const page = await desk.context().newPage()
  await page.goto(href)
  await page.getByText('Paid through the contract').first().waitFor()
  await page.getByText('the coins would be lost').first().waitFor()
  await glance(page, 'batch-by-contract-approval')
  await page.close()
  const hash = known(/[0-9a-f]{64}/.exec(href)?.[0], 'the hash of the order')
  for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hash, 'approve')
  await waitUntil(ports, 'the batch to be paid', async () => ((await batch()).state === 'finished' ? true : undefined))
  const { batch_id: id, paid } = await batch()
  assert.equal(paid, '0.6')
  const { list } = await run.org.alice.client.call(listBatchRows, { batch_id: id })
  assert.equal(new Set(list.map(({ txid }) => txid)).size, 1)
  assert.deepEqual([...new Set(list.map(({ state }) => state))], ['completed'])
})

test('the pages read in Chinese', async () => {
  const payrollId = known((await run.org.alice.client.call(listBatches, {})).list.find(({ wrong }) => wrong === WRONG)?.batch_id, 'the payroll')
  await open(`${RECORD}?batch=${payrollId}`)
  await row('The amount is missing.').waitFor()
  await desk.getByRole('button', { name: '中文' }).click()
  await main().getByText('已完成 47 · 未执行 3').waitFor()
  await row('缺少金额。').waitFor()
  await lookAllOver(desk, 'batch-record-zh')
  await open(RECORD)
  await row('payroll-march.csv').getByText('已结束').waitFor()
  await glance(desk, 'batch-records-zh')
  await open(FORM)
  await main()
    .getByLabel('文件（CSV 或 XLSX）')
    .setInputFiles({ name: '四月工资.csv', mimeType: 'text/csv', buffer: Buffer.from(payroll().replace('address,amount', '收款地址,金额')) })
  await main().getByRole('button', { name: '检查文件' }).click()
  await main().getByText('文件共 50 行，其中 3 行有误').waitFor()
  await row('不是该网络的有效地址').waitFor()
  await row('缺少金额。').waitFor()
  await row('金额小数位超过该币种精度。').waitFor()
  await main().getByLabel('支付方式').selectOption('contract')
  await main().getByText('由代码固定的合约在一笔交易中支付多行', { exact: false }).waitFor()
  await glance(desk, 'batch-read-zh')
  await main().getByLabel('若有行有误').selectOption('partial')
  await main().getByRole('button', { name: '提交 47 行审批' }).click()
  const link = main().getByRole('link', { name: '打开审批页面' })
  await link.waitFor()
  const hash = known(/[0-9a-f]{64}/.exec((await link.getAttribute('href')) ?? '')?.[0], 'the hash of the order')
  for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hash, 'approve')
  await waitUntil(ports, 'the batch to be paid', async () => ((await batch()).state === 'finished' ? true : undefined))
  await main().getByText('已完成 47 · 未执行 3').waitFor()
  await glance(desk, 'batch-paid-zh')
  await open('/mpc/tools')
  await main().getByRole('heading', { name: '工具' }).waitFor()
  await glance(desk, 'batch-tools-zh')
})
