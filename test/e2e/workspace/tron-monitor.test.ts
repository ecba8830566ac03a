import { after, before } from 'node:test'
import { getDepositAddress } from '@holdfast/features/deposit-address/contract'
import { listMonitored } from '@holdfast/features/tron-tools/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { LOCAL_TRON } from '../../../apps/launcher/src/local-settings.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { picture } from '../browser.ts'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { lookAllOver, lookAtWords, story } from '../story.ts'

// An own address on TRON is watched: its resources are read, and whoever is named is told before they run out.

let run: FundedConsole
let desk: Page

before(async () => {
  run = await startFundedConsole({ mark: 'Monitor' })
})
after(() => run?.close())

const test = story(async (cause) => {
  await picture(desk, 'tron-monitor-failed')
  throw cause
})
const drawer = () => desk.getByRole('dialog').last()
const choose = async (field: RegExp, name: string | RegExp) => {
  await drawer().getByRole('button', { name: field }).click()
  await desk.getByRole('listbox').getByRole('option', { name }).first().click()
}

test('a member watches an address, and what it has shows', async () => {
  const { alice, subWalletId } = run.org
  await alice.client.call(getDepositAddress, { sub_wallet_id: subWalletId, chain: LOCAL_TRON, symbol: 'TRX' })
  desk = await run.open(alice, '/mpc/tools/tronResourceMonitor')
  await desk.getByText('No watched addresses').waitFor()
  await desk.getByRole('button', { name: 'Watch an address' }).first().click()
  await choose(/^Wallet/, 'Wallet Monitor')
  await choose(/^Sub-wallet/, /.*/)
  await choose(/^Address/, /^T/)
  await drawer().getByRole('button', { name: 'Save' }).click()
  await waitUntil(ports, 'it is read', async () => (await alice.client.call(listMonitored, {})).find(({ energy }) => energy !== null))
  await desk.getByRole('button', { name: 'Change' }).waitFor()
  await lookAllOver(desk, 'tron-monitor')
})

test('its thresholds can be changed, and watching ends', async () => {
  await desk.getByRole('button', { name: 'Change' }).click()
  await drawer().getByLabel('Notify below this TRX balance').fill('5')
  await drawer().getByRole('button', { name: 'Save' }).click()
  await drawer().waitFor({ state: 'hidden' })
  await desk.getByRole('button', { name: '中文' }).click()
  await desk.getByRole('button', { name: '修改' }).waitFor()
  await lookAtWords(desk, 'tron-monitor-zh')
})
