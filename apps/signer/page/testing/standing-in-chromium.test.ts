import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { encode, toHex } from '@holdfast/encoding'
import { intentHash, intentShape, type StandingOrderIntent } from '@holdfast/intent'
import { p256 } from '@noble/curves/nist.js'
import type { Page, Route } from 'playwright-core'
import { createApprovalApi } from '../../src/page/approval-api.ts'
import { PAIRS, PARTIES } from '../../src/testing/cluster.ts'
import { found, type Founded, journalOf, type Office, openOffice } from '../../src/testing/founded-cluster.ts'
import { actsOf } from '../../src/testing/office-acts.ts'
import { RECIPIENT_ADDRESS } from '../../src/testing/order-of.ts'
import { CHAIN, DAY_MS, NOW_MS } from '../../src/testing/organisation-of.ts'
import { type Key, type Member, ORIGIN, RP_ID } from '../../src/testing/people.ts'
import { followStanding, standingOrderIn, stopOf, sweepUnder } from '../../src/testing/standing/standing-acts.ts'
import { standingOrderOf } from '../../src/testing/standing-order-of.ts'
import { ben, cleo } from '../../src/testing/world-of.ts'
import { buildPage } from '../build.ts'
import { pageAnswers } from '../page-headers.ts'
import { addAuthenticator, noChromium, type Passkey } from './chromium.ts'
import { openPages } from './open-pages.ts'

const BASE64 = 'base64'

/** The passkey of a person of the test organisation, as it lies in an authenticator. */
function passkeyOf({ keys: [, passkey] }: Member): Passkey {
  const { secretKey, credential }: Key = passkey
  const point = p256.getPublicKey(secretKey, false)
  const [x, y, d] = [point.slice(1, 33), point.slice(33), secretKey].map((part) => Buffer.from(part).toString('base64url'))
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d }, format: 'jwk' })
  return {
    credentialId: Buffer.from(credential.id).toString(BASE64),
    privateKey: key.export({ type: 'pkcs8', format: 'der' }).toString(BASE64),
    rpId: RP_ID,
  }
}

