import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before } from 'node:test'
import { listMachines } from '@holdfast/features/api-key/contract'
import { saveWebhookEndpoint } from '@holdfast/features/notification/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { VERSION } from '../../../apps/co-signer/src/co-signer.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { type RunningCoSigner, runCoSigner } from '../../processes/testing/run-co-signer.ts'
import { CLOSED_HOST } from '../../processes/testing/start-test-stack.ts'
import { makeWireKey, wireCall } from '../../processes/testing/wire-client.ts'
import { picture } from '../browser.ts'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { lookAllOver, lookAtWords, story } from '../story.ts'

/* A key is made in the browser, approved, given more by two people, and switched off by one. */

let run: FundedConsole
let desk: Page
let guard: RunningCoSigner | undefined
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/** The private half that the page gave. */
let pem: string

before(async () => {
  run = await startFundedConsole({ mark: 'Keys' })
  desk = await run.open(run.org.alice, '/mpc/center/wallet/api')
})
after(async () => {
  await guard?.coSigner.kill()
  await guard?.callback.kill()
  await run?.close()
})

const test = story(async (cause) => {
  await picture(desk, 'api-failed')
  throw cause
})
const main = () => desk.getByRole('main')
const press = (name: string) => main().getByRole('button', { name, exact: true }).click()
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]
const ownKey = async () => (await run.org.alice.client.call(listMachines, {})).list[0]!

test('a key is made in the page, which gives its private half once and proposes the public one (spec 2.11)', async () => {
  await main().getByText('No API keys and no co-signers yet').waitFor()
  await lookAllOver(desk, 'api-none')
  await main().getByRole('link', { name: 'Add an API key' }).click()
  await press('Propose')
  await main().getByText('Something is missing or wrong.').waitFor()
  await main().getByLabel('Name', { exact: true }).fill('Payouts')
  await main().getByLabel('Purpose', { exact: true }).fill('Pays suppliers')
  await press('Generate a key pair here')
  await main().getByText('Save the private key now').waitFor()
  await lookAllOver(desk, 'api-add')
  assert.equal(await main().getByLabel('Public key', { exact: true }).inputValue(), '', 'a key whose private half nobody keeps is not proposed')
  const [file] = await Promise.all([desk.waitForEvent('download'), press('Save the private key')])
  pem = readFileSync(await file.path(), 'utf8')
  assert.match(pem, /^-----BEGIN PRIVATE KEY-----\n[\w+/=]+\n-----END PRIVATE KEY-----\n$/)
  const field = main().getByLabel('Public key', { exact: true })
  const own = await field.inputValue()
  assert.match(own, /^-----BEGIN PUBLIC KEY-----/)
  await main().getByText('Read as a key of Ed25519:').waitFor()
  await field.fill(pem)
  await main().getByText('This is a private key, which should never leave the program').waitFor()
  await lookAllOver(desk, 'api-private')
  await field.fill(JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })))
  await main().getByText('Read as a key of P-256:').waitFor()
  await field.fill(own)
})

test('its addresses, limits and approvers are chosen, and it is on once people approved it', async () => {
  await main().getByLabel('Source addresses').fill('203.0.113.0/24\n2001:db8::7')
  await main().getByRole('button', { name: 'Add an asset' }).click()
  await desk.getByRole('option', { name: /^ETH · Local network/ }).click()
  await main()
    .getByLabel(/^ETH · Local network in 24 hours/)
    .fill('2')
  await main().getByRole('button', { name: 'Add people' }).click()
  await desk.getByRole('option', { name: 'Bruno' }).click()
  await lookAllOver(desk, 'api-rule')
  await main().getByLabel('It may also call contracts').check()
  await main().getByLabel('Contracts, one address per line').fill(TOKEN)
  await press('Propose')
  await main().getByText('Enter functions with their parameter types').waitFor()
  await main().getByLabel('Functions, one per line').fill('approve(address,uint256)')
  await main().getByLabel('Tokens moved or allowed').fill('1000000')
  await main().getByRole('button', { name: 'Add people' }).last().click()
  await desk.getByRole('option', { name: 'Chiara' }).click()
  await lookAllOver(desk, 'api-calls')
  await press('Propose')
  await main().getByText('Proposed', { exact: true }).waitFor()
  const href = (await main().getByRole('link', { name: 'Open the approval page' }).getAttribute('href'))!
  await main().getByRole('link', { name: 'Back to API keys' }).click()
  await main().getByText('Waiting for approval', { exact: true }).waitFor()
  await lookAllOver(desk, 'api-waits')
  for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hashIn(href), 'approve')
  await waitUntil(ports, 'the key is in the policy', async () => ((await ownKey()).status === 'on' ? true : undefined))
  await main().getByText('On', { exact: true }).waitFor()
  assert.equal((await ownKey()).rules.length, 2, 'a rule for payments and one for calls')
  assert.ok((await ownKey()).settings?.permissions.includes('web3.create'))
  await lookAllOver(desk, 'api-on')
  await press('Examples')
  await desk
    .getByRole('dialog')
    .getByText(`keyid=\\"${(await ownKey()).key_id}\\"`)
    .waitFor()
  await lookAllOver(desk, 'api-examples')
  await desk.keyboard.press('Escape')
})

