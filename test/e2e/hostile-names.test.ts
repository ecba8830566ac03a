import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CallError } from '@holdfast/contract'
import { savePersonal } from '@holdfast/features/address-book/contract'
import { inviteMember } from '@holdfast/features/team/contract'
import { labelTransactions } from '../../features/transaction/contract.ts'
import { createSubWallet } from '../../features/wallet/contract.ts'
import { updateAddressLabel } from '../../features/deposit-address/contract.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import { HOSTILE_TEXTS } from '../../apps/console/gallery/hostile-texts.ts'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { orderPayment } from '../../apps/launcher/src/order-payment.ts'
import { untilItFits } from './browser.ts'
import { goWithin, settled } from './every-page/walk-pages.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'

// Two tabs of one page do not follow each other: that the page before is gone is seen by its title.
const PAGES = [
  '/mpc/wallet',
  '/mpc/center/wallet',
  '/mpc/center/wallet/transactions',
  '/mpc/center/wallet?tab=addresses',
  '/mpc/center/wallet/todo?state=mine',
  '/mpc/wallet/personalBook',
  '/mpc/teamMember',
]
/** As long as a name may be; what is longer is refused, which the calls' own tests show. */
const NAMES = HOSTILE_TEXTS.map(({ what, text }) => ({ what, text: [...text].slice(0, 50).join('').trim() }))

let held: FundedConsole
const kept: string[] = []
const refused: string[] = []

/** Gives one text to a call: it keeps it, or refuses it in words. */
async function give(what: string, call: Promise<unknown>): Promise<void> {
  try {
    await call
    kept.push(what)
  } catch (cause) {
    assert.ok(cause instanceof CallError && cause.code === '100004', `${what}: ${String(cause)}`)
    refused.push(what)
  }
}

before(async () => {
  held = await startFundedConsole({ mark: 'Hostile' })
  const { alice, subWalletId, walletId, address } = held.org
  const { client } = alice
  for (const [at, { what, text }] of NAMES.entries()) {
    const requestId = `hostile-${String(at).padStart(3, '0')}`
    await give(`sub-wallet: ${what}`, client.call(createSubWallet, { request_id: requestId, wallet_id: walletId, sub_wallet_name: text }))
    await give(`contact: ${what}`, client.call(savePersonal, { chain: LOCAL_CHAIN, address: freshAddress(), name: text, note: text }))
    await give(
      `member: ${what}`,
      client.call(inviteMember, { request_id: `${requestId}-member`, nick_name: text, account: `m${at}@example.com`, role: 'viewer' }),
    )
    await give(`label: ${what}`, client.call(updateAddressLabel, { sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, address, label: text }))
  }
  for (const { what, text } of NAMES.filter(({ what }) => ['script', 'right to left', 'look-alike', 'piled marks'].includes(what))) {
    const payment = { subWalletId, symbol: 'ETH', amount: '0.001', to: freshAddress(), remark: text }
    const order = orderPayment(ports, alice, payment)
    await give(`remark: ${what}`, order)
    const id = await order.then(
      (made) => made.id,
      () => undefined,
    )
    if (id)
      await give(
        `note: ${what}`,
        client.call(labelTransactions, { ids: id, type: 'withdraw', category: text.slice(0, 20), tags: [text.slice(0, 20)], note: text }),
      )
  }
})
after(() => held?.close())

test('a name that cannot be seen is refused, and one that can is kept', () => {
  for (const what of ['bidirectional override', 'zero width', 'invisible only', 'controls and lines'])
    for (const field of ['sub-wallet', 'contact', 'member', 'label']) assert.ok(refused.includes(`${field}: ${what}`), `${field}: ${what}`)
  for (const field of ['sub-wallet', 'contact', 'member', 'label', 'remark', 'note']) assert.ok(kept.includes(`${field}: script`), field)
})

test('on every page hostile names do nothing, keep their place, and change no direction beside them', async () => {
  const faults: string[] = []
  const page = await held.open(held.org.alice, PAGES[0]!)
  for (const path of PAGES) {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await goWithin(page, path)
    await settled(page)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await untilItFits(page)
      const found = await page.evaluate(() => [
        ...((globalThis as { __ran?: unknown }).__ran === undefined ? [] : ['a script ran']),
        ...[...document.querySelectorAll('.hf-name')].flatMap((name) => {
          const box = name.getBoundingClientRect()
          const parent = name.parentElement!.getBoundingClientRect()
          const isApart = getComputedStyle(name).unicodeBidi === 'isolate'
          return box.width > parent.width + 1 || !isApart ? [`"${name.textContent?.slice(0, 40)}" leaves its place`] : []
        }),
      ])
      faults.push(...found.map((fault) => `${path} at ${width}: ${fault}`))
    }
  }
  await page.close()
  assert.deepEqual(faults, [])
  assert.deepEqual(held.watched.faults, [])
})
