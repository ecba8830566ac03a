import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { AppError } from '@holdfast/contract'
import { decideSettings, listMachines, saveSettings } from '@holdfast/features/api-key/contract'
import { getWithdrawal } from '@holdfast/features/transaction/contract'
import { componentsOf, signatureBase, signatureParams, type SigningAlgorithm } from '@holdfast/http-signatures'
import { type AskedBatch, checkAsked, checkBatch, checkCalled, type OpenCalls, OpenCallError, OrderFault } from '@holdfast/open-client'
import { nodePorts as ports } from '@holdfast/ports/node'
import { parseAmount } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { KEY_PERMISSIONS } from '../../features/api-key/settings-contract.ts'
import { OWN_CALLS, SHARED_CALLS } from '../../features/open-api/open-contract.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { contractCall } from '../../packages/open-client/examples/contract-call.ts'
import { firstWithdrawal } from '../../packages/open-client/examples/first-withdrawal.ts'
import { CALLS } from '../../packages/open-client/src/calls.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { localChain } from './testing/local-chain.ts'
import { type ApiKey, makeApiKey } from './testing/make-api-key.ts'

const MINUTE_MS = 60_000
const NO_SHELL = spawnSync('bash', ['-c', 'openssl version && curl --version']).status !== 0

let stack: JoinedStack
let ours: FundedOrganisation
let payouts: ApiKey
let supplier: string

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  ours = await foundFunded(stack, { amount: '5', mark: 'Open' })
  supplier = freshAddress()
  payouts = await makeKey(ours, 'payouts')
})
after(() => stack?.dispose())

const makeKey = (org: FundedOrganisation, appId: string, changes: Parameters<typeof makeApiKey>[3] = {}) => makeApiKey(stack, org, appId, changes)

const payment = (requestId: string, changes: Partial<OpenCalls['openCreateWithdrawal']['input']> = {}) => ({
  request_id: requestId,
  sub_wallet_id: ours.subWalletId,
  chain: LOCAL_CHAIN,
  symbol: 'ETH',
  address_to: supplier,
  amount: '0.25',
  max_fee: '0.00005',
  ack: 'first_seen',
  ...changes,
})

/** The token of the local network, and a call of it that lets somebody take so much of ours. */
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const APPROVE = 'approve(address,uint256)'
const approving = (spender: string, amount: bigint) => ({
  sub_wallet_id: ours.subWalletId,
  chain: LOCAL_CHAIN,
  interactive_contract: TOKEN,
  function: APPROVE,
  input_data: `0x095ea7b3${spender.slice(2).toLowerCase().padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`,
})

const batchOf = (requestId: string, lines = [{ address: freshAddress(), amount: '0.001' }]): AskedBatch => ({
  ...{ request_id: requestId, sub_wallet_id: ours.subWalletId, chain: LOCAL_CHAIN, symbol: 'ETH', lines, max_fee: '0.00005' },
})

const textOf = (asked: AskedBatch) => ({ ...asked, lines: JSON.stringify(asked.lines) })

const orderOf = (id: string) => ours.alice.client.call(getWithdrawal, { id })
/** Every call of the door but the one by which a key ends its own part. */
const NAMES = (Object.keys(CALLS) as (keyof OpenCalls)[]).filter((each) => each !== 'openSwitchOff')
const refusal = (code: string) => (error: unknown) => error instanceof OpenCallError && error.code === code

type Signed = { method: string; path: string; query?: string; body?: string; headers?: Record<string, string> }
type Signing = { key?: KeyObject; keyId?: string; atMs?: number; nonce?: string; authority?: string; algorithm?: SigningAlgorithm }

