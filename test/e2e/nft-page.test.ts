import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import devCollectible from '@holdfast/chain-evm/artifacts/dev-collectible.json' with { type: 'json' }
import { listNftAssets } from '@holdfast/features/nft/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { type Abi, createWalletClient, type Hex, http, publicActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { anvil } from 'viem/chains'
import { askFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { picture, seriousFaults, untilItFits, untilLoaded } from './browser.ts'
import { review, sendForApproval } from './story.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

let console_: FundedConsole
let page: Page

/** Somebody makes a collection of their own and sends a token of it to an address that did not ask. Answers the collection's address. */
async function lure(rpcUrl: string, to: string): Promise<string> {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: 5 })
  const stranger = createWalletClient({ account, chain: anvil, transport: http(rpcUrl) }).extend(publicActions)
  const abi = devCollectible.abi as Abi
  const deployed = await stranger.waitForTransactionReceipt({ hash: await stranger.deployContract({ abi, bytecode: devCollectible.bytecode as Hex }) })
  await stranger.waitForTransactionReceipt({
    hash: await stranger.writeContract({ address: deployed.contractAddress!, abi, functionName: 'mint', args: [to] }),
  })
  return deployed.contractAddress!
}

before(async () => {
  console_ = await startFundedConsole({ amount: '1', mark: 'Museum' })
  const { org, stack } = console_
  await lure(stack.settings.rpcUrl, org.address)
  for (const [asset, amount] of [
    ['DEVC', '1'],
    ['DEVI', '5'],
  ] as const)
    await askFaucet(ports, stack.settings, { address: org.address, asset, amount })
  await waitUntil(ports, 'both tokens and the lure', async () => {
    const { nft_list } = await org.alice.client.call(listNftAssets, { sub_wallet_id: org.subWalletId })
    return nft_list.length === 3 && nft_list.every(({ spam, count }) => spam || count === 1) ? true : undefined
  })
  page = await console_.open(org.alice, '/mpc/center/wallet?tab=nfts')
})
after(() => console_?.close())

const button = (name: RegExp | string) => page.getByRole('button', { name, exact: typeof name === 'string' })

async function look(name: string): Promise<void> {
  await untilLoaded(page)
  assert.deepEqual(await seriousFaults(page), [], name)
  await untilItFits(page)
  await picture(page, `nft-${name}`)
}

test('the tokens of both kinds stand with their collections, what nobody knows stands apart, and no picture is loaded', async () => {
  await page.getByRole('heading', { name: 'DEVC' }).waitFor()
  await page.getByText(/^DEVC #\d+$/).waitFor()
  await page.getByText('DEVI #1').waitFor()
  await page.getByRole('heading', { name: 'Unverified collections' }).waitFor()
  assert.equal(await page.locator('main img').count(), 0)
  await look('tokens')
})

test('where a token is received is shown for its collection', async () => {
  await button('Deposit DEVC').click()
  await page.getByRole('dialog').getByText(/DEVC/).first().waitFor()
  await look('deposit')
  await button('Close').first().click()
})

test('a token is sent by the piece, read once more whole, and waits for approval', async () => {
  await button('Send DEVI #1').click()
  await page.getByRole('combobox', { name: 'Destination' }).fill(STRANGER)
  await page.getByRole('textbox', { name: 'Quantity' }).fill('2')
  await page
    .getByText(/Needs 2/)
    .first()
    .waitFor()
  await review(page)
  await page.getByText('DEVI #1').last().waitFor()
  await look('review')
  await sendForApproval(page)
  await button('View the order').click()
  await page.getByText('DEVI #1').first().waitFor()
  await look('order')
})
