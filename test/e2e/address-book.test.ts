import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import {
  decideBookAudit,
  deleteBookEntries,
  getBookAudit,
  listBookAudits,
  saveBookEntry,
  savePersonal,
  saveWhitelist,
} from '@holdfast/features/address-book/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, lookAtWords, story } from './story.ts'

const EXCHANGE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PLANTED = `${EXCHANGE.slice(0, 8)}${'0'.repeat(28)}${EXCHANGE.slice(-6)}`.toLowerCase()

let at: FundedConsole
let page: Page

before(async () => {
  at = await startFundedConsole({ mark: 'Test' })
  page = await at.open(at.org.alice, '/mpc/addressBook')
})
after(() => at?.close())

const test = story()
const drawer = () => page.getByRole('dialog').last()
const main = () => page.getByRole('main')
const fill = async (name: string, address: string) => {
  await drawer().getByLabel('Name', { exact: true }).fill(name)
  await drawer().getByLabel('Address', { exact: true }).fill(address)
}
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]

test('an address is put into the book, and people are asked to put it on the whitelist (spec 2.8)', async () => {
  await main().getByRole('heading', { name: 'Address book' }).waitFor()
  await main().getByText('No entries yet').waitFor()
  await lookAllOver(page, 'book-empty')
  await main().getByRole('button', { name: 'Add entry' }).first().click()
  await fill('Kraken', EXCHANGE)
  await drawer().getByText('Read as').waitFor()
  await lookAllOver(page, 'book-form')
  await drawer().getByRole('button', { name: 'Add entry' }).click()
  await drawer().getByText('Approval requested').waitFor()
  await lookAllOver(page, 'book-asked')
})

test('it is read whole on the approval page, and in its waiting period once it is approved', async () => {
  const href = await drawer().getByRole('link').first().getAttribute('href')
  const approving = await page.context().newPage()
  await approving.goto(href!)
  await approving.getByRole('heading', { name: 'Put one address on the whitelist' }).waitFor()
  await approving.getByText('Kraken:').waitFor()
  await lookAllOver(approving, 'book-order')
  await approving.close()
  for (const member of [at.org.bruno, at.org.chiara]) await member.decide(hashIn(href!), 'approve')
  await drawer().getByRole('button', { name: 'Close' }).last().click()
  await main().getByText('Waiting period').waitFor()
  await lookAllOver(page, 'book-cooling')
  await main().getByText('Kraken').click()
  await drawer().getByText('Not verified').waitFor()
  await lookAllOver(page, 'book-entry')
})

test('the same address and one that looks like it are refused in place', async () => {
  await page.keyboard.press('Escape')
  await main().getByRole('button', { name: 'Add entry' }).first().click()
  await fill('Another', EXCHANGE)
  await drawer().getByText('This address is already in your book:').waitFor()
  assert.equal(await drawer().getByRole('button', { name: 'Add entry' }).isDisabled(), true)
  await fill('Another', PLANTED)
  await drawer().getByText('In the organisation’s address book').or(drawer().getByText("In the organisation's address book")).waitFor()
  await drawer().getByRole('button', { name: 'Add entry' }).click()
  await drawer().getByText('Compare the two addresses, then tick the box.').waitFor()
  await lookAllOver(page, 'book-alike')
})

test('who pays is offered the entry with where it is with the whitelist, and the log says who did what (spec 2.20)', async () => {
  await page.goto(new URL('/mpc/addressBook/log', page.url()).href)
  await main().getByText('Whitelisting requested').waitFor()
  await lookAllOver(page, 'book-log')
  await main().getByRole('tab', { name: 'Whitelist requests' }).click()
  await main().getByText('In force', { exact: true }).waitFor()
  await lookAllOver(page, 'book-requests')
  await main().getByRole('row').filter({ hasText: 'In force' }).getByRole('button').click()
  await drawer().getByText('Signers that apply it').waitFor()
  await drawer().getByText('Kraken').first().waitFor()
  await lookAllOver(page, 'book-request')
  await page.goto(new URL('/mpc/center/wallet', page.url()).href)
  await page.getByRole('button', { name: 'Withdraw ETH on Local network' }).click()
  await drawer().getByLabel('Destination').fill('kra')
  await page.getByRole('option', { name: /Kraken.*Waiting period/ }).waitFor()
  await lookAllOver(page, 'book-suggestion')
})

