import { toHex } from '@holdfast/encoding'
import { checkApproval, checkGenesis, genesisHash } from '@holdfast/policy'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addAuthenticator, noChromium } from './chromium.ts'
import { openPages } from './open-pages.ts'

describe('the approval page in a browser', { skip: noChromium }, () => {
  const pages = openPages()
  const { open, look, foundDemo, demo } = pages

  it('founds a demo organisation with one press and leads back to the console', async () => {
    const founding = demo({ invite: 'welcome-1' })
    const page = await open(`#/setup/${founding.demoToken}`)
    await page.waitForSelector('text=Demo: three people in one browser')
    await look(page, 'setup-demo-begin')
    await page.click('text=Enrol three demo members and accept')
    await page.waitForSelector('#fingerprint')
    await page.waitForSelector('text=The organisation has been set up')
    await look(page, 'setup-demo-ready')
    const fingerprint = checkGenesis({ genesis: founding.genesis!, acceptances: founding.members.map((member) => member.acceptance!) })
    assert.equal(await page.textContent('.fingerprint'), toHex(fingerprint))
    assert.equal(await page.getAttribute('a.button', 'href'), 'http://console.localhost:7000/login#invite=welcome-1')
    assert.equal(new Set(founding.members.map((member) => toHex(member.credential!.publicKey))).size, 3)
  })

  it('shows an order to the last digit and signs approvals that every signer accepts, in both languages', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const hash = pages.server.addOrder(founding)
    await page.goto(`${pages.server.origin}/#/order/${hash}`)
    await page.waitForSelector('#decide')
    assert.equal(await page.textContent('h1'), 'Pay 1250000.000001 USDC to 0x 5290 8400 0985 2788 6E0F 7030 0698 57D2 E416 9EE7')
    assert.equal(await page.locator('text=Approve as Anna Ruiz').count(), 0, 'the person who asks cannot approve')
    assert.equal(await page.locator('main > section > ul', { hasText: 'requested this, cannot approve' }).count(), 1)
    const warning = await page.locator('.warn').boundingBox()
    const button = await page.locator('text=Approve as Bo Chen').boundingBox()
    assert.ok(warning!.y < button!.y, 'warnings stand before the buttons')
    assert.equal(await page.locator('.badge').textContent(), 'Demo', 'demo keys count under this policy')
    await page.locator('.approver', { hasText: 'Bo Chen' }).getByText('Needed: an approval; there are 0 of 2.').waitFor()
    await look(page, 'order-open')
    await page.click('text=Approve as Bo Chen')
    await page.waitForSelector('#done >> text=Approved as Bo Chen')
    await page.click('text=中文')
    await look(page, 'order-one-approval-zh')
    await page.locator('.approver', { hasText: 'Cem Kaya' }).getByText('需要此人：审批，现有 1 / 2。').waitFor()
    assert.match((await page.textContent('h1'))!, /^付款 1250000\.000001 USDC 至 0x 5290/)
    await page.click('text=以 Cem Kaya 的名义批准')
    await page.waitForSelector('text=您可以关闭本页面')
    const { approvals, intent, policy, state } = pages.server.orders.get(hash)!
    assert.deepEqual(
      approvals.map((approval) => [checkApproval(approval, intent, policy).name, approval.locale, approval.decision]),
      [
        ['Bo Chen', 'en-US', 'approve'],
        ['Cem Kaya', 'zh-CN', 'approve'],
      ],
    )
    assert.equal(state, 'approved')
    await look(page, 'order-done-zh')
    await page.reload()
    assert.equal(await page.getAttribute('html', 'lang'), 'zh-CN', 'the language is remembered')
  })

  it('lets nobody approve before another signer has confirmed the order under its own key, and anybody reject', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const hash = pages.server.addOrder(founding)
    const unheard: ReturnType<NonNullable<typeof pages.server.lies.witness>>[] = [
      null,
      { challenge: new Uint8Array(32) },
      { intentHash: new Uint8Array(32) },
      { genesis: new Uint8Array(32) },
      { party: 1n },
    ]
    for (const lie of unheard) {
      pages.server.lies.witness = () => lie
      await page.goto('about:blank')
      await page.goto(`${pages.server.origin}/#/order/${hash}`)
      await page.waitForSelector('text=No other signer confirms this order right now')
      assert.ok(await page.isDisabled('text=Approve as Bo Chen'), JSON.stringify(Object.keys(lie ?? {})))
      assert.ok(await page.isEnabled('text=Reject as Bo Chen'))
    }
    pages.server.lies.witness = (party) => (party === 3 ? { objection: 'rejected at this signer’s approval page' } : {})
    await page.click('text=Ask the signers again')
    await page.waitForSelector('text=would not sign it: rejected at this signer’s approval page')
    assert.ok(await page.isDisabled('text=Approve as Bo Chen'), 'one signer that objects is enough')
    await look(page, 'order-objection')
    pages.server.lies.witness = (party) => (party === 3 ? null : {})
    await page.click('text=Ask the signers again')
    await page.waitForSelector('text=reads the same order under the same policy')
    assert.ok(await page.isEnabled('text=Approve as Bo Chen'), 'one signer beside the page is enough')
  })

  it('says before the buttons what is unusual about the destination, and that nothing more than the payment is granted', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const hash = pages.server.addOrder(founding)
    const alike = '0x5290840009852788600F7030069857D2E4169EE7'
    pages.server.lies.order = (reply) => ({
      ...reply,
      facts: { first_time: true, contract: true, own: false, similar: [{ address: alike, kind: 'paid_before' }] },
    })
    await page.goto(`${pages.server.origin}/#/order/${hash}`)
    await page.waitForSelector('#decide')
    const notice = (await page.textContent('section.warn'))!
    assert.match(notice, /NEW DESTINATION.*The destination is a contract.*LOOK-ALIKE: it begins and ends like an address you have paid before/)
    assert.ok(notice.includes('it gives no one an allowance, limited or unlimited'))
    const [warned, asked] = [await page.locator('section.warn').boundingBox(), await page.locator('text=Approve as Bo Chen').boundingBox()]
    assert.ok(warned!.y + warned!.height < asked!.y)
    await look(page, 'order-unusual')
    await page.click('text=中文')
    assert.match((await page.textContent('section.warn'))!, /新收款地址.*收款地址是合约.*相似地址/)
    pages.server.lies.order = (reply) => ({ ...reply, facts: null })
    await page.reload()
    await page.waitForSelector('text=服务器未能说明是否曾向该地址付款')
  })

  it('walks through several orders, shows the words of each, and signs each by itself', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const hashes = [3n, 4n, 5n].map((amount) => pages.server.addOrder(founding, { amount: amount * 1_000_000n, remark: `Invoice ${amount}` }))
    await page.goto(`${pages.server.origin}/#/review/${hashes.join(',')}`)
    await page.waitForSelector('text=Total of the open payments: 12 USDC')
    await look(page, 'review-list')
    await page.click('#begin')
    await page.click('text=Approve as Bo Chen')
    await page.waitForSelector('#done')
    await look(page, 'review-order')
    await page.click('#onward')
    await page.waitForSelector('h1:has-text("4 USDC")')
    assert.match((await page.textContent('#review'))!, /Order 2 of 3/)
    await page.click('text=Reject as Cem Kaya')
    await page.fill('#remark', 'Twice')
    await page.click('#reject-yes')
    await page.waitForSelector('#done.bad')
    await page.click('#all')
    await page.waitForSelector('text=Open: 1. Approved here: 1. Rejected here: 1.')
    await page.click('text=中文')
    await look(page, 'review-list-zh')
    const given = hashes.map((hash) => pages.server.orders.get(hash)!.approvals)
    assert.deepEqual(
      given.map((approvals) => approvals.map((each) => [each.decision, toHex(each.intentHash)])),
      [[['approve', hashes[0]]], [['reject', hashes[1]]], []],
    )
  })

  it('takes the reason of a rejection along, which an approval does not have', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const hash = pages.server.addOrder(founding)
    await page.goto(`${pages.server.origin}/#/order/${hash}`)
    pages.server.remarks.length = 0
    await page.click('text=Approve as Bo Chen')
    await page.waitForSelector('#done')
    await page.click('text=Reject as Cem Kaya')
    await page.fill('#remark', 'Wrong invoice')
    await page.click('text=中文')
    assert.equal(await page.inputValue('#remark'), 'Wrong invoice', 'what was typed stays when the page is drawn again')
    await page.click('#reject-yes')
    await page.waitForSelector('#done >> text=已以 Cem Kaya 的名义拒绝')
    assert.deepEqual(pages.server.remarks, ['', 'Wrong invoice'])
  })

  it('lets one person reject, by keyboard alone', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const hash = pages.server.addOrder(founding)
    await page.goto(`${pages.server.origin}/#/order/${hash}`)
    await page.waitForSelector('#decide')
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(() => document.activeElement?.textContent === 'Reject as Cem Kaya')) break
    }
    await page.keyboard.press('Enter')
    await page.waitForSelector('#reject-yes')
    assert.equal(pages.server.orders.get(hash)!.approvals.length, 0, 'one tap alone rejects nothing')
    await look(page, 'order-reject-sure')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#done.bad >> text=Rejected as Cem Kaya')
    await look(page, 'order-rejected')
    assert.match((await page.textContent('#done'))!, /it can no longer be approved/)
    assert.equal(await page.locator('.people >> text=may approve').count(), 0, 'nobody is said to be able to approve what is rejected')
    const { approvals, intent, policy } = pages.server.orders.get(hash)!
    assert.equal(checkApproval(approvals[0]!, intent, policy).name, 'Cem Kaya')
    assert.equal(approvals[0]!.decision, 'reject')
    assert.equal(await page.locator('text=Approve as').count(), 0, 'a rejected order asks nobody any more')
  })

  it('founds with a passkey and a device key in two browsers, and approves with the passkey', async () => {
    const founding = pages.server.addFounding({ name: '海港资本', demo: false, threshold: 1n, names: ['林晓', 'Bo Chen'] })
    const lin = await open(`#/setup/${founding.members[0]!.token}`, { locale: 'zh-CN' })
    const bo = await open(`#/setup/${founding.members[1]!.token}`)
    await addAuthenticator(lin, { backupEligible: true })
    await lin.waitForSelector('text=为 林晓 创建通行密钥')
    await look(lin, 'setup-enrol-zh')
    assert.equal(await lin.locator('text=为 Bo Chen').count(), 0, 'a link acts for its own member only')
    await lin.click('text=为 林晓 创建通行密钥')
    await bo.click('text=Use a browser key for Bo Chen')
    await bo.waitForSelector('text=I have compared the fingerprint: accept')
    await look(bo, 'setup-accept')
    await lin.waitForSelector('#accept')
    const shown = await Promise.all([lin.textContent('.fingerprint'), bo.textContent('.fingerprint')])
    assert.deepEqual(shown, [toHex(genesisHash(founding.genesis!)), toHex(genesisHash(founding.genesis!))])
    await lin.click('#accept')
    await bo.click('#accept')
    await lin.waitForSelector('a.button')
    const [credential] = founding.genesis!.policy.people[0]!.credentials
    assert.deepEqual([credential!.kind, credential!.backupEligible], ['webauthn', true])
    const hash = pages.server.addOrder(founding, { initiator: founding.genesis!.policy.people[1]!.id })
    await lin.goto(`${pages.server.origin}/#/order/${hash}`)
    await lin.click('text=以 林晓 的名义批准')
    await lin.waitForSelector('#done')
    const { approvals, intent, policy } = pages.server.orders.get(hash)!
    assert.equal(checkApproval(approvals[0]!, intent, policy).name, '林晓')
    assert.equal(approvals[0]!.assertion.kind, 'webauthn')
  })

  it('sends nothing when the authenticator does not verify its user, and says what to do', async () => {
    const founding = pages.server.addFounding({ name: 'Acme', demo: false, threshold: 1n, names: ['Anna'] })
    const page = await open(`#/setup/${founding.members[0]!.token}`)
    await addAuthenticator(page, { userVerified: false })
    await page.click('text=Create a passkey for Anna')
    await page.waitForSelector('[role=alert]')
    assert.match((await page.textContent('[role=alert]'))!, /Nothing was signed/)
    assert.equal(founding.members[0]!.credential, undefined)
    await look(page, 'setup-passkey-failed')
  })

  it('does not accept a founding document with a key that was not made here', async () => {
    const founding = pages.server.addFounding({ name: 'Acme', demo: false, threshold: 1n, names: ['Anna', 'Bo'] })
    pages.server.lies.genesis = (genesis) => {
      const [anna, bo] = genesis.policy.people
      const planted = {
        ...anna!.credentials[0]!,
        id: new Uint8Array(32).fill(7),
        publicKey: Uint8Array.from(anna!.credentials[0]!.publicKey, (byte, i) => (i === 0 ? 5 - byte : byte)),
      }
      return { ...genesis, policy: { ...genesis.policy, people: [{ ...anna!, credentials: [...anna!.credentials, planted] }, bo!] } }
    }
    const anna = await open(`#/setup/${founding.members[0]!.token}`)
    const bo = await open(`#/setup/${founding.members[1]!.token}`)
    await anna.click('text=Use a browser key for Anna')
    await bo.click('text=Use a browser key for Bo')
    await anna.waitForSelector('[role=alert]')
    assert.match((await anna.textContent('[role=alert]'))!, /gives Anna a key that was not created here/)
    assert.ok(await anna.isDisabled('#accept'))
    assert.equal(founding.members[0]!.acceptance, undefined)
  })

  it('does not accept under a fingerprint the document has not', async () => {
    const founding = pages.server.addFounding({ name: 'Acme', demo: false, threshold: 1n, names: ['Anna', 'Bo'] })
    const anna = await open(`#/setup/${founding.members[0]!.token}`)
    const bo = await open(`#/setup/${founding.members[1]!.token}`)
    await anna.click('text=Use a browser key for Anna')
    await anna.waitForSelector('text=has a key')
    pages.server.lies.setup = (view) => (view.fingerprint === null ? view : { ...view, fingerprint: 'ab'.repeat(32) })
    await bo.click('text=Use a browser key for Bo')
    await anna.waitForSelector('text=The server reports a fingerprint that does not match')
    assert.equal(await anna.locator('#accept').count(), 0)
  })

  it('shows no order and no button when the server gives another order than the link names', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const wanted = pages.server.addOrder(founding)
    const evil = pages.server.addOrder(founding, { to: '0x000000000000000000000000000000000000dEaD' })
    const other = pages.server.orders.get(evil)!
    pages.server.orders.set(wanted, { ...other })
    await page.goto(`${pages.server.origin}/#/order/${wanted}`)
    await page.waitForSelector('text=a different order from the one in this link')
    assert.equal(await page.locator('text=Approve as').count(), 0)
    await look(page, 'order-swapped')
    assert.equal(other.approvals.length, 0)
  })

  it('refuses an order of another organisation that names the same keys', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const other = { ...founding, genesis: { ...founding.genesis!, name: 'Another house' } }
    pages.server.foundings.push(other)
    const hash = pages.server.addOrder(other)
    await page.goto(`${pages.server.origin}/#/order/${hash}`)
    await page.waitForSelector('text=a different organisation from the one you accepted')
    assert.equal(await page.locator('text=Approve as').count(), 0)
  })

  it('shows hostile text as text, with nothing hidden in it', async () => {
    const founding = demo({ name: '<img src=x onerror=alert(1)>', names: ['<b>Anna</b>', 'Bo‮', 'Cem'] })
    const page = await open('')
    let alerted = false
    page.on('dialog', () => {
      alerted = true
    })
    await foundDemo(page, founding)
    assert.match((await page.textContent('h1'))!, /<img src=x onerror=alert\(1\)>/)
    const hash = pages.server.addOrder(founding, { remark: 'ok\u202E 0x1234\n<script>alert(1)</script>' })
    await page.goto(`${pages.server.origin}/#/order/${hash}`)
    await page.waitForSelector('#decide')
    const body = (await page.textContent('body'))!
    assert.ok(body.includes('ok⟨U+202E⟩ 0x1234⟨U+000A⟩<script>alert(1)</script>'))
    assert.ok(body.includes('Bo⟨U+202E⟩'))
    assert.equal(alerted, false)
  })

  it('keeps device keys that no script can read out', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    const exported = await page.evaluate(async () => {
      const opened = indexedDB.open('holdfast-approval')
      await new Promise((resolve) => {
        opened.onsuccess = resolve
      })
      const all = opened.result.transaction('keys').objectStore('keys').getAll()
      await new Promise((resolve) => {
        all.onsuccess = resolve
      })
      const keys = (all.result as { privateKey: CryptoKey }[]).map((each) => each.privateKey)
      const tries = await Promise.allSettled(
        keys.flatMap((key) => (['pkcs8', 'jwk'] as const).map((format) => crypto.subtle.exportKey(format as 'pkcs8', key))),
      )
      return { count: keys.length, exported: tries.filter((each) => each.status === 'fulfilled').length }
    })
    assert.deepEqual(exported, { count: 3, exported: 0 })
  })

  it('cannot be framed, runs no script but its own, and speaks to its own origin only', async () => {
    const response = await fetch(`http://127.0.0.1:${new URL(pages.server.origin).port}/`)
    const policy = response.headers.get('content-security-policy')!
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) {
      assert.ok(policy.includes(part), part)
    }
    const html = await response.text()
    assert.equal(html.match(/<script/g)!.length, 1)
    assert.match(html, /<script src="\.\/page\.js" integrity="sha256-[A-Za-z0-9+/]{43}=" defer><\/script>/)
    assert.doesNotMatch(html, / on[a-z]+=|style=/)
    const page = await open('')
    const blocked = await page.evaluate(() => {
      try {
        document.body.innerHTML = '<p>x</p>'
        return false
      } catch {
        return true
      }
    })
    assert.equal(blocked, true, 'Trusted Types let HTML in')
    pages.forgive()
  })

  it('explains itself where the link names nothing, and where it is cut short', async () => {
    const page = await open('')
    await page.waitForSelector('text=This browser has no approval key yet.')
    await look(page, 'home')
    await page.goto(`${pages.server.origin}/#/order/abcd`)
    await page.waitForSelector('text=This link is incomplete.')
    await page.goto(`${pages.server.origin}/#/setup/unknown`)
    await page.waitForSelector('text=The signer says: This link is not valid any more.')
  })
})