test('its pair is checked by a signature, and a test notification says what came back', async () => {
  const drawer = desk.getByRole('dialog').last()
  await press('Check the key pair')
  const [, text = ''] = /printf %s '([^']+)'/.exec((await drawer.getByLabel('Command', { exact: true }).textContent()) ?? '') ?? []
  const check = async (signed: string) => {
    await drawer.getByLabel('Signature', { exact: true }).fill(sign(null, Buffer.from(signed), createPrivateKey(pem)).toString('base64'))
    await drawer.getByRole('button', { name: 'Check', exact: true }).click()
  }
  await check('another text')
  await drawer.getByText('No match.').waitFor()
  await check(text)
  await drawer.getByText('Match: the private key').waitFor()
  await lookAllOver(desk, 'api-key-check')
  await desk.keyboard.press('Escape')
  await run.org.alice.client.call(saveWebhookEndpoint, { url: `http://${CLOSED_HOST}/webhooks`, sides: ['deposit'] })
  await press('Send a test notification')
  await drawer.getByRole('button', { name: /^Send to/ }).click()
  await drawer.getByText('Failed', { exact: true }).waitFor()
  await drawer.getByText('Connection refused').waitFor()
  await lookAllOver(desk, 'api-notify')
  await desk.keyboard.press('Escape')
})

test('more permissions wait until a second person confirms them', async () => {
  await main().getByRole('link', { name: 'Edit', exact: true }).click()
  await main().getByLabel('Request withdrawals').check()
  await main().getByLabel('Change its rule for contract calls').check()
  assert.equal(await main().getByLabel('Functions, one per line').inputValue(), 'approve(address,uint256)', 'it begins with what stands')
  await lookAllOver(desk, 'api-edit')
  await press('Save the settings')
  await main().getByText('Settings waiting for a second person').waitFor()
  await main().getByText('Another person who may change API keys must confirm this.').waitFor()
  const second = await run.open(run.org.bruno, '/mpc/center/wallet/api')
  await second.getByText('Settings waiting for a second person').waitFor()
  await lookAllOver(second, 'api-second')
  await second.getByRole('button', { name: 'Confirm', exact: true }).click()
  await second.getByText('Settings waiting for a second person').waitFor({ state: 'detached' })
  assert.ok((await ownKey()).settings?.permissions.includes('withdraw.create'))
  await second.close()
})

test('one person switches it off at once, and the log says who wrote what', async () => {
  await desk.reload()
  await press('Switch off')
  await desk.getByRole('dialog').last().getByRole('button', { name: 'Switch off' }).click()
  await main().getByText('Off', { exact: true }).waitFor()
  assert.equal((await ownKey()).status, 'off')
  await main().getByRole('link', { name: 'Log', exact: true }).click()
  await main().getByText('No calls').waitFor()
  await lookAllOver(desk, 'api-log')
  await main().getByRole('tab', { name: 'Settings' }).click()
  await main().getByRole('row').filter({ hasText: 'With a policy change' }).waitFor()
  await main().getByRole('row').filter({ hasText: 'Bruno' }).first().waitFor()
  await lookAllOver(desk, 'api-log-settings')
})

/** The form of a key of door two, with an address to be called back at that is none, and then with one. */
async function fillDoorTwo(
  words: { addresses: string; callback: string; propose: string; fault: string; event: string },
  name: string,
  look = lookAllOver,
): Promise<void> {
  await desk.goto(`${run.stack.settings.consoleOrigin}/mpc/center/wallet/api/addApi?kind=apiRsa`)
  await main().getByLabel(words.addresses).fill('203.0.113.7')
  await main().getByLabel(words.callback).fill('example.com/hook')
  await press(words.propose)
  await main().getByText(words.fault).waitFor()
  await look(desk, `${name}-fault`)
  await main().getByLabel(words.callback).fill('https://example.com/hook')
  await main().getByText(words.fault).waitFor({ state: 'detached' })
  assert.ok(await main().getByRole('group', { name: words.event }).getByRole('checkbox').first().isChecked(), 'it is told of everything at first')
  await look(desk, name)
}