test('an earlier version of the whitelist is asked for as an ordinary change, and what changed since is left out in words', async () => {
  const { client } = at.org.alice
  const settled = async (asked: { trade_no: string | null; approval_url: string | null }) => {
    for (const member of [at.org.bruno, at.org.chiara]) await member.decide(hashIn(asked.approval_url!), 'approve')
    await waitUntil(ports, 'the whitelist to change', async () => (await client.call(getBookAudit, { id: asked.trade_no! })).state === 'followed' || undefined)
  }
  const chains = [LOCAL_CHAIN]
  const add = async (name: string, address: string) => {
    const made = await client.call(saveBookEntry, { request_id: `add-${name}`, name, address, chains, whitelist: '1' })
    await settled(made)
    return made.id
  }
  const [harbour, yard] = [await add('Harbour', freshAddress()), await add('Yard', freshAddress())]
  await settled(await client.call(saveWhitelist, { request_id: 'off-both', ids: [harbour, yard], whitelist: '0' }))
  await client.call(deleteBookEntries, { request_id: 'remove-yard', ids: [yard] })
  await page.keyboard.press('Escape')
  await page.goto(new URL('/mpc/addressBook/log?tab=audits', page.url()).href)
  await main().getByRole('button', { name: 'Restore' }).nth(2).waitFor()
  await main().getByRole('button', { name: 'Restore' }).first().click()
  await drawer().getByRole('heading', { name: 'Restore version 3 of the whitelist' }).waitFor()
  await drawer().getByText('Add: Harbour').waitFor()
  await drawer().getByText('1 address is left out').waitFor()
  await drawer().getByText('It has since been removed from the address book.').waitFor()
  await lookAllOver(page, 'book-restore')
  await drawer().getByRole('button', { name: 'Request this change' }).click()
  await drawer().getByText('Approval requested').waitFor()
  await drawer().getByRole('button', { name: 'Close' }).last().click()
  const { list } = await client.call(listBookAudits, { state: 'approving' })
  assert.deepEqual(
    list.map(({ remark }) => remark),
    ['Restores version 3 of the whitelist'],
  )
  await client.call(decideBookAudit, { id: list[0]!.id, result: 'withdraw' })
})

test('what a page did not know yet is said in place: an entry that came onto the whitelist leaves it by an order, and one that is decided on waits', async () => {
  await page.keyboard.press('Escape')
  await page.goto(new URL('/mpc/addressBook', page.url()).href)
  // The page of somebody who has been looking at the entry since before people approved it.
  await page.route('**/api/mpc/address_book/info?**', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: { whitelist_status: string; usable_at: number | null } }
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, whitelist_status: 'none', usable_at: null, listed_at: null } } })
  })
  await main().getByText('Kraken').click()
  await drawer().getByRole('button', { name: 'Remove', exact: true }).click()
  await drawer().getByRole('button', { name: 'Remove', exact: true }).last().click()
  await drawer().getByText('“Kraken” is on the whitelist.').waitFor()
  await lookAllOver(page, 'book-remove-listed')
  await drawer().getByRole('button', { name: 'Request removal' }).click()
  await drawer().getByText('Approval requested').waitFor()
  await drawer().getByRole('button', { name: 'Close' }).last().click()
  await main().getByText('Kraken').click()
  await drawer().getByRole('button', { name: 'Remove', exact: true }).click()
  await drawer().getByRole('button', { name: 'Remove', exact: true }).last().click()
  await drawer().getByRole('alert').getByText('A request for this address is already waiting for a decision.').waitFor()
  await lookAllOver(page, 'book-in-flow')
  await page.unroute('**/api/mpc/address_book/info?**')
  await page.keyboard.press('Escape')
})

test('a contact of one’s own is proposed for the book of the organisation, with its words', async () => {
  const contact = { name: 'Broker', chain: LOCAL_CHAIN, address: freshAddress(), note: 'Settles monthly' }
  await at.org.alice.client.call(savePersonal, contact)
  await page.goto(new URL('/mpc/wallet/personalBook', page.url()).href)
  await main().getByRole('button', { name: "Propose for the organisation's book" }).click()
  assert.equal(await drawer().getByLabel('Name', { exact: true }).inputValue(), contact.name)
  assert.equal(await drawer().getByLabel('Address', { exact: true }).inputValue(), contact.address)
  await drawer().getByRole('checkbox').last().uncheck()
  await drawer().getByRole('button', { name: 'Add entry' }).click()
  await drawer().waitFor({ state: 'detached' })
  await page.goto(new URL('/mpc/addressBook', page.url()).href)
  await main().getByText(contact.name).waitFor()
})

test('the book reads in Chinese', async () => {
  await page.goto(new URL('/mpc/addressBook', page.url()).href)
  await page.getByRole('button', { name: '中文' }).click()
  await main().getByText('移出审批中').waitFor()
  await lookAllOver(page, 'book-chinese')
  await main().getByText('Kraken').click()
  await drawer().getByText('验证地址归属').click()
  await lookAllOver(page, 'book-entry-chinese')
  await page.keyboard.press('Escape')
  await page.goto(new URL('/mpc/addressBook/log?tab=audits', page.url()).href)
  await main().getByRole('button', { name: '恢复' }).first().click()
  await drawer().getByText('1 个地址未包含在内').waitFor()
  await lookAtWords(page, 'book-restore-chinese')
  await page.keyboard.press('Escape')
  await main().getByRole('row').filter({ hasText: '将 1 个地址加入白名单' }).first().locator('.hf-row-button').click()
  await drawer().getByText('未筛查').first().waitFor()
  await lookAtWords(page, 'book-audit-chinese')
})
