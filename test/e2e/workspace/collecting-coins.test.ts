import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import {
  listCollectingFunds,
  listCollectingRecords,
  saveCollectingSubWallets,
  setCollectingRule,
  setCollectingStatus,
} from '@holdfast/features/co-signer/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { depositFromFaucet } from '../../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_BITCOIN as chain } from '../../../apps/launcher/src/local-settings.ts'
import { makeWallet } from '../../../apps/launcher/src/make-wallet.ts'
import { proveRecovery } from '../../../apps/launcher/src/prove-recovery.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { approveAt } from '../../processes/testing/collected-deposits.ts'
import { picture } from '../browser.ts'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { lookAllOver, lookAtWords, story } from '../story.ts'

/* Bitcoin that arrives in several coins is joined and collected; what came back as change, and what is dust, is said where people look. */

let run: FundedConsole
let desk: Page
let deposits: { walletId: string; subWalletId: string }

before(async () => {
  run = await startFundedConsole({ mark: 'Coins' })
})
after(() => run?.close())

const test = story(async (cause) => {
  if (desk) await picture(desk, 'collecting-coins-failed')
  throw cause
})
const option = (name: string | RegExp) => desk.getByRole('listbox').getByRole('option', { name }).first()
const page = { page_no: 1, page_size: 20 }

test('two coins of a deposit address are joined under a standing order', async () => {
  const { org, stack } = run
  const treasury = await makeWallet(ports, org.alice, 'Treasury')
  deposits = await makeWallet(ports, org.alice, 'Deposits')
  for (const each of [treasury, deposits]) await proveRecovery(ports, stack.settings, org.alice, each.walletId)
  const { client } = org.alice
  const of = { wallet_id: deposits.walletId }
  await client.call(saveCollectingSubWallets, { ...of, collect_sub_wallet_id: treasury.subWalletId })
  const rule = { chain, symbol: 'BTC', collect_min: '0.006', max_fee: '0.0005', max_fee_pct: '20', rbf_after_s: '86400' }
  await client.call(setCollectingRule, { ...of, ...rule })
  const { pending } = await client.call(setCollectingStatus, { ...of, status: 'run' })
  for (const { approval_url: url } of pending) await approveAt(url, org)
  for (const amount of ['0.000005', '0.004', '0.003'])
    await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: deposits.subWalletId, chain, symbol: 'BTC', amount })
  const record = await waitUntil(ports, 'the collection', async () => {
    const { list } = await client.call(listCollectingRecords, { ...of, ...page })
    return list.find(({ status }) => status === 2000)
  })
  assert.deepEqual([record.joined, record.stays?.what], [2, 'change'])
  await waitUntil(ports, 'what is left to be said', async () => {
    const [held] = (await client.call(listCollectingFunds, { ...of, ...page })).list
    return held?.parts?.some(({ part }) => part === 'change') && held.parts.some(({ part }) => part === 'dust') ? true : undefined
  })
})

test('the page says what of the rest is change and what is dust, and the record how many coins were joined', async () => {
  desk = await run.open(run.org.alice, '/mpc/coSigner')
  await desk.locator('.hf-wallet-switcher').click()
  await option('Deposits').click()
  await desk.getByRole('link', { name: 'Why not collected' }).click()
  const row = desk.getByRole('row').filter({ hasText: 'BTC' })
  await row.getByText('Change:').waitFor()
  await row.getByText('Dust:').waitFor()
  await lookAllOver(desk, 'collecting-coins-funds')
  await desk.goto(`${run.stack.settings.consoleOrigin}/mpc/coSigner`)
  await desk.getByRole('tab', { name: 'Records' }).click()
  await desk.getByText('2 coins joined').waitFor()
  await desk.getByText('Change returned:').waitFor()
  await lookAllOver(desk, 'collecting-coins-records')
})

test('in Chinese, the pages say the same', async () => {
  await desk.getByRole('button', { name: '中文' }).click()
  await desk.getByText('合并 2 个 UTXO').waitFor()
  await lookAtWords(desk, 'collecting-coins-records-zh')
  await desk.goto(`${run.stack.settings.consoleOrigin}/mpc/coSigner`)
  await desk.getByRole('link', { name: '未归集原因' }).click()
  await desk.getByText('找零：').waitFor()
  await desk.getByText('粉尘：').waitFor()
  await lookAtWords(desk, 'collecting-coins-funds-zh')
})
