import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import { addressOfScript, networkOf, writeBrc20Transfer } from '@holdfast/chain-bitcoin/codec'
import { addressText } from '@holdfast/chain-tron/codec'
import { getPolicy, proposePolicy } from '@holdfast/features/policy/contract'
import { getWithdrawal, listTransactions } from '../../features/transaction/contract.ts'
import { listTokens } from '@holdfast/features/utxo/contract'
import { createSubWallet, listAllSubWallets, listCoinAssets, listWallets } from '../../features/wallet/contract.ts'
import { getDepositAddress } from '../../features/deposit-address/contract.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import { LOCAL_BITCOIN, LOCAL_TRON } from '../../apps/launcher/src/local-settings.ts'
import { draftOf } from '../../features/policy/console/draft.ts'
import { inscribe } from '../../features/utxo/server/testing/inscribe.ts'
import { localBitcoin } from '../processes/testing/local-bitcoin.ts'
import { type Page } from 'playwright-core'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { picture, seriousFaults } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, review, sendForApproval, story } from './story.ts'

let app: FundedConsole
let page: Page
let address = ''

before(async () => {
  app = await startFundedConsole({ amount: '1', mark: 'Tron' })
  page = await app.open(app.org.alice, '/mpc/center/wallet')
})
after(() => app?.close())

const step = story()
const freshAddress = () => addressText(Uint8Array.of(0x41, ...randomBytes(20)))
const rowOf = (symbol: string) => page.getByRole('row', { name: new RegExp(symbol) })

async function depositFromPage(symbol: string, amount: string): Promise<void> {
  await page.getByRole('button', { name: `Deposit ${symbol}` }).click()
  const drawer = page.getByRole('dialog', { name: `Deposit ${symbol}` })
  address = ((await drawer.locator('.hf-address').first().textContent()) ?? '').trim()
  await drawer.getByText('TRON emulator').first().waitFor()
  await drawer.locator('.hf-deposit-qr svg').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, `tron-deposit-${symbol}`)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  const faucet = await (await app.watched.newContext()).newPage()
  await faucet.goto(`${app.stack.settings.faucetUrl}/?address=${address}`)
  await faucet.getByText('A model of TRON for trying out').waitFor()
  await faucet.getByLabel('Amount').fill(amount)
  await faucet.getByText(symbol, { exact: true }).first().click()
  await picture(faucet, `tron-faucet-${symbol}`)
  await faucet.locator('button[type=submit]').click()
  await faucet
    .getByRole('status')
    .getByText(/arrived in block/)
    .waitFor()
  await faucet.close()
  await rowOf(symbol).getByText(amount).first().waitFor()
}

