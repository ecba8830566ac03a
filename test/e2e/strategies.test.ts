import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { getWithdrawal, listTransactions } from '@holdfast/features/transaction/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, lookAtWords, story } from './story.ts'

const SUPPLIER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CLOSED = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const PAID = 2000
const WAITS = 1000
const CLOSED_BY_POLICY = 2202

let at: FundedConsole
let page: Page

before(async () => {
  at = await startFundedConsole({ mark: 'Test', others: ['Dora'] })
  page = await at.open(at.org.alice, '/mpc/strategyEngine')
})
after(() => at?.close())

const test = story()
const drawer = () => page.getByRole('dialog').last()
const main = () => page.getByRole('main')
const press = (name: string) => main().getByRole('button', { name, exact: true }).click()
const go = (path: string) => page.goto(new URL(`/mpc/${path}`, page.url()).href)
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]
const ruleNames = () => main().locator('.hf-rule h3').allInnerTexts()

/** Adds somebody to a step of the rule that is edited. */
const addTo = async (step: string, name: string) => {
  await main().getByRole('group', { name: step, exact: true }).getByRole('button', { name: 'Add people' }).click()
  await page.getByRole('option', { name }).click()
}

/** Proposes what the draft changes; answers the hash of the change. */
const propose = async (look: string) => {
  await press('Review and propose')
  await drawer().getByText('Who must approve it').waitFor()
  await lookAllOver(page, `${look}-review`)
  await drawer().getByRole('button', { name: 'Propose', exact: true }).click()
  await drawer().getByText('Waiting for approval.').waitFor()
  const href = await drawer().getByRole('link').first().getAttribute('href')
  await drawer().getByRole('button', { name: 'Done' }).click()
  return href!
}

test('a newcomer sees the rules in force, templates with limits, and that everything else is refused (spec 2.18)', async () => {
  await main().getByRole('heading', { name: 'Strategies' }).waitFor()
  await main().getByText('Everything else is refused', { exact: true }).waitFor()
  await main().getByText('Start with a template').waitFor()
  await lookAllOver(page, 'strategies-new')
  await main().getByText('What decides for each sub-wallet if no higher rule matches').click()
  await main().getByText('No basic rule: anything that matches no higher rule is refused.').first().waitFor()
  await lookAllOver(page, 'strategies-by-sub-wallet')
  await main().getByText('What decides for each sub-wallet if no higher rule matches').click()
})

test('a rule of three steps is made of sentences, and read beside them while it is made', async () => {
  await press('New rule')
  await main().getByLabel('Name', { exact: true }).fill('Large payments')
  await press('+ Which coins, and how much')
  await press('Add a coin')
  await page.getByRole('option', { name: /^ETH · Local network/ }).click()
  await main().getByLabel('More than').fill('1')
  for (const [no, name] of ['Bruno Test', 'Chiara Test', 'Dora Test'].entries()) {
    if (no > 0) await press('+ Add a step')
    await addTo(`Step ${no + 1}`, name)
  }
  await main().getByText('A payment of more than 1 ETH').waitFor()
  await main().getByRole('heading', { name: 'What it decides' }).waitFor()
  await lookAllOver(page, 'strategies-editor')
  await page.reload()
  assert.equal(await main().getByLabel('Name', { exact: true }).inputValue(), 'Large payments')
  await press('Save to draft')
  await main().getByText('1 change, not proposed yet').waitFor()
})

