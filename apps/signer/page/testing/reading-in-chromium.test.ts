import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addAuthenticator, noChromium } from './chromium.ts'
import { openPages, PICTURES } from './open-pages.ts'

describe('what an approver reads, in a browser', { skip: noChromium }, () => {
  const pages = openPages()
  const { open, look, foundDemo, demo } = pages

  it('says first what goes from where to where, marks what is the word of the server, and folds what is to be compared', async () => {
    const founding = demo()
    const page = await open('', { width: 390 })
    await foundDemo(page, founding)
    const around = {
      wallet: 'Treasury / Main',
      network: 'Bank of Anna',
      to: { name: 'Kraken', by: 'requester' },
      worth: { amount: '1250432.5', currency: 'USD' },
    }
    pages.server.lies.order = (reply) => ({ ...reply, around })
    const hash = pages.server.addOrder(founding)
    await page.goto(`${pages.server.origin}/#/order/${hash}`)
    await page.waitForSelector('.facts')
    const pairs = await page.locator('.pair').allTextContents()
    assert.deepEqual(pairs.slice(0, 5), [
      'Amount1250000.000001 USDC',
      "To“Kraken” in the requester's address book server",
      'From walletTreasury / Main server',
      'NetworkSepolia, a test network',
      'Value$1,250,432.50 server',
    ])
    const [facts, attention, approvals] = await Promise.all(['.facts', '#part-attention', '#part-approvals'].map((each) => page.locator(each).boundingBox()))
    assert.ok(facts!.y < attention!.y && attention!.y < approvals!.y, 'what to beware of stands between the facts and the rest')
    assert.equal(await page.locator('#technical >> text=eip155:11155111').isVisible(), false)
    const shown = (await page.locator('.rows dt').allTextContents()).join()
    for (const label of ['Key and path', 'Fingerprint of this order', 'Network', 'Expires', 'Fee, at most', 'To', 'Amount'])
      assert.ok(shown.includes(label), label)
    await page.click('text=Technical')
    assert.ok(await page.locator('#technical >> text=eip155:11155111').isVisible())
    await page.click('#language')
    assert.ok(await page.locator('#technical >> text=eip155:11155111').isVisible(), 'what was opened stays open when the page is drawn again')
    await page.click('#language')
    pages.server.lies.order = (reply) => ({ ...reply, around: null })
    await page.reload()
    await page.waitForSelector('text=No known name for this address')
    await page.waitForSelector('text=No price is known')
  })

  it('says of each recipient of an order that pays several where it is with the whitelist of this signer, in both languages', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const outputs = [
      { to: '0x52908400098527886E0F7030069857D2E4169EE7', amount: 1_000_000n },
      { to: '0x8617E340B3D01FA5F11F306F4090FD50E238070D', amount: 2_000_000n },
    ]
    const [payments, since] = [[] as object[], 1_700_000_000_000]
    payments.push({ state: 'listed', since, usable_at: since, lists: ['Exchanges'] }, { state: 'none', since: null, usable_at: null, lists: [] })
    pages.server.lies.order = (reply) => ({ ...reply, book: { payments, alike: [] } })
    const changes = { kind: 'payout', to: outputs[0]!.to, amount: 3_000_000n, outputs } as never
    await page.goto(`${pages.server.origin}/#/order/${pages.server.addOrder(founding, changes)}`)
    const rows = page.locator('#part-recipients li')
    await rows.first().waitFor()
    const said = await rows.allTextContents()
    assert.match(said[0]!, /5290 8400.*1 USDC · On the whitelist since .*; lists: Exchanges$/)
    assert.match(said[1]!, /8617 E340.*2 USDC · Not on the whitelist$/)
    await page.getByText('On the whitelist: 1 of 2').waitFor()
    await look(page, 'order-recipients')
    await page.click('text=中文')
    assert.match((await rows.allTextContents())[1]!, /2 USDC · .*白名单/)
    await look(page, 'order-recipients-zh')
  })

  it('keeps the decision in reach once the end was seen, and until then says what is still to be read', async () => {
    const founding = demo()
    const page = await open('', { width: 390 })
    await foundDemo(page, founding)
    await page.goto(`${pages.server.origin}/#/order/${pages.server.addOrder(founding)}`)
    await page.waitForSelector('text=reads the same order under the same policy')
    assert.match((await page.textContent('.hint'))!, /^Still to read: .*The other signers/)
    assert.equal(await page.locator('#bar.pinned').count(), 0)
    await page.screenshot({ ...(PICTURES ? { path: `${PICTURES}/order-first-screen.png` } : {}) })
    for (let taps = 0; taps < 12 && (await page.locator('.hint').isVisible()); taps++) {
      await page.mouse.wheel(0, 500)
      await page.waitForTimeout(50)
    }
    await page.waitForSelector('#bar.pinned')
    await page.evaluate(() => scrollTo(0, 0))
    const bar = await page.locator('#bar').boundingBox()
    assert.ok(bar!.y + bar!.height <= 901, 'the bar is on the screen while its beginning is read again')
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/order-pinned.png` })
  })

  it('shows at its home what waits for the key that asks, and for nobody else', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    await page.goto(`${pages.server.origin}/#/`)
    await page.click('text=Show what is waiting for Bo Chen')
    await page.waitForSelector('text=Nothing is waiting for Bo Chen.')
    await look(page, 'home-nothing-waits')
    const hash = pages.server.addOrder(founding, { remark: 'Waits' })
    await page.click('text=Show what is waiting for Anna Ruiz')
    await page.waitForSelector('text=Nothing is waiting for Anna Ruiz.')
    await page.click('text=Show what is waiting for Bo Chen')
    await page.waitForSelector('text=Orders to decide: 1')
    assert.equal(new URL(page.url()).hash, `#/review/${hash}`)
    assert.equal(pages.server.orders.get(hash)!.approvals.length, 0)
    const stranger = await open('')
    await addAuthenticator(stranger)
    await stranger.click('text=Show what is waiting for me, with a passkey')
    await stranger.waitForSelector('[role=alert]')
  })
})