/** Fills the form and sends it for approval; the drawer stays open on what was sent. */
async function askFor(symbol: string, amount: string, to: string, look: () => Promise<void>): Promise<string> {
  await page.getByRole('button', { name: `Withdraw ${symbol}` }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Destination').fill(to)
  await drawer.getByLabel('Amount', { exact: true }).fill(amount)
  await look()
  await review(page)
  return sendForApproval(page)
}

/** Has two people approve what the open drawer has sent, and follows it to its end. */
async function approveAndFinish(link: string): Promise<void> {
  const hash = /[0-9a-f]{64}/.exec(link)![0]
  for (const member of [app.org.bruno, app.org.chiara]) await member.decide(hash, 'approve')
  await page.getByRole('dialog').getByRole('button', { name: 'View the order' }).click()
  await page.getByRole('dialog').getByText('Completed').first().waitFor()
}

step('TRX and a TRC-20 are deposited to an address of TRON from the faucet page, and the console shows them by itself', async () => {
  await depositFromPage('TRX', '120.5')
  const first = address
  await depositFromPage('USDZ', '900.25')
  assert.equal(address, first)
  assert.match(address, /^T[1-9A-HJ-NP-Za-km-z]{33}$/)
})

step('an address that is none of TRON is refused in the form', async () => {
  await page.getByRole('button', { name: 'Withdraw TRX' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Destination').fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  await drawer.getByText('This is an EVM (Ethereum-type) address').waitFor()
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

for (const [symbol, amount] of [
  ['TRX', '20'],
  ['USDZ', '300.125'],
] as const) {
  step(`${symbol} is paid: the fee in the terms of TRON, the order on the approval page, two signers, confirmed`, async () => {
    const to = freshAddress()
    const link = await askFor(symbol, amount, to, async () => {
      const drawer = page.getByRole('dialog')
      if (symbol === 'TRX') await drawer.getByText('costs 1.1 TRX of the fee').waitFor()
      else await drawer.getByText(/Uses \d+ energy/).waitFor()
      await drawer.getByText(/Uses \d+ bandwidth/).waitFor()
      await lookAllOver(page, `tron-withdraw-${symbol}`)
    })
    const approvals = await (await app.watched.newContext()).newPage()
    await approvals.goto(link)
    await approvals.getByText(`${amount} ${symbol}`).first().waitFor()
    await approvals.getByText(LOCAL_TRON).first().waitFor({ state: 'attached' })
    await picture(approvals, `tron-approval-${symbol}`)
    await approvals.close()
    await approveAndFinish(link)
    await picture(page, `tron-order-${symbol}`)
    assert.equal(await page.getByText('Nonce', { exact: true }).count(), 0)
    await page.goto(`${app.stack.settings.consoleOrigin}/mpc/center/wallet`)
  })
}

/* The same organisation on Bitcoin: its coins, and a token that lies on one of them. */

const bitcoin = () => localBitcoin(app.stack.settings)

step('coins of Bitcoin are shown one by one, one is locked, and a payment leaves it alone', async () => {
  for (const amount of ['0.5', '0.25'])
    await depositFromFaucet(ports, app.stack.settings, app.org.alice, { subWalletId: app.org.subWalletId, chain: LOCAL_BITCOIN, symbol: 'BTC', amount })
  await page.goto(`${app.stack.settings.consoleOrigin}/mpc/center/wallet?tab=utxo`)
  await page.getByRole('button', { name: 'Lock the UTXO of 0.5' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('kept for the walk')
  await page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true }).click()
  await page.getByText('kept for the walk').waitFor()
  await lookAllOver(page, 'bitcoin-coins')
  await page.getByRole('tab', { name: 'Coins' }).click()
  const to = addressOfScript(networkOf(LOCAL_BITCOIN), Uint8Array.of(0, 20, ...randomBytes(20)))!
  const link = await askFor('BTC', '0.1', to, () => picture(page, 'bitcoin-withdraw').then(() => undefined))
  await approveAndFinish(link)
  await page.goto(`${app.stack.settings.consoleOrigin}/mpc/center/wallet?tab=utxo`)
  await page.getByRole('button', { name: 'Unlock the UTXO of 0.5' }).waitFor()
})

step('while no block comes a payment of Bitcoin is sped up and a deposit is lifted by a child, and both are there with the next blocks', async () => {
  const { alice, subWalletId } = app.org
  const { settings } = app.stack
  const { address: own } = await alice.client.call(getDepositAddress, { sub_wallet_id: subWalletId, chain: LOCAL_BITCOIN, symbol: 'BTC' })
  type Kind = 'deposit' | 'withdraw' | 'replacement'
  const newest = async (type: Kind) => (await alice.client.call(listTransactions, { sub_wallet_id: subWalletId, type })).list[0]
  type Row = NonNullable<Awaited<ReturnType<typeof newest>>>
  const until = (what: string, type: Kind, wanted: (row: Row) => boolean) =>
    waitUntil(ports, what, async () => ((row) => (row && wanted(row) ? row : undefined))(await newest(type)))
  const approve = async (id: string) => {
    const { intent_hash: hash } = await alice.client.call(getWithdrawal, { id })
    for (const member of [app.org.bruno, app.org.chiara]) await member.decide(hash, 'approve')
    return hash
  }
  await bitcoin().pause(true)
  try {
    await page.goto(`${settings.consoleOrigin}/mpc/center/wallet`)
    await askFor('BTC', '0.05', addressOfScript(networkOf(LOCAL_BITCOIN), Uint8Array.of(0, 20, ...randomBytes(20)))!, async () => {})
    const { id } = (await newest('withdraw'))!
    await approve(id)
    await until('the payment to wait', 'withdraw', ({ sub_status }) => sub_status === 'mempool')
    await page.goto(`${settings.consoleOrigin}/mpc/center/wallet/transactions?wallets=all&order=${id}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Speed up' }).click()
    const raise = page.getByRole('dialog', { name: 'Speed up this payment' })
    await raise.getByText('More than was approved: approvers decide first.').waitFor()
    await picture(page, 'bitcoin-speed-up')
    await raise.getByRole('button', { name: 'Request approval' }).click()
    await approve((await until('the order for a higher fee to be there', 'replacement', ({ purpose }) => purpose === 'speed_up')).id)
    await waitUntil(ports, 'the speed-up to be signed', async () => {
      const { speed_up_history: made } = await alice.client.call(getWithdrawal, { id })
      return made.length === 2 && made[1]!.has_evidence ? true : undefined
    })
    await bitcoin().bitcoin.fund(own!, 20_000_000n)
    const deposit = await until('the deposit to be seen', 'deposit', ({ sub_status }) => sub_status === 'mempool')
    await page.goto(`${settings.consoleOrigin}/mpc/center/wallet/transactions?wallets=all&order=${deposit.id}&kind=deposit`)
    await page.getByText('This deposit is not in a block yet').waitFor()
    await lookAllOver(page, 'bitcoin-waiting-deposit')
    await page.getByRole('dialog').getByRole('button', { name: 'Speed up deposit' }).click()
    await page.getByText('spends only this deposit').waitFor()
    await lookAllOver(page, 'bitcoin-lift')
    await page.getByRole('button', { name: 'Request approval' }).click()
    const child = await until('the order to be there', 'withdraw', ({ lifts }) => lifts !== undefined)
    const { intent_hash: hash } = await alice.client.call(getWithdrawal, { id: child.id })
    const approvals = await (await app.watched.newContext()).newPage()
    await approvals.goto(`${settings.approvalOrigin}/#/order/${hash}`)
    await approvals.getByText('so that a deposit of 0.2 BTC comes into a block sooner').first().waitFor()
    await picture(approvals, 'bitcoin-lift-approval')
    await approvals.close()
    await approve(child.id)
    await until('what lifts it to wait', 'withdraw', ({ id: other, sub_status }) => other === child.id && sub_status === 'mempool')
    await page.goto(`${settings.consoleOrigin}/mpc/center/wallet/transactions?wallets=all&order=${child.id}`)
    await page.getByText('This order speeds up a pending deposit').waitFor()
    await picture(page, 'bitcoin-lift-order')
  } finally {
    await bitcoin().pause(false)
  }
  await whenPaid(subWalletId)
  const { status, sub_status } = (await newest('deposit'))!
  assert.deepEqual([status, sub_status], [2000, 'ok'])
  await page.goto(`${settings.consoleOrigin}/mpc/center/wallet?tab=utxo`)
})

step('a BRC-20 token is minted to us, inscriptions of it are listed, and two are sent at once with their coins', async () => {
  const { subWalletId } = app.org
  const { address: own } = await app.org.alice.client.call(getDepositAddress, { sub_wallet_id: subWalletId, chain: LOCAL_BITCOIN, symbol: 'BTC' })
  const json = (operation: object) => ({
    contentType: 'text/plain',
    body: new TextEncoder().encode(JSON.stringify({ p: 'brc-20', tick: 'devb', ...operation })),
  })
  await inscribe(bitcoin(), own!, json({ op: 'deploy', max: '21000000' }))
  await inscribe(bitcoin(), own!, json({ op: 'mint', amt: '100' }))
  for (const amount of [40n, 10n]) await inscribe(bitcoin(), own!, writeBrc20Transfer('devb', amount * 10n ** 18n))
  const send = page.getByRole('button', { name: 'Send 40 devb' })
  await page.getByRole('row', { name: /devb.*50.*50/ }).waitFor()
  await send.waitFor()
  await lookAllOver(page, 'bitcoin-inscriptions')
  await waitUntil(ports, 'the token to be credited', async () => {
    const { list } = await app.org.alice.client.call(listCoinAssets, { sub_wallet_id: subWalletId })
    return list.find(({ symbol }) => symbol === 'DEVB')!.normal_balance === '100' ? true : undefined
  })
  await send.click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Destination').fill(addressOfScript(networkOf(LOCAL_BITCOIN), Uint8Array.of(0, 20, ...randomBytes(20)))!)
  await drawer.getByRole('group', { name: 'Send along in the same transaction' }).getByRole('checkbox').check()
  // What is to be acknowledged of the destination.
  await drawer.getByRole('checkbox').nth(1).check()
  await lookAllOver(page, 'bitcoin-send-token')
  await drawer.getByRole('button', { name: 'Send for approval' }).click()
  await page.waitForURL(/order=/)
  const id = new URL(page.url()).searchParams.get('order')!
  const { intent_hash: hash } = await app.org.alice.client.call(getWithdrawal, { id })
  const approvals = await (await app.watched.newContext()).newPage()
  await approvals.goto(`${app.stack.settings.approvalOrigin}/#/order/${hash}`)
  await approvals.getByText('50 DEVB').first().waitFor()
  await approvals.getByText('Part 2 of the amount').waitFor()
  await picture(approvals, 'bitcoin-token-approval')
  await approvals.close()
  for (const member of [app.org.bruno, app.org.chiara]) await member.decide(hash, 'approve')
  await waitUntil(ports, 'the order to be paid', async () => ((await app.org.alice.client.call(getWithdrawal, { id })).sub_status === 'ok' ? true : undefined))
  await page.getByRole('dialog').getByText('Completed').first().waitFor()
  const { list } = await app.org.alice.client.call(listTokens, { sub_wallet_id: subWalletId })
  assert.deepEqual(
    list.map(({ tick, available, transferable }) => [tick, available, transferable]),
    [['devb', '50', '0']],
  )
})

step('a rule of the policy lets coin be staked and its energy be delegated', async () => {
  const { client } = app.org.alice
  const policy = await client.call(getPolicy, {})
  const same = draftOf(policy)
  const { id: _, ...asked } = same.rules[0]!
  const stakes = { id: 'stake', chain: LOCAL_TRON, payers: [], actions: ['stake', 'delegate'] as ('stake' | 'delegate')[], receivers: [] }
  const draft = { ...same, add_stake_rules: [{ ...stakes, max_amount: '10000', max_lock_blocks: 0, ...asked }] }
  const { intent_hash: hash } = await client.call(proposePolicy, { request_id: 'a-rule-for-stake', draft })
  await app.org.bruno.decide(hash, 'approve')
  await app.org.chiara.decide(hash, 'approve')
  await waitUntil(ports, 'the rule to be in force', async () => ((await client.call(getPolicy, {})).version === policy.version + 1 ? true : undefined))
})

/** The newest order of a sub-wallet, once all of them are over: until then they hold a part of the balance. */
function whenPaid(subWalletId: string) {
  return waitUntil(ports, 'every order to be over', async () => {
    const { list } = await app.org.alice.client.call(listTransactions, { sub_wallet_id: subWalletId, type: 'withdraw' })
    return list.every(({ status }) => status === 2000) ? list[0] : undefined
  })
}

/** Fills in an order about stake, has it approved, and waits until what it did is on the page. */
async function orderStake(action: string, amount: string, shown: string, receiver?: string): Promise<void> {
  await page.getByRole('button', { name: `${action} on TRON emulator` }).click()
  const drawer = page.getByRole('dialog', { name: action })
  await drawer.getByLabel('Stake in TRX').fill(amount)
  if (receiver !== undefined) await drawer.getByLabel('Recipient address').fill(receiver)
  await drawer.getByRole('button', { name: 'Review order' }).click()
  await drawer.getByText(/^Needs 2 of/).waitFor()
  await picture(page, `tron-${action}`)
  assert.deepEqual(await seriousFaults(page), [])
  await drawer.getByRole('button', { name: 'Request approval' }).click()
  const link = await drawer.getByRole('link', { name: 'Open on the approval page' }).getAttribute('href')
  const hash = /[0-9a-f]{64}/.exec(link!)![0]
  await app.org.bruno.decide(hash, 'approve')
  await app.org.chiara.decide(hash, 'approve')
  await drawer.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText(shown).first().waitFor()
}

step('a TRC-20 is paid with energy that another address staked for and delegated: nothing is burnt for energy', async () => {
  const { alice, walletId, subWalletId } = app.org
  const { settings } = app.stack
  const { sub_wallet_id: shop } = await alice.client.call(createSubWallet, { request_id: 'a-shop-on-tron', wallet_id: walletId, sub_wallet_name: 'Shop' })
  const place = { subWalletId: shop, chain: LOCAL_TRON }
  await waitUntil(ports, 'the shop to have its address', async () => {
    const { address: own } = await alice.client.call(getDepositAddress, { sub_wallet_id: shop, chain: LOCAL_TRON, symbol: 'TRX' })
    return own ?? undefined
  })
  await whenPaid(subWalletId)
  await depositFromFaucet(ports, settings, alice, { subWalletId, chain: LOCAL_TRON, symbol: 'TRX', amount: '4000' })
  const receiver = await depositFromFaucet(ports, settings, alice, { ...place, symbol: 'TRX', amount: '50' })
  await depositFromFaucet(ports, settings, alice, { ...place, symbol: 'USDZ', amount: '9' })
  await page.goto(`${settings.consoleOrigin}/mpc/center/wallet?tab=resources`)
  await page.getByRole('region', { name: 'Energy' }).waitFor()
  await orderStake('Stake', '3500', '3,500')
  await orderStake('Delegate', '3500', 'End delegation', receiver)
  await lookAllOver(page, 'tron-resources')
  await page.evaluate((id) => localStorage.setItem('holdfast.sub-wallet', JSON.stringify({ id, name: 'Shop' })), shop)
  await page.goto(`${settings.consoleOrigin}/mpc/center/wallet`)
  const link = await askFor('USDZ', '5', freshAddress(), async () => {
    const drawer = page.getByRole('dialog')
    await drawer.getByText(/Uses \d+ energy/).waitFor()
    await picture(page, 'tron-withdraw-delegated')
  })
  const hash = /[0-9a-f]{64}/.exec(link)![0]
  await app.org.bruno.decide(hash, 'approve')
  await app.org.chiara.decide(hash, 'approve')
  await page.getByRole('dialog').getByRole('button', { name: 'View the order' }).click()
  const { symbol, amount, real_fee: fee } = await whenPaid(shop)
  assert.deepEqual([symbol, amount, fee], ['USDZ', '5', '0'])
})

/* A wallet of its own for taproot: what its one key signs is paid, and a token is inscribed and sent, with nothing made elsewhere. */

step('a wallet with a taproot key is made, pays, and sends a part of a token that it has inscribed for it', async () => {
  const { alice } = app.org
  const { settings } = app.stack
  await page.goto(`${settings.consoleOrigin}/mpc/wallet`)
  await page.getByRole('button', { name: 'Create wallet' }).first().click()
  await page.getByRole('dialog').getByLabel('Wallet name').fill('Schnorr vault')
  await page.getByRole('dialog').getByText('Advanced: one kind of key only').click()
  await page.getByRole('dialog').getByLabel('Keys').selectOption('taproot')
  await page.getByRole('dialog').getByRole('button', { name: 'Create wallet' }).click()
  await page.getByRole('dialog').getByText('Schnorr vault is ready').waitFor()
  const { wallet_id: walletId } = (await alice.client.call(listWallets, {})).wallet_list.find(({ wallet_name: name }) => name === 'Schnorr vault')!
  await proveRecovery(ports, settings, alice, walletId)
  const subWalletId = (await alice.client.call(listAllSubWallets, { wallet_id: walletId }))[0]!.sub_wallet_id
  const own = await depositFromFaucet(ports, settings, alice, { subWalletId, chain: LOCAL_BITCOIN, symbol: 'BTC', amount: '0.05' })
  assert.match(own, /^bcrt1p[02-9ac-hj-np-z]{58}$/)
  await inscribe(bitcoin(), own, { contentType: 'text/plain', body: new TextEncoder().encode('{"p":"brc-20","op":"mint","tick":"devb","amt":"100"}') })
  const whenBooked = (amount: string) =>
    waitUntil(ports, `${amount} of the token to be in the books`, async () => {
      const { list } = await alice.client.call(listCoinAssets, { sub_wallet_id: subWalletId })
      return list.find(({ symbol }) => symbol === 'DEVB')!.normal_balance === amount ? true : undefined
    })
  await whenBooked('100')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Schnorr vault' }).click()
  for (const [symbol, amount] of [
    ['BTC', '0.01'],
    ['DEVB', '30.5'],
  ] as const) {
    const to = addressOfScript(networkOf(LOCAL_BITCOIN), Uint8Array.of(0, 20, ...randomBytes(20)))!
    const link = await askFor(symbol, amount, to, async () => {
      if (symbol === 'DEVB') await lookAllOver(page, 'bitcoin-inscribe')
    })
    if (symbol === 'DEVB') {
      const approvals = await (await app.watched.newContext()).newPage()
      await approvals.goto(link)
      await approvals.getByText('Three transactions are signed together').first().waitFor()
      await picture(approvals, 'bitcoin-inscribe-approval')
      await approvals.close()
    }
    await approveAndFinish(link)
    await page.goto(`${settings.consoleOrigin}/mpc/center/wallet`)
  }
  // What is held for an order is in no balance, so this alone would not say that it was paid.
  await whenPaid(subWalletId)
  await whenBooked('69.5')
  const { list } = await alice.client.call(listTokens, { sub_wallet_id: subWalletId })
  assert.deepEqual(
    list.map(({ available, transferable }) => [available, transferable]),
    [['69.5', '0']],
  )
})

step('no page had a console error or a violation of its content security policy', () => {
  assert.deepEqual(app.watched.faults, [])
})