test('what is missing is said at its field, and a rule that refuses is put before the other by the keyboard, or dragged', async () => {
  await press('New rule')
  await press('Save to draft')
  await main().getByText('Enter a name for the rule.').first().waitFor()
  await lookAllOver(page, 'strategies-faults')
  await main().getByLabel('Name', { exact: true }).fill('Closed account')
  await press('+ Where to')
  await main().getByLabel('Whitelisted addresses').uncheck()
  await main().getByText('Add individual addresses').click()
  await main().getByLabel('Address name').fill('Old account of the exchange')
  await main().getByLabel('Address', { exact: true }).fill(CLOSED)
  await press('Add address')
  await main().getByLabel('Refuse').check()
  await press('Save to draft')
  await main().getByText('2 changes, not proposed yet').waitFor()
  assert.deepEqual((await ruleNames()).slice(0, 2), ['Large payments', 'Closed account'])
  await main().getByRole('button', { name: 'Move Closed account up' }).focus()
  await page.keyboard.press('Enter')
  await main().getByText('Now number 1 of 3').waitFor()
  assert.deepEqual((await ruleNames()).slice(0, 2), ['Closed account', 'Large payments'])
  const grip = (name: string) => main().getByTitle(`Drag ${name} to reorder`)
  const ruleOf = (name: string) =>
    main()
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
  const drop = async (side: 'before' | 'behind') => {
    const box = await ruleOf('Large payments').boundingBox()
    await grip('Closed account').dragTo(ruleOf('Large payments'), { targetPosition: { x: 200, y: side === 'before' ? 4 : box!.height - 4 } })
  }
  await drop('behind')
  assert.deepEqual((await ruleNames()).slice(0, 2), ['Large payments', 'Closed account'])
  await drop('before')
  assert.deepEqual((await ruleNames()).slice(0, 2), ['Closed account', 'Large payments'])
  await lookAllOver(page, 'strategies-draft')
})

test('the change is read in words, proposed, and approved on the approval page (spec 2.18)', async () => {
  const href = await propose('strategies')
  await main().getByText('A change is waiting for approval').first().waitFor()
  await lookAllOver(page, 'strategies-waits')
  await go('center/wallet/todo?state=mine')
  await main().getByRole('button', { name: 'Details' }).first().click()
  await drawer().getByRole('heading', { name: 'What changes' }).waitFor()
  await drawer().getByText('Large payments').first().waitFor()
  await lookAllOver(page, 'strategies-todo')
  await go('strategyEngine')
  const approving = await page.context().newPage()
  await approving.goto(href)
  await approving.getByText('Large payments').first().waitFor()
  await lookAllOver(approving, 'strategies-order')
  await approving.close()
  for (const member of [at.org.bruno, at.org.chiara]) await member.decide(hashIn(href), 'approve')
  await main().getByText('A change is waiting for approval').first().waitFor({ state: 'detached' })
  await main().getByRole('link', { name: 'Large payments' }).waitFor()
  assert.deepEqual((await ruleNames()).slice(0, 2), ['Closed account', 'Large payments'])
})

test('a payment under it is paid once all three have approved, one after the other, and the rule before it refuses', async () => {
  const { alice, bruno, chiara, others, subWalletId } = at.org
  const order = await orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount: '2', to: SUPPLIER })
  for (const member of [bruno, chiara]) await member.decide(order.hash, 'approve')
  const waiting = await alice.client.call(getWithdrawal, { id: order.id })
  assert.notEqual(waiting.status, PAID)
  await others[0]!.decide(order.hash, 'approve')
  await waitUntilPaid(ports, alice, order)
  await assert.rejects(orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount: '0.1', to: CLOSED }), /A rule of the policy refuses this/)
})

test('the rule says how often it decided and what was changed of it, and the log has the way back to the version before', async () => {
  await go('strategyEngine')
  await main().getByRole('link', { name: 'Large payments' }).click()
  await main().getByText('Decided 1 order in 30 days').waitFor()
  await lookAllOver(page, 'strategies-rule')
  await go('strategyEngine/senior/transferLog')
  await main().getByText('In force').first().waitFor()
  await lookAllOver(page, 'strategies-log')
  await main().getByLabel('From day').fill('2090-01-01')
  await main().getByText('No changes match the filters').waitFor()
  await main().getByLabel('From day').fill('')
  await main().getByText('In force').first().waitFor()
  await go('strategyEngine/senior/tradeLog')
  await main().getByText('Changes to the higher rules for trades.').waitFor()
  await main().getByText('No changes yet').waitFor()
  await lookAllOver(page, 'strategies-trade-log')
})