describe('standing orders at the approval page, with three signers', { skip: noChromium }, () => {
  const { open, look } = openPages()
  let founded: Founded
  let files: ReturnType<typeof pageAnswers>
  before(async () => {
    founded = await found()
    files = pageAnswers(await buildPage())
  })
  after(() => founded.remove())

  const { signs, refuses } = actsOf(() => founded)

  /** A page of signer 1, whose server passes nothing on, in the browser of somebody with a passkey. */
  async function pageOf(office: Office, person: Member, proposed: StandingOrderIntent[] = []): Promise<Page> {
    const page = await open('')
    await addAuthenticator(page, { passkeys: [passkeyOf(person)] })
    await page.clock.setFixedTime(NOW_MS)
    const api = createApprovalApi(office.signers.get(1)!, async (method, body) => {
      const order = proposed.find((each) => toHex(intentHash(each)) === body.hash)
      if (method === 'order.get' && order) return { status: 200, body: { intent: toHex(encode(intentShape, order)), approvals: [], state: 'approving' } }
      if (method === 'order.witness') return { status: 200, body: { statements: [] } }
      return { status: 400, body: { error: 'The server does nothing of this.' } }
    })
    await page.route(`${ORIGIN}/**`, async (route: Route) => {
      const request = route.request()
      const { pathname } = new URL(request.url())
      const file = files.get(pathname)
      if (file) return route.fulfill({ body: Buffer.from(file.bytes), headers: file.headers })
      const { status, body } = await api(pathname.slice('/api/'.length), request.postDataJSON())
      await route.fulfill({ status, json: body })
    })
    return page
  }

  const path = () => `${ORIGIN}/#/standing/${toHex(founded.organisation.fingerprint)}`

  it('are listed with everything that they let happen, and one signature stops one of them: nothing more is signed under it', async (t) => {
    const office = await openOffice(t, founded)
    const order = await followStanding(office)
    await signs(office, await sweepUnder(office, order))
    const page = await pageOf(office, cleo)
    await page.goto(path())
    await page.getByRole('heading', { name: 'Standing orders of Acme' }).waitFor()
    const card = page.getByRole('region', { name: 'Standing order “Collect deposits”: collect without asking' })
    assert.match((await card.textContent())!, /In force.*Version 1, until .*2025, .* at the latest/)
    const shown = await card.locator('dt').allTextContents()
    assert.deepEqual(shown.slice(0, 3), ['What happens', 'Pays, no. 1', 'Moves to, on eip155:31337'])
    for (const label of ['ETH (eip155:31337)', 'USDC (eip155:31337)', 'Fee on eip155:31337', 'Limit', 'In force until, at the latest'])
      assert.ok(shown.includes(label), label)
    await look(page, 'standing-list')

    await page.getByRole('button', { name: 'Stop “Collect deposits”…' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Stop “Collect deposits” now?' }).waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'sure', 'the question is where the keyboard is')
    assert.equal(await card.locator('.lines').textContent(), '“Collect deposits”, version 1')
    await look(page, 'standing-question')
    await page.getByLabel('Reason (optional)').fill('it moves too much')
    await page.getByRole('button', { name: 'Yes, stop now as Cleo (Passkey)' }).click()
    await page.getByRole('heading', { name: '“Collect deposits” is stopped' }).waitFor()
    assert.match((await page.textContent('#done'))!, /The server did not accept it\..*someone requests a newer version in the console/)
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'done', 'what was done is where the keyboard is')
    assert.match((await card.textContent())!, /Stopped by Cleo/)
    assert.equal(await page.getByRole('button', { name: /^Stop/ }).count(), 0, 'there is nothing more to stop')
    await look(page, 'standing-stopped')

    for (const parties of PAIRS.toReversed()) await refuses(office, await sweepUnder(office, order, [...parties]), 'c6', /Cleo stopped the standing order/)
    for (const party of PARTIES) assert.deepEqual(journalOf(office, party).register.standingOrders.values().next().value!.stoppedBy, cleo.person.id)
    await followStanding(office, { version: 2n })
    await page.reload()
    assert.match((await card.textContent())!, /In force.*Version 2/)
  })

  it('are not called stopped where a newer version came before the stop did', async (t) => {
    const office = await openOffice(t, founded)
    await followStanding(office)
    const page = await pageOf(office, cleo)
    await page.goto(path())
    const stop = page.getByRole('button', { name: 'Stop “Collect deposits”…' })
    await stop.click()
    await page.getByRole('button', { name: 'No, go back' }).click()
    assert.ok(await stop.evaluate((button) => button === document.activeElement), 'the keyboard is where it came from')
    await stop.click()
    const newer = await followStanding(office, { version: 2n })
    await page.getByRole('button', { name: 'Yes, stop now as Cleo (Passkey)' }).click()
    await page.getByRole('heading', { name: 'A newer version has arrived and continues' }).waitFor()
    await look(page, 'standing-overtaken')
    await signs(office, await sweepUnder(office, newer))
    await stop.click()
    await page.getByRole('button', { name: 'Yes, stop now as Cleo (Passkey)' }).click()
    await page.getByRole('heading', { name: '“Collect deposits” is stopped' }).waitFor()
    await refuses(office, await sweepUnder(office, newer), 'c6', /Cleo stopped/)
  })

  it('are stopped all at once, as one thing beside the freeze, and other languages say the same', async (t) => {
    const office = await openOffice(t, founded)
    const order = await followStanding(office)
    const { assets, limits } = standingOrderOf()
    const others = [2, 3, 4].map((id) => ({ id: new Uint8Array(16).fill(id), name: `Collect shop ${id}`, assets: assets.slice(1), limits }))
    for (const each of others) await followStanding(office, each)
    const page = await pageOf(office, ben)
    await page.goto(path().replace('standing', 'stop'))
    await page.getByRole('heading', { name: 'Stop all signing of Acme' }).waitFor()
    await page.getByLabel('Reason').fill('金'.repeat(200))
    await page.getByText('The reason is too long.').waitFor()
    await page.getByLabel('Reason').fill('')
    await look(page, 'stop-page')
    await page.getByRole('link', { name: 'View and stop standing orders…' }).click()
    await page.getByText('One signature stops all active standing orders: 4.').waitFor()
    assert.equal(await page.locator('dl').first().isVisible(), false, 'of many, each is opened')
    await page.click('#language')
    await look(page, 'standing-many-zh')
    await page.getByRole('button', { name: '停止全部自动操作…' }).click()
    await page.getByRole('heading', { name: '确定现在停止全部自动操作吗？' }).waitFor()
    assert.equal(await page.locator('.lines li').count(), 4)
    await look(page, 'standing-all-question-zh')
    await page.getByRole('button', { name: '返回' }).click()
    assert.equal(journalOf(office, 1).register.standingOrders.values().next().value!.stoppedBy, null, 'whoever goes back has stopped nothing')
    await page.getByRole('button', { name: '停止全部自动操作…' }).click()
    await page.getByLabel('原因').fill('金'.repeat(200))
    assert.ok(await page.getByRole('button', { name: '以 Ben 的身份立即停止' }).isDisabled())
    await page.getByText('原因过长').waitFor()
    await page.getByLabel('原因').fill('')
    await page.getByRole('button', { name: '以 Ben 的身份立即停止' }).click()
    await page.getByRole('heading', { name: '全部自动操作已停止' }).waitFor()
    assert.equal(await page.getByText('已由 Ben 停止').count(), 4)
    await look(page, 'standing-all-stopped-zh')
    await refuses(office, await sweepUnder(office, order), 'c6', /Ben stopped/)
    await signs(office, await office.request())
  })

  it('show in words what a newer version changes, and that it starts again what somebody stopped', async (t) => {
    const office = await openOffice(t, founded)
    const before = await followStanding(office)
    await office.calls.get(1)!.stopStandingOrders({ genesis: founded.organisation.fingerprint, stop: stopOf(office, cleo, [{ id: before.id, version: 1n }]) })
    const next = standingOrderIn(office, {
      version: 2n,
      untilMs: BigInt(NOW_MS + 30 * DAY_MS),
      assets: before.assets.slice(1),
      does: { kind: 'sweep', to: [{ kind: 'listed', chain: CHAIN, address: RECIPIENT_ADDRESS, memo: null }] },
    })
    const page = await pageOf(office, ben, [next])
    await page.goto(`${ORIGIN}/#/order/${toHex(intentHash(next))}`)
    await page.getByText('Cleo STOPPED version 1 of this standing order. If this version is approved, it resumes.').waitFor()
    const changes = await page.locator('#part-changes li').allTextContents()
    assert.equal(changes.length, 3)
    assert.match(changes[0]!, /^Moves to, on eip155:31337: address on the whitelist: 0x 7099 .* Before: own address “Treasury”/)
    await page.getByText("is not on this signer's whitelist: nothing moves there until it is.").waitFor()
    assert.match(changes[1]!, /^No longer: ETH \(eip155:31337\): from 0\.000000000000001 ETH to /)
    assert.match(changes[2]!, /^In force until, at the latest: 2025-07-15 .* Before: 2025-09-13 /)
    const shown = await page.locator('#part-details dt').allTextContents()
    for (const label of ['What happens', 'Pays, no. 1', 'Fee on eip155:31337', 'Limit']) assert.ok(shown.includes(label), label)
    await look(page, 'standing-order-newer')
    await page.click('#language')
    await look(page, 'standing-order-newer-zh')
  })
})