test('a key for door two is given an address at which it is called back', async () => {
  const fault = 'Enter an address such as https://example.com/hook'
  await fillDoorTwo({ addresses: 'Source addresses', callback: 'Callback address', propose: 'Propose', fault, event: 'Events' }, 'api-door-two')
})

test('a key of door two shows where its program calls, has examples in each language, and its calls are in the log with what is secret masked', async () => {
  const callback = { url: `http://${CLOSED_HOST}/hook`, sides: ['withdraw' as const, 'deposit' as const] }
  const key = await makeWireKey(run.stack, run.org, 'shop', { callback })
  assert.equal((await wireCall(key, 'GET', '/coin_list')).code, '0')
  const order = { request_id: 'walk-0001', sub_wallet_id: 1, symbol: 'ETH', address_to: TOKEN, amount: '0.1' }
  assert.equal((await wireCall(key, 'POST', '/billing/withdraw', { ...order, sign: 'AAAA' })).code, '300584')
  await desk.goto(`${run.stack.settings.consoleOrigin}/mpc/center/wallet/api`)
  const card = main().getByRole('region', { name: 'shop' })
  await card.getByText(key.appId, { exact: true }).waitFor()
  await card.getByText(`${run.stack.settings.consoleOrigin}/open/wire`, { exact: true }).waitFor()
  await lookAllOver(desk, 'api-door-two-card')
  await card.getByRole('button', { name: 'Examples' }).click()
  const drawer = desk.getByRole('dialog').last()
  for (const name of ['Shell', 'JavaScript', 'Python', 'Public SDK']) {
    await drawer.getByRole('tab', { name, exact: true }).click()
    await drawer.getByRole('tabpanel', { name, exact: true }).getByText(key.appId).waitFor()
  }
  await lookAllOver(desk, 'api-door-two-examples')
  await desk.keyboard.press('Escape')
  await card.getByRole('link', { name: 'Edit', exact: true }).click()
  assert.equal(await main().getByLabel('Callback address').inputValue(), callback.url)
  await lookAllOver(desk, 'api-door-two-edit')
  await desk.goBack()
  await card.getByRole('link', { name: 'Log', exact: true }).click()
  await main().getByRole('row').filter({ hasText: '/billing/withdraw' }).first().waitFor()
  await lookAllOver(desk, 'api-log-calls')
})

test('a co-signer is shown with its version and when it was seen last, each step of its test, and that it is gone once it stops', async () => {
  guard = await runCoSigner(run.stack, run.org, { machine: 'guard', fingerprint: run.org.fingerprint, expected: [] })
  await desk.goto(`${run.stack.settings.consoleOrigin}/mpc/center/wallet/api`)
  const card = main().getByRole('region', { name: 'guard' })
  await card.getByText('Connected', { exact: true }).waitFor()
  const fact = (label: string) => card.locator(`dt:text-is("${label}") + dd`)
  assert.equal(await fact('Version').textContent(), VERSION)
  assert.doesNotMatch((await fact('Last seen').textContent()) ?? '', /^(Never|--)?$/)
  await card.getByRole('button', { name: 'Test the co-signer' }).click()
  const steps = card.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem')
  await steps.first().waitFor()
  const told = await steps.allTextContents()
  assert.ok(told.length > 1 && told.every((step) => step.startsWith('OK')), told.join(' | '))
  await lookAllOver(desk, 'api-co-signer')
  await guard.coSigner.kill()
  await card.getByText('Not connected', { exact: true }).waitFor()
  assert.equal(await fact('Version').textContent(), VERSION)
  assert.doesNotMatch((await fact('Last seen').textContent()) ?? '', /^(Never|--)?$/)
  await card.getByRole('button', { name: 'Test the co-signer' }).click()
  await card.getByText('it is not connected').waitFor()
  await lookAllOver(desk, 'api-co-signer-gone')
  guard.coSigner.start()
  await card.getByText('Connected', { exact: true }).waitFor()
})

test('it reads the same in Chinese', async () => {
  const { consoleOrigin } = run.stack.settings
  await desk.context().addCookies([{ name: 'lan', value: 'zh_CN', url: consoleOrigin }])
  await desk.goto(`${consoleOrigin}/mpc/center/wallet/api`)
  await main().getByText('已停用', { exact: true }).waitFor()
  await lookAtWords(desk, 'api-chinese')
  await desk.goto(`${consoleOrigin}/mpc/center/wallet/api/addApi`)
  await main().getByLabel('来源 IP').waitFor()
  await lookAtWords(desk, 'api-chinese-add')
  const fault = '请填写形如 https://example.com/hook 的地址'
  await fillDoorTwo({ addresses: '来源 IP', callback: '回调地址', propose: '提交审批', fault, event: '事件' }, 'api-chinese-door-two', lookAtWords)
})