test('what a coin is worth at most is typed, read in words, proposed and approved, and counts from then on', async () => {
  const { alice, subWalletId } = at.org
  for (const amount of ['1.5', '0.25']) await orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount, to: SUPPLIER })
  await go('valuation')
  await main().getByRole('heading', { name: 'Values in dollars' }).waitFor()
  const [dollars, days] = [main().getByLabel('USD for one ETH').first(), main().getByLabel('ETH: days from now').first()]
  await dollars.fill('0')
  await press('Review and propose')
  await main().getByText('Enter dollars above 0, with up to six decimals').first().waitFor()
  await dollars.fill('2500.5')
  await press('Review and propose')
  await main().getByText('Enter 1 to 366 days').first().waitFor()
  await lookAllOver(page, 'valuation-faults')
  await days.fill('30')
  const href = await propose('valuation')
  await main().getByText('A change is waiting for approval').first().waitFor()
  assert.equal(await main().getByLabel('USD for one ETH').count(), 0, 'one change at a time')
  for (const member of [at.org.bruno, at.org.chiara]) await member.decide(hashIn(href), 'approve')
  await main().getByText('Valid', { exact: true }).first().waitFor()
  assert.equal(await main().getByLabel('USD for one ETH').first().inputValue(), '2500.5')
  await lookAllOver(page, 'valuation')
})

test('payments that the change closed are asked for again by one button', async () => {
  await go('wallet')
  const closed = main().getByRole('note').filter({ hasText: 'A policy change closed 2 payments that you requested' })
  await closed.waitFor()
  await lookAllOver(page, 'strategies-closed-payments')
  await page.getByRole('button', { name: '中文' }).click()
  await main().getByText('策略变更关闭了').first().waitFor()
  await lookAtWords(page, 'strategies-closed-payments-chinese')
  await page.getByRole('button', { name: 'English' }).click()
  await closed.getByRole('button', { name: 'Request all again' }).click()
  // One leaves the note before the other: the note is gone when all have left.
  await main().getByRole('note').filter({ hasText: 'A policy change closed' }).waitFor({ state: 'detached' })
  const { list } = await at.org.alice.client.call(listTransactions, {})
  assert.deepEqual(
    list
      .filter(({ status }) => status === WAITS)
      .map(({ amount }) => amount)
      .toSorted(),
    ['0.25', '1.5'],
  )
  assert.equal(list.filter(({ status }) => status === CLOSED_BY_POLICY).length, 2)
})

test('a group is made, and named by a rule', async () => {
  await go('strategyEngine')
  await press('Add group')
  await drawer().getByLabel('Group name').fill('Finance')
  for (const name of ['Bruno Test', 'Chiara Test']) await drawer().getByLabel(name).check()
  await lookAllOver(page, 'strategies-group')
  await drawer().getByRole('button', { name: 'Save to draft' }).click()
  await main().getByText('1 change, not proposed yet').waitFor()
  await press('Edit Large payments')
  await addTo('Step 1', 'Finance')
  await press('Save to draft')
  await main().getByText('2 changes, not proposed yet').waitFor()
  await main().getByText('In Large payments').waitFor()
})

test('a rule for calls says what the parameters of a function may be, and what is left to be said is said at its field', async () => {
  await go('strategyEngine')
  await press('New rule')
  await main().getByLabel('Name', { exact: true }).fill('Locks')
  await main().getByLabel('Applies to').selectOption('calls')
  await press('+ With which parameters')
  await main().getByText('First list functions that have parameters.').waitFor()
  await main().getByLabel('Contracts, one address per line').fill(SUPPLIER)
  await main().getByLabel('Functions, one per line').fill('lock(uint64,address)\nsend(address[],bool,string)')
  for (const parameter of ['Parameter 1: uint64', 'Parameter 2: address']) {
    await press('Add a parameter')
    await page.getByRole('option', { name: parameter }).click()
  }
  await main().getByLabel('At least', { exact: true }).fill('1000')
  await main().getByLabel('Up to', { exact: true }).fill('900')
  await main().getByText('Must not be less than the lower bound.').waitFor()
  await main().getByLabel('Up to', { exact: true }).fill('2000')
  await main().getByLabel('One of these addresses, one per line').fill(CLOSED)
  for (const parameter of ['Parameter 1: address[]', 'Parameter 2: bool', 'Parameter 3: string']) {
    await press('Add a parameter')
    await page.getByRole('option', { name: parameter }).click()
  }
  await main().getByLabel('One of these addresses, one per line').nth(1).fill(CLOSED)
  await main().getByLabel('Maximum elements').fill('5')
  await main().getByRole('radio', { name: 'false' }).check()
  await press('+ Add a text')
  await main().getByLabel('Text 1', { exact: true }).fill('rent')
  await addTo('Step 1', 'Bruno Test')
  await main().getByText('with parameter 1 of lock from 1,000 to 2,000, with parameter 2 of lock being 0x3C44…4293BC').first().waitFor()
  await main().getByText('with parameter 1 of send in each element being 0x3C44…4293BC and with at most 5 elements in parameter 1 of send').first().waitFor()
  await main().getByText('with parameter 2 of send being false and with parameter 3 of send being “rent”').first().waitFor()
  await main().getByText('Before you propose this').first().waitFor()
  await lookAllOver(page, 'strategies-parameters')
  await press('Save to draft')
  await main().getByText('3 changes, not proposed yet').waitFor()
  await go('strategyEngine')
})