/** A call as it is sent, signed by whatever is given. */
function signedCall({ method, path, query = '', body }: Signed, signing: Signing = {}): { url: string; init: RequestInit } {
  const digest = createHash('sha256')
    .update(body ?? '')
    .digest('base64')
  const { key = payouts.privateKey, keyId = payouts.keyId, atMs = Date.now(), nonce = randomBytes(18).toString('base64') } = signing
  const headers: Record<string, string> =
    method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded', 'content-digest': `sha-256=:${digest}:` } : {}
  const { origin, host } = new URL(stack.settings.consoleOrigin)
  const components = componentsOf(method === 'POST')
  const isP256 = key.asymmetricKeyType === 'ec'
  const { algorithm = isP256 ? 'ecdsa-p256-sha256' : 'ed25519' } = signing
  const params = signatureParams(components, { created: Math.floor(atMs / 1000), nonce, keyId, algorithm })
  const base = signatureBase({ method, authority: signing.authority ?? host, path, query, headers }, components, params)!
  const signature = sign(isP256 ? 'sha256' : null, Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }).toString('base64')
  const sent = { ...headers, 'signature-input': `sig=${params}`, signature: `sig=:${signature}:` }
  return { url: `${origin}${path}${query === '' ? '' : `?${query}`}`, init: { method, headers: sent, ...(method === 'POST' ? { body: body ?? '' } : {}) } }
}

async function send({ url, init }: { url: string; init: RequestInit }): Promise<{ status: number; code: string; data: unknown }> {
  const answer = await fetch(url, init)
  const { code, data } = (await answer.json()) as { code: string; data: unknown }
  return { status: answer.status, code, data }
}