test('a rule for trades says at which router what may be given for what, and what is left to be said is said at its field', async () => {
  await go('strategyEngine?about=trades')
  await main().getByText('Without a rule there are no trading venues').waitFor()
  await press('New rule')
  await main().getByLabel('Name', { exact: true }).fill('Swaps')
  await press('Save to draft')
  await main().getByText('Enter the address of the router.').first().waitFor()
  await main().getByLabel('Router', { exact: true }).fill(SUPPLIER)
  await press('Add an asset to sell')
  await page.getByRole('option', { name: /^ETH/ }).click()
  await main().getByLabel('Up to, per order').fill('2.5')
  await press('Add an asset to buy')
  await page.getByRole('option', { name: /^ETH/ }).click()
  await main().getByText('The asset bought must differ from the asset sold.').first().waitFor()
  await main().getByRole('group', { name: 'Assets that may be bought' }).getByRole('button', { name: 'Remove ETH' }).click()
  await press('Add an asset to buy')
  await page.getByRole('option', { name: /^USD/ }).first().click()
  await main().getByLabel('Maximum loss in value').fill('0.5')
  await addTo('Step 1', 'Bruno Test')
  await main()
    .getByText(/Trades of up to 2.5 ETH for USD\S+ at the router 0x7099…dc79C8 on .*received at most 0.5% lower and a deadline within 30 minutes of signing/)
    .first()
    .waitFor()
  await main().getByText('Before you propose this').first().waitFor()
  await lookAllOver(page, 'strategies-trades')
  await press('Save to draft')
  await main().getByText('4 changes, not proposed yet').waitFor()
  await main().getByRole('heading', { name: 'Swaps' }).waitFor()
  await lookAllOver(page, 'strategies-trades-list')
  await go('strategyEngine')
})

test('the rules read in Chinese', async () => {
  await page.getByRole('button', { name: '中文' }).click()
  await main().getByText('优先匹配，按此顺序').waitFor()
  await lookAllOver(page, 'strategies-chinese')
  await main().getByRole('button', { name: '编辑 Large payments' }).click()
  await main().getByText('规则全文').waitFor()
  await lookAtWords(page, 'strategies-editor-chinese')
  await go('strategyEngine')
  await main().getByRole('tab', { name: '合约调用' }).click()
  await main().getByRole('button', { name: '编辑 Locks' }).click()
  await main().getByText('第 1 个参数：uint64').waitFor()
  await main().getByText('列表中每个元素均须符合。').waitFor()
  await lookAtWords(page, 'strategies-parameters-chinese')
  await go('strategyEngine?about=trades')
  await main().getByRole('button', { name: '编辑 Swaps' }).click()
  await main().getByText('所得价值至多低于付出').waitFor()
  await lookAtWords(page, 'strategies-trades-chinese')
  await go('valuation')
  await main().getByRole('heading', { name: '美元估值' }).waitFor()
  await lookAtWords(page, 'valuation-chinese')
  assert.deepEqual(at.watched.faults, [])
})