describe('the door for programs', () => {
  it('lets a key ask for a payment within its rule, and the chain has it once the key and people signed', async () => {
    const { list } = await payouts.client.call('openWallets', {})
    assert.deepEqual(
      list.map((each) => each.sub_wallet_id),
      [ours.subWalletId],
    )
    const asked = payment('payouts-first-0001')
    const opened = await payouts.client.withdraw(asked)
    assert.deepEqual([opened.state, opened.missing], ['approving', 1])
    assert.deepEqual(await payouts.client.withdraw(asked), opened, 'the same again goes on where it stands')
    const said = await firstWithdrawal(payouts.client, ['payouts-first-0001', LOCAL_CHAIN, 'ETH', '0.25', supplier, '0.00005'])
    assert.deepEqual([said.id, said.status], [opened.id, 1000], 'as the example of the page does it')
    const order = await orderOf(opened.id)
    assert.equal(order.initiator?.name, 'payouts (API)')
    await ours.bruno.decide(order.intent_hash, 'approve')
    await waitUntil(ports, 'the payment', async () => ((await orderOf(opened.id)).status === 2000 ? true : undefined))
    assert.equal((await payouts.client.call('openWithdrawal', { id: opened.id })).status, 2000)
    const { list: moved } = await payouts.client.call('openTransactions', { type: 'withdraw' })
    assert.equal(moved[0]?.id, opened.id)
  })

  it('moves nothing without the signature of the key, whoever approved', async () => {
    const { withdraw_id: id, intent_hash: hash } = await payouts.client.call('openCreateWithdrawal', payment('payouts-unsigned-1'))
    assert.deepEqual(await ours.bruno.decide(hash, 'approve'), { state: 'approving', missing: 1 })
    assert.deepEqual([(await orderOf(id)).status, (await orderOf(id)).next_action.who.map(({ name }) => name)], [1000, ['payouts (API)']])
  })

  it('signs no order that says something else than was asked for', async () => {
    const asked = payment('payouts-checked-1')
    const { withdraw_id: id } = await payouts.client.call('openCreateWithdrawal', asked)
    const { intent } = await payouts.client.call('openWithdrawalIntent', { id })
    checkAsked(asked, intent)
    for (const other of [
      { amount: '0.24' },
      { address_to: freshAddress() },
      { symbol: 'USDT' },
      { max_fee: '0.0000001' },
      { memo: 'x' },
      { gross: '1' as const },
    ])
      assert.throws(() => checkAsked({ ...asked, ...other }, intent), OrderFault, JSON.stringify(other))
  })

  it('has a contract called by the very bytes that were asked for, within the rule of the key for calls, once people approve', async () => {
    const permissions = ['wallet.read', 'web3.create']
    const calls = { contracts: [TOKEN], functions: [APPROVE], max_tokens: '5000000' }
    const caller = await makeKey(ours, 'caller', { permissions, calls })
    const { input_data: data } = approving(supplier, 2_000_000n)
    const given = ['caller-first-001', LOCAL_CHAIN, TOKEN, APPROVE, data, '0.0001']
    const opened = await contractCall(caller.client, given)
    assert.deepEqual([opened.state, opened.missing, opened.warnings.length > 0], ['approving', 1, true])
    assert.equal((await contractCall(caller.client, given)).id, opened.id, 'the same again goes on where it stands')
    const { id } = opened
    const { intent } = await caller.client.call('openCallIntent', { id })
    const asked = { ...approving(supplier, 2_000_000n), request_id: 'caller-first-001', max_fee: '0.0001', ack: 'true' as const }
    checkCalled(asked, intent)
    for (const other of [
      { interactive_contract: freshAddress() },
      { input_data: data.replace(/.$/, '1') },
      { amount: '1' },
      { function: '' },
      { max_fee: '0' },
    ])
      assert.throws(() => checkCalled({ ...asked, ...other }, intent), OrderFault, JSON.stringify(other))
    assert.throws(() => checkAsked(payment('caller-first-001'), intent), OrderFault)
    await assert.rejects(payouts.client.call('openWithdrawalIntent', { id }), OpenCallError, 'of another key')
    const order = await orderOf(id)
    assert.equal(order.initiator?.name, 'caller (API)')
    await ours.bruno.decide(order.intent_hash, 'approve')
    await waitUntil(ports, 'the call', async () => ((await caller.client.call('openCall', { id })).status === 2000 ? true : undefined))
    assert.equal((await caller.client.call('openCall', { id })).input_data, data)
    const asks = (requestId: string, contract: string, amount: bigint) =>
      contractCall(caller.client, [requestId, LOCAL_CHAIN, contract, APPROVE, approving(supplier, amount).input_data, '0.0001'])
    await assert.rejects(asks('caller-beyond-1', TOKEN, 6_000_000n), /nothing is asked for/)
    await assert.rejects(asks('caller-beyond-2', freshAddress(), 1n), /nothing is asked for/)
    // What calls do with tokens in a day the signers count, and none signs what is too much, whoever approved.
    const { id: later } = await asks('caller-beyond-3', TOKEN, 4_000_000n)
    await ours.bruno.decide((await orderOf(later)).intent_hash, 'approve')
    await waitUntil(ports, 'the refusal', async () => ((await orderOf(later)).refusals.length > 0 ? true : undefined))
  })

  it('has a batch paid whose lines are those that were asked for, once people approve it whole', async () => {
    const payroll = await makeKey(ours, 'payroll')
    const lines = ['0.01', '0.02', '0.03'].map((amount) => ({ address: freshAddress(), amount }))
    const asked = batchOf('payroll-first-1', lines)
    const opened = await payroll.client.payBatch(asked)
    assert.deepEqual([opened.state, opened.missing], ['approving', 1])
    assert.deepEqual(await payroll.client.payBatch(asked), opened, 'the same again goes on where it stands')
    const { id } = opened
    const { intent, intent_hash: hash } = await payroll.client.call('openBatchIntent', { id })
    const [first, ...rest] = lines
    const others = [rest, [...rest, first!], [...lines, first!], [{ ...first!, amount: '0.011' }, ...rest], [{ ...first!, address: supplier }, ...rest]]
    for (const other of others) assert.throws(() => checkBatch({ ...asked, lines: other }, intent), OrderFault)
    assert.throws(() => checkBatch({ ...asked, max_fee: '0.00004' }, intent), OrderFault)
    await assert.rejects(payouts.client.call('openBatchIntent', { id }), OpenCallError, 'of another key')
    await assert.rejects(payroll.client.payBatch(batchOf('payroll-wrong-1', [...lines, { address: '0x12', amount: '1' }])), /line 4/)
    await ours.bruno.decide(hash, 'approve')
    const batch = await waitUntil(ports, 'the batch', async () => {
      const found = await payroll.client.call('openBatch', { batch_id: id })
      return found.state === 'finished' ? found : undefined
    })
    assert.deepEqual([batch.initiator.name, batch.paid], ['payroll (API)', '0.06'])
    const { list } = await payroll.client.call('openBatchRows', { batch_id: id })
    assert.deepEqual(
      list.map(({ address, amount, state }) => [address, amount, state]),
      lines.map(({ address, amount }) => [address, amount, 'completed']),
    )
    for (const { address, amount } of lines) assert.equal(await localChain(stack.settings).balanceOf(address), parseAmount(amount, 18))
    const { id: waiting } = await payroll.client.payBatch(batchOf('payroll-later-1'))
    await assert.rejects(payouts.client.call('openCancelBatch', { batch_id: waiting }), refusal(new AppError('not_permitted').code))
    assert.equal((await payroll.client.call('openCancelBatch', { batch_id: waiting })).state, 'cancelled')
  })

  it('takes an order back for the key that asked for it, until it is signed, and for no other', async () => {
    // Another key is a change of the policy, which ends what waits under the version before.
    const other = await makeKey(ours, 'other')
    const { withdraw_id: id } = await payouts.client.call('openCreateWithdrawal', payment('payouts-cancel-1'))
    await assert.rejects(other.client.call('openCancelWithdrawal', { withdraw_id: id }), refusal(new AppError('not_permitted').code))
    const taken = await payouts.client.call('openCancelWithdrawal', { withdraw_id: id, remark: 'wrong invoice' })
    assert.equal(taken.status, 2202)
    assert.deepEqual(await payouts.client.call('openCancelWithdrawal', { withdraw_id: id }), taken, 'the same again answers the same')
    const { status, timeline } = await orderOf(id)
    assert.deepEqual([status, timeline.at(-1)?.actor], [2202, timeline[0]?.actor])
    const { withdraw_id: paid } = await payouts.client.call('openCreateWithdrawal', payment('payouts-first-0001'))
    await assert.rejects(payouts.client.call('openCancelWithdrawal', { withdraw_id: paid }), refusal(new AppError('state_changed').code))
  })

  it('is called by the lines of docs/api.md as they stand', { skip: NO_SHELL && 'OpenSSL or curl is not here' }, async () => {
    const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8')
    const linesWith = (part: string) => [...page.matchAll(/^ *```\n([^]*?)^ *```$/gm)].map(([, lines = '']) => lines).find((lines) => lines.includes(part))!
    const folder = await mkdtemp(join(tmpdir(), 'api-page-'))
    const run = async (lines: string) => (await promisify(execFile)('bash', ['-ec', lines], { cwd: folder })).stdout
    try {
      const printed = await run(linesWith('openssl genpkey'))
      const privateKey = createPrivateKey(await readFile(join(folder, 'key.pem')))
      assert.equal(printed, createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }))
      const { keyId } = await makeKey(ours, 'curl', { privateKey })
      const { protocol, host } = new URL(stack.settings.consoleOrigin)
      const form = new URLSearchParams(payment('payouts-curl-1')).toString()
      const lines = linesWith('base.txt').replace('HOST=console.example', `HOST=${host}`).replace('KEY_ID=0199….payouts', `KEY_ID=${keyId}`)
      const given = lines.replace(/FORM="[^"]*"/, `FORM="${form}"`).replace('"https://$HOST', `"${protocol}//$HOST`)
      assert.ok([host, keyId, form, `${protocol}//$HOST`].every((each) => given.includes(each)))
      const { code, data } = JSON.parse(await run(given)) as { code: string; data: { withdraw_id: string } }
      assert.equal(code, '0')
      assert.equal((await orderOf(data.withdraw_id)).request_id, 'payouts-curl-1')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('takes each call once, at its time, as it was signed, from an address of the key', async () => {
    const read = { method: 'GET', path: '/open/v1/wallets' }
    const once = signedCall(read)
    assert.equal((await send(once)).code, '0')
    assert.deepEqual(await Promise.all([send(once), send(once)]).then((all) => all.map(({ status, code }) => [status, code])), Array(2).fill([401, '300582']))
    const late = await send(signedCall(read, { atMs: Date.now() - 6 * MINUTE_MS }))
    assert.equal(late.code, '300581')
    assert.ok(Math.abs((late.data as { server_time_ms: number }).server_time_ms - Date.now()) < MINUTE_MS)
    const stranger = generateKeyPairSync('ed25519').privateKey
    for (const signing of [{ key: stranger }, { keyId: payouts.keyId.replace('payouts', 'ghost') }, { keyId: 'nobody' }, { authority: 'evil.example' }])
      assert.equal((await send(signedCall(read, signing))).code, '100005', JSON.stringify(signing))
    const form = new URLSearchParams(payment('payouts-digest-1')).toString()
    const call = signedCall({ method: 'POST', path: '/open/v1/withdrawals/create', body: form })
    assert.equal((await send({ ...call, init: { ...call.init, body: form.replace('0.25', '0.99') } })).code, '300580')
    assert.equal((await send({ url: once.url, init: {} })).code, '300580')
    const elsewhere = await makeKey(ours, 'elsewhere', { addresses: ['203.0.113.0/24'] })
    await assert.rejects(elsewhere.client.call('openWallets', {}), refusal('100007'))
  })

  it('takes a key of P-256 as one of Ed25519: its calls, its order, and no spelling or algorithm beside its own', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const service = await makeKey(ours, 'service', { privateKey })
    const opened = await service.client.withdraw(payment('service-first-0001', { amount: '0.01' }))
    await ours.bruno.decide((await orderOf(opened.id)).intent_hash, 'approve')
    await waitUntil(ports, 'the payment', async () => ((await orderOf(opened.id)).status === 2000 ? true : undefined))

    const [read, own] = [
      { method: 'GET', path: '/open/v1/wallets' },
      { key: privateKey, keyId: service.keyId },
    ]
    const once = signedCall(read, own)
    assert.equal((await send(once)).code, '0')
    // The other value of s holds as well, and is the same call: it was there already.
    const headers = { ...(once.init.headers as Record<string, string>) }
    const raw = Buffer.from(headers['signature']!.slice(5, -1), 'base64')
    const s = p256.Point.Fn.ORDER - BigInt(`0x${raw.subarray(32).toString('hex')}`)
    headers['signature'] = `sig=:${Buffer.concat([raw.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]).toString('base64')}:`
    assert.equal((await send({ ...once, init: { ...once.init, headers } })).code, '300582')
    const confused: Signing[] = [
      { ...own, algorithm: 'ed25519' },
      { algorithm: 'ecdsa-p256-sha256' },
      { key: payouts.privateKey, keyId: service.keyId },
      { key: privateKey },
    ]
    for (const each of confused) assert.equal((await send(signedCall(read, each))).code, '100005')
  })

  it('gives a key what it is permitted and nothing else, in its wallets and in its organisation alone', async () => {
    const theirs = await foundFunded(stack, { amount: '1', mark: 'Elsewhere' })
    const [reader, scoped] = [await makeKey(ours, 'reader', { permissions: ['notification.read'] }), await makeKey(ours, 'scoped', { wallets: [] })]
    const { withdraw_id: id, intent_hash: order_hash } = await payouts.client.call('openCreateWithdrawal', payment('payouts-scope-1'))
    const { batch_id: batchId } = await payouts.client.call('openCreateBatch', textOf(batchOf('batch-scope-1')))
    const inputs: { [N in keyof OpenCalls]: OpenCalls[N]['input'] } = {
      openBalances: { sub_wallet_id: ours.subWalletId },
      openDepositAddress: { sub_wallet_id: ours.subWalletId, chain: LOCAL_CHAIN, symbol: 'ETH' },
      openAddresses: { sub_wallet_id: ours.subWalletId },
      openCreateAddresses: { request_id: 'addresses-matrix', sub_wallet_id: ours.subWalletId, chain: LOCAL_CHAIN },
      openCreateWithdrawal: payment('payouts-matrix-1'),
      openFees: { sub_wallet_id: ours.subWalletId, chain: LOCAL_CHAIN, symbol: 'ETH', to: supplier, amount: '1' },
      openCancelWithdrawal: { withdraw_id: id },
      openWithdrawal: { id },
      openCreateBatch: textOf(batchOf('batch-matrix-1')),
      openBatch: { batch_id: batchId },
      openBatchRows: { batch_id: batchId },
      openCancelBatch: { batch_id: batchId },
      openBatchIntent: { id: batchId },
      openSignBatch: { id: batchId, signature: '00' },
      openCheckCall: approving(supplier, 1n),
      openCreateCall: { ...approving(supplier, 1n), request_id: 'call-matrix-1', max_fee: '0.0001' },
      openCall: { id },
      openCallIntent: { id },
      openSignCall: { id, signature: '00' },
      openTransactions: {},
      openNotifications: {},
      openWallets: {},
      openWithdrawalIntent: { id },
      openSignWithdrawal: { id, signature: '00' },
      openScreen: { order_hash, provider: 'a list', level: 'low', screened_at: 0, report_hash: order_hash, signature: order_hash.repeat(2) },
      ...{ openScreenings: {}, openSwitchOff: {} },
    }
    const foreign = {
      ...inputs,
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, input]) => [name, 'sub_wallet_id' in input ? { ...input, sub_wallet_id: theirs.subWalletId } : input]),
      ),
    }
    const codeOf = (key: ApiKey, name: keyof OpenCalls, given = inputs) =>
      key.client.call(name, given[name]).then(
        () => '0',
        (error: unknown) => (error instanceof OpenCallError ? error.code : String(error)),
      )
    for (const name of NAMES) {
      if (name === 'openNotifications') assert.equal(await codeOf(reader, name), '0')
      else assert.equal(await codeOf(reader, name), '300572', name)
      assert.equal(await codeOf(scoped, name), ['openWallets', 'openScreenings'].includes(name) ? '0' : '300583', name)
      if ('sub_wallet_id' in inputs[name]) assert.equal(await codeOf(payouts, name, foreign as typeof inputs), '200005', name)
    }
    assert.deepEqual((await scoped.client.call('openWallets', {})).list, [])
    assert.deepEqual((await payouts.client.call('openAddresses', inputs.openAddresses)).list.length > 0, true)
    await waitUntil(ports, 'addresses', async () => ((await codeOf(payouts, 'openCreateAddresses')) === '0' ? true : undefined))
    const thief = await makeKey(theirs, 'thief', { permissions: KEY_PERMISSIONS })
    // What names nothing answers what is the thief's own.
    const itsOwn = new Set<string>(['openTransactions', 'openNotifications', 'openWallets', 'openScreenings'])
    for (const name of NAMES) {
      const answer = await thief.client.call(name, inputs[name]).catch((error: unknown) => error)
      if (itsOwn.has(name)) assert.ok(![ours.subWalletId, id, batchId].some((each) => JSON.stringify(answer).includes(each)), name)
      else assert.ok(answer instanceof OpenCallError && answer.code !== '100001', `${name} of another organisation: ${JSON.stringify(answer)}`)
    }
  })

  it('opens with each permission the calls that need it, and no other', async () => {
    const key = await makeKey(ours, 'narrow', { permissions: KEY_PERMISSIONS })
    const needs = new Map(Object.entries({ ...SHARED_CALLS, ...OWN_CALLS }).map(([name, { at }]) => [name, at.permission as string]))
    const machine = async () => (await ours.alice.client.call(listMachines, {})).list.find((each) => each.app_id === 'narrow')!
    for (const permission of KEY_PERMISSIONS) {
      const { settings_version: version, settings } = await machine()
      const given = { app_id: 'narrow', base_version: String(version), settings: { ...settings!, permissions: [permission] } }
      const { state, version: made } = await ours.alice.client.call(saveSettings, given)
      if (state === 'waiting') await ours.bruno.client.call(decideSettings, { app_id: 'narrow', version: String(made), confirmed: true })
      assert.deepEqual((await machine()).settings?.permissions, [permission])
      for (const name of NAMES) {
        const answer = await key.client.call(name, { sub_wallet_id: ours.subWalletId } as never).catch((error: unknown) => error)
        const isRefused = answer instanceof OpenCallError && answer.code === '300572'
        assert.equal(isRefused, needs.get(name) !== permission, `${name} with ${permission}`)
      }
    }
  })

  it('is no way to more than the caps for who has stolen a key, and signers hold to them where the server does not', async () => {
    const stolen = await makeKey(ours, 'stolen')
    const outcomes = new Set<string>()
    for (const [i, amount] of ['0.6', '0.3', '0.3', '3'].entries()) {
      const asked = payment(`stolen-000${i}`, { amount })
      const opened = await stolen.client.withdraw(asked).catch((error: unknown) => (error instanceof OpenCallError ? error : Promise.reject(error)))
      if (opened instanceof OpenCallError) {
        outcomes.add('refused')
        continue
      }
      const order = await orderOf(opened.id)
      const decided = await ours.chiara.decide(order.intent_hash, 'approve')
      if (decided.state !== 'approved') continue
      const end = await waitUntil(ports, `the end of ${amount}`, async () => {
        const { status, refusals } = await orderOf(opened.id)
        return status === 2000 ? 'paid' : refusals.length > 0 || status === 2200 || status === 2201 ? 'refused' : undefined
      })
      outcomes.add(end)
      assert.equal(end, ['0.6', '0.3'].includes(amount) && i < 2 ? 'paid' : 'refused', `${amount} after ${i}`)
    }
    assert.deepEqual([...outcomes].toSorted(), ['paid', 'refused'])
    assert.deepEqual(await stolen.client.call('openSwitchOff', {}), {})
    await assert.rejects(stolen.client.call('openWallets', {}), refusal('300570'))
  })

  it('answers whatever it is sent with an envelope, and never fails', async () => {
    const places = [...Object.values(CALLS), { method: 'GET', path: '/open/v1/nothing' }, { method: 'POST', path: '/open' }]
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 40 })
    const form = fc.dictionary(fc.constantFrom('id', 'sub_wallet_id', 'request_id', 'chain', 'signature', 'amount', 'page_no', 'outputs', '__proto__'), text, {
      maxKeys: 4,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        form,
        fc.option(fc.tuple(fc.constantFrom('signature', 'signature-input', 'content-digest', 'content-type'), text)),
        async ({ method, path }, fields, harm) => {
          const encoded = new URLSearchParams(fields).toString()
          const { url, init } = signedCall({ method, path, ...(method === 'GET' ? { query: encoded } : { body: encoded }) })
          if (path.endsWith('/off')) return
          const value = harm?.[1].replaceAll(/[^\x20-\x7e]/g, '') ?? ''
          const answer = await fetch(url, harm ? { ...init, headers: { ...(init.headers as object), [harm[0]]: value } } : init)
          const said = (await answer.json()) as { code: string }
          assert.ok(answer.status < 500 && /^\d+$/.test(said.code), `${answer.status} ${path} ${JSON.stringify(said)}`)
        },
      ),
      { numRuns: 300 },
    )
  })
})
